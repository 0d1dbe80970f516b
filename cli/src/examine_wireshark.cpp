// Why Wireshark shows no ECI: where its plugin is, where Wireshark looks, and what keeps it from looking.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "examine.hpp"

namespace eciscope::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* plugin_file = "eciscope.so";

struct PluginFolder {
    fs::path path;  ///< holds a folder for each version
    bool personal = false;
};

/// "4.0" of the tshark on PATH.
std::optional<std::string> wireshark_version() {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("tshark --version 2>/dev/null", "r"), pclose);
    std::array<char, 256> line{};
    int major = 0;
    int minor = 0;
    if (pipe == nullptr || std::fgets(line.data(), line.size(), pipe.get()) == nullptr ||
        std::sscanf(line.data(), "TShark (Wireshark) %d.%d", &major, &minor) != 2) {
        return std::nullopt;
    }
    return fmt::format("{}.{}", major, minor);
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value == nullptr ? "" : value;
}

/// Where Wireshark looks, first come first.
std::vector<PluginFolder> plugin_folders() {
    std::vector<PluginFolder> folders;
    const std::string replaced = variable("WIRESHARK_PLUGIN_DIR");
    if (!replaced.empty() && getuid() != 0) {
        folders.push_back({replaced, false});
    } else {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib", ignored)) {
            if (fs::is_directory(entry.path() / "wireshark/plugins", ignored)) {
                folders.push_back({entry.path() / "wireshark/plugins", false});
            }
        }
        folders.push_back({"/usr/local/lib/wireshark/plugins", false});
    }
    if (const std::string home = variable("HOME"); !home.empty()) {
        folders.push_back({fs::path(home) / ".local/lib/wireshark/plugins", true});
    }
    return folders;
}

/// What is to be said of a plugin file that was found.
std::string judged(const fs::path& file, const PluginFolder& folder, const std::string& version) {
    const fs::path wanted = folder.path / version / "epan" / plugin_file;
    if (file != wanted) {
        return fmt::format(
            "  {}: not where Wireshark {} looks\n  → Put it into {}; a plugin built for another version "
            "must be built again.\n",
            file.string(), version, wanted.parent_path().string());
    }
    if (folder.personal && getuid() == 0) {
        return fmt::format(
            "  {}: Wireshark run as root takes no plugins from here\n  → Run it as an ordinary user, or "
            "install the plugin for all (cmake --install).\n",
            file.string());
    }
    if (access(file.c_str(), R_OK) != 0) {
        return fmt::format("  {}: cannot be read\n  → chmod a+r\n", file.string());
    }
    return fmt::format("  {}: is loaded\n", file.string());
}

}  // namespace

std::string examine_wireshark() {
    std::string text = "\nWireshark\n";
    const auto host_version = wireshark_version();
    if (!host_version) {
        return text + "  tshark is not found, so its version is not known\n  → apt install wireshark tshark\n";
    }
    text += fmt::format("  version {}\n", *host_version);
    bool found = false;
    for (const PluginFolder& folder : plugin_folders()) {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path, ignored)) {
            if (entry.path().filename() == plugin_file) {
                found = true;
                text += judged(entry.path(), folder, *host_version);
            }
        }
    }
    if (!variable("WIRESHARK_PLUGIN_DIR").empty()) {
        text += getuid() == 0 ? "  WIRESHARK_PLUGIN_DIR is set, but Wireshark run as root ignores it\n"
                              : "  WIRESHARK_PLUGIN_DIR is set: Wireshark looks there instead of in its own folder\n";
    }
    if (!found) {
        text +=
            "  the plugin for ECI is not installed\n  → cmake --install puts it where Wireshark looks, if it was "
            "built (package wireshark-dev).\n";
    }
    return text;
}

}  // namespace eciscope::cli

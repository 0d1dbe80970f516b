#include <fmt/format.h>
#include <pcap/pcap.h>
#include <spdlog/version.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zstd.h>
#include <CLI/Version.hpp>

#include <array>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "examine.hpp"
#include "figures.hpp"
#include "terminal.hpp"
#include "version.hpp"

namespace eciscope::cli {

namespace {

struct Tool {
    std::string_view name;
    std::string_view use;
    std::string_view package;
};
constexpr std::array<Tool, 6> tools = {{{"dumpcap", "capture the interposer's datagrams", "wireshark-common"},
                                        {"tcpdump", "capture the interposer's datagrams", "tcpdump"},
                                        {"tshark", "look into the packets of a capture", "tshark"},
                                        {"jq", "work on NDJSON and JSON", "jq"},
                                        {"xz", "unpack captures", "xz-utils"},
                                        {"man", "read the manual pages", "man-db"}}};

std::string find_on_path(std::string_view name) {
    const char* const path =
        std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = fmt::format("{}/{}", rest.substr(0, end), name);
        if (access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

std::string versions_text() {
    utsname system{};
    uname(&system);
    return fmt::format(
        "program\n  eciscope {}\n  {}; zstd {}; fmt {}; spdlog {}.{}.{}; CLI11 {}\n  {} {} on {}, {} processors\n",
        version, pcap_lib_version(), ZSTD_versionString(), FMT_VERSION, SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR,
        SPDLOG_VER_PATCH, CLI11_VERSION, system.sysname, system.release, system.machine,
        std::thread::hardware_concurrency());
}

std::string terminal_text() {
    const Terminal terminal = look_at(STDOUT_FILENO);
    std::string text = fmt::format("\nterminal\n  standard output is {}; {} columns; colours {}\n",
                                   terminal.is_terminal ? "a terminal" : "no terminal", terminal.columns,
                                   terminal.colour ? "on" : "off");
    text += fmt::format("  the locale's character set is {}\n", locale_charset());
    if (!terminal.unicode) {
        text += "  → Bars are drawn with ASCII characters; set LANG=C.UTF-8 for better ones.\n";
    }
    return text;
}

std::string room_of(const std::string& folder) {
    struct statvfs room {};
    if (statvfs(folder.c_str(), &room) != 0) {
        return "";
    }
    const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
    std::string text = fmt::format("  {} free in {}\n", bytes_text(free), folder);
    if (free < 1'000'000'000) {
        text += "  → That is little: a second of a full link fills more than 10 GB of capture.\n";
    }
    return text;
}

std::string files_text() {
    std::string text = "\nfiles\n";
    const bool writable = access(".", W_OK) == 0;
    text += writable ? "  this folder can be written to\n"
                     : "  this folder cannot be written to\n  → Give -o with a path in another one.\n";
    return text + room_of(".");
}

std::string tools_text() {
    std::string text = "\ntools on PATH\n";
    for (const Tool& tool : tools) {
        const std::string found = find_on_path(tool.name);
        text += found.empty()
                    ? fmt::format("  {:<8} not found (to {}; package {})\n", tool.name, tool.use, tool.package)
                    : fmt::format("  {:<8} {}\n", tool.name, found);
    }
    const std::string own = find_on_path("eciscope");
    if (own.empty()) {
        text +=
            "  eciscope is not on PATH\n  → cmake --install puts it there; completion and manual pages come with it.\n";
    }
    return text;
}

// The proof of the pudding: the socket that a capture needs. Protocol 0 receives nothing.
std::string capturing_text() {
    const int handle = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (handle >= 0) {
        close(handle);
        return "  may capture from network interfaces\n";
    }
    std::array<char, PATH_MAX> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    return fmt::format(
        "  may not capture from network interfaces\n"
        "  → Allow it once, without root: sudo setcap cap_net_raw+ep {}; docs/live.md has more.\n",
        length > 0 ? path.data() : "$(command -v eciscope)");
}

std::string permissions_text() {
    const bool root = geteuid() == 0;
    return fmt::format("\npermissions\n  running as user {}{}\n{}", geteuid(), root ? " (root)" : "", capturing_text());
}

}  // namespace

Examination examine_installation() {
    return {versions_text() + terminal_text() + files_text() + permissions_text() + tools_text() + examine_wireshark(),
            Exit::fine};
}

}  // namespace eciscope::cli

#include "eciscope/view/bookmarks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace eciscope::view {

namespace {

using nlohmann::json;

constexpr std::size_t largest_file = std::size_t{64} << 20U;

ewf::Error io_error(const std::string& what) {
    return {ewf::ErrorCode::io, what + ": " + std::generic_category().message(errno), 0};
}

ewf::Error damage(const std::string& path, const std::string& what) {
    return {ewf::ErrorCode::damaged, path + ": " + what, 0};
}

ewf::Expected<void> write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t put = ::write(descriptor, text.data(), text.size());
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return tl::unexpected(io_error("cannot write bookmarks"));
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

}  // namespace

std::string bookmarks_path(const std::string& trace_path) {
    return trace_path + ".bookmarks.json";
}

ewf::Expected<std::vector<Bookmark>> load_bookmarks(const std::string& path) {
    std::vector<Bookmark> bookmarks;
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return bookmarks;
    }
    std::string text;
    std::array<char, 4096> piece{};
    while (text.size() < largest_file && (in.read(piece.data(), piece.size()), in.gcount() > 0)) {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    const json root = json::parse(text, nullptr, false);
    const auto list = root.is_object() ? root.find("bookmarks") : root.end();
    if (!root.is_object() || list == root.end() || !list->is_array()) {
        return tl::unexpected(damage(path, "no bookmarks of a trace"));
    }
    for (const json& entry : *list) {
        const auto time = entry.is_object() ? entry.find("time_ps") : entry.end();
        const auto note = entry.is_object() ? entry.find("note") : entry.end();
        const bool whole = entry.is_object() && time != entry.end() && time->is_number_integer() &&
                           note != entry.end() && note->is_string();
        if (!whole) {
            return tl::unexpected(damage(path, "a bookmark lacks its time or its note"));
        }
        bookmarks.push_back({time->get<Picoseconds>(), note->get<std::string>()});
    }
    return bookmarks;
}

ewf::Expected<void> save_bookmarks(const std::string& path, const std::vector<Bookmark>& bookmarks) {
    json root;
    root["bookmarks"] = json::array();
    for (const Bookmark& bookmark : bookmarks) {
        root["bookmarks"].push_back({{"time_ps", bookmark.time}, {"note", bookmark.note}});
    }
    // Notes are what a person typed or pasted: what is no UTF-8 in them is replaced.
    const std::string text = root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
    std::string temporary = path + ".XXXXXX";
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return tl::unexpected(io_error("cannot write " + path));
    }
    auto written = write_all(descriptor, text);
    if (written && (::fchmod(descriptor, 0644) != 0 || ::fsync(descriptor) != 0)) {
        written = tl::unexpected(io_error("cannot write " + path));
    }
    ::close(descriptor);
    if (written && std::rename(temporary.c_str(), path.c_str()) != 0) {
        written = tl::unexpected(io_error("cannot replace " + path));
    }
    if (!written) {
        ::unlink(temporary.c_str());
    }
    return written;
}

}  // namespace eciscope::view

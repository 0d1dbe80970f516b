#include "eciscope/capture/identify.hpp"

#include <algorithm>
#include <array>

#include "eciscope/capture/hex.hpp"
#include "eciscope/decoder/block.hpp"

namespace eciscope::capture {

namespace {

using namespace std::string_view_literals;

struct Magic {
    std::string_view bytes;
    FileKind kind;
};

constexpr std::array magics = {
    Magic{"\xa1\xb2\xc3\xd4"sv, FileKind::pcap},
    Magic{"\xd4\xc3\xb2\xa1"sv, FileKind::pcap},
    Magic{"\xa1\xb2\x3c\x4d"sv, FileKind::pcap},
    Magic{"\x4d\x3c\xb2\xa1"sv, FileKind::pcap},
    Magic{"\x0a\x0d\x0d\x0a"sv, FileKind::pcapng},
    Magic{"ECIB"sv, FileKind::bare_records},
    Magic{ewf_magic, FileKind::ewf},
    Magic{"\xfd"
          "7zXZ\0"sv,
          FileKind::xz},
    Magic{"\x1f\x8b"sv, FileKind::gzip},
    Magic{"\x28\xb5\x2f\xfd"sv, FileKind::zstd},
    Magic{"BZh"sv, FileKind::bzip2},
    Magic{"PK\x03\x04"sv, FileKind::zip},
    Magic{"\x7f"
          "ELF"sv,
          FileKind::elf},
    Magic{"%PDF-"sv, FileKind::pdf},
    Magic{"\x89PNG\r\n\x1a\n"sv, FileKind::png},
    Magic{"$date"sv, FileKind::vcd},
    Magic{"$version"sv, FileKind::vcd},
    Magic{"<?xml"sv, FileKind::xml},
    Magic{"window,sample,link,from,"sv, FileKind::edge_csv},
    Magic{"run,slice,"sv, FileKind::sys_csv},
};

constexpr std::array<FileKindInfo, static_cast<std::size_t>(FileKind::unknown) + 1> infos = {{
    {"pcap", "a pcap capture", "Read it as it is.", true},
    {"pcapng", "a pcapng capture", "Read it as it is.", true},
    {"edge-csv", "a table of blocks from a logic analyser", "Read it as it is.", true},
    {"raw-blocks", "a plain dump of 64-byte blocks", "Say --raw with its link and direction to read it.", true},
    {"bare-records", "interposer records without a capture file around them",
     "Capture them with tcpdump or dumpcap, which write pcap.", false},
    {"ewf", "a stored trace (EWF)", "Use it wherever a trace is taken; it needs no decoding.", false},
    {"ndjson", "NDJSON, one object a line", "If eciscope wrote it, give it as a trace.", false},
    {"json", "a JSON array or document", "If eciscope wrote it, give it as a trace.", false},
    {"sys-csv", "a table of messages at the directory's boundary", "It holds messages, not blocks: give it as a trace.",
     false},
    {"ila-csv", "a logic analyser's table of messages", "It holds messages, not blocks: give it as a trace.", false},
    {"ila-blocks", "a logic analyser's table of blocks", "Read it as it is.", true},
    {"hex", "blocks as hexadecimal text", "Read it as it is; it may need --link and --from.", true},
    {"dma", "a dump of a trace buffer", "Say --format dma and --map with its JSON map.", false},
    {"csv", "a table (CSV) with other columns", "docs/capture.md lists the tables that are read.", false},
    {"xz", "an xz-compressed file", "Decompress it first; a pipe will do: xz -dc FILE | eciscope decode -", false},
    {"gzip", "a gzip-compressed file", "Decompress it first; a pipe will do: gzip -dc FILE | eciscope decode -", false},
    {"zstd", "a zstd-compressed file", "Decompress it first; a pipe will do: zstd -dc FILE | eciscope decode -", false},
    {"bzip2", "a bzip2-compressed file", "Decompress it first; a pipe will do: bzip2 -dc FILE | eciscope decode -",
     false},
    {"zip", "a zip archive", "Unpack it and give the capture inside.", false},
    {"elf", "a program or library (ELF)", "Give the capture, not the program.", false},
    {"pdf", "a PDF document", "Give the interposer's capture.", false},
    {"png", "a PNG picture", "Give the interposer's capture.", false},
    {"vcd", "a value change dump of a simulator", "Export the blocks as a table or as a plain dump.", false},
    {"xml", "XML", "Give the interposer's capture.", false},
    {"text", "text", "Give the interposer's capture.", false},
    {"empty", "an empty file", "Nothing was written to it; look at the capturing program's messages.", false},
    {"zeros", "nothing but zeros", "The file was allocated but never written; copy it again.", false},
    {"unknown", "binary data of no known kind", "If it is a plain dump of 64-byte blocks, say --raw.", false},
}};

bool starts_with(Bytes head, std::string_view magic) {
    return head.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), head.begin(),
                      [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

bool is_text(Bytes head) {
    return std::all_of(head.begin(), head.end(), [](std::uint8_t c) {
        return c >= 0x20 ? c != 0x7f : c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0x1b;
    });
}

/// A logic analyser's table, by the probes that its heading names.
FileKind kind_of_analyser(Bytes head) {
    std::string_view heading(reinterpret_cast<const char*>(head.data()), head.size());
    heading = heading.substr(0, heading.find('\n'));
    if (heading.find("rx_block_header") != std::string_view::npos) {
        return FileKind::ila_blocks;
    }
    return heading.find("event_data") != std::string_view::npos ? FileKind::ila_csv : FileKind::csv;
}

FileKind kind_of_text(Bytes head) {
    if (starts_with(head, "Sample in Buffer,")) {
        return kind_of_analyser(head);
    }
    if (looks_like_hex(head)) {
        return FileKind::hex;
    }
    const auto first = std::find_if(head.begin(), head.end(), [](std::uint8_t c) { return c > ' '; });
    if (first == head.end()) {
        return FileKind::text;
    }
    if (*first == '[') {
        return FileKind::json;
    }
    const auto line_end = std::find(first, head.end(), std::uint8_t{'\n'});
    if (*first == '{') {
        const auto last = std::find_if(std::make_reverse_iterator(line_end), std::make_reverse_iterator(first),
                                       [](std::uint8_t c) { return c > ' '; });
        const bool whole_line = line_end != head.end() && last.base() != first && *last == '}';
        return whole_line ? FileKind::ndjson : FileKind::json;
    }
    return std::count(first, line_end, std::uint8_t{','}) >= 2 ? FileKind::csv : FileKind::text;
}

/// The last word of a block, its control word, hardly varies in its first bits from block to block; data does. This is
/// a guess for a message to people: a dump is read only when somebody says that it is one.
bool looks_like_blocks(Bytes head, std::optional<std::uint64_t> size) {
    if (!size || *size % block_bytes != 0 || head.size() < 4 * block_bytes) {
        return false;
    }
    const std::size_t blocks = head.size() / block_bytes;
    std::size_t alike = 0;
    for (std::size_t i = 1; i < blocks; ++i) {
        const std::uint8_t a = head[i * block_bytes + 56];
        const std::uint8_t b = head[(i - 1) * block_bytes + 56];
        alike += (a >> 5) == (b >> 5) ? 1U : 0U;
    }
    return alike * 4 >= blocks * 3;
}

}  // namespace

FileKind identify(Bytes head, std::optional<std::uint64_t> size) {
    if (head.empty()) {
        return FileKind::empty;
    }
    head = head.first(std::min(head.size(), identify_bytes));
    if (starts_with(head, "\xef\xbb\xbf")) {
        head = head.subspan(3);
    }
    for (const Magic& magic : magics) {
        if (starts_with(head, magic.bytes)) {
            return magic.kind;
        }
    }
    if (is_text(head)) {
        return kind_of_text(head);
    }
    if (std::all_of(head.begin(), head.end(), [](std::uint8_t c) { return c == 0; })) {
        return FileKind::zeros;
    }
    return looks_like_blocks(head, size) ? FileKind::raw_blocks : FileKind::unknown;
}

const FileKindInfo& info_of(FileKind kind) {
    return infos[static_cast<std::size_t>(kind)];
}

std::string no_capture_message(FileKind kind) {
    const FileKindInfo& info = info_of(kind);
    std::string message = "this is no capture: it looks like ";
    message.append(info.looks).append(". ").append(info.advice);
    return message;
}

}  // namespace eciscope::capture

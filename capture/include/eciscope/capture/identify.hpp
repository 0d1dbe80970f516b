// What a file looks like from its first bytes: to pick the reader, and to say something useful about a file that is no
// capture at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "eciscope/capture/input.hpp"

namespace eciscope::capture {

enum class FileKind : std::uint8_t {
    pcap,
    pcapng,
    edge_csv,    ///< table of blocks: window,sample,link,from,word1..word7,control
    raw_blocks,  ///< length a multiple of 64, ends of blocks look like control words; never read without being told
    bare_records,
    ewf,
    ndjson,
    json,
    sys_csv,
    ila_csv,     ///< a logic analyser's own table of messages
    ila_blocks,  ///< a logic analyser's own table of blocks
    hex,         ///< blocks as hexadecimal text
    dma,         ///< dump of a trace buffer; never known by its content
    csv,
    xz,
    gzip,
    zstd,
    bzip2,
    zip,
    elf,
    pdf,
    png,
    vcd,
    xml,
    text,
    empty,
    zeros,
    unknown,
};

struct FileKindInfo {
    std::string_view name;    ///< stable, e.g. "pcapng"
    std::string_view looks;   ///< completes "it looks like …"
    std::string_view advice;  ///< what to do, a whole sentence
    bool readable;            ///< by CaptureReader
};

/// How an EWF file begins; the EWF library's own constant must equal it.
inline constexpr std::string_view ewf_magic =
    "\x89"
    "EWF\r\n\x1a\n";

/// As many first bytes as identify() makes use of.
inline constexpr std::size_t identify_bytes = 4096;

[[nodiscard]] FileKind identify(Bytes head, std::optional<std::uint64_t> size = std::nullopt);
[[nodiscard]] const FileKindInfo& info_of(FileKind kind);

/// "this is no capture: it looks like …. …"
[[nodiscard]] std::string no_capture_message(FileKind kind);

}  // namespace eciscope::capture

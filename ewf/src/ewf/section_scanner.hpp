// Finds the sections of an EWF file from its start, without index, whatever is broken between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "layout.hpp"

namespace eciscope::ewf {

struct Section {
    SectionHeader header;
    std::uint64_t offset = 0;
    Bytes bytes;  ///< header and payload, both hashes right; valid until the next call of the scanner
    [[nodiscard]] Bytes payload() const { return bytes.subspan(section_header_bytes); }
};

class SectionScanner {
 public:
    SectionScanner(ByteStream& stream, Diagnostics& diagnostics, std::uint32_t source)
        : stream_(stream), diagnostics_(diagnostics), source_(source) {}

    /// The next whole section; false at the end. What lies between is reported.
    Expected<bool> next(Section& section);

    /// What the file header says, if it is whole. Known after the first next().
    [[nodiscard]] const std::optional<std::int64_t>& base_seconds() const { return base_seconds_; }
    /// Known after next() returned false, if the stream ended with one.
    [[nodiscard]] const std::optional<Trailer>& trailer() const { return trailer_; }
    [[nodiscard]] std::uint64_t bytes_skipped() const { return bytes_skipped_; }
    [[nodiscard]] std::uint64_t chunks_damaged() const { return chunks_damaged_; }
    [[nodiscard]] bool damaged() const { return damaged_; }
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

    void report(DiagnosticKind kind, std::uint64_t offset, std::string detail);

 private:
    Expected<void> need(std::size_t count);
    [[nodiscard]] Bytes ahead() const { return Bytes(buffer_).first(filled_).subspan(at_); }
    void advance(std::size_t count);
    Expected<void> read_file_header();
    Expected<bool> take_section(Section& section);
    Expected<void> pass_damaged(const SectionHeader& header);
    Expected<void> resynchronise(std::size_t from);
    bool take_trailer();

    ByteStream& stream_;
    Diagnostics& diagnostics_;
    std::uint32_t source_;
    std::vector<std::uint8_t> buffer_;
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
    bool ended_ = false;
    std::uint64_t offset_ = 0;  // of buffer_[at_] in the stream
    std::uint64_t hashed_ = 0;
    bool started_ = false;
    std::size_t pending_ = 0;  // bytes of the section handed out last
    std::optional<std::int64_t> base_seconds_;
    std::optional<Trailer> trailer_;
    std::uint64_t bytes_skipped_ = 0;
    std::uint64_t chunks_damaged_ = 0;
    bool damaged_ = false;
};

}  // namespace eciscope::ewf

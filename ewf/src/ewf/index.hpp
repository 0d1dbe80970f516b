// The sections that are Protocol Buffers, and what the index says of a chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "eciscope/ewf/reader.hpp"
#include "layout.hpp"

namespace eciscope::ewf {

/// Fills in what is counted from the messages: circuits, opcodes, regions. `header_of(i)` is the header word of message
/// i; 0 where it has none.
class ChunkSummariser {
 public:
    /// `words_are_heads`: the batch was decoded with Parts::heads.
    void summarise(const TraceBatch& trace, bool words_are_heads, ChunkInfo& info);

 private:
    std::vector<std::uint64_t> lines_;
};

/// Offset and length are the caller's.
[[nodiscard]] ChunkInfo info_of(const SectionHeader& header);

/// The region of a line at a shift: where the index looks for it.
[[nodiscard]] constexpr std::uint64_t line_key(std::uint8_t home, std::uint64_t aliased_cli) {
    constexpr unsigned cli_bits = 33;
    return std::uint64_t{home} << cli_bits | (aliased_cli & ((std::uint64_t{1} << cli_bits) - 1));
}

/// Adds a chunk, in order, to the summary of the trace.
class ContentsCounter {
 public:
    explicit ContentsCounter(TimeBase base) { contents_.base = base; }
    void add(const TraceBatch& trace, const ChunkInfo& info);
    [[nodiscard]] const Contents& contents() const { return contents_; }

 private:
    Contents contents_;
};

struct MetadataSection {
    Metadata metadata;
    Contents contents;
};

struct IndexSection {
    MetadataSection metadata;
    std::vector<ChunkInfo> chunks;
};

/// Payloads of sections. Deterministic: equal values give equal bytes.
[[nodiscard]] std::vector<std::uint8_t> metadata_payload(const Metadata& metadata, const Contents& contents);
[[nodiscard]] std::vector<std::uint8_t> index_payload(const Metadata& metadata, const Contents& contents,
                                                      const std::vector<ChunkInfo>& chunks);
[[nodiscard]] std::vector<std::uint8_t> provenance_payload(const Provenance& provenance);

/// None where the bytes are no such message or hold impossible values.
[[nodiscard]] std::optional<MetadataSection> parse_metadata(Bytes payload);
[[nodiscard]] std::optional<IndexSection> parse_index(Bytes payload);
[[nodiscard]] std::optional<Provenance> parse_provenance(Bytes payload);

}  // namespace eciscope::ewf

// The chunks of a trace from start to end without index, each decoded and checked, and what else the file says.
#pragma once

#include <optional>

#include "chunk_decoder.hpp"
#include "continuity.hpp"
#include "index.hpp"
#include "section_scanner.hpp"

namespace eciscope::ewf {

class ChunkScan {
 public:
    ChunkScan(ByteStream& stream, Diagnostics& diagnostics, std::uint32_t source)
        : scanner_(stream, diagnostics, source) {}

    /// The next chunk that is whole and belongs to the trace; false at the end.
    Expected<bool> next(Section& section, TraceBatch& batch, Parts parts);

    [[nodiscard]] std::int64_t base_seconds() const { return continuity_ ? continuity_->base_seconds() : 0; }
    [[nodiscard]] const std::optional<MetadataSection>& metadata() const { return metadata_; }
    [[nodiscard]] const std::optional<Provenance>& provenance() const { return provenance_; }
    [[nodiscard]] const SectionScanner& scanner() const { return scanner_; }
    [[nodiscard]] std::uint64_t chunks() const { return chunks_; }
    [[nodiscard]] std::uint64_t chunks_damaged() const { return scanner_.chunks_damaged() + undecodable_; }
    [[nodiscard]] std::uint64_t messages_missing() const { return continuity_ ? continuity_->missing() : 0; }
    /// Nothing at all was recognised as EWF.
    [[nodiscard]] bool foreign() const { return !recognised_ && !scanner_.base_seconds(); }

 private:
    void take_other(const Section& section);
    void finish();

    SectionScanner scanner_;
    ChunkDecoder decoder_;
    std::optional<Continuity> continuity_;
    std::optional<MetadataSection> metadata_;
    std::optional<Provenance> provenance_;
    std::uint64_t chunks_ = 0;
    std::uint64_t undecodable_ = 0;
    bool recognised_ = false;
    bool metadata_section_seen_ = false;
    bool finished_ = false;
};

}  // namespace eciscope::ewf

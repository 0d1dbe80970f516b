// What stands behind the last chunk, the same for the writer and for recovery.
#pragma once

#include <xxhash.h>

#include <memory>
#include <vector>

#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "eciscope/ewf/reader.hpp"
#include "layout.hpp"

namespace eciscope::ewf {

/// Digest of bytes that come piece by piece.
class RunningDigest {
 public:
    RunningDigest();
    void add(Bytes bytes);
    [[nodiscard]] Digest digest() const;

 private:
    struct StateFree {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, StateFree> state_;
};

/// Writes to the sink and knows how many bytes have gone there and their digest.
class CanonicalOutput {
 public:
    explicit CanonicalOutput(ByteSink& sink) : sink_(sink) {}

    Expected<void> write(Bytes bytes);
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

    /// Metadata, index, provenance (or null) and trailer. Nothing may be written after it.
    Expected<Digest> finish(const Metadata& metadata, const Contents& contents, const std::vector<ChunkInfo>& chunks,
                            const Provenance* provenance);

 private:
    Expected<void> write_section(SectionKind kind, Bytes payload);

    ByteSink& sink_;
    RunningDigest digest_;
    std::uint64_t offset_ = 0;
};

}  // namespace eciscope::ewf

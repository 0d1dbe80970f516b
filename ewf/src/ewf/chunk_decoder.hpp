// The bytes of one chunk into messages and events.
#pragma once

#include <zstd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "columns.hpp"
#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/reader.hpp"
#include "integer_column.hpp"

namespace eciscope::ewf {

/// Keeps its buffers from chunk to chunk; one for each thread.
class ChunkDecoder {
 public:
    ChunkDecoder();

    /// Replaces `out`. `payload` is what follows the section header: both parts, or for Parts::heads at least the
    /// first. Hashes are checked here; whatever the bytes say is checked before it is believed.
    Expected<void> decode(const SectionHeader& header, Bytes payload, Parts parts, TraceBatch& out);

 private:
    Expected<void> check_and_unpack(const SectionHeader& header, Bytes payload, Parts parts);
    Expected<void> unpack(const SectionHeader& header, Bytes payload, Parts parts);
    bool unpack_column(std::uint8_t column, std::uint8_t coding, std::size_t raw, Bytes stored);
    [[nodiscard]] Bytes column(Column which) const;
    [[nodiscard]] IntegerReader integers(Column symbols) const;
    [[nodiscard]] bool sizes_agree(const SectionHeader& header) const;
    bool take_shapes(const SectionHeader& header);
    bool messages(const SectionHeader& header, Parts parts, TraceBatch& out);
    bool words(TraceBatch& out);
    bool events(const SectionHeader& header, TraceBatch& out) const;
    bool unpack_words();

    struct DecompressorFree {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };

    std::unique_ptr<ZSTD_DCtx, DecompressorFree> decompressor_;
    std::array<std::vector<std::uint8_t>, column_numbers> buffers_;  // each with padding behind
    std::array<std::size_t, column_numbers> sizes_{};
    std::vector<std::uint64_t> data_;
    std::vector<ShapeFacts> shapes_;
    std::vector<std::uint16_t> indices_;  // into shapes_, by message
    std::vector<std::uint64_t> firsts_;   // by moment
};

}  // namespace eciscope::ewf

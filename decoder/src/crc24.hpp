// The checksum of a block, computed while its words are turned to host order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eciscope/decoder/block.hpp"

namespace eciscope {

/// The definition, bit by bit in meaning and byte by byte in form: what the other versions are tested against.
/// The caller clears the checksum's own field.
[[nodiscard]] std::uint32_t crc24_reference(std::span<const std::uint8_t> bytes);

/// Turns the bytes (wire order) of items that are all blocks into eight words of host order each, and writes the
/// checksums that they should carry. Several at once, so that their checksums overlap.
using LoadBlocks = void (*)(std::span<const BlockItem> items, std::uint64_t* words, std::uint32_t* checksums);

/// The versions that this processor can run, fastest first: carry-less multiplication of four blocks at once (AVX-512)
/// or of pairs of words, then slicing by eight, which any processor can do.
[[nodiscard]] std::vector<LoadBlocks> load_blocks_versions();

}  // namespace eciscope

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

/// Turns a block's bytes (wire order) into eight words of host order and returns the checksum it should carry.
using LoadBlock = std::uint32_t (*)(const std::uint8_t* bytes, std::uint64_t* words);

/// Slicing by eight: any processor.
std::uint32_t load_block_portable(const std::uint8_t* bytes, std::uint64_t* words);

/// The versions that this processor can run, fastest first: carry-less multiplication of whole blocks (AVX-512) or of
/// pairs of words, then the portable one.
[[nodiscard]] std::vector<LoadBlock> load_block_versions();

}  // namespace eciscope

// Reads a trace from JSON (docs/json.md), as lines or as an array, in bounded memory. Input is hostile: whatever the
// bytes, the outcome is a trace and diagnostics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

/// Whether the first bytes of an input look like a trace in JSON. False for other JSON.
[[nodiscard]] bool looks_like_json_trace(std::span<const std::uint8_t> start);

struct NdjsonReaderOptions {
    std::size_t batch_messages = 4096;
    std::size_t read_bytes = std::size_t{256} << 10;  ///< asked for at once
};

/// Where every object of the input went.
struct NdjsonAccounts {
    std::uint64_t objects = 0;   ///< lines or array elements, empty lines apart; each in exactly one of the following
    std::uint64_t messages = 0;  ///< came out
    std::uint64_t events = 0;    ///< came out
    std::uint64_t headers = 0;   ///< `capture` and `end`, where they belong
    std::uint64_t unknown = 0;   ///< of a type that is not known here
    std::uint64_t rejected = 0;  ///< damaged, or in a place where they do not belong

    [[nodiscard]] bool sums_agree() const { return objects == messages + events + headers + unknown + rejected; }
};

/// One pass over a stream. Positions in diagnostics: `offset` is the byte at which the object begins, `record` its
/// line, counted from 1.
class NdjsonReader {
 public:
    /// An object that is longer is damage: it is passed over without being held in memory.
    static constexpr std::size_t max_object_bytes = std::size_t{1} << 20;

    NdjsonReader(ByteStream& stream, Diagnostics& diagnostics, std::string name = "",
                 const NdjsonReaderOptions& options = {});
    NdjsonReader(const NdjsonReader&) = delete;
    NdjsonReader& operator=(const NdjsonReader&) = delete;
    ~NdjsonReader();

    /// Replaces `batch`, whose buffers are reused; false at the end. Fails only where the stream does.
    Expected<bool> next(TraceBatch& batch);

    /// Base, metadata and provenance are known once next() has returned.
    [[nodiscard]] TimeBase time_base() const;
    [[nodiscard]] const Metadata& metadata() const;
    [[nodiscard]] const std::optional<Provenance>& provenance() const;
    /// Number in the trace of the last batch's first message.
    [[nodiscard]] std::uint64_t first_message() const;
    [[nodiscard]] const NdjsonAccounts& accounts() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

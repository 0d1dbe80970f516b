// Reads EWF (docs/ewf.md). Input is hostile: whatever the bytes, the outcome is a trace, an Error or a Diagnostic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

/// How much of a chunk to decode.
enum class Parts : std::uint8_t {
    whole,
    /// Data words are neither read nor decompressed: TraceBatch::words holds one word a message, its header, at
    /// word_offset; word_count is still that of the whole message, so TraceBatch::words_of must not be used.
    heads,
};

/// What the index knows of a chunk.
struct ChunkInfo {
    std::uint64_t offset = 0;  ///< of the chunk's sync mark in the file
    std::uint64_t bytes = 0;   ///< header included
    std::uint64_t first_message = 0;
    std::uint32_t messages = 0;
    std::uint32_t events = 0;
    std::uint32_t words = 0;
    Picoseconds first_min = 0;  ///< earliest time of any message or event
    Picoseconds last_min = 0;   ///< completion of the first message or event: sorted from chunk to chunk
    Picoseconds last_max = 0;   ///< completion of the last
    std::array<std::uint32_t, vc_slots> vc_messages{};
    std::array<std::uint32_t, vc_slots> opcodes{};  ///< bit n: opcode n stands on this circuit
    std::uint8_t region_shift = 0;                  ///< regions are runs of 2^region_shift lines
    std::vector<std::uint64_t> regions;             ///< sorted; see docs/ewf.md
};

/// A cache line as the index knows it.
struct Line {
    std::uint8_t home = 0;
    std::uint64_t aliased_cli = 0;
};

/// A message's place: chunk and position in it.
struct Place {
    std::size_t chunk = 0;
    std::size_t message = 0;
};

struct PlayOptions {
    Parts parts = Parts::whole;
    unsigned threads = 1;  ///< 1 starts none
    std::size_t from_chunk = 0;
    std::size_t to_chunk = ~std::size_t{0};  ///< exclusive; clipped
};

/// Random access to a file or to memory. Const members may be called from several threads at once, each with a batch
/// of its own.
class Reader {
 public:
    /// Damage to header, metadata, index or trailer is reported and costs no chunk: chunks are then found by their
    /// sync marks. Fails only where nothing can be read at all.
    static Expected<Reader> open(const std::string& path, Diagnostics& diagnostics);
    static Expected<Reader> open(std::unique_ptr<ByteSource> source, Diagnostics& diagnostics, std::string name = "");

    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;
    ~Reader();

    [[nodiscard]] TimeBase time_base() const;
    [[nodiscard]] const Contents& contents() const;
    [[nodiscard]] const Metadata& metadata() const;
    [[nodiscard]] const std::optional<Provenance>& provenance() const;
    /// Of the canonical part, as the trailer says; none where the trailer is damaged.
    [[nodiscard]] std::optional<Digest> digest() const;
    /// Reads the whole file and compares with the trailer's digest.
    [[nodiscard]] Expected<bool> verify_digest() const;
    /// True if chunks had to be found without the index.
    [[nodiscard]] bool index_rebuilt() const;

    [[nodiscard]] std::size_t chunk_count() const;
    [[nodiscard]] const ChunkInfo& chunk(std::size_t number) const;

    /// Replaces `batch`; its buffers are reused. Nothing is allocated per message.
    Expected<void> read_chunk(std::size_t number, TraceBatch& batch, Parts parts = Parts::whole) const;

    /// Hands every chunk to `sink` in order. A damaged chunk is reported and skipped.
    Expected<void> play(TraceSink& sink, Diagnostics& diagnostics, const PlayOptions& options = {}) const;

    /// Where message `number` of the trace stands, from the index alone.
    [[nodiscard]] Expected<Place> find_message(std::uint64_t number) const;
    /// The first chunk that holds a message or event completed at `time` or later.
    [[nodiscard]] Expected<std::size_t> find_time(Picoseconds time) const;
    /// The chunks that may hold messages of a line, in order: every one that does, and few that do not.
    [[nodiscard]] std::vector<std::size_t> chunks_with_line(Line line) const;

 private:
    class Impl;
    explicit Reader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// One pass over an unseekable stream; needs no index.
class StreamReader {
 public:
    StreamReader(ByteStream& stream, Diagnostics& diagnostics, std::string name = "");
    StreamReader(const StreamReader&) = delete;
    StreamReader& operator=(const StreamReader&) = delete;
    ~StreamReader();

    /// The next chunk that is whole; false at the end. Damage between chunks is reported.
    Expected<bool> next(TraceBatch& batch, Parts parts = Parts::whole);

    /// Known once next() has returned true.
    [[nodiscard]] TimeBase time_base() const;
    /// Known once next() has returned false, where the stream had it.
    [[nodiscard]] const std::optional<Metadata>& metadata() const;
    [[nodiscard]] const std::optional<Provenance>& provenance() const;
    /// Number in the trace of the last batch's first message.
    [[nodiscard]] std::uint64_t first_message() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

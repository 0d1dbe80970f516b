// Chunks of a trace in order, decoded ahead by threads of their own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "eciscope/ewf/reader.hpp"

namespace eciscope::view {

struct PumpedChunk {
    std::size_t number = 0;
    TraceBatch batch;
    std::optional<ewf::Error> error;  ///< the batch is empty then
};

class ChunkPump {
 public:
    /// The reader must outlive the pump. `chunks` are numbers of chunks, in the order in which they are wanted.
    ChunkPump(const ewf::Reader& reader, std::vector<std::size_t> chunks, ewf::Parts parts, unsigned threads);
    ChunkPump(const ChunkPump&) = delete;
    ChunkPump& operator=(const ChunkPump&) = delete;
    ~ChunkPump();

    /// The next chunk, until the next call; null at the end.
    const PumpedChunk* next();

 private:
    enum class SlotState : std::uint8_t { free, filling, full };
    struct Slot {
        SlotState state = SlotState::free;
        PumpedChunk chunk;
    };
    void work();

    const ewf::Reader& reader_;
    const std::vector<std::size_t> chunks_;
    const ewf::Parts parts_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable freed_;
    std::vector<Slot> slots_;
    std::size_t asked_ = 0;  ///< chunks that threads took on
    std::size_t given_ = 0;  ///< chunks handed out
    bool stop_ = false;
    std::vector<std::thread> threads_;
};

/// Chunk numbers from `from` until before `to`.
[[nodiscard]] std::vector<std::size_t> chunk_numbers(std::size_t from, std::size_t to);

/// The header of a message; 0 where it has none.
[[nodiscard]] inline std::uint64_t header_of(const TraceBatch& batch, const MessageHead& head) {
    return head.word_count != 0 && head.word_offset < batch.words.size() ? batch.words[head.word_offset] : 0;
}

}  // namespace eciscope::view

#include "chunk_pump.hpp"

#include <algorithm>
#include <numeric>

namespace eciscope::view {

std::vector<std::size_t> chunk_numbers(std::size_t from, std::size_t to) {
    std::vector<std::size_t> numbers(to > from ? to - from : 0);
    std::iota(numbers.begin(), numbers.end(), from);
    return numbers;
}

ChunkPump::ChunkPump(const ewf::Reader& reader, std::vector<std::size_t> chunks, ewf::Parts parts, unsigned threads)
    : reader_(reader), chunks_(std::move(chunks)), parts_(parts) {
    threads = static_cast<unsigned>(std::min<std::size_t>(std::max(1U, threads), chunks_.size()));
    slots_.resize(threads + 2);
    for (unsigned i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { work(); });
    }
}

ChunkPump::~ChunkPump() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    freed_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void ChunkPump::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        freed_.wait(lock, [this] {
            return stop_ || asked_ == chunks_.size() || slots_[asked_ % slots_.size()].state == SlotState::free;
        });
        if (stop_ || asked_ == chunks_.size()) {
            return;
        }
        Slot& slot = slots_[asked_ % slots_.size()];
        slot.state = SlotState::filling;
        slot.chunk.number = chunks_[asked_++];
        lock.unlock();
        auto read = reader_.read_chunk(slot.chunk.number, slot.chunk.batch, parts_);
        slot.chunk.error = read ? std::nullopt : std::optional(read.error());
        lock.lock();
        slot.state = SlotState::full;
        filled_.notify_one();
    }
}

const PumpedChunk* ChunkPump::next() {
    std::unique_lock lock(mutex_);
    if (given_ != 0) {
        slots_[(given_ - 1) % slots_.size()].state = SlotState::free;
        freed_.notify_one();
    }
    if (given_ == chunks_.size()) {
        return nullptr;
    }
    Slot& slot = slots_[given_ % slots_.size()];
    filled_.wait(lock, [&slot] { return slot.state == SlotState::full; });
    ++given_;
    return &slot.chunk;
}

}  // namespace eciscope::view

// Bytes become blocks of all four streams; whatever they say, every block and word ends in one account and the output
// is in order.
//
// Input: a run of steps. One byte of kind and stream, one of time; a block then takes 56 bytes of words and five of
// control (its CRC is made right, unless the kind says damaged), or repeats one of the last blocks.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <span>
#include <tuple>
#include <vector>

#include "crc24.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace {

using namespace eciscope;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// Checks order and shape of what comes out.
struct OrderCheck final : TraceSink {
    Picoseconds last = 0;
    std::size_t last_stream = 0;
    std::uint64_t messages = 0;
    std::uint64_t words = 0;

    bool batch(const TraceBatch& batch) override {
        std::size_t event = 0;
        for (std::size_t i = 0; i <= batch.messages.size(); ++i) {
            for (; event < batch.events.size() && batch.events[event].before == i; ++event) {
                require(batch.events[event].time >= last);
            }
            if (i < batch.messages.size()) {
                message(batch, batch.messages[i]);
            }
        }
        require(event == batch.events.size());
        return true;
    }

    void message(const TraceBatch& batch, const MessageHead& head) {
        require(std::tuple(head.last, head.stream.index()) >= std::tuple(last, last_stream));
        require(head.first <= head.last && head.first_block <= head.last_block && head.slot < 7);
        require(head.word_count >= 1 && head.word_offset + head.word_count <= batch.words.size());
        last = head.last;
        last_stream = head.stream.index();
        ++messages;
        words += head.word_count;
    }
};

class Input {
 public:
    explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint8_t byte() {
        if (bytes_.empty()) {
            return 0;
        }
        const std::uint8_t value = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return value;
    }
    void fill(std::uint8_t* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = byte();
        }
    }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
    std::span<const std::uint8_t> bytes_;
};

using Block = std::array<std::uint8_t, block_bytes>;

Block read_block(Input& input, bool data) {
    Block block{};
    constexpr std::size_t control = 56;
    constexpr std::size_t crc = 61;
    if (data) {
        input.fill(block.data(), control);
    }
    input.fill(block.data() + control, crc - control);
    const std::uint32_t value = crc24_reference(block);
    block[crc] = static_cast<std::uint8_t>(value >> 16);
    block[crc + 1] = static_cast<std::uint8_t>(value >> 8);
    block[crc + 2] = static_cast<std::uint8_t>(value);
    return block;
}

enum Kind : std::uint8_t { data_block, control_block, damaged_block, repeated_block, lost_blocks, restart, no_crc };

std::vector<BlockItem> read_items(Input& input, std::deque<Block>& storage) {
    std::vector<BlockItem> items;
    Picoseconds now = 0;
    while (!input.empty()) {
        const std::uint8_t head = input.byte();
        const std::uint8_t step = input.byte();
        now += step < 192 ? (step & 3) * 2'170 : (step & 63) * 200'000;
        BlockItem item;
        item.stream = Stream::of_index(head & 3);
        item.time = now;
        switch (static_cast<Kind>((head >> 2) % 7)) {
            case data_block:
            case control_block:
            case no_crc:
                storage.push_back(read_block(input, (head >> 2) % 7 != control_block));
                item.crc_present = (head >> 2) % 7 != no_crc;
                break;
            case damaged_block:
                storage.push_back(read_block(input, false));
                storage.back()[input.byte() % block_bytes] ^= 1;
                item.crc_flagged = true;
                break;
            case repeated_block:
                storage.push_back(storage.empty() ? Block{}
                                                  : storage[storage.size() - 1 - input.byte() % storage.size()]);
                break;
            case lost_blocks:
                item.kind = BlockItemKind::lost;
                item.lost = input.byte();
                item.lost = item.lost == 255 ? BlockItem::unknown_count : item.lost;
                break;
            case restart:
                item.kind = BlockItemKind::restarted;
                break;
        }
        if (item.kind == BlockItemKind::block) {
            item.bytes = storage.back().data();
        }
        items.push_back(item);
    }
    std::stable_sort(items.begin(), items.end(), [](const BlockItem& a, const BlockItem& b) {
        return std::tuple(a.time, a.stream.index()) < std::tuple(b.time, b.stream.index());
    });
    return items;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input({data, size});
    DecoderOptions options;
    options.held_blocks = 1 + input.byte() % 32;
    options.batch_messages = 1 + input.byte() % 64;
    std::deque<Block> storage;
    const std::vector<BlockItem> items = read_items(input, storage);

    OrderCheck check;
    Diagnostics diagnostics;
    Decoder decoder(check, diagnostics, options);
    std::span<const BlockItem> rest(items);
    while (!rest.empty()) {
        const std::size_t part = std::min<std::size_t>(rest.size(), 7);
        decoder.blocks(rest.first(part));
        rest = rest.subspan(part);
    }
    decoder.finish();
    const DecoderAccounts& accounts = decoder.accounts();
    require(accounts.sums_agree());
    require(accounts.messages == check.messages && accounts.words_in_messages == check.words);
    return 0;
}

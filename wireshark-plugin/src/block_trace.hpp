// Records of blocks, fed frame by frame to the suite's own merger and decoder during the first pass over a file. A
// message belongs to the frame that holds its last block, even where the decoder was sure of it only frames later:
// those frames show it from the second visit on.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "eciscope/capture/merge.hpp"
#include "eciscope/capture/record.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "message_tree.hpp"
#include "trace.hpp"

namespace eciscope::shark {

/// Part of a message in one frame.
struct MessageFragment {
    const MessageFragment* next = nullptr;
    std::uint32_t frame = 0;
    std::uint32_t words = 0;
};

/// A message that a frame ends. Plain values in the file's memory.
struct FrameMessage {
    FrameMessage* next = nullptr;
    ShownMessage shown;                      ///< without its buffer
    const std::uint8_t* words = nullptr;     ///< in wire order, where they do not all stand in this frame
    const std::uint16_t* places = nullptr;   ///< in the record, where they do
    const MessageFragment* parts = nullptr;  ///< in the order of the words, where there are several
    MessageFacts facts;
};

struct FrameEvent {
    FrameEvent* next = nullptr;
    Event event;
};

/// A message that begins in a frame and ends in another.
struct FrameBeginning {
    FrameBeginning* next = nullptr;
    std::uint32_t ends_in = 0;
};

/// What a frame shows beyond its own bytes.
struct FrameResult {
    FrameMessage* messages = nullptr;
    FrameMessage* last_message = nullptr;
    FrameEvent* events = nullptr;
    FrameEvent* last_event = nullptr;
    FrameBeginning* beginnings = nullptr;
    FrameBeginning* last_beginning = nullptr;
    std::uint64_t first_ordinal = 0;   ///< of its first block in the stream
    std::int32_t missing_records = 0;  ///< sequence numbers passed over before this one; negative: it came late
    bool has_ordinal = false;          ///< its blocks were used: it is no duplicate and did not come too late
    bool is_done = false;              ///< everything about it was known when it was asked for
};

class BlockTrace final : public BlockSink, public TraceSink {
 public:
    explicit BlockTrace(bool check);

    /// Takes the record of a frame that is visited for the first time. The result lives as long as the file and is
    /// filled in as the decoder goes on.
    FrameResult* take(std::uint32_t frame, std::span<const std::uint8_t> payload, bool may_be_late);
    void finish();

    bool blocks(std::span<const BlockItem> items) override;
    bool batch(const TraceBatch& batch) override;

 private:
    /// A data block that was seen lately: what is needed to find where a message's words stand.
    struct Seen {
        std::uint64_t ordinal = 0;
        std::uint32_t frame = 0;
        std::uint32_t block = 0;
        std::uint32_t vcs = 0;
        std::array<std::uint64_t, block_words - 1> words{};
    };
    /// Blocks of one frame that follow each other.
    struct Run {
        std::uint64_t ordinal = 0;
        std::uint32_t frame = 0;
        std::uint32_t block = 0;
    };
    struct StreamPast {
        std::uint64_t next_ordinal = 0;
        std::vector<Run> runs;
        std::deque<Seen> seen;
    };
    struct WordPlace {
        std::uint32_t frame = 0;
        std::uint16_t offset = 0;
    };
    static constexpr std::size_t most_seen = 16384;
    static constexpr std::size_t most_words = 255;

    void remember(const BlockItem& item);
    [[nodiscard]] const Run* run_of(const StreamPast& past, std::uint64_t ordinal) const;
    [[nodiscard]] FrameResult* result_of(Stream stream, std::uint64_t ordinal, std::uint32_t* frame);
    MessageFacts* add(const TraceBatch& batch, const MessageHead& head);
    bool find_words(const StreamPast& past, const MessageHead& head, std::span<const std::uint64_t> words);
    void place(FrameMessage& message, std::uint32_t frame, std::span<const std::uint64_t> words, bool found);
    void add_event(const Event& event);

    capture::Accounts accounts_;
    Diagnostics diagnostics_;
    Decoder decoder_;
    capture::Merger merger_;
    Trace trace_;
    std::array<StreamPast, stream_count> past_;
    std::unordered_map<std::uint32_t, FrameResult*> results_;
    std::array<WordPlace, most_words> places_{};
    std::vector<MessageFacts*> facts_;
    MessageFacts nowhere_;  ///< of messages whose frame is not known
    std::array<std::optional<std::uint32_t>, stream_count> next_sequence_;
    std::uint64_t index_ = 0;
    bool finished_ = false;
};

}  // namespace eciscope::shark

// Makes an index of a trace's messages and events. Nothing is allocated for a message but in series that grow.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "chunk_pump.hpp"
#include "eciscope/ewf/reader.hpp"
#include "exchanges.hpp"
#include "findings_collector.hpp"
#include "index_writer.hpp"
#include "message_kinds.hpp"

namespace eciscope::view {

class IndexBuilder {
 public:
    explicit IndexBuilder(IndexFile& file);

    /// Batches in order of the trace; headers at MessageHead::word_offset.
    void take(const TraceBatch& batch, std::uint64_t first_number);
    /// A chunk that cannot be read.
    void missing(const ewf::ChunkInfo& chunk);
    /// Writes what is left. Findings are gathered, not written: a check may add some.
    DirectoryParts finish();

    [[nodiscard]] FindingsCollector& findings() { return findings_; }

 private:
    using MessageSeries = SeriesWriter<std::uint8_t>;
    using LatencySeries = SeriesWriter<std::uint64_t>;
    static constexpr std::size_t most_ops = 512;  ///< operations of the specification and some

    void message(const MessageHead& head, std::uint64_t header, std::uint64_t number);
    void event(const Event& event, std::uint64_t number);
    void answer(const MessageHead& head, const OpenRequest& request);
    void checkpoint(const MessageHead& head, std::uint64_t number);
    MessageSeries& series_of(const MessageHead& head, std::uint64_t header);

    struct Stream {
        std::vector<Picoseconds> times;
        std::vector<std::uint64_t> blocks;
        CheckpointsEntry entry;
        std::uint64_t last_block = 0;
        Picoseconds last_time = 0;
    };

    IndexFile& file_;
    MessageKinds kinds_;
    Exchanges exchanges_;
    FindingsCollector findings_;
    std::vector<std::unique_ptr<MessageSeries>> series_;  ///< by stream, circuit, operation
    /// The same by stream, circuit and opcode, where those tell the operation: one lookup a message.
    std::array<MessageSeries*, stream_count * MessageKinds::kind_count> direct_{};
    std::vector<std::unique_ptr<LatencySeries>> latencies_;
    std::array<Stream, stream_count> streams_{};
    IndexDirectory directory_;
    Picoseconds now_;
};

/// Reads a whole trace into a builder. `go_on` is told how many messages were read; false stops it and the function.
bool read_into(IndexBuilder& builder, const ewf::Reader& reader, unsigned threads,
               const std::function<bool(std::uint64_t)>& go_on);

}  // namespace eciscope::view

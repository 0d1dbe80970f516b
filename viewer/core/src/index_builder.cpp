#include "index_builder.hpp"

#include <algorithm>
#include <limits>

namespace eciscope::view {

IndexBuilder::IndexBuilder(IndexFile& file)
    : file_(file),
      series_(stream_count * ewf::vc_slots * most_ops),
      latencies_(most_ops),
      now_(std::numeric_limits<Picoseconds>::min()) {}

void IndexBuilder::take(const TraceBatch& batch, std::uint64_t first_number) {
    std::size_t next = 0;
    for (const Event& event : batch.events) {
        const std::size_t until = std::min<std::size_t>(event.before, batch.messages.size());
        for (; next < until; ++next) {
            message(batch.messages[next], header_of(batch, batch.messages[next]), first_number + next);
        }
        this->event(event, first_number + next);
    }
    for (; next < batch.messages.size(); ++next) {
        message(batch.messages[next], header_of(batch, batch.messages[next]), first_number + next);
    }
}

void IndexBuilder::missing(const ewf::ChunkInfo& chunk) {
    findings_.damaged_chunk(chunk);
    exchanges_.forget();
}

inline void IndexBuilder::message(const MessageHead& head, std::uint64_t header, std::uint64_t number) {
    ++directory_.messages;
    directory_.disordered += head.last < now_ ? 1U : 0U;
    now_ = std::max(now_, head.last);
    const std::size_t kind = head.stream.index() * MessageKinds::kind_count + MessageKinds::kind_of(head.vc, header);
    MessageSeries& series = direct_[kind] != nullptr ? *direct_[kind] : series_of(head, header);
    series.add(file_, now_, head.word_count);
    checkpoint(head, number);
    if (const auto request = exchanges_.take(head, header, number)) {
        answer(head, *request);
    }
}

IndexBuilder::MessageSeries& IndexBuilder::series_of(const MessageHead& head, std::uint64_t header) {
    const auto op = static_cast<OpNumber>(kinds_.op_of(head.vc, header) % most_ops);
    const std::size_t circuit = head.stream.index() * ewf::vc_slots + head.vc % ewf::vc_slots;
    std::unique_ptr<MessageSeries>& series = series_[circuit * most_ops + op];
    if (series == nullptr) {
        SeriesEntry entry;
        entry.kind = SeriesKind::messages;
        entry.stream = static_cast<std::uint8_t>(head.stream.index());
        entry.vc = head.vc % ewf::vc_slots;
        entry.name = op;
        series = std::make_unique<MessageSeries>(entry);
    }
    const std::size_t kind = MessageKinds::kind_of(head.vc, header);
    if (kinds_.tells_op(kind)) {
        direct_[head.stream.index() * MessageKinds::kind_count + kind] = series.get();
    }
    return *series;
}

inline void IndexBuilder::checkpoint(const MessageHead& head, std::uint64_t number) {
    Stream& stream = streams_[head.stream.index()];
    if (stream.entry.messages == 0) {
        stream.entry.first_number = number;
    }
    stream.last_block = head.last_block;
    stream.last_time = now_;
    if (stream.entry.messages++ % checkpoint_messages == 0) {
        stream.times.push_back(now_);
        stream.blocks.push_back(head.last_block);
    }
}

void IndexBuilder::answer(const MessageHead& head, const OpenRequest& request) {
    const auto op = static_cast<OpNumber>(kinds_.op_of(request.vc, request.header) % most_ops);
    std::unique_ptr<LatencySeries>& series = latencies_[op];
    if (series == nullptr) {
        SeriesEntry entry;
        entry.kind = SeriesKind::latency;
        entry.name = op;
        series = std::make_unique<LatencySeries>(entry);
    }
    const std::uint64_t latency =
        head.first > request.time ? static_cast<std::uint64_t>(head.first) - static_cast<std::uint64_t>(request.time)
                                  : 0;
    series->add(file_, now_, latency);
}

void IndexBuilder::event(const Event& event, std::uint64_t number) {
    switch (event.kind) {
        case EventKind::restarted:
        case EventKind::lost:
        case EventKind::damaged:
        case EventKind::discarded:
        case EventKind::link_down:
            exchanges_.forget();
            break;
        default:
            break;
    }
    findings_.event(event, number);
}

DirectoryParts IndexBuilder::finish() {
    DirectoryParts parts;
    parts.names = kinds_.names();
    parts.names.resize(std::min(parts.names.size(), most_ops));
    for (const auto& series : series_) {
        if (series != nullptr) {
            parts.series.push_back(series->finish(file_));
        }
    }
    for (const auto& series : latencies_) {
        if (series != nullptr) {
            parts.series.push_back(series->finish(file_));
        }
    }
    for (std::size_t i = 0; i < stream_count; ++i) {
        Stream& stream = streams_[i];
        if (stream.entry.messages != 0) {
            stream.times.push_back(stream.last_time);
            stream.blocks.push_back(stream.last_block);
        }
        stream.entry.count = stream.times.size();
        stream.entry.times_at = file_.append_values<Picoseconds>(stream.times);
        stream.entry.blocks_at = file_.append_values<std::uint64_t>(stream.blocks);
        directory_.streams[i] = stream.entry;
    }
    parts.directory = directory_;
    return parts;
}

bool read_into(IndexBuilder& builder, const ewf::Reader& reader, unsigned threads,
               const std::function<bool(std::uint64_t)>& go_on) {
    ChunkPump pump(reader, chunk_numbers(0, reader.chunk_count()), ewf::Parts::heads, threads);
    std::uint64_t messages = 0;
    while (const PumpedChunk* chunk = pump.next()) {
        const ewf::ChunkInfo& info = reader.chunk(chunk->number);
        if (chunk->error) {
            builder.missing(info);
        } else {
            builder.take(chunk->batch, info.first_message);
        }
        messages += info.messages;
        if (!go_on(messages)) {
            return false;
        }
    }
    return true;
}

}  // namespace eciscope::view

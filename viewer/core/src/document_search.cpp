// Searching and exporting: the only questions that read a trace at length while a person waits.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <set>

#include "chunk_pump.hpp"
#include "document_impl.hpp"
#include "eciscope/ewf/ndjson_writer.hpp"
#include "message_text.hpp"

namespace eciscope::view {

namespace {

/// Which chunks a search has to look through, next to each other or far apart.
class SearchPlan {
 public:
    SearchPlan(const TraceModel& model, const Matcher& matcher) : model_(model) {
        for (const ewf::Line& line : matcher.filter().lines) {
            const auto chunks = model.reader->chunks_with_line(line);
            chunks_.insert(chunks.begin(), chunks.end());
        }
        by_line_ = !matcher.filter().lines.empty();
        by_series_ = !matcher.needs_headers() && model.index != nullptr;
        for (const Series& series : by_series_ ? model.index->messages() : no_series) {
            const SeriesEntry& entry = series.entry();
            if (matcher.takes_circuit(Stream::of_index(entry.stream), entry.vc, model.index->name_of(series))) {
                series_.push_back(&series);
            }
        }
    }

    /// The next chunk after `chunk` (or before it) that may hold what is looked for.
    [[nodiscard]] std::optional<std::size_t> next(std::size_t chunk, bool forward) const {
        return forward ? after(chunk) : before(chunk);
    }

 private:
    [[nodiscard]] std::optional<std::size_t> after(std::size_t chunk) const {
        const std::size_t least = chunk + 1;
        std::size_t next = least;
        if (by_line_) {
            const auto at = chunks_.lower_bound(least);
            next = at == chunks_.end() ? model_.reader->chunk_count() : *at;
        } else if (by_series_) {
            next = std::max(least, chunk_of_next(model_.reader->chunk(chunk).last_max));
        }
        return next < model_.reader->chunk_count() ? std::optional(next) : std::nullopt;
    }

    [[nodiscard]] std::optional<std::size_t> before(std::size_t chunk) const {
        if (chunk == 0) {
            return std::nullopt;
        }
        if (by_line_) {
            const auto at = chunks_.lower_bound(chunk);
            return at == chunks_.begin() ? std::nullopt : std::optional(*std::prev(at));
        }
        if (!by_series_) {
            return chunk - 1;
        }
        Picoseconds latest = std::numeric_limits<Picoseconds>::min();
        bool found = false;
        for (const Series* series : series_) {
            const std::uint64_t rank = series->rank(model_.reader->chunk(chunk).last_min + 1);
            found = found || rank != 0;
            latest = rank != 0 ? std::max(latest, series->time(rank - 1)) : latest;
        }
        // Several chunks may hold messages of that time: the last of them.
        const std::size_t last =
            found ? model_.reader->find_time(latest + 1).value_or(model_.reader->chunk_count() - 1) : 0;
        return found ? std::optional(std::min(chunk - 1, last)) : std::nullopt;
    }

    [[nodiscard]] std::size_t chunk_of_next(Picoseconds time) const {
        std::optional<Picoseconds> earliest;
        for (const Series* series : series_) {
            const std::uint64_t rank = series->rank(time);
            if (rank < series->count()) {
                earliest = std::min(earliest.value_or(std::numeric_limits<Picoseconds>::max()), series->time(rank));
            }
        }
        return earliest ? model_.reader->find_time(*earliest).value_or(model_.reader->chunk_count())
                        : model_.reader->chunk_count();
    }

    static inline const std::vector<Series> no_series;
    const TraceModel& model_;
    bool by_line_ = false;
    bool by_series_ = false;
    std::set<std::size_t> chunks_;
    std::vector<const Series*> series_;
};

/// Whether an event lies in a range of time.
bool is_in(Picoseconds time, Picoseconds from, Picoseconds to) {
    return time >= from && time < to;
}

/// What of a batch lies in a range of time and is taken by a filter. Events go with everything.
void select(const TraceBatch& batch, Picoseconds from, Picoseconds to, Matcher& matcher, TraceBatch& out) {
    out.clear();
    auto event = batch.events.begin();
    for (std::size_t i = 0; i <= batch.messages.size(); ++i) {
        for (; event != batch.events.end() && event->before <= i; ++event) {
            if (matcher.takes_all() && is_in(event->time, from, to)) {
                out.events.push_back(*event);
                out.events.back().before = static_cast<std::uint32_t>(out.messages.size());
            }
        }
        if (i == batch.messages.size()) {
            return;
        }
        const MessageHead& head = batch.messages[i];
        if (!is_in(head.last, from, to) || !matcher.takes(head, header_of(batch, head))) {
            continue;
        }
        MessageHead copy = head;
        copy.word_offset = static_cast<std::uint32_t>(out.words.size());
        const auto words = batch.words_of(head);
        out.words.insert(out.words.end(), words.begin(), words.end());
        out.messages.push_back(copy);
    }
}

std::string csv_line(const NearMessage& message, MessageKinds& kinds) {
    const MessageRow row = row_of(message, kinds);
    const std::string line =
        row.line ? fmt::format("0x{:x},{},0x{:x}", *row.address, row.line->home, row.line->aliased_cli) : ",,";
    return fmt::format("{},{},{},{},{},{},{},{},{},0x{:016x},{}\n", row.number, row.head.first, row.head.last,
                       row.head.stream.link, row.head.stream.from, row.head.vc, row.message_class, row.op, line,
                       row.header, row.head.word_count);
}

constexpr std::string_view csv_heading =
    "number,first_ps,last_ps,link,from,vc,class,op,address,home,aliased_cli,header,words\n";

ewf::Expected<void> put(ewf::ByteSink& sink, std::string_view text) {
    return sink.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

struct ExportRange {
    Picoseconds from = 0;
    Picoseconds to = 0;
};

using Selected = std::function<ewf::Expected<void>(const TraceBatch&, std::size_t chunk)>;

/// Hands what is selected of each chunk over.
ewf::Expected<void> for_each_selected(const ewf::Reader& reader, const ExportRange& range, ewf::Parts parts,
                                      const Selected& selected) {
    const std::size_t first = reader.find_time(range.from).value_or(reader.chunk_count());
    std::size_t end = first;
    while (end < reader.chunk_count() && reader.chunk(end).last_min < range.to) {
        ++end;
    }
    ChunkPump pump(reader, chunk_numbers(first, end), parts, 1);
    while (const PumpedChunk* chunk = pump.next()) {
        if (chunk->error) {
            return tl::unexpected(*chunk->error);
        }
        if (auto done = selected(chunk->batch, chunk->number); !done) {
            return done;
        }
    }
    return {};
}

ewf::Expected<std::uint64_t> export_csv(ewf::ByteSink& sink, const ewf::Reader& reader, const ExportRange& range,
                                        Matcher& matcher, MessageKinds& kinds) {
    std::uint64_t count = 0;
    if (auto done = put(sink, csv_heading); !done) {
        return tl::unexpected(done.error());
    }
    const auto done =
        for_each_selected(reader, range, ewf::Parts::heads, [&](const TraceBatch& batch, std::size_t chunk) {
            std::string text;
            std::uint64_t number = reader.chunk(chunk).first_message;
            for (const MessageHead& head : batch.messages) {
                const std::uint64_t header = header_of(batch, head);
                if (is_in(head.last, range.from, range.to) && matcher.takes(head, header)) {
                    text += csv_line({number, head, header}, kinds);
                    ++count;
                }
                ++number;
            }
            return put(sink, text);
        });
    return done ? ewf::Expected<std::uint64_t>(count) : tl::unexpected(done.error());
}

ewf::Expected<std::uint64_t> export_ndjson(ewf::ByteSink& sink, const ewf::Reader& reader, const ExportRange& range,
                                           Matcher& matcher, std::uint64_t first_number) {
    ewf::NdjsonWriter writer(sink, ewf::JsonForm::lines, {reader.time_base(), reader.metadata(), {}, first_number});
    std::uint64_t count = 0;
    TraceBatch out;
    auto done = for_each_selected(reader, range, ewf::Parts::whole, [&](const TraceBatch& batch, std::size_t) {
        select(batch, range.from, range.to, matcher, out);
        count += out.messages.size();
        const bool goes_on = out.empty() || writer.batch(out);
        return goes_on ? ewf::Expected<void>() : writer.finish();
    });
    if (done) {
        done = writer.finish();
    }
    return done ? ewf::Expected<std::uint64_t>(count) : tl::unexpected(done.error());
}

}  // namespace

std::optional<MessageNumber> Document::Impl::find(const Filter& filter, MessageNumber from, bool forward,
                                                  const std::function<bool()>& go_on) {
    const TraceModel model = worker_.model();
    if (model.reader == nullptr || model.reader->chunk_count() == 0) {
        return std::nullopt;
    }
    const ewf::Reader& reader = *model.reader;
    Matcher matcher(filter, reader.metadata());
    const SearchPlan plan(model, matcher);
    const auto place = reader.find_message(from);
    std::optional<std::size_t> chunk = place ? place->chunk : forward ? 0 : reader.chunk_count() - 1;
    while (chunk && (!go_on || go_on())) {
        const auto batch = chunks_.heads(reader, *chunk);
        const std::size_t count = batch == nullptr ? 0 : batch->messages.size();
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = forward ? k : count - 1 - k;
            const MessageNumber number = reader.chunk(*chunk).first_message + i;
            const bool is_beyond = forward ? number > from : number < from;
            if (is_beyond && matcher.takes(batch->messages[i], header_of(*batch, batch->messages[i]))) {
                return number;
            }
        }
        chunk = plan.next(*chunk, forward);
    }
    return std::nullopt;
}

ewf::Expected<std::uint64_t> Document::Impl::export_messages(const std::string& path, Format format, Picoseconds from,
                                                             Picoseconds to, const Filter& filter) {
    const TraceModel model = worker_.model();
    if (model.reader == nullptr) {
        return tl::unexpected(ewf::Error{ewf::ErrorCode::out_of_range, "the capture is still being decoded", 0});
    }
    auto planned = plan_file(path);
    if (!planned) {
        return tl::unexpected(system_error("cannot write " + path));
    }
    ewf::FileSink sink(planned->file.get());
    Matcher matcher(filter, model.reader->metadata());
    const ExportRange range{from, to};
    std::uint64_t first_number = 0;
    if (const auto chunk = model.reader->find_time(from)) {
        const auto batch = chunks_.heads(*model.reader, *chunk);
        const auto& heads = batch == nullptr ? std::vector<MessageHead>() : batch->messages;
        const auto at =
            std::find_if(heads.begin(), heads.end(), [from](const MessageHead& h) { return h.last >= from; });
        first_number = model.reader->chunk(*chunk).first_message + static_cast<std::uint64_t>(at - heads.begin());
    }
    auto written = format == Format::csv ? export_csv(sink, *model.reader, range, matcher, kinds_)
                                         : export_ndjson(sink, *model.reader, range, matcher, first_number);
    if (written && !planned->settle()) {
        return tl::unexpected(system_error("cannot write " + path));
    }
    return written;
}

}  // namespace eciscope::view

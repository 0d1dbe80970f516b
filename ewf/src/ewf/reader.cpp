#include "eciscope/ewf/reader.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "chunk_decoder.hpp"
#include "file_end.hpp"
#include "ordered_workers.hpp"
#include "reader_open.hpp"

namespace eciscope::ewf {

namespace {

/// What a thread needs to read chunks.
struct ChunkReading {
    ChunkDecoder decoder;
    std::vector<std::uint8_t> bytes;
};

Error damage(std::string what, std::uint64_t offset) {
    return {ErrorCode::damaged, std::move(what), offset};
}

bool agrees(const SectionHeader& header, const ChunkInfo& info, std::int64_t base_seconds) {
    return header.kind == SectionKind::chunk && header.total_bytes() == info.bytes &&
           header.first_message == info.first_message && header.messages == info.messages &&
           header.events == info.events && header.words == info.words && header.base_seconds == base_seconds;
}

/// Regions of all chunks, sorted, one list for each shift: from a line to chunks by binary search.
struct LineLookup {
    struct Entry {
        std::uint64_t region = 0;
        std::size_t chunk = 0;
        friend auto operator<=>(const Entry&, const Entry&) = default;
    };
    std::map<std::uint8_t, std::vector<Entry>> by_shift;

    explicit LineLookup(const std::vector<ChunkInfo>& chunks) {
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            for (const std::uint64_t region : chunks[i].regions) {
                by_shift[chunks[i].region_shift].push_back({region, i});
            }
        }
        for (auto& [shift, entries] : by_shift) {
            std::sort(entries.begin(), entries.end());
        }
    }
};

}  // namespace

class Reader::Impl {
 public:
    explicit Impl(OpenedFile file) : file_(std::move(file)) {
        last_.reserve(file_.chunks.size());
        for (const ChunkInfo& chunk : file_.chunks) {
            last_.push_back(last_.empty() ? chunk.last_max : std::max(last_.back(), chunk.last_max));
        }
    }

    [[nodiscard]] const OpenedFile& file() const { return file_; }
    [[nodiscard]] const std::vector<Picoseconds>& last() const { return last_; }

    Expected<void> read(std::size_t number, ChunkReading& reading, Parts parts, TraceBatch& batch) const;
    Expected<void> play(TraceSink& sink, Diagnostics& diagnostics, const PlayOptions& options) const;

    std::unique_ptr<ChunkReading> borrow() const;
    void give_back(std::unique_ptr<ChunkReading> reading) const;
    const LineLookup& lines() const;

 private:
    OpenedFile file_;
    std::vector<Picoseconds> last_;  // latest completion up to each chunk
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<ChunkReading>> idle_;
    mutable std::optional<LineLookup> lines_;
};

Expected<void> Reader::Impl::read(std::size_t number, ChunkReading& reading, Parts parts, TraceBatch& batch) const {
    const ChunkInfo& info = file_.chunks[number];
    std::vector<std::uint8_t>& bytes = reading.bytes;
    bytes.resize(parts == Parts::whole ? info.bytes : section_header_bytes);
    auto got = file_.source->read_at(info.offset, bytes);
    if (!got) {
        return tl::unexpected(got.error());
    }
    const auto header = *got == bytes.size() ? parse_section_header(bytes) : std::nullopt;
    if (!header || !agrees(*header, info, file_.metadata.contents.base.unix_seconds)) {
        return tl::unexpected(damage("no chunk stands where the index says", info.offset));
    }
    if (parts == Parts::heads) {
        bytes.resize(section_header_bytes + header->head_bytes);
        got = file_.source->read_at(info.offset + section_header_bytes, std::span(bytes).subspan(section_header_bytes));
        if (!got) {
            return tl::unexpected(got.error());
        }
        if (*got != header->head_bytes) {
            return tl::unexpected(damage("the chunk is cut short", info.offset));
        }
    }
    return reading.decoder.decode(*header, Bytes(bytes).subspan(section_header_bytes), parts, batch)
        .map_error([&info](Error error) {
            error.offset = info.offset;
            return error;
        });
}

std::unique_ptr<ChunkReading> Reader::Impl::borrow() const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
        return std::make_unique<ChunkReading>();
    }
    auto reading = std::move(idle_.back());
    idle_.pop_back();
    return reading;
}

void Reader::Impl::give_back(std::unique_ptr<ChunkReading> reading) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(reading));
}

const LineLookup& Reader::Impl::lines() const {
    const std::lock_guard lock(mutex_);
    if (!lines_) {
        lines_.emplace(file_.chunks);
    }
    return *lines_;
}

Expected<void> Reader::Impl::play(TraceSink& sink, Diagnostics& diagnostics, const PlayOptions& options) const {
    struct Job {
        std::size_t chunk = 0;
        TraceBatch batch;
        std::optional<Error> error;
    };
    const auto make_work = [this, &options] {
        return [this, &options, reading = std::make_shared<ChunkReading>()](Job& job) {
            auto done = read(job.chunk, *reading, options.parts, job.batch);
            job.error = done ? std::nullopt : std::optional<Error>(done.error());
        };
    };
    OrderedWorkers<Job> workers(options.threads, make_work);
    const std::size_t end = std::min(options.to_chunk, file_.chunks.size());
    std::size_t next = options.from_chunk;
    while (next < end || !workers.empty()) {
        if (next < end && !workers.full()) {
            workers.next().chunk = next++;
            workers.submit();
            continue;
        }
        const Job& job = workers.oldest();
        if (job.error && job.error->code != ErrorCode::damaged) {
            return tl::unexpected(*job.error);
        }
        if (job.error) {
            Diagnostic diagnostic;
            diagnostic.kind = DiagnosticKind::ewf_chunk_damaged;
            diagnostic.where.source = file_.source_number;
            diagnostic.where.offset = job.error->offset;
            diagnostic.detail = job.error->message + "; " + std::to_string(file_.chunks[job.chunk].messages) +
                                " messages from number " + std::to_string(file_.chunks[job.chunk].first_message);
            diagnostics.report(std::move(diagnostic));
        } else if (!sink.batch(job.batch)) {
            return {};
        }
        workers.release();
    }
    return {};
}

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Expected<Reader> Reader::open(const std::string& path, Diagnostics& diagnostics) {
    auto source = open_file(path);
    if (!source) {
        return tl::unexpected(source.error());
    }
    return open(std::move(*source), diagnostics, path);
}

Expected<Reader> Reader::open(std::unique_ptr<ByteSource> source, Diagnostics& diagnostics, std::string name) {
    auto file = open_ewf(std::move(source), diagnostics, name);
    if (!file) {
        return tl::unexpected(file.error());
    }
    return Reader(std::make_unique<Impl>(std::move(*file)));
}

TimeBase Reader::time_base() const {
    return impl_->file().metadata.contents.base;
}
const Contents& Reader::contents() const {
    return impl_->file().metadata.contents;
}
const Metadata& Reader::metadata() const {
    return impl_->file().metadata.metadata;
}
const std::optional<Provenance>& Reader::provenance() const {
    return impl_->file().provenance;
}
bool Reader::index_rebuilt() const {
    return impl_->file().rebuilt;
}
std::size_t Reader::chunk_count() const {
    return impl_->file().chunks.size();
}
const ChunkInfo& Reader::chunk(std::size_t number) const {
    return impl_->file().chunks[number];
}

std::optional<Digest> Reader::digest() const {
    const auto& trailer = impl_->file().trailer;
    return trailer ? std::optional<Digest>(trailer->digest) : std::nullopt;
}

Expected<bool> Reader::verify_digest() const {
    const OpenedFile& file = impl_->file();
    if (!file.trailer || file.trailer->canonical_bytes > file.source->size()) {
        return tl::unexpected(damage("the file has no trailer with a digest", 0));
    }
    RunningDigest digest;
    std::vector<std::uint8_t> buffer(std::size_t{64} << 10U);
    for (std::uint64_t at = 0; at < file.trailer->canonical_bytes;) {
        const auto count = std::min<std::uint64_t>(buffer.size(), file.trailer->canonical_bytes - at);
        auto got = file.source->read_at(at, std::span(buffer).first(count));
        if (!got) {
            return tl::unexpected(got.error());
        }
        if (*got != count) {
            return false;
        }
        digest.add(Bytes(buffer).first(count));
        at += count;
    }
    return digest.digest() == file.trailer->digest;
}

Expected<void> Reader::read_chunk(std::size_t number, TraceBatch& batch, Parts parts) const {
    if (number >= chunk_count()) {
        return tl::unexpected(Error{ErrorCode::out_of_range, "no such chunk", 0});
    }
    auto reading = impl_->borrow();
    auto done = impl_->read(number, *reading, parts, batch);
    if (!done) {
        batch.clear();
    }
    impl_->give_back(std::move(reading));
    return done;
}

Expected<void> Reader::play(TraceSink& sink, Diagnostics& diagnostics, const PlayOptions& options) const {
    return impl_->play(sink, diagnostics, options);
}

Expected<Place> Reader::find_message(std::uint64_t number) const {
    const auto& chunks = impl_->file().chunks;
    const auto after = std::upper_bound(chunks.begin(), chunks.end(), number,
                                        [](std::uint64_t n, const ChunkInfo& info) { return n < info.first_message; });
    // A chunk of events alone has the number of the next chunk's first message.
    for (auto at = after; at != chunks.begin();) {
        --at;
        if (at->messages > 0) {
            if (number - at->first_message < at->messages) {
                return Place{static_cast<std::size_t>(at - chunks.begin()),
                             static_cast<std::size_t>(number - at->first_message)};
            }
            break;
        }
    }
    return tl::unexpected(Error{ErrorCode::out_of_range, "the file has no message " + std::to_string(number), 0});
}

Expected<std::size_t> Reader::find_time(Picoseconds time) const {
    const auto& last = impl_->last();
    const auto at = std::lower_bound(last.begin(), last.end(), time);
    if (at == last.end()) {
        return tl::unexpected(Error{ErrorCode::out_of_range, "the trace ends before that time", 0});
    }
    return static_cast<std::size_t>(at - last.begin());
}

std::vector<std::size_t> Reader::chunks_with_line(Line line) const {
    std::vector<std::size_t> found;
    for (const auto& [shift, entries] : impl_->lines().by_shift) {
        const std::uint64_t region = line_key(line.home, line.aliased_cli) >> shift;
        auto at = std::lower_bound(entries.begin(), entries.end(), LineLookup::Entry{region, 0});
        for (; at != entries.end() && at->region == region; ++at) {
            found.push_back(at->chunk);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace eciscope::ewf

#include "eciscope/ewf/writer.hpp"

#include <algorithm>

#include "chunk_encoder.hpp"
#include "file_end.hpp"
#include "index.hpp"
#include "ordered_workers.hpp"

namespace eciscope::ewf {

namespace {

struct WriteJob {
    TraceBatch trace;
    std::int64_t base_seconds = 0;
    std::uint64_t first_message = 0;
    std::vector<std::uint8_t> bytes;
    ChunkInfo info;
};

OrderedWorkers<WriteJob>::Work make_encoding() {
    auto encoder = std::make_shared<ChunkEncoder>();
    auto summariser = std::make_shared<ChunkSummariser>();
    return [encoder, summariser](WriteJob& job) {
        encoder->encode(job.trace, job.base_seconds, job.first_message, job.bytes);
        job.info = info_of(*parse_section_header(job.bytes));
        summariser->summarise(job.trace, false, job.info);
    };
}

bool storable(Stream stream) {
    return stream.link < link_count && stream.from < node_count;
}

bool storable(const MessageHead& message, std::size_t words) {
    return storable(message.stream) && message.vc < vc_slots && message.word_offset <= words &&
           message.word_count <= words - message.word_offset;
}

bool storable(const Event& event) {
    return storable(event.stream) && event.kind <= EventKind::capture_ends &&
           (event.vc < vc_slots || event.vc == Event::no_vc);
}

}  // namespace

class Writer::Impl {
 public:
    Impl(ByteSink& sink, TimeBase base, WriterOptions options)
        : out_(sink), base_(base), workers_(options.threads, make_encoding) {}

    void set_time_base(TimeBase base) { base_ = base; }
    bool batch(const TraceBatch& batch);
    Expected<Contents> finish(const Metadata& metadata, const Provenance* provenance);
    [[nodiscard]] const Digest& digest() const { return digest_; }

 private:
    bool add_message(const TraceBatch& batch, const MessageHead& message);
    bool add_event(const Event& event);
    bool start(Picoseconds first);
    bool rebase(Picoseconds& time);
    bool flush();
    bool drain_one();
    bool write_header();
    bool fail(Error error);
    [[nodiscard]] TraceBatch& current() { return workers_.next().trace; }

    CanonicalOutput out_;
    TimeBase base_;       // of the input
    TimeBase file_base_;  // of the file
    Picoseconds shift_ = 0;
    bool started_ = false;
    bool header_written_ = false;
    std::uint64_t messages_ = 0;  // before the current chunk
    std::optional<Error> error_;
    std::optional<ContentsCounter> counter_;
    std::vector<ChunkInfo> chunks_;
    Digest digest_{};
    OrderedWorkers<WriteJob> workers_;
};

bool Writer::Impl::fail(Error error) {
    if (!error_) {
        error_ = std::move(error);
    }
    return false;
}

/// Sets the file's base from the first time of the trace.
bool Writer::Impl::start(Picoseconds first) {
    std::int64_t seconds = first / picoseconds_per_second;
    if (first % picoseconds_per_second < 0) {
        --seconds;
    }
    started_ = true;
    if (__builtin_mul_overflow(-seconds, picoseconds_per_second, &shift_) ||
        __builtin_add_overflow(base_.unix_seconds, seconds, &file_base_.unix_seconds)) {
        return fail({ErrorCode::invalid_trace, "the first time is too far from its base", 0});
    }
    return true;
}

bool Writer::Impl::rebase(Picoseconds& time) {
    return !__builtin_add_overflow(time, shift_, &time) ||
           fail({ErrorCode::invalid_trace, "times of the trace lie more than 106 days apart", 0});
}

bool Writer::Impl::write_header() {
    header_written_ = true;
    counter_.emplace(file_base_);
    auto written = out_.write(file_header(file_base_.unix_seconds));
    return written ? true : fail(written.error());
}

bool Writer::Impl::drain_one() {
    if (!header_written_ && !write_header()) {
        return false;
    }
    WriteJob& job = workers_.oldest();
    job.info.offset = out_.offset();
    job.info.bytes = job.bytes.size();
    auto written = out_.write(job.bytes);
    if (!written) {
        return fail(written.error());
    }
    counter_->add(job.trace, job.info);
    chunks_.push_back(std::move(job.info));
    workers_.release();
    return true;
}

/// Hands the current chunk over.
bool Writer::Impl::flush() {
    WriteJob& job = workers_.next();
    job.base_seconds = file_base_.unix_seconds;
    job.first_message = messages_;
    messages_ += job.trace.messages.size();
    workers_.submit();
    if (workers_.full() && !drain_one()) {
        return false;
    }
    current().clear();
    return true;
}

bool Writer::Impl::add_event(const Event& event) {
    if (!storable(event)) {
        return fail({ErrorCode::invalid_trace, "an event names a stream, circuit or kind that does not exist", 0});
    }
    if (!started_ && !start(event.time)) {
        return false;
    }
    Event copy = event;
    copy.before = static_cast<std::uint32_t>(current().messages.size());
    if (!rebase(copy.time)) {
        return false;
    }
    current().events.push_back(copy);
    return current().events.size() < chunk_events_max || flush();
}

bool Writer::Impl::add_message(const TraceBatch& batch, const MessageHead& message) {
    if (!storable(message, batch.words.size())) {
        return fail({ErrorCode::invalid_trace, "a message names a stream, circuit or words that do not exist", 0});
    }
    if (!started_ && !start(message.first)) {
        return false;
    }
    if (current().words.size() + message.word_count > chunk_words_max && !flush()) {
        return false;
    }
    TraceBatch& to = current();
    MessageHead copy = message;
    if (!rebase(copy.first) || !rebase(copy.last)) {
        return false;
    }
    copy.word_offset = static_cast<std::uint32_t>(to.words.size());
    const auto words = batch.words_of(message);
    to.words.insert(to.words.end(), words.begin(), words.end());
    to.messages.push_back(copy);
    return to.messages.size() < chunk_messages_max || flush();
}

bool Writer::Impl::batch(const TraceBatch& batch) {
    std::size_t next = 0;
    for (const Event& event : batch.events) {
        if (event.before < next || event.before > batch.messages.size()) {
            return fail({ErrorCode::invalid_trace, "events are not in the order of their places", 0});
        }
        while (next < event.before) {
            if (error_ || !add_message(batch, batch.messages[next++])) {
                return false;
            }
        }
        if (error_ || !add_event(event)) {
            return false;
        }
    }
    while (next < batch.messages.size()) {
        if (error_ || !add_message(batch, batch.messages[next++])) {
            return false;
        }
    }
    return !error_;
}

Expected<Contents> Writer::Impl::finish(const Metadata& metadata, const Provenance* provenance) {
    bool good = !error_ && (current().empty() || flush());
    while (good && !workers_.empty()) {
        good = drain_one();
    }
    if (good && !header_written_) {
        good = write_header();
    }
    if (!good) {
        return tl::unexpected(*error_);
    }
    auto digest = out_.finish(metadata, counter_->contents(), chunks_, provenance);
    if (!digest) {
        return tl::unexpected(digest.error());
    }
    digest_ = *digest;
    return counter_->contents();
}

Writer::Writer(ByteSink& sink, TimeBase base, WriterOptions options)
    : impl_(std::make_unique<Impl>(sink, base, options)) {}
Writer::~Writer() = default;

void Writer::set_time_base(TimeBase base) {
    impl_->set_time_base(base);
}
bool Writer::batch(const TraceBatch& batch) {
    return impl_->batch(batch);
}
Expected<Contents> Writer::finish(const Metadata& metadata, const Provenance* provenance) {
    return impl_->finish(metadata, provenance);
}
const Digest& Writer::digest() const {
    return impl_->digest();
}

}  // namespace eciscope::ewf

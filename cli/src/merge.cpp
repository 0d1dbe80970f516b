#include "merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

namespace eciscope::cli {

namespace {

constexpr std::size_t batches_ahead = 2;
constexpr std::size_t batch_messages = 4096;

// One input: runs on a thread of its own and is read batch by batch. Its diagnostics are its own until it has ended,
// since Diagnostics are not for several threads.
class Lane final : public TraceSink {
 public:
    Lane(std::unique_ptr<TraceSource> source, std::unique_ptr<Diagnostics> diagnostics)
        : source_(std::move(source)), diagnostics_(std::move(diagnostics)) {}
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;
    ~Lane() override { stop(); }

    void start() {
        thread_ = std::thread([this] {
            Result<void> outcome = source_->run(*this);
            const std::lock_guard lock(mutex_);
            outcome_ = std::move(outcome);
            ended_ = true;
            changed_.notify_all();
        });
    }

    // On the lane's thread.
    bool batch(const TraceBatch& batch) override {
        std::unique_lock lock(mutex_);
        base_ = source_->time_base();
        figures_ = source_->figures();
        changed_.wait(lock, [this] { return stopped_ || ready_.size() < batches_ahead; });
        if (!stopped_) {
            ready_.push_back(batch);
            changed_.notify_all();
        }
        return !stopped_;
    }

    /// The next item's batch is at hand afterwards; false at the end.
    bool advance() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_ || !ready_.empty(); });
        if (ready_.empty()) {
            return false;
        }
        current_ = std::move(ready_.front());
        ready_.pop_front();
        message_ = 0;
        event_ = 0;
        changed_.notify_all();
        return true;
    }

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
            changed_.notify_all();
        }
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    [[nodiscard]] bool at_event() const {
        return event_ < current_.events.size() && current_.events[event_].before <= message_;
    }
    [[nodiscard]] bool exhausted() const { return !at_event() && message_ == current_.messages.size(); }
    [[nodiscard]] const Event& event() const { return current_.events[event_]; }
    [[nodiscard]] const MessageHead& message() const { return current_.messages[message_]; }
    [[nodiscard]] const TraceBatch& current() const { return current_; }
    void pass() { at_event() ? ++event_ : ++message_; }

    /// Time of the next item in the merged trace, whose base differs by `shift` from this one's.
    [[nodiscard]] Picoseconds key_time() const { return (at_event() ? event().time : message().last) + shift; }
    [[nodiscard]] std::size_t key_stream() const { return (at_event() ? event().stream : message().stream).index(); }

    [[nodiscard]] TimeBase base() {
        const std::lock_guard lock(mutex_);
        return base_;
    }
    [[nodiscard]] ProgressFigures figures() {
        const std::lock_guard lock(mutex_);
        return figures_;
    }
    [[nodiscard]] const Result<void>& outcome() const { return outcome_; }  ///< after stop()
    [[nodiscard]] const TraceSource& source() const { return *source_; }
    [[nodiscard]] const Diagnostics& diagnostics() const { return *diagnostics_; }

    Picoseconds shift = 0;

 private:
    std::unique_ptr<TraceSource> source_;
    std::unique_ptr<Diagnostics> diagnostics_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<TraceBatch> ready_;
    TimeBase base_;
    ProgressFigures figures_;
    bool ended_ = false;
    bool stopped_ = false;
    Result<void> outcome_;
    TraceBatch current_;
    std::size_t message_ = 0;
    std::size_t event_ = 0;
};

class MergedSource final : public TraceSource {
 public:
    MergedSource(std::vector<std::unique_ptr<Lane>> lanes, Diagnostics& diagnostics)
        : lanes_(std::move(lanes)), diagnostics_(diagnostics) {}

    Result<void> run(TraceSink& sink) override {
        for (const auto& lane : lanes_) {
            lane->start();
        }
        std::vector<Lane*> running;
        for (const auto& lane : lanes_) {
            if (lane->advance()) {
                running.push_back(lane.get());
            }
        }
        Result<void> outcome = align(running);
        if (outcome) {
            merge(running, sink);
        }
        for (const auto& lane : lanes_) {
            lane->stop();
            outcome = outcome ? lane->outcome() : outcome;
        }
        gather_diagnostics();
        return outcome;
    }
    [[nodiscard]] TimeBase time_base() const override { return base_; }
    [[nodiscard]] ewf::Metadata metadata() const override { return lanes_.front()->source().metadata(); }
    [[nodiscard]] std::string kind() const override { return fmt::format("{} traces", lanes_.size()); }
    [[nodiscard]] std::uint64_t blocks_never_repaired() const override {
        return std::accumulate(lanes_.begin(), lanes_.end(), std::uint64_t{0}, [](std::uint64_t sum, const auto& lane) {
            return sum + lane->source().blocks_never_repaired();
        });
    }
    [[nodiscard]] ProgressFigures figures() const override {
        ProgressFigures sum{0, 0, 0};
        for (const auto& lane : lanes_) {
            const ProgressFigures one = lane->figures();
            sum.bytes += one.bytes;
            sum.total = sum.total && one.total ? std::optional(*sum.total + *one.total) : std::nullopt;
        }
        return sum;
    }

 private:
    // The earliest base counts for all.
    Result<void> align(const std::vector<Lane*>& running) {
        for (Lane* lane : running) {
            const TimeBase base = lane->base();
            base_ = lane == running.front() || base.unix_seconds < base_.unix_seconds ? base : base_;
        }
        for (Lane* lane : running) {
            const std::int64_t seconds = lane->base().unix_seconds - base_.unix_seconds;
            constexpr std::int64_t most_seconds = 9'000'000;  // 104 days
            if (seconds > most_seconds) {
                return fail(Exit::damaged, "the traces lie more than 104 days apart",
                            "No single trace can hold times that far apart; merge only what belongs together.");
            }
            lane->shift = seconds * picoseconds_per_second;
        }
        return {};
    }

    // The lanes are few: the least is searched anew for every item.
    void merge(std::vector<Lane*>& running, TraceSink& sink) {
        TraceBatch out;
        const auto earlier = [](const Lane* a, const Lane* b) {
            return a->key_time() != b->key_time() ? a->key_time() < b->key_time() : a->key_stream() < b->key_stream();
        };
        while (!running.empty()) {
            const auto next = std::min_element(running.begin(), running.end(), earlier);
            put(**next, out);
            (*next)->pass();
            if (out.messages.size() >= batch_messages || out.events.size() >= batch_messages) {
                if (!sink.batch(out)) {
                    return;
                }
                out.clear();
            }
            while ((*next)->exhausted()) {
                if (!(*next)->advance()) {
                    running.erase(next);
                    break;
                }
            }
        }
        if (!out.empty()) {
            sink.batch(out);
        }
    }

    static void put(const Lane& lane, TraceBatch& out) {
        if (lane.at_event()) {
            out.events.push_back(lane.event());
            out.events.back().time += lane.shift;
            out.events.back().before = static_cast<std::uint32_t>(out.messages.size());
            return;
        }
        const MessageHead& message = lane.message();
        const auto words = lane.current().words_of(message);
        out.messages.push_back(message);
        out.messages.back().first += lane.shift;
        out.messages.back().last += lane.shift;
        out.messages.back().word_offset = static_cast<std::uint32_t>(out.words.size());
        out.words.insert(out.words.end(), words.begin(), words.end());
    }

    void gather_diagnostics() {
        for (const auto& lane : lanes_) {
            const Diagnostics& from = lane->diagnostics();
            const auto first_source = static_cast<std::uint32_t>(diagnostics_.sources().size());
            for (const std::string& name : from.sources()) {
                diagnostics_.add_source(name);
            }
            std::vector<std::uint64_t> reported(diagnostic_infos().size(), 0);
            for (Diagnostic one : from.kept()) {
                one.where.source += first_source;
                ++reported[static_cast<std::size_t>(one.kind)];
                diagnostics_.report(std::move(one));
            }
            for (std::size_t kind = 0; kind < reported.size(); ++kind) {
                for (std::uint64_t n = reported[kind]; n < from.count_of(static_cast<DiagnosticKind>(kind)); ++n) {
                    diagnostics_.count(static_cast<DiagnosticKind>(kind));
                }
            }
        }
    }

    std::vector<std::unique_ptr<Lane>> lanes_;
    Diagnostics& diagnostics_;
    TimeBase base_;
};

}  // namespace

Result<std::unique_ptr<TraceSource>> open_merged(const InputOptions& options, Diagnostics& diagnostics) {
    if (std::count(options.files.begin(), options.files.end(), "-") > 1) {
        return fail(Exit::usage, "standard input (-) is given twice", "It can be read only once.");
    }
    std::vector<std::unique_ptr<Lane>> lanes;
    for (const std::string& path : options.files) {
        InputOptions one = options;
        one.files = {path};
        auto own = std::make_unique<Diagnostics>();
        auto source = open_trace(one, *own);
        if (!source) {
            return tl::unexpected<Failure>(source.error());
        }
        lanes.push_back(std::make_unique<Lane>(std::move(*source), std::move(own)));
    }
    return std::make_unique<MergedSource>(std::move(lanes), diagnostics);
}

}  // namespace eciscope::cli

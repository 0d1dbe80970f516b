#include "eciscope/conformance/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace eciscope::conformance {

namespace {

/// Findings of one checker, with what is needed to put those of all in order.
class Collected final : public FindingSink {
 public:
    struct Finding {
        std::uint64_t observation = 0;  ///< owed replies follow the violations of an observation
        std::variant<Violation, OwedReply> what;

        [[nodiscard]] auto order() const {
            const auto* violation = std::get_if<Violation>(&what);
            const std::uint64_t number =
                violation != nullptr ? violation->message.number : std::get<OwedReply>(what).request.number;
            return std::tuple(observation, violation == nullptr, number);
        }
    };

    void violation(const Violation& v) override { findings_.push_back({observation_, v}); }
    void owed(const OwedReply& o) override { findings_.push_back({observation_, o}); }
    void observation_ends() override { ++observation_; }

    [[nodiscard]] std::vector<Finding>& findings() { return findings_; }

 private:
    std::vector<Finding> findings_;
    std::uint64_t observation_ = 0;
};

/// Rounds of one chunk a thread: everybody decodes one, then everybody looks at all of them. Two sets of batches, so
/// that nobody waits for the slowest before going on to the next round.
class Division {
 public:
    Division(const ewf::Reader& reader, const CheckOptions& options, unsigned threads,
             const std::function<bool(std::uint64_t)>& go_on)
        : reader_(reader), threads_(threads), go_on_(go_on), collected_(threads), barrier_(threads) {
        for (auto& set : batches_) {
            set.resize(threads);
        }
        for (unsigned i = 0; i < threads; ++i) {
            CheckOptions own = options;
            own.share = i;
            own.shares = threads;
            checkers_.push_back(std::make_unique<Checker>(own, collected_[i]));
        }
    }

    void run() {
        std::vector<std::thread> others;
        for (unsigned i = 1; i < threads_; ++i) {
            others.emplace_back([this, i] { work(i); });
        }
        work(0);
        for (std::thread& other : others) {
            other.join();
        }
    }

    [[nodiscard]] bool failed() const { return failed_; }

    Summary finish(FindingSink& sink) {
        Summary sum = checkers_.front()->finish();
        for (unsigned i = 1; i < threads_; ++i) {
            sum = merged(sum, checkers_[i]->finish());
        }
        std::vector<Collected::Finding> all;
        for (Collected& collected : collected_) {
            std::move(collected.findings().begin(), collected.findings().end(), std::back_inserter(all));
        }
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.order() < b.order(); });
        for (const Collected::Finding& finding : all) {
            if (const auto* violation = std::get_if<Violation>(&finding.what)) {
                sink.violation(*violation);
            } else {
                sink.owed(std::get<OwedReply>(finding.what));
            }
        }
        return sum;
    }

 private:
    void work(unsigned mine) {
        const std::size_t chunks = reader_.chunk_count();
        for (std::size_t first = 0, round = 0; first < chunks; first += threads_, ++round) {
            auto& set = batches_[round % 2];
            set[mine].clear();
            if (first + mine < chunks && !reader_.read_chunk(first + mine, set[mine], ewf::Parts::heads)) {
                failed_ = true;
                ends_with_ = round;
            }
            if (mine == 0 && !go_on_(reader_.chunk(first).first_message)) {
                ends_with_ = round;
            }
            barrier_.arrive_and_wait();
            // A faster thread may be a round ahead already, so the round counts: all end with the same.
            if (ends_with_ == round) {
                return;
            }
            for (const TraceBatch& batch : set) {
                checkers_[mine]->batch(batch);
            }
        }
    }

    const ewf::Reader& reader_;
    unsigned threads_;
    const std::function<bool(std::uint64_t)>& go_on_;
    std::vector<Collected> collected_;
    std::vector<std::unique_ptr<Checker>> checkers_;
    std::array<std::vector<TraceBatch>, 2> batches_;
    std::barrier<> barrier_;
    std::atomic<bool> failed_ = false;
    std::atomic<std::size_t> ends_with_ = ~std::size_t{0};
};

}  // namespace

std::optional<Summary> check_in_parallel(const ewf::Reader& reader, const CheckOptions& options, unsigned threads,
                                         FindingSink& sink, const std::function<bool(std::uint64_t)>& go_on) {
    for (std::size_t i = 0, next = 0; i < reader.chunk_count(); ++i) {
        if (reader.chunk(i).first_message != next) {
            return std::nullopt;  // messages are missing: every checker would have to know where
        }
        next += reader.chunk(i).messages;
    }
    Division division(reader, options, threads, go_on);
    division.run();
    if (division.failed()) {
        return std::nullopt;
    }
    return division.finish(sink);
}

}  // namespace eciscope::conformance

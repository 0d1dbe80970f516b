// Looks through a trace in the background for messages that an index cannot find: those of a line, or with a number.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "chunk_cache.hpp"
#include "eciscope/view/filter.hpp"

namespace eciscope::view {

struct Hits {
    std::vector<NearMessage> messages;  ///< in order of completion
    bool truncated = false;             ///< there are more
};

class Scanner {
 public:
    static constexpr std::size_t most_hits = std::size_t{1} << 17;

    explicit Scanner(std::function<void()> changed) : changed_(std::move(changed)) {}
    Scanner(const Scanner&) = delete;
    Scanner& operator=(const Scanner&) = delete;
    ~Scanner();

    /// What the filter takes of the trace; null while it is looked for. Few chunks are looked through at once.
    std::shared_ptr<const Hits> find(const std::shared_ptr<const ewf::Reader>& reader, const Filter& filter);
    /// Blocks until nothing is looked for.
    void wait();

 private:
    // Results are kept while they are small together; a few are kept however large, or pictures would ask for them
    // anew.
    static constexpr std::size_t always_kept = 4;
    static constexpr std::size_t most_kept = 256;
    static constexpr std::size_t most_hits_kept = std::size_t{1} << 18;
    static constexpr std::size_t few_chunks = 4;

    struct Job {
        std::string key;
        std::shared_ptr<const ewf::Reader> reader;
        Filter filter;
        std::vector<std::size_t> chunks;
    };
    struct Result {
        std::string key;
        std::shared_ptr<const Hits> hits;
    };

    void work();
    [[nodiscard]] std::shared_ptr<const Hits> run(const Job& job);
    void keep(const Job& job, std::shared_ptr<const Hits> hits);

    std::function<void()> changed_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> jobs_;  ///< the first is under way
    std::list<Result> results_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

/// The same text for filters that take the same.
[[nodiscard]] std::string key_of(const Filter& filter);

}  // namespace eciscope::view

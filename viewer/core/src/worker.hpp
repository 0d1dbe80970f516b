// What a document does in the background: decode, index, check.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "eciscope/view/document.hpp"
#include "findings_collector.hpp"
#include "index_store.hpp"
#include "trace_model.hpp"

namespace eciscope::view {

class Worker {
 public:
    /// `model` has the reader, where the file is a stored trace.
    Worker(TraceModel model, OpenOptions options);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    /// What is known now. An index whose file was cut is no part of it any more.
    [[nodiscard]] TraceModel model();
    [[nodiscard]] Status status() const;
    void cancel();
    void wait();
    /// A sentence for the window; each only once, and not very many.
    void trouble(const std::string& sentence);

 private:
    void run();
    [[nodiscard]] bool decode();
    [[nodiscard]] bool load_or_build(IndexStore& store);
    [[nodiscard]] bool build(const IndexStore& store);
    void adopt(const IndexStore& store, IndexStore::Found found);
    [[nodiscard]] bool check();
    [[nodiscard]] bool run_checker(const conformance::Profile& profile);
    [[nodiscard]] bool conclude(std::uint64_t checked);

    void begin(Phase phase, std::uint64_t total);
    /// False once the work is to stop.
    bool progress(std::uint64_t done);
    void changed(bool always);
    void publish(std::shared_ptr<const Index> index);
    void end(Phase phase);
    [[nodiscard]] bool failed(const ewf::Error& error);

    const OpenOptions options_;
    std::atomic<bool> stop_ = false;

    mutable std::mutex mutex_;
    std::condition_variable ended_;
    TraceModel model_;
    Status status_;
    bool over_ = false;

    // The worker's own.
    std::optional<IndexFile> file_;
    std::optional<DirectoryParts> parts_;
    FindingsCollector findings_;
    IndexHeader header_;
    std::chrono::steady_clock::time_point last_changed_;
    std::thread thread_;
};

}  // namespace eciscope::view

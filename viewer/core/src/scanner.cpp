#include "scanner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "chunk_pump.hpp"
#include "matcher.hpp"

namespace eciscope::view {

namespace {

/// Chunks that may hold what the filter takes.
std::vector<std::size_t> candidates(const ewf::Reader& reader, const Filter& filter) {
    if (filter.lines.empty()) {
        return chunk_numbers(0, reader.chunk_count());
    }
    std::set<std::size_t> chunks;
    for (const ewf::Line& line : filter.lines) {
        const auto of_line = reader.chunks_with_line(line);
        chunks.insert(of_line.begin(), of_line.end());
    }
    return {chunks.begin(), chunks.end()};
}

}  // namespace

std::string key_of(const Filter& filter) {
    std::string key =
        fmt::format("{}\n{}\n{}\n{}\n{}\n", filter.ops, filter.vcs, filter.nodes, filter.links, filter.texts);
    for (const ewf::Line& line : filter.lines) {
        key += fmt::format("{:x}@{} ", line.aliased_cli, line.home);
    }
    return key;
}

Scanner::~Scanner() {
    stop_ = true;
    {
        const std::lock_guard lock(mutex_);
        wake_.notify_all();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::shared_ptr<const Hits> Scanner::find(const std::shared_ptr<const ewf::Reader>& reader, const Filter& filter) {
    const std::string key = key_of(filter);
    {
        const std::lock_guard lock(mutex_);
        const auto has_key = [&key](const auto& entry) { return entry.key == key; };
        const auto known = std::find_if(results_.begin(), results_.end(), has_key);
        if (known != results_.end()) {
            results_.splice(results_.begin(), results_, known);
            return results_.front().hits;
        }
        if (std::any_of(jobs_.begin(), jobs_.end(), has_key)) {
            return nullptr;
        }
    }
    Job job{key, reader, filter, candidates(*reader, filter)};
    if (job.chunks.size() <= few_chunks) {
        auto hits = run(job);
        keep(job, hits);
        return hits;
    }
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (!thread_.joinable()) {
        thread_ = std::thread([this] { work(); });
    }
    wake_.notify_all();
    return nullptr;
}

void Scanner::wait() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stop_ || jobs_.empty(); });
}

void Scanner::keep(const Job& job, std::shared_ptr<const Hits> hits) {
    const std::lock_guard lock(mutex_);
    results_.push_front({job.key, std::move(hits)});
    std::size_t all = 0;
    for (const Result& result : results_) {
        all += result.hits->messages.size();
    }
    while (results_.size() > most_kept || (results_.size() > always_kept && all > most_hits_kept)) {
        all -= results_.back().hits->messages.size();
        results_.pop_back();
    }
}

void Scanner::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (stop_) {
            return;
        }
        const Job job = jobs_.front();
        lock.unlock();
        auto hits = run(job);
        keep(job, std::move(hits));
        lock.lock();
        jobs_.pop_front();
        wake_.notify_all();
        lock.unlock();
        if (changed_ && !stop_) {
            changed_();
        }
        lock.lock();
    }
}

std::shared_ptr<const Hits> Scanner::run(const Job& job) {
    auto hits = std::make_shared<Hits>();
    Matcher matcher(job.filter, job.reader->metadata());
    ChunkPump pump(*job.reader, job.chunks, ewf::Parts::heads, 1);
    while (const PumpedChunk* chunk = stop_ || hits->truncated ? nullptr : pump.next()) {
        std::uint64_t number = job.reader->chunk(chunk->number).first_message;
        for (const MessageHead& head : chunk->batch.messages) {
            const std::uint64_t header = header_of(chunk->batch, head);
            if (matcher.takes(head, header)) {
                hits->messages.push_back({number, head, header});
            }
            ++number;
        }
        hits->truncated = hits->messages.size() > most_hits;
    }
    return hits;
}

}  // namespace eciscope::view

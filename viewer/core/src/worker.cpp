#include "worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "chunk_pump.hpp"
#include "decode_job.hpp"
#include "index_builder.hpp"

namespace eciscope::view {

namespace {

constexpr std::size_t most_troubles = 50;
/// Reading takes a little longer than indexing what was read.
constexpr unsigned reading_threads = 2;
constexpr auto between_changes = std::chrono::milliseconds(50);

std::uint64_t mark_of(const std::string& profile) {
    return hash_of({reinterpret_cast<const std::uint8_t*>(profile.data()), profile.size()}) | 1U;
}

/// A copy of an index that can be written on to.
ewf::Expected<void> copy(const FileHandle& from, const FileHandle& to, std::uint64_t bytes) {
    std::vector<std::uint8_t> piece(std::size_t{1} << 20U);
    for (std::uint64_t at = 0; at < bytes;) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes - at));
        const auto part = std::span(piece).first(count);
        auto done = from.read_at(at, part);
        if (done) {
            done = to.write_at(at, part);
        }
        if (!done) {
            return done;
        }
        at += count;
    }
    return {};
}

}  // namespace

Worker::Worker(TraceModel model, OpenOptions options) : options_(std::move(options)), model_(std::move(model)) {
    status_.phase = model_.reader == nullptr ? Phase::decoding : Phase::indexing;
    thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
    stop_ = true;
    thread_.join();
}

TraceModel Worker::model() {
    bool is_cut = false;
    TraceModel model;
    {
        const std::lock_guard lock(mutex_);
        is_cut = model_.index != nullptr && !model_.index->is_whole();
        if (is_cut) {
            model_.index.reset();
            model_.findings.reset();
        }
        model = model_;
    }
    if (is_cut) {
        trouble("The index was cut while it was in use; open the trace again to make a new one.");
    }
    return model;
}

Status Worker::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

void Worker::cancel() {
    stop_ = true;
}

void Worker::wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return over_; });
}

void Worker::trouble(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    auto& troubles = status_.troubles;
    if (troubles.size() < most_troubles && std::find(troubles.begin(), troubles.end(), sentence) == troubles.end()) {
        troubles.push_back(sentence);
    }
}

void Worker::begin(Phase phase, std::uint64_t total) {
    {
        const std::lock_guard lock(mutex_);
        status_.phase = phase;
        status_.done = 0;
        status_.total = total;
    }
    changed(true);
}

bool Worker::progress(std::uint64_t done) {
    {
        const std::lock_guard lock(mutex_);
        status_.done = done;
    }
    changed(false);
    return !stop_;
}

void Worker::changed(bool always) {
    const auto now = std::chrono::steady_clock::now();
    if (!options_.changed || (!always && now - last_changed_ < between_changes)) {
        return;
    }
    last_changed_ = now;
    options_.changed();
}

void Worker::end(Phase phase) {
    {
        const std::lock_guard lock(mutex_);
        status_.phase = phase;
        status_.done = status_.total;
        over_ = true;
    }
    changed(true);
    ended_.notify_all();
}

bool Worker::failed(const ewf::Error& error) {
    trouble(error.message);
    return false;
}

void Worker::run() {
    const bool needs_decoding = model().reader == nullptr;
    if (needs_decoding && !decode()) {
        end(stop_ ? Phase::cancelled : Phase::failed);
        return;
    }
    IndexStore store(model().ewf_path, options_.keep_index);
    bool done = true;
    if (options_.index) {
        done = load_or_build(store);
        done = done && (!options_.check || check());
        findings_ = {};
    }
    end(stop_ ? Phase::cancelled : done ? Phase::ready : Phase::failed);
}

bool Worker::decode() {
    begin(Phase::decoding, 0);
    auto last = std::chrono::steady_clock::now();
    const std::string path = model().path;
    const auto decoded = decode_to_ewf(path, [this, &last](const DecodeProgress& now) {
        const auto time = std::chrono::steady_clock::now();
        if (time - last > between_changes) {
            last = time;
            auto coarse = std::make_shared<Coarse>(now.coarse);
            const std::lock_guard lock(mutex_);
            model_.coarse = std::move(coarse);
            status_.total = now.bytes_total;
        }
        return progress(now.bytes_read);
    });
    if (!decoded) {
        return stop_ ? false : failed(decoded.error());
    }
    if (decoded->damages != 0) {
        trouble(fmt::format("{}: {} places of the capture are damaged or incomplete; 'eciscope info' lists them.", path,
                            decoded->damages));
    }
    Diagnostics diagnostics;
    auto reader = ewf::Reader::open(decoded->path, diagnostics);
    if (!reader) {
        return failed(reader.error());
    }
    auto shared = std::make_shared<const ewf::Reader>(std::move(*reader));
    const std::lock_guard lock(mutex_);
    model_.ewf_path = decoded->path;
    model_.coarse = coarse_of(*shared);
    model_.reader = std::move(shared);
    return true;
}

void Worker::publish(std::shared_ptr<const Index> index) {
    auto findings = std::make_shared<const FindingTable>(*index);
    const IndexDirectory& directory = index->parts().directory;
    if (directory.disordered != 0) {
        trouble(fmt::format("{} messages are complete before the one before them; they are shown at its time.",
                            directory.disordered));
    }
    if (directory.findings_dropped != 0) {
        trouble(fmt::format("There are {} more findings than are shown.", directory.findings_dropped));
    }
    const std::lock_guard lock(mutex_);
    model_.index = std::move(index);
    model_.findings = std::move(findings);
}

bool Worker::load_or_build(IndexStore& store) {
    const TraceModel model = this->model();
    begin(Phase::indexing, model.coarse->messages);
    if (auto found = store.find(index_source(model.ewf_path, *model.reader))) {
        adopt(store, std::move(*found));
        return true;
    }
    return build(store);
}

/// Uses an index that was there. Where it has not been checked, a check goes to a copy.
void Worker::adopt(const IndexStore& store, IndexStore::Found found) {
    {
        const std::lock_guard lock(mutex_);
        status_.index_from_file = true;
    }
    header_ = found.index->header();
    parts_ = found.index->parts();
    publish(found.index);
    changed(true);
    if (!options_.check || header_.checked == mark_of(options_.profile)) {
        return;
    }
    for (const FindingRecord& record : found.index->findings()) {
        if (record.kind == FindingKind::event || record.kind == FindingKind::damaged_chunk) {
            findings_.keep(record, {}, {});
        }
    }
    auto planned = store.plan();
    const std::uint64_t bytes = header_.directory_at + header_.directory_bytes;
    if (!planned || !copy(found.file, planned->file, bytes) || !planned->settle()) {
        return;
    }
    file_.emplace(std::move(planned->file));
    if (!file_->resume(header_)) {
        file_.reset();
    }
}

bool Worker::build(const IndexStore& store) {
    const TraceModel model = this->model();
    auto planned = store.plan();
    if (!planned) {
        return failed(planned.error());
    }
    header_.source = index_source(model.ewf_path, *model.reader);
    file_.emplace(FileHandle(::dup(planned->file.get())));
    IndexBuilder builder(*file_);
    const bool whole =
        read_into(builder, *model.reader, reading_threads, [this](std::uint64_t done) { return progress(done); });
    if (!whole) {
        return false;
    }
    parts_ = builder.finish();
    findings_ = std::move(builder.findings());
    if (!conclude(0)) {
        return false;
    }
    if (!planned->settle()) {
        trouble("The index cannot be kept: it is made anew next time.");
    }
    return true;
}

/// Writes the findings and the directory, and shows what there is now.
bool Worker::conclude(std::uint64_t checked) {
    findings_.write(*file_, parts_->directory);
    header_.checked = checked;
    const auto written = file_->conclude(header_, encode(*parts_));
    if (!written) {
        return failed(written.error());
    }
    auto index = Index::open(file_->file(), false);
    if (!index) {
        return failed(index.error());
    }
    publish(std::move(*index));
    changed(true);
    return true;
}

bool Worker::check() {
    if (header_.checked == mark_of(options_.profile) || !file_) {
        return true;
    }
    const conformance::Profile* const profile = conformance::find_profile(options_.profile);
    if (profile == nullptr) {
        trouble("There is no profile \"" + options_.profile + "\": the trace is not checked against the protocol.");
        return true;
    }
    begin(Phase::checking, model().coarse->messages);
    return run_checker(*profile) && conclude(mark_of(options_.profile));
}

bool Worker::run_checker(const conformance::Profile& profile) {
    const std::shared_ptr<const ewf::Reader> reader = model().reader;
    conformance::CheckOptions options;
    options.profile = &profile;
    options.remembered = std::size_t{1} << 18;
    conformance::Checker checker(options, findings_);
    ChunkPump pump(*reader, chunk_numbers(0, reader->chunk_count()), ewf::Parts::heads, 1);
    std::uint64_t done = 0;
    std::uint64_t checked = 0;
    while (const PumpedChunk* chunk = pump.next()) {
        const ewf::ChunkInfo& info = reader->chunk(chunk->number);
        findings_.number_from(checked, info.first_message);
        if (chunk->error) {
            checker.lost();
        } else {
            checker.batch(chunk->batch);
            checked += chunk->batch.messages.size();
        }
        done += info.messages;
        if (!progress(done)) {
            return false;
        }
    }
    checker.finish();
    findings_.move_to_completion(*reader, [this] { return !stop_; });
    return !stop_;
}

}  // namespace eciscope::view

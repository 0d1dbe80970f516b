#include "decode_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "eciscope/capture/capture.hpp"
#include "eciscope/capture/ila_csv.hpp"
#include "eciscope/capture/sys_csv.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "eciscope/ewf/ndjson_reader.hpp"
#include "eciscope/ewf/writer.hpp"
#include "index_store.hpp"

namespace eciscope::view {

namespace {

constexpr const char* extension = ".ewf";
constexpr const char* tool = "eciscope-view";
constexpr std::uint32_t messages_a_run = 16384;

ewf::Error failure(const std::string& path, const std::string& what) {
    return {ewf::ErrorCode::io, path + ": " + what, 0};
}

capture::FileKind kind_of(capture::Input& input) {
    return capture::identify(input.peek(capture::identify_bytes), input.size());
}

bool is_json(capture::FileKind kind) {
    return kind == capture::FileKind::ndjson || kind == capture::FileKind::json;
}

bool is_table(capture::FileKind kind) {
    return kind == capture::FileKind::sys_csv || kind == capture::FileKind::ila_csv;
}

/// What a decoded file says of where it came from: made again when the capture has changed.
ewf::Provenance provenance_of(const std::string& path) {
    struct stat status {};
    (void)::stat(path.c_str(), &status);
    ewf::Provenance provenance;
    provenance.tool = tool;
    provenance.sources.push_back({std::filesystem::path(path).filename().string(),
                                  static_cast<std::uint64_t>(status.st_size),
                                  fmt::format("mtime:{}.{:09}", status.st_mtim.tv_sec, status.st_mtim.tv_nsec)});
    return provenance;
}

enum class Place : std::uint8_t { free, same, other };

Place look_at(const std::string& place, const ewf::Provenance& wanted) {
    struct stat status {};
    if (::stat(place.c_str(), &status) != 0) {
        return Place::free;
    }
    Diagnostics ignored;
    const auto reader = ewf::Reader::open(place, ignored);
    const bool is_ours = reader && reader->provenance() && reader->provenance()->tool == tool;
    if (!is_ours) {
        return Place::other;
    }
    return reader->provenance()->sources == wanted.sources && !reader->index_rebuilt() ? Place::same : Place::free;
}

/// Passes batches on to the writer and notes where messages are.
class Recorder final : public TraceSink {
 public:
    using Progress = std::function<bool(const Coarse&)>;
    Recorder(ewf::Writer& writer, std::function<TimeBase()> base, Progress progress)
        : writer_(writer), base_(std::move(base)), progress_(std::move(progress)) {}

    bool batch(const TraceBatch& batch) override {
        if (!std::exchange(begun_, true)) {
            writer_.set_time_base(base_());
        }
        for (const MessageHead& head : batch.messages) {
            note(head);
        }
        cancelled_ = cancelled_ || !progress_(coarse_);
        return !cancelled_ && writer_.batch(batch);
    }
    [[nodiscard]] bool cancelled() const { return cancelled_; }

 private:
    void note(const MessageHead& head) {
        if (coarse_.messages == 0) {
            coarse_.limits = {head.first, head.last};
        }
        if (coarse_.messages++ % messages_a_run == 0) {
            coarse_.runs.emplace_back().from = head.last;
        }
        CoarseRun& run = coarse_.runs.back();
        run.to = head.last;
        ++run.messages;
        ++run.vc_messages[head.vc % ewf::vc_slots];
        coarse_.streams[head.stream.index()] = true;
        coarse_.limits = {std::min(coarse_.limits.first, head.first), std::max(coarse_.limits.last, head.last)};
    }

    ewf::Writer& writer_;
    std::function<TimeBase()> base_;
    Progress progress_;
    Coarse coarse_;
    bool begun_ = false;
    bool cancelled_ = false;
};

/// An Input as the EWF library's stream.
class InputStream final : public ewf::ByteStream {
 public:
    explicit InputStream(capture::Input& input) : input_(input) {}
    ewf::Expected<std::size_t> read(std::span<std::uint8_t> into) override {
        const std::size_t count = input_.read(into);
        if (count == 0 && !input_.error().empty()) {
            return tl::unexpected(ewf::Error{ewf::ErrorCode::io, input_.error(), input_.position()});
        }
        return count;
    }

 private:
    capture::Input& input_;
};

using GoOn = std::function<bool(const DecodeProgress&)>;

struct Outcome {
    ewf::Metadata metadata;
    bool cancelled = false;
};

ewf::Expected<Outcome> run_capture(const std::string& path, ewf::Writer& writer, Diagnostics& diagnostics,
                                   const GoOn& go_on) {
    capture::SourceSpec spec;
    spec.path = path;
    spec.read_ahead = true;
    auto reader = capture::CaptureReader::open({spec});
    if (!reader) {
        return tl::unexpected(failure(path, reader.error().message));
    }
    capture::Progress progress;
    reader->on_progress([&progress](const capture::Progress& now) { progress = now; });
    Recorder recorder(
        writer, [&reader] { return reader->base(); },
        [&](const Coarse& coarse) {
            return go_on({progress.bytes_read, progress.bytes_total.value_or(0), coarse});
        });
    Decoder decoder(recorder, diagnostics);
    reader->run(decoder, diagnostics);
    decoder.finish();
    return Outcome{{}, recorder.cancelled()};
}

ewf::Expected<Outcome> run_json(const std::string& path, ewf::Writer& writer, Diagnostics& diagnostics,
                                const GoOn& go_on) {
    auto input = capture::Input::open(path);
    if (!input) {
        return tl::unexpected(failure(path, input.error()));
    }
    InputStream stream(*input);
    ewf::NdjsonReader reader(stream, diagnostics, path);
    Recorder recorder(
        writer, [&reader] { return reader.time_base(); },
        [&](const Coarse& coarse) {
            return go_on({input->position(), input->size().value_or(0), coarse});
        });
    TraceBatch batch;
    while (true) {
        const auto more = reader.next(batch);
        if (!more) {
            return tl::unexpected(more.error());
        }
        if (!*more || !recorder.batch(batch)) {
            return Outcome{reader.metadata(), recorder.cancelled()};
        }
    }
}

ewf::Expected<Outcome> run_table(const std::string& path, ewf::Writer& writer, Diagnostics& diagnostics,
                                 const GoOn& go_on) {
    auto input = capture::Input::open(path);
    if (!input) {
        return tl::unexpected(failure(path, input.error()));
    }
    const auto read =
        kind_of(*input) == capture::FileKind::ila_csv ? capture::read_ila_messages : capture::read_sys_csv;
    Recorder recorder(
        writer, [] { return TimeBase{}; },
        [&](const Coarse& coarse) {
            return go_on({input->position(), input->size().value_or(0), coarse});
        });
    read(*input, diagnostics.add_source(path), recorder, diagnostics);
    return Outcome{{}, recorder.cancelled()};
}

ewf::Expected<Decoded> decode_into(PlannedFile planned, const std::string& path, const GoOn& go_on) {
    auto input = capture::Input::open(path);
    if (!input) {
        return tl::unexpected(failure(path, input.error()));
    }
    const capture::FileKind kind = kind_of(*input);
    const auto run = is_json(kind) ? run_json : is_table(kind) ? run_table : run_capture;
    const ewf::Provenance provenance = provenance_of(path);  // of before it is read: it may grow meanwhile
    ewf::FileSink sink(planned.file.get());
    ewf::Writer writer(sink);
    Diagnostics diagnostics;
    const auto outcome = run(path, writer, diagnostics, go_on);
    if (!outcome) {
        return tl::unexpected(outcome.error());
    }
    if (outcome->cancelled) {
        return tl::unexpected(failure(path, "decoding was cancelled"));
    }
    const auto finished = writer.finish(outcome->metadata, &provenance);
    if (!finished) {
        return tl::unexpected(finished.error());
    }
    if (!planned.settle()) {
        return tl::unexpected(system_error("cannot write " + planned.place));
    }
    return Decoded{planned.place, false, diagnostics.count_of(Severity::damage) + diagnostics.count_of(Severity::loss)};
}

}  // namespace

ewf::Expected<bool> is_stored_trace(const std::string& path) {
    auto input = capture::Input::open(path);
    if (!input) {
        return tl::unexpected(failure(path, input.error()));
    }
    const capture::FileKind kind = kind_of(*input);
    const bool looks_like_trace = is_json(kind) && ewf::looks_like_json_trace(input->peek(capture::identify_bytes));
    if (kind == capture::FileKind::ewf) {
        return true;
    }
    if (looks_like_trace || is_table(kind) ||
        (capture::info_of(kind).readable && kind != capture::FileKind::raw_blocks)) {
        return false;
    }
    // A file of no known kind may be an EWF whose first bytes are damaged.
    Diagnostics ignored;
    const auto reader = ewf::Reader::open(path, ignored);
    if (reader && reader->chunk_count() != 0) {
        return true;
    }
    return tl::unexpected(ewf::Error{ewf::ErrorCode::not_ewf, path + ": " + capture::no_capture_message(kind), 0});
}

ewf::Expected<Decoded> decode_to_ewf(const std::string& path, const GoOn& go_on) {
    const ewf::Provenance wanted = provenance_of(path);
    ewf::Error last =
        failure(path, "there is no place for the decoded trace: neither its folder nor the cache can be written");
    for (const std::string& place : {path + extension, cache_path(path, extension)}) {
        const Place found = place.empty() ? Place::other : look_at(place, wanted);
        if (found == Place::same) {
            return Decoded{place, true, 0};
        }
        if (found == Place::other) {
            continue;
        }
        if (auto planned = plan_file(place)) {
            return decode_into(std::move(*planned), path, go_on);
        }
    }
    return tl::unexpected(last);
}

}  // namespace eciscope::view

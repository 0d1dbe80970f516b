#include "trace_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "capture_source.hpp"
#include "dma_source.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/ewf/ndjson_reader.hpp"
#include "peek.hpp"
#include "stored_source.hpp"

namespace eciscope::cli {

namespace {

using capture::FileKind;

bool is_table(FileKind kind) {
    return kind == FileKind::sys_csv || kind == FileKind::ila_csv;
}

bool is_stored(FileKind kind) {
    return kind == FileKind::ewf || kind == FileKind::ndjson || kind == FileKind::json || is_table(kind);
}

// A trace buffer's dump is one when somebody says so, or gives its map.
bool is_dump(const InputOptions& options) {
    return options.format == capture::info_of(FileKind::dma).name || (options.format.empty() && !options.map.empty());
}

// The kind that --format names, if it is one of the stored ones.
std::optional<FileKind> forced_stored(const InputOptions& options) {
    if (is_dump(options)) {
        return FileKind::dma;
    }
    for (const FileKind kind : {FileKind::ewf, FileKind::ndjson, FileKind::json, FileKind::sys_csv}) {
        if (options.format == capture::info_of(kind).name) {
            return kind;
        }
    }
    return std::nullopt;
}

Result<std::unique_ptr<TraceSource>> open_stored(const std::string& path, FileKind kind, bool is_regular,
                                                 bool is_forced, Diagnostics& diagnostics, unsigned threads) {
    if (kind == FileKind::ewf && is_regular && path != "-") {
        return open_ewf_file(path, diagnostics, threads);
    }
    auto input = capture::Input::open(path);
    if (!input) {
        return fail(Exit::damaged, fmt::format("cannot read {}: {}", path, input.error()));
    }
    if (kind == FileKind::ewf) {
        return open_ewf_stream(std::move(*input), path, diagnostics);
    }
    if (is_table(kind)) {
        return open_table(std::move(*input), path, kind, diagnostics);
    }
    if (!is_forced && !ewf::looks_like_json_trace(input->peek(capture::identify_bytes))) {
        return fail(
            Exit::damaged, fmt::format("{}: this is no trace: it is JSON, but not of eciscope's kind", path),
            "docs/json.md describes the JSON that is read; --format ndjson reads it in spite of its first line.");
    }
    return open_json(std::move(*input), path, diagnostics);
}

// A file of no known kind may be an EWF whose first bytes are damaged: its chunks still show.
std::unique_ptr<TraceSource> try_as_ewf(const std::string& path, Diagnostics& diagnostics, unsigned threads) {
    Diagnostics trial;
    const auto reader = ewf::Reader::open(path, trial);
    if (!reader || reader->chunk_count() == 0) {
        return nullptr;
    }
    auto source = open_ewf_file(path, diagnostics, threads);
    return source ? std::move(*source) : nullptr;
}

Result<std::unique_ptr<TraceSource>> open_one(const InputOptions& options, const Peeked& peeked,
                                              Diagnostics& diagnostics, unsigned threads) {
    const std::string& path = options.files.front();
    const auto forced = forced_stored(options);
    FileKind kind = forced.value_or(peeked.kind());
    if (kind == FileKind::dma) {
        return open_dma(options, peeked.is_regular(), diagnostics);
    }
    if (options.format == capture::info_of(FileKind::ila_csv).name && kind != FileKind::ila_blocks) {
        kind = FileKind::ila_csv;  // which of the two tables it is, its heading says
    }
    if (is_stored(kind)) {
        return open_stored(path, kind, peeked.is_regular(), forced.has_value(), diagnostics, threads);
    }
    if (kind == FileKind::unknown && peeked.is_regular() && path != "-") {
        if (auto source = try_as_ewf(path, diagnostics, threads)) {
            return source;
        }
    }
    return open_capture(options, diagnostics, threads);
}

bool forces_capture(const InputOptions& options) {
    const bool either = options.format == capture::info_of(FileKind::ila_csv).name;
    return options.raw || (!options.format.empty() && !either && !forced_stored(options));
}

}  // namespace

Result<std::unique_ptr<TraceSource>> open_trace(const InputOptions& options, Diagnostics& diagnostics,
                                                unsigned threads) {
    if (std::count(options.files.begin(), options.files.end(), "-") > 1) {
        return fail(Exit::usage, "standard input (-) is given twice", "It can be read only once.");
    }
    if (forces_capture(options)) {
        return open_capture(options, diagnostics, threads);
    }
    std::vector<Peeked> peeked;
    bool any_stored = forced_stored(options).has_value();
    for (const std::string& path : options.files) {
        auto one = Peeked::open(path);
        if (!one) {
            return tl::unexpected<Failure>(one.error());
        }
        any_stored = any_stored || is_stored(one->kind());
        peeked.push_back(std::move(*one));
    }
    if (options.files.size() == 1) {
        return open_one(options, peeked.front(), diagnostics, threads);
    }
    if (any_stored) {
        return fail(Exit::usage, "several inputs, and not all of them are captures",
                    "Captures given together are one trace; 'eciscope merge' joins stored traces.");
    }
    return open_capture(options, diagnostics, threads);
}

bool all_captures(const InputOptions& options) {
    return forces_capture(options) ||
           std::all_of(options.files.begin(), options.files.end(), [&options](const std::string& path) {
               const auto peeked = Peeked::open(path);
               return peeked && !forced_stored(options) && !is_stored(peeked->kind());
           });
}

}  // namespace eciscope::cli

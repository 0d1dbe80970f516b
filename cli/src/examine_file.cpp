#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "eciscope/capture/identify.hpp"
#include "eciscope/ewf/reader.hpp"
#include "examine.hpp"
#include "figures.hpp"
#include "peek.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "summary.hpp"
#include "trace_facts.hpp"

namespace eciscope::cli {

namespace {

std::string failure_text(const Failure& failure) {
    return "  " + failure.what + "\n" + (failure.remedy.empty() ? "" : "  → " + failure.remedy + "\n");
}

// What the first bytes say, before anything is read.
std::string looks_text(const std::string& path, const Peeked& peeked) {
    const capture::FileKindInfo& info = capture::info_of(peeked.kind());
    std::string text = fmt::format("{}:\n", path == "-" ? "standard input" : path);
    struct stat status {};
    if (peeked.is_regular() && path != "-" && stat(path.c_str(), &status) == 0) {
        text += fmt::format("  {} bytes; ", grouped(static_cast<std::uint64_t>(status.st_size)));
    } else {
        text += "  a pipe or device; ";
    }
    return text + fmt::format("looks like {}\n", info.looks);
}

std::string ewf_text(const ewf::Reader& reader, Exit& exit) {
    std::string text;
    if (reader.index_rebuilt()) {
        text +=
            "  its index cannot be used: the writer was killed, or the end of the file is damaged or missing\n"
            "  → 'eciscope recover FILE -o NEW' makes a whole file of it; until then every command can still read "
            "it.\n";
        exit = Exit::damaged;
    }
    const auto verified = reader.verify_digest();
    if (verified && *verified) {
        return text + "  its digest agrees: no bit of the trace has changed since it was written\n";
    }
    exit = Exit::damaged;
    return text + (reader.digest() ? "  its digest does not agree: the file was changed after it was written\n"
                                   : "  it has no digest to compare with\n");
}

std::string holds_text(const TraceSource& source, const TraceFacts& facts) {
    if (facts.empty()) {
        return "  it holds no message and no event\n";
    }
    const TimeBase base = source.time_base();
    std::string text =
        fmt::format("  holds {} messages and {} events, from {} to {}\n", grouped(facts.messages()),
                    grouped(facts.events()), seconds_text(base, facts.first()), seconds_text(base, facts.last()));
    const std::string accounts = accounts_text(source);
    return text + (accounts.empty() ? "" : "  " + accounts + "\n");
}

std::string indented(const std::string& text) {
    std::string result;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
        result += "  " + text.substr(start, end - start);
        start = end;
    }
    return result;
}

std::string conclusion_text(const Diagnostics& diagnostics, Exit exit) {
    if (exit != Exit::fine) {
        return "  It is damaged, but what is listed here can be used.\n";
    }
    if (diagnostics.count_of(Severity::loss) != 0) {
        return "  The file is whole; the capture itself lacks blocks, which later tools are told of.\n";
    }
    const bool remarks = diagnostics.count_of(Severity::note) + diagnostics.count_of(Severity::warning) != 0;
    return remarks ? "  The file is whole; what is listed here is about what it holds.\n"
                   : "  Nothing is wrong with it.\n";
}

}  // namespace

Examination examine_file(const InputOptions& input, const CommonOptions& common) {
    Examination result;
    const std::string& path = input.files.front();
    const auto peeked = Peeked::open(path);
    if (!peeked) {
        return {path + ":\n" + failure_text(peeked.error()), Exit::damaged};
    }
    result.text = looks_text(path, *peeked);
    Diagnostics diagnostics;
    auto source = open_trace(input, diagnostics);
    if (!source) {
        result.text += failure_text(source.error());
        result.exit = source.error().exit;
        return result;
    }
    if (const ewf::Reader* reader = (*source)->ewf_reader()) {
        result.text += ewf_text(*reader, result.exit);
    }
    TraceFacts facts;
    Progress progress(!common.quiet && !common.no_progress);
    Watch watch(facts, **source, progress, [] {});
    const Result<void> run = (*source)->run(watch);
    progress.clear();
    result.text += holds_text(**source, facts);
    result.text += indented(diagnostics_text(diagnostics, true));
    if (!run) {
        result.text += failure_text(run.error());
    }
    if (!run || verdict(**source, diagnostics) != Exit::fine) {
        result.exit = Exit::damaged;
    }
    result.text += conclusion_text(diagnostics, result.exit);
    return result;
}

}  // namespace eciscope::cli

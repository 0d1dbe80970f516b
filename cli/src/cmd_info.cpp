// eciscope info: what is in a trace.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "eciscope/ewf/writer.hpp"
#include "info_report.hpp"
#include "input_options.hpp"
#include "interrupt.hpp"
#include "log.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "summary.hpp"
#include "trace_facts.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

namespace {

struct InfoOptions {
    InputOptions input;
    std::string to = "text";
    bool no_digest = false;
    std::size_t lines = 10;
    unsigned threads = 1;
};

class NowhereSink final : public ewf::ByteSink {
 public:
    ewf::Expected<void> write(std::span<const std::uint8_t>) override { return {}; }
};

// Facts, and the digest that the trace would have as EWF.
class Collector final : public TraceSink {
 public:
    Collector(TraceFacts& facts, ewf::Writer* writer) : facts_(facts), writer_(writer) {}
    bool batch(const TraceBatch& batch) override {
        facts_.batch(batch);
        return writer_ == nullptr || writer_->batch(batch);
    }

 private:
    TraceFacts& facts_;
    ewf::Writer* writer_;
};

std::optional<std::uint64_t> size_of(const std::vector<std::string>& files) {
    std::uint64_t sum = 0;
    for (const std::string& path : files) {
        struct stat status {};
        if (path == "-" || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
            return std::nullopt;
        }
        sum += static_cast<std::uint64_t>(status.st_size);
    }
    return sum;
}

std::string name_of(const std::vector<std::string>& files) {
    std::string text;
    for (const std::string& path : files) {
        text += (text.empty() ? "" : " ") + (path == "-" ? std::string("standard input") : path);
    }
    return text;
}

// Of an EWF file the digest stands in its trailer; of anything else it is that of the EWF it would become.
void find_digest(InfoFindings& findings, ewf::Writer* writer, bool& is_wrong) {
    if (const ewf::Reader* reader = findings.source.ewf_reader()) {
        if (!reader->digest()) {
            findings.digest = "unknown, the end of the file is damaged";
            return;
        }
        findings.digest = ewf::to_text(*reader->digest());
        const auto verified = reader->verify_digest();
        is_wrong = !verified || !*verified;
        findings.digest_remark = is_wrong ? " DOES NOT AGREE with the file" : " (agrees with the file)";
    } else if (writer != nullptr && writer->finish(findings.source.metadata())) {
        findings.digest = ewf::to_text(writer->digest());
    }
}

Exit inform(const InputOptions& input, const InfoOptions& options, const CommonOptions& common) {
    Diagnostics diagnostics;
    auto source = open_trace(input, diagnostics, options.threads);
    if (!source) {
        return report(source.error());
    }
    NowhereSink nowhere;
    std::optional<ewf::Writer> writer;
    if (!options.no_digest && (*source)->ewf_reader() == nullptr) {
        writer.emplace(nowhere, TimeBase{}, ewf::WriterOptions{options.threads});
    }
    ewf::Writer* const to_digest = writer ? &*writer : nullptr;
    TraceFacts facts;
    Collector collector(facts, to_digest);
    Progress progress(!common.quiet && !common.no_progress);
    Watch watch(collector, **source, progress, [&] {
        if (to_digest != nullptr) {
            to_digest->set_time_base((*source)->time_base());
        }
    });
    const Result<void> run = (*source)->run(watch);
    progress.clear();
    InfoFindings findings{name_of(input.files), size_of(input.files), **source, facts, diagnostics, "", "",
                          options.lines};
    bool wrong_digest = false;
    if (!options.no_digest) {
        find_digest(findings, to_digest, wrong_digest);
    }
    const Exit printed =
        print(options.to == "json" ? info_json(findings) : info_text(findings, look_at(STDOUT_FILENO)));
    if (!run) {
        return report(run.error());
    }
    if (interrupted()) {
        log_warning("interrupted: this is about what was read by then");
        return interrupt_exit();
    }
    return printed != Exit::fine ? printed : (wrong_digest ? Exit::damaged : verdict(**source, diagnostics));
}

Exit info(const InfoOptions& options, const CommonOptions& common) {
    if (options.input.files.size() == 1 || all_captures(options.input)) {
        return inform(options.input, options, common);
    }
    Exit worst = Exit::fine;
    for (const std::string& path : options.input.files) {
        InputOptions one = options.input;
        one.files = {path};
        const Exit exit = inform(one, options, common);
        worst = exit == Exit::fine ? worst : exit;
        if (interrupted()) {
            break;
        }
    }
    return worst;
}

Manual info_manual() {
    return {{"Says what a trace holds: its time and rates, messages by virtual circuit and by operation, the busiest "
             "lines, the "
             "state of the links, what was lost or damaged, the accounts, and the digest of the trace's canonical "
             "form. Two "
             "traces with the same digest hold the same messages and events, whatever files they come from.",
             "Captures given together are one trace; of stored traces each is described by itself.",
             "The busiest lines are exact while there are no more than 131,072 different ones; beyond that it is said "
             "by how "
             "much a count may be short."},
            {{"eciscope info boot.ewf", "for people"},
             {"eciscope info boot.pcap --to json | jq .messages", "for programs"},
             {"eciscope info --lines 50 boot.ewf", "more of the busiest lines"}}};
}

}  // namespace

void add_info(Program& program) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command = program.add("info", "Say what is in a trace", info_manual(),
                                    [&program, options] { return info(*options, program.common()); });
    add_input_options(program, *command, options->input, "Traces; - is standard input");
    CLI::Option* to = command->add_option("--to", options->to, "text, or json for programs")
                          ->check(CLI::IsMember({"text", "json"}).description(""))
                          ->type_name("FORMAT");
    program.takes_words(to, {"text", "json"});
    command->add_option("--lines", options->lines, "How many of the busiest lines")
        ->check(CLI::Range(0, 100'000).description(""))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--no-digest", options->no_digest, "Leave out the digest, which takes most of the time");
    add_threads_option(*command, options->threads);
}

}  // namespace eciscope::cli

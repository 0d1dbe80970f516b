#include "summary.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>

#include "figures.hpp"
#include "log.hpp"

namespace eciscope::cli {

namespace {

constexpr std::array<std::string_view, 4> severity_names = {"note", "warning", "damage", "loss"};
constexpr std::array<std::string_view, 4> severity_colours = {"\033[36m", "\033[33m", "\033[31m", "\033[35m"};

// "3 + 4 = …" in words, accounts of zero left out.
class Sum {
 public:
    void add(std::uint64_t count, std::string_view what) {
        if (count != 0) {
            text_ += fmt::format("{}{} {}", text_.empty() ? "" : " + ", grouped(count), what);
        }
    }
    [[nodiscard]] std::string text() const { return text_.empty() ? "0" : text_; }

 private:
    std::string text_;
};

std::string blocks_text(const DecoderAccounts& accounts) {
    Sum sum;
    sum.add(accounts.data + accounts.credit, "decoded");
    sum.add(accounts.idle, "idle");
    sum.add(accounts.handshake, "handshake");
    sum.add(accounts.damaged, "damaged");
    sum.add(accounts.replayed, "replayed");
    sum.add(accounts.discarded, "discarded");
    std::string text = fmt::format("blocks read {} = {}", grouped(accounts.blocks), sum.text());
    if (accounts.lost != 0 || accounts.lost_unknown != 0) {
        text += fmt::format("; lost {}", grouped(accounts.lost));
    }
    if (accounts.lost_unknown != 0) {
        text += fmt::format(" and {} gaps of unknown length", grouped(accounts.lost_unknown));
    }
    return text;
}

std::string words_text(const DecoderAccounts& accounts) {
    Sum sum;
    sum.add(accounts.words_in_messages, "in messages");
    sum.add(accounts.words_discarded, "discarded");
    sum.add(accounts.words_unfinished, "unfinished");
    return fmt::format("words {} = {}", grouped(accounts.words), sum.text());
}

std::string samples_text(const capture::DmaAccounts& accounts) {
    Sum sum;
    sum.add(accounts.words, "accepted");
    sum.add(accounts.offers, "offers that waited");
    sum.add(accounts.elsewhere, "of other places");
    sum.add(accounts.bubbles, "padding");
    sum.add(accounts.unwritten, "never written");
    sum.add(accounts.lost, "marks of losses");
    sum.add(accounts.unknown, "unknown");
    sum.add(accounts.unread, "not used");
    return fmt::format("samples {} = {}{}{}; {}", grouped(accounts.samples), sum.text(),
                       accounts.samples_lost == 0 ? "" : fmt::format("; lost {}", grouped(accounts.samples_lost)),
                       accounts.wrapped ? "; the ring had gone round" : "",
                       accounts.sums_agree() ? "sums agree" : "SUMS DO NOT AGREE");
}

bool sums_agree(const TraceSource& source) {
    const capture::Accounts* read = source.capture_accounts();
    const DecoderAccounts* decoded = source.decoder_accounts();
    const capture::DmaAccounts* dump = source.dma_accounts();
    return (dump == nullptr || dump->sums_agree()) && (read == nullptr || read->sums_agree()) &&
           (decoded == nullptr || decoded->sums_agree()) &&
           (read == nullptr || decoded == nullptr || read->blocks_delivered == decoded->blocks);
}

std::string one_text(const Diagnostics& diagnostics, const Diagnostic& one) {
    std::string text = place_text(diagnostics, one.where);
    if (one.has_stream) {
        text += fmt::format(", link {} from node {}", one.stream.link, one.stream.from);
    }
    return one.detail.empty() ? text : text + ": " + one.detail;
}

std::string times_text(std::uint64_t count) {
    return count == 1 ? "once" : grouped(count) + " times";
}

std::string coloured(const std::string& text) {
    if (!look_at(STDERR_FILENO).colour) {
        return text;
    }
    std::string result;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
        std::string line = text.substr(start, end - start);
        for (std::size_t severity = 0; severity < severity_names.size(); ++severity) {
            if (line.starts_with(fmt::format("{}: ", severity_names[severity]))) {
                line.insert(severity_names[severity].size(), "\033[0m");
                line.insert(0, severity_colours[severity]);
            }
        }
        result += line;
        start = end;
    }
    return result;
}

}  // namespace

std::string_view severity_name(Severity severity) {
    return severity_names.at(static_cast<std::size_t>(severity));
}

std::string place_text(const Diagnostics& diagnostics, const Position& where) {
    const auto& sources = diagnostics.sources();
    const std::string name = where.source < sources.size() ? sources[where.source] : "input";
    return fmt::format("{}:{}", name == "-" ? "standard input" : name, where.offset);
}

std::string accounts_text(const TraceSource& source) {
    const DecoderAccounts* decoded = source.decoder_accounts();
    if (decoded == nullptr) {
        return source.dma_accounts() == nullptr ? "" : samples_text(*source.dma_accounts());
    }
    std::string text = blocks_text(*decoded);
    if (const capture::Accounts* read = source.capture_accounts()) {
        Sum beside;
        beside.add(read->blocks_duplicate, "duplicate");
        beside.add(read->blocks_late, "too late");
        beside.add(read->blocks_refused, "refused");
        beside.add(read->blocks_undelivered, "not used");
        if (beside.text() != "0") {
            text += "; beside them " + beside.text();
        }
        if (read->bytes_damaged != 0) {
            text += fmt::format("; {} bytes damaged", grouped(read->bytes_damaged));
        }
    }
    if (decoded->damaged != 0) {
        const std::uint64_t lasting = source.blocks_never_repaired();
        text += lasting == 0 ? "; all damaged ones came again"
                             : fmt::format("; {} damaged ones never came again", grouped(lasting));
    }
    return fmt::format("{}; {}; {} messages; {}", text, words_text(*decoded), grouped(decoded->messages),
                       sums_agree(source) ? "sums agree" : "SUMS DO NOT AGREE");
}

std::string diagnostics_text(const Diagnostics& diagnostics, bool all) {
    std::string text;
    for (std::size_t index = 0; index < diagnostic_infos().size(); ++index) {
        const auto kind = static_cast<DiagnosticKind>(index);
        const std::uint64_t count = diagnostics.count_of(kind);
        if (count == 0) {
            continue;
        }
        const DiagnosticInfo& info = info_of(kind);
        const auto& kept = diagnostics.kept();
        const auto first =
            std::find_if(kept.begin(), kept.end(), [kind](const Diagnostic& one) { return one.kind == kind; });
        const std::string place =
            first == kept.end() ? "" : (count == 1 ? ", at " : ", first at ") + one_text(diagnostics, *first);
        text += fmt::format("{}: {} ({}{})\n  → {}\n", severity_name(info.severity), info.what, times_text(count),
                            place, info.help);
        for (const Diagnostic& one : kept) {
            if (all && count > 1 && one.kind == kind) {
                text += fmt::format("    {}\n", one_text(diagnostics, one));
            }
        }
    }
    return text;
}

void print_summary(const TraceSource& source, const Diagnostics& diagnostics, const CommonOptions& options) {
    if (!sums_agree(source)) {
        log_error(fmt::format("the accounts do not add up, which is a fault of eciscope: {}", accounts_text(source)));
        log_error("→ Please report it, with the input.");
    }
    if (options.quiet) {
        return;
    }
    const std::string accounts = accounts_text(source);
    if (!accounts.empty()) {
        fmt::print(stderr, "{}\n", accounts);
    }
    fmt::print(stderr, "{}", coloured(diagnostics_text(diagnostics, options.verbose)));
}

// A damaged block that came again, or that the far end took whole, is no damage to what was decoded.
Exit verdict(const TraceSource& source, const Diagnostics& diagnostics) {
    const std::uint64_t elsewhere =
        diagnostics.count_of(Severity::damage) - diagnostics.count_of(DiagnosticKind::block_damaged);
    const bool whole = elsewhere == 0 && source.blocks_never_repaired() == 0;
    return whole && sums_agree(source) ? Exit::fine : Exit::damaged;
}

}  // namespace eciscope::cli

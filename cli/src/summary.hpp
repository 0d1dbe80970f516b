// What is said on standard error at the end of a run: the accounts, and what was wrong with the input.
#pragma once

#include <string>

#include "common_options.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "exit_codes.hpp"
#include "trace_source.hpp"

namespace eciscope::cli {

/// Position as "file:offset", or the file alone where no offset is known.
[[nodiscard]] std::string place_text(const Diagnostics& diagnostics, const Position& where);

/// "damage", "loss", …
[[nodiscard]] std::string_view severity_name(Severity severity);

/// One line that adds up all blocks and words, or nothing where the source has no such accounts.
[[nodiscard]] std::string accounts_text(const TraceSource& source);

/// Every kind of diagnostic that came up, with its count, where it came first and what to do; all that were kept if
/// `all`.
[[nodiscard]] std::string diagnostics_text(const Diagnostics& diagnostics, bool all);

/// Accounts and diagnostics to standard error, as far as the options want them.
void print_summary(const TraceSource& source, const Diagnostics& diagnostics, const CommonOptions& options);

/// Exit::damaged if the input is damaged or the accounts do not agree, which is said; else Exit::fine.
[[nodiscard]] Exit verdict(const TraceSource& source, const Diagnostics& diagnostics);

}  // namespace eciscope::cli

// Reports diagnostics without building their text once enough examples of a kind are kept.
#pragma once

#include <string>
#include <utility>

#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

/// `detail` is called only when its text is wanted.
template <typename Detail>
void report(Diagnostics& diagnostics, DiagnosticKind kind, const Position& where, Detail&& detail) {
    if (!diagnostics.wants(kind)) {
        diagnostics.count(kind);
        return;
    }
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.where = where;
    diagnostic.detail = std::forward<Detail>(detail)();
    diagnostics.report(std::move(diagnostic));
}

/// The same with the stream, and with the time where it is known.
template <typename Detail>
void report(Diagnostics& diagnostics, DiagnosticKind kind, const Position& where, Stream stream, Detail&& detail) {
    if (!diagnostics.wants(kind)) {
        diagnostics.count(kind);
        return;
    }
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.where = where;
    diagnostic.stream = stream;
    diagnostic.has_stream = true;
    diagnostic.detail = std::forward<Detail>(detail)();
    diagnostics.report(std::move(diagnostic));
}

}  // namespace eciscope::capture

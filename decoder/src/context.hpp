// What the parts of a decoder share.
#pragma once

#include <cstdint>
#include <string>

#include "eciscope/decoder/decoder.hpp"
#include "ordered_output.hpp"

namespace eciscope {

struct Context {
    Context(TraceSink& sink, Diagnostics& diagnostics_, const DecoderOptions& options_)
        : output(sink, options_), diagnostics(diagnostics_), options(options_) {}

    OrderedOutput output;
    Diagnostics& diagnostics;
    DecoderAccounts accounts;
    DecoderOptions options;
    Picoseconds began = 0;  ///< time of the capture's first block, of whatever stream
};

/// Where and when a block stands; every word of it has this. Points to the place of the record, which it does not keep.
struct BlockPlace {
    Picoseconds time = 0;
    std::uint64_t ordinal = 0;  ///< in its stream, known lost blocks counted
    const Position* origin = nullptr;
    std::uint32_t block = 0;

    [[nodiscard]] std::uint64_t record() const { return origin != nullptr ? origin->record : 0; }
    [[nodiscard]] Position where() const {
        Position position = origin != nullptr ? *origin : Position{};
        position.block = block;
        return position;
    }
};

/// The same to be kept longer than the reader keeps the record.
struct KeptPlace {
    explicit KeptPlace(const BlockPlace& place = {}) : time(place.time), ordinal(place.ordinal), where(place.where()) {}

    [[nodiscard]] BlockPlace view() const { return {time, ordinal, &where, where.block}; }

    Picoseconds time;
    std::uint64_t ordinal;
    Position where;
};

/// Time from one moment to a later one; 0 where it is not later. Cannot overflow.
constexpr std::uint64_t elapsed(Picoseconds from, Picoseconds to) {
    return to > from ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) : 0;
}

/// A word as text for a diagnostic.
[[nodiscard]] std::string hex_word(std::uint64_t word);

/// Counts a diagnostic; `detail` (a callable that gives a text) is only called while examples are wanted.
template <typename Detail>
void report(Context& context, DiagnosticKind kind, Stream stream, const BlockPlace& place, Detail&& detail) {
    if (!context.diagnostics.wants(kind)) {
        context.diagnostics.count(kind);
        return;
    }
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.where = place.where();
    diagnostic.stream = stream;
    diagnostic.has_stream = true;
    diagnostic.time = place.time;
    diagnostic.has_time = true;
    diagnostic.detail = detail();
    context.diagnostics.report(std::move(diagnostic));
}

}  // namespace eciscope

// Damage in input as counted, typed, located values: nothing here stops a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/decoder/block.hpp"

namespace eciscope {

enum class Severity : std::uint8_t { note, warning, damage, loss };

enum class DiagnosticKind : std::uint16_t {
#define ECISCOPE_DIAGNOSTIC(name, severity, what, help) name,
#include "eciscope/decoder/diagnostic_kinds.def"
#undef ECISCOPE_DIAGNOSTIC
};

struct DiagnosticInfo {
    std::string_view name;  ///< stable, used in output that programs read
    Severity severity;
    std::string_view what;
    std::string_view help;
};

/// All kinds in the order of the enumeration.
[[nodiscard]] const std::vector<DiagnosticInfo>& diagnostic_infos();
[[nodiscard]] const DiagnosticInfo& info_of(DiagnosticKind kind);

struct Diagnostic {
    DiagnosticKind kind{};
    Position where;
    Stream stream;
    bool has_stream = false;
    Picoseconds time = 0;
    bool has_time = false;
    std::string detail;  ///< figures of this case, e.g. "declared 9000 bytes, 212 are left"
};

/// Counts every diagnostic and keeps the first few of each kind. Memory is bounded whatever the input.
class Diagnostics {
 public:
    static constexpr std::size_t kept_per_kind = 100;

    Diagnostics();

    void report(Diagnostic diagnostic);
    /// Counts without building a Diagnostic, for kinds that can come once a block.
    /// True while an example of this kind is still wanted; the caller then builds one and calls report().
    [[nodiscard]] bool wants(DiagnosticKind kind) const { return counts_[index(kind)] < kept_per_kind; }
    void count(DiagnosticKind kind) { ++counts_[index(kind)]; }

    [[nodiscard]] std::uint64_t count_of(DiagnosticKind kind) const { return counts_[index(kind)]; }
    [[nodiscard]] std::uint64_t count_of(Severity severity) const;
    [[nodiscard]] const std::vector<Diagnostic>& kept() const { return kept_; }

    /// Names the next source; its index goes into Position::source.
    std::uint32_t add_source(std::string name);
    [[nodiscard]] const std::vector<std::string>& sources() const { return sources_; }

 private:
    static std::size_t index(DiagnosticKind kind) { return static_cast<std::size_t>(kind); }

    std::vector<std::uint64_t> counts_;
    std::vector<Diagnostic> kept_;
    std::vector<std::string> sources_;
};

}  // namespace eciscope

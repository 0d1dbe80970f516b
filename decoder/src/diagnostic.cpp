#include "eciscope/decoder/diagnostic.hpp"

#include <utility>

namespace eciscope {

const std::vector<DiagnosticInfo>& diagnostic_infos() {
    static const std::vector<DiagnosticInfo> infos = {
#define ECISCOPE_DIAGNOSTIC(name, severity, what, help) {#name, Severity::severity, what, help},
#include "eciscope/decoder/diagnostic_kinds.def"
#undef ECISCOPE_DIAGNOSTIC
    };
    return infos;
}

const DiagnosticInfo& info_of(DiagnosticKind kind) {
    return diagnostic_infos()[static_cast<std::size_t>(kind)];
}

Diagnostics::Diagnostics() : counts_(diagnostic_infos().size()) {}

void Diagnostics::report(Diagnostic diagnostic) {
    if (counts_[index(diagnostic.kind)]++ < kept_per_kind) {
        kept_.push_back(std::move(diagnostic));
    }
}

std::uint64_t Diagnostics::count_of(Severity severity) const {
    std::uint64_t sum = 0;
    for (std::size_t kind = 0; kind < counts_.size(); ++kind) {
        sum += diagnostic_infos()[kind].severity == severity ? counts_[kind] : 0;
    }
    return sum;
}

std::uint32_t Diagnostics::add_source(std::string name) {
    sources_.push_back(std::move(name));
    return static_cast<std::uint32_t>(sources_.size() - 1);
}

}  // namespace eciscope

// `sailgen smt`: every proof as a script. `-o DIR/` gives a file for each, `-o FILE.smt2` one file, with `(reset)`
// between proofs.
#include "backend_smt.hpp"

#include <utility>

#include "sailgen/backends.hpp"
#include "sailgen/proofs.hpp"

namespace eciscope::sailgen {

BackendResult generate_smt(const Program& program, const BackendOptions& options) {
    BackendResult result;
    Proofs proofs = make_proofs(program);
    result.diagnostics = std::move(proofs.diagnostics);
    if (options.output.ends_with(".smt2")) {
        std::string text;
        for (const Proof& proof : proofs.proofs) text += (text.empty() ? "" : "\n(reset)\n") + proof.script;
        result.files.push_back({"", std::move(text)});
        return result;
    }
    for (Proof& proof : proofs.proofs) result.files.push_back({proof.name + ".smt2", std::move(proof.script)});
    return result;
}

}  // namespace eciscope::sailgen

// Any text through the front end; what compiles is run over small arguments.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sailgen/compiler.hpp"
#include "sailgen/evaluator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace eciscope::sailgen;
    const SourceTexts texts{{"input.sail", std::string(data, data + size)}};
    const Result result = compile(texts, {"input.sail"});
    const std::string report = render(result.sources, result.diagnostics);
    if (!result.program) return 0;
    std::string output;
    EvalOptions options;
    options.step_limit = 2'000;
    options.value_limit = 64;
    options.output = &output;
    Evaluator evaluator(*result.program, options);
    for (const FunctionDef& function : result.program->arenas.functions) {
        (void)evaluator.enumerate(function, [](const auto&, const auto& outcome) {
            if (outcome) (void)to_string(*outcome);
        });
    }
    for (const MappingDef& mapping : result.program->arenas.mappings) {
        for (const Direction direction : {Direction::forwards, Direction::backwards}) {
            const TypeRef type = direction == Direction::forwards ? mapping.left : mapping.right;
            (void)evaluator.convert(mapping, direction, default_value(type));
        }
    }
    return 0;
}

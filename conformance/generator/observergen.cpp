// observergen SPECIFICATION -o FILE: works out the observers of every profile and tap, and writes them as C++.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "emit.hpp"
#include "graph.hpp"
#include "load.hpp"
#include "observer.hpp"
#include "owed.hpp"
#include "sailgen/compiler.hpp"

namespace {

using namespace eciscope::conformance;
namespace sailgen = eciscope::sailgen;

int complain(const std::string& what) {
    std::fprintf(stderr, "observergen: %s\n", what.c_str());
    return 2;
}

std::vector<model::StepSet> symbols_of(const model::Meanings& meanings) {
    std::vector<model::StepSet> symbols;
    for (const auto& row : meanings.rows) {
        symbols.push_back(row.steps);
    }
    std::sort(symbols.begin(), symbols.end());
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    return symbols;
}

std::string sentence_of(const sailgen::Program& program, const std::string& subset) {
    for (const sailgen::EnumMember* member : program.find_enum("profile")->members) {
        if (member->name == subset) {
            return member->doc;
        }
    }
    return {};
}

tl::expected<generator::ProfileTables, std::string> tables_of(const sailgen::Program& program,
                                                              const std::string& subset) {
    auto machines = model::load_machines(program, subset, subset);
    auto meanings = model::load_meanings(program, subset);
    if (!machines || !meanings) {
        return tl::unexpected(machines ? meanings.error() : machines.error());
    }
    generator::ProfileTables tables{sentence_of(program, subset), *machines, *meanings, symbols_of(*meanings), {}, {}};
    for (const model::Tap tap : {model::Tap::home_side, model::Tap::in_order, model::Tap::unordered}) {
        const model::Exploration exploration = model::explore(tables.machines, tap);
        if (!exploration.complete) {
            return tl::unexpected(subset + ": channels fill without end");
        }
        const auto label = [&](const std::vector<std::uint32_t>& configurations) {
            return model::owed(tables.machines, exploration.graph, configurations);
        };
        tables.observers.push_back(model::observe(exploration.graph, tables.symbols, true, label));
        auto& owed = tables.owed.emplace_back();
        for (const auto& configurations : tables.observers.back().configurations) {
            owed.push_back(static_cast<std::uint8_t>(label(configurations)));
        }
    }
    return tables;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 || std::string(argv[2]) != "-o") {
        std::fprintf(stderr, "usage: observergen SPECIFICATION -o FILE\n");
        return 3;
    }
    const sailgen::Result compiled = sailgen::compile({argv[1]});
    if (!compiled.program) {
        return complain(render(compiled.sources, compiled.diagnostics));
    }
    const auto shapes = model::load_shapes(*compiled.program);
    const auto bits = model::load_header_bits(*compiled.program);
    if (!shapes || !bits) {
        return complain(shapes ? bits.error() : shapes.error());
    }
    std::vector<generator::ProfileTables> profiles;
    for (const std::string& subset : model::subset_names(*compiled.program)) {
        auto tables = tables_of(*compiled.program, subset);
        if (!tables) {
            return complain(tables.error());
        }
        profiles.push_back(std::move(*tables));
    }
    std::ofstream file(argv[3], std::ios::binary | std::ios::trunc);
    file << generator::emit(profiles, *shapes, *bits);
    file.close();
    return file ? 0 : complain(std::string("cannot write ") + argv[3]);
}

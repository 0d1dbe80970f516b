// murphigen SPECIFICATION -o FOLDER: writes every profile as a Murphi model, FOLDER/<profile>.m, and prints a line a
// profile: its name, how many configurations our own explorer finds, and the checks that fail, by name.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "checks.hpp"
#include "graph.hpp"
#include "load.hpp"
#include "murphi.hpp"
#include "sailgen/compiler.hpp"

namespace {

using namespace eciscope::conformance;
namespace sailgen = eciscope::sailgen;

int complain(const std::string& what) {
    fmt::print(stderr, "murphigen: {}\n", what);
    return 2;
}

void print_ours(const model::Machines& machines) {
    const auto exploration = model::explore(machines, model::Tap::in_order, model::Data::tracked);
    std::string failed;
    for (const model::Finding& finding : model::check(machines)) {
        failed += "; " + finding.check;
    }
    fmt::print("{} {}{}\n", machines.subset, exploration.graph.size(), failed);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 || std::string(argv[2]) != "-o") {
        fmt::print(stderr, "usage: murphigen SPECIFICATION -o FOLDER\n");
        return 3;
    }
    const sailgen::Result compiled = sailgen::compile({argv[1]});
    if (!compiled.program) {
        return complain(render(compiled.sources, compiled.diagnostics));
    }
    for (const std::string& subset : model::subset_names(*compiled.program)) {
        const auto machines = model::load_machines(*compiled.program, subset, subset);
        if (!machines) {
            return complain(machines.error());
        }
        const std::string path = fmt::format("{}/{}.m", argv[3], subset);
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file << model::to_murphi(*machines);
        file.close();
        if (!file) {
            return complain("cannot write " + path);
        }
        print_ours(*machines);
    }
    return 0;
}

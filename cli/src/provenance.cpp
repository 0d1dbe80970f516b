#include "provenance.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <cstdint>
#include <memory>

#include "eciscope/capture/input.hpp"
#include "version.hpp"

namespace eciscope::cli {

namespace {

bool is_regular(const std::string& path) {
    struct stat status {};
    return path != "-" && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

ewf::Provenance::Source source_of(const std::string& path) {
    ewf::Provenance::Source source;
    source.name = path;
    auto input = is_regular(path) ? capture::Input::open(path) : tl::unexpected<std::string>("");
    if (!input) {
        return source;
    }
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(state.get());
    std::vector<std::uint8_t> portion(std::size_t{1} << 18);
    for (std::size_t count = input->read(portion); count != 0; count = input->read(portion)) {
        XXH3_128bits_update(state.get(), portion.data(), count);
        source.bytes += count;
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
    source.hash = fmt::format("xxh3:{:016x}{:016x}", hash.high64, hash.low64);
    return source;
}

}  // namespace

ewf::Provenance provenance_of(const std::vector<std::string>& files) {
    ewf::Provenance provenance;
    provenance.tool = "eciscope";
    provenance.tool_version = version;
    for (const std::string& path : files) {
        provenance.sources.push_back(source_of(path));
    }
    return provenance;
}

}  // namespace eciscope::cli

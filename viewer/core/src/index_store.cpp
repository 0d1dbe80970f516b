#include "index_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace eciscope::view {

namespace {

constexpr const char* extension = ".eciview";

}  // namespace

std::optional<PlannedFile> plan_file(const std::string& place) {
    PlannedFile planned;
    planned.place = place;
    planned.temporary = place + ".XXXXXX";
    planned.file = FileHandle(::mkostemp(planned.temporary.data(), O_CLOEXEC));
    if (!planned.file.is_open()) {
        planned.temporary.clear();
        return std::nullopt;
    }
    ::fchmod(planned.file.get(), 0644);
    return planned;
}

std::string cache_path(const std::string& path, const std::string& ending) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    std::filesystem::path folder;
    if (cache != nullptr && *cache != '\0') {
        folder = cache;
    } else if (home != nullptr && *home != '\0') {
        folder = std::filesystem::path(home) / ".cache";
    } else {
        return {};
    }
    folder /= "eciscope";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
    const std::uint64_t hash = hash_of({reinterpret_cast<const std::uint8_t*>(whole.data()), whole.size()});
    return (folder / fmt::format("{}-{:016x}{}", std::filesystem::path(path).filename().string(), hash, ending))
        .string();
}

IndexSource index_source(const std::string& path, const ewf::Reader& reader) {
    IndexSource source;
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) {
        source.bytes = static_cast<std::uint64_t>(status.st_size);
        source.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    }
    if (const auto digest = reader.digest()) {
        source.digest = *digest;
        source.has_digest = 1;
    }
    return source;
}

PlannedFile::PlannedFile(PlannedFile&& other) noexcept
    : file(std::move(other.file)),
      temporary(std::exchange(other.temporary, {})),
      place(std::exchange(other.place, {})) {}

PlannedFile& PlannedFile::operator=(PlannedFile&& other) noexcept {
    std::swap(file, other.file);
    std::swap(temporary, other.temporary);
    std::swap(place, other.place);
    return *this;
}

PlannedFile::~PlannedFile() {
    if (!temporary.empty()) {
        ::unlink(temporary.c_str());
    }
}

bool PlannedFile::settle() {
    if (temporary.empty()) {
        return true;
    }
    const bool moved = std::rename(temporary.c_str(), place.c_str()) == 0;
    if (moved) {
        temporary.clear();
    }
    return moved;
}

std::optional<IndexStore::Found> IndexStore::find(const IndexSource& source) const {
    if (!keep_) {
        return std::nullopt;
    }
    for (const std::string& place : {trace_path_ + extension, cache_path(trace_path_, extension)}) {
        FileHandle file(::open(place.c_str(), O_RDONLY | O_CLOEXEC));
        if (place.empty() || !file.is_open()) {
            continue;
        }
        auto index = Index::open(file, true);
        if (index && (*index)->header().source == source) {
            return Found{std::move(file), std::move(*index)};
        }
    }
    return std::nullopt;
}

ewf::Expected<PlannedFile> IndexStore::plan() const {
    if (keep_) {
        for (const std::string& place : {trace_path_ + extension, cache_path(trace_path_, extension)}) {
            if (auto planned = place.empty() ? std::nullopt : plan_file(place)) {
                return std::move(*planned);
            }
        }
    }
    PlannedFile planned;
    planned.file = FileHandle(::memfd_create("eciview", MFD_CLOEXEC));
    if (!planned.file.is_open()) {
        return tl::unexpected(system_error("cannot keep an index"));
    }
    return planned;
}

}  // namespace eciscope::view

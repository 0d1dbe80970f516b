#include "file_handle.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace eciscope::view {

ewf::Error system_error(const std::string& what) {
    return {ewf::ErrorCode::io, what + ": " + std::generic_category().message(errno), 0};
}

FileHandle::~FileHandle() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

ewf::Expected<void> FileHandle::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
    while (!bytes.empty()) {
        const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return tl::unexpected(system_error("cannot write the index"));
        }
        offset += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

ewf::Expected<void> FileHandle::read_at(std::uint64_t offset, std::span<std::uint8_t> into) const {
    while (!into.empty()) {
        const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return tl::unexpected(system_error("cannot read the index"));
        }
        if (got == 0) {
            return tl::unexpected(ewf::Error{ewf::ErrorCode::damaged, "the index is cut short", offset});
        }
        offset += static_cast<std::uint64_t>(got);
        into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

ewf::Expected<std::uint64_t> FileHandle::size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) {
        return tl::unexpected(system_error("cannot look at the index"));
    }
    return static_cast<std::uint64_t>(status.st_size);
}

ewf::Expected<Mapping> Mapping::of(const FileHandle& file, std::uint64_t bytes) {
    if (bytes == 0) {
        return Mapping();
    }
    void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) {
        return tl::unexpected(system_error("cannot map the index"));
    }
    // Searches jump: what lies around a place that was asked for is not wanted with it.
    ::madvise(at, bytes, MADV_RANDOM);
    return Mapping({static_cast<const std::uint8_t*>(at), bytes});
}

Mapping::~Mapping() {
    if (!bytes_.empty()) {
        // munmap changes nothing that the bytes hold.
        ::munmap(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(bytes_.data())), bytes_.size());
    }
}

}  // namespace eciscope::view

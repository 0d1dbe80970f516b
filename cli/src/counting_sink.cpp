#include "counting_sink.hpp"

#include <unistd.h>

#include <cerrno>

namespace eciscope::cli {

ewf::Expected<void> CountingSink::write(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            error_number_ = written < 0 ? errno : EIO;
            return tl::unexpected<ewf::Error>(ewf::Error{ewf::ErrorCode::io, "write failed", bytes_});
        }
        bytes_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace eciscope::cli

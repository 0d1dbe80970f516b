// Bytes on their way to a sink: written in place, handed on in large pieces. The first failure stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"

namespace eciscope::ewf::detail {

class OutputBuffer {
 public:
    static constexpr std::size_t capacity = std::size_t{64} << 10;
    static constexpr std::size_t room_bytes = 8192;  ///< what room() guarantees

    explicit OutputBuffer(ByteSink& sink) : sink_(sink), bytes_(std::make_unique_for_overwrite<char[]>(capacity)) {}

    /// Where to write: at least room_bytes are free.
    char* room() {
        if (capacity - used_ < room_bytes) {
            flush();
        }
        return bytes_.get() + used_;
    }
    void advance_to(const char* end) { used_ = static_cast<std::size_t>(end - bytes_.get()); }

    /// Text of any length.
    void append(std::string_view text) {
        while (!text.empty()) {
            char* out = room();
            const std::string_view part = text.substr(0, room_bytes);
            advance_to(part.copy(out, part.size()) + out);
            text.remove_prefix(part.size());
        }
    }

    void flush() {
        if (used_ != 0 && status_) {
            const auto* bytes = static_cast<const std::uint8_t*>(static_cast<const void*>(bytes_.get()));
            status_ = sink_.write({bytes, used_});
        }
        used_ = 0;
    }

    void fail(Error error) {
        if (status_) {
            status_ = tl::unexpected(std::move(error));
        }
    }
    [[nodiscard]] bool good() const { return status_.has_value(); }
    [[nodiscard]] const Expected<void>& status() const { return status_; }

 private:
    ByteSink& sink_;
    std::unique_ptr<char[]> bytes_;
    std::size_t used_ = 0;
    Expected<void> status_;
};

}  // namespace eciscope::ewf::detail

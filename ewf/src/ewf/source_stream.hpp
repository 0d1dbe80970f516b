// A seekable source read once from its start.
#pragma once

#include "eciscope/ewf/io.hpp"

namespace eciscope::ewf {

class SourceStream final : public ByteStream {
 public:
    explicit SourceStream(const ByteSource& source) : source_(source) {}

    Expected<std::size_t> read(std::span<std::uint8_t> into) override {
        auto got = source_.read_at(offset_, into);
        if (got) {
            offset_ += *got;
        }
        return got;
    }

 private:
    const ByteSource& source_;
    std::uint64_t offset_ = 0;
};

}  // namespace eciscope::ewf

// Whether a filter takes a message. What depends on stream, circuit and operation alone is worked out once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/ewf/metadata.hpp"
#include "eciscope/view/filter.hpp"
#include "message_kinds.hpp"

namespace eciscope::view {

/// "CPU to FPGA"; nodes without a name are "node 0".
[[nodiscard]] std::string direction_text(const ewf::Metadata& metadata, Stream stream);
[[nodiscard]] std::string class_text(std::uint8_t vc);

class Matcher {
 public:
    Matcher(Filter filter, const ewf::Metadata& metadata);

    [[nodiscard]] bool takes_all() const { return takes_all_; }
    /// Lines and numbers have to be looked for in the messages themselves: an index does not know them.
    [[nodiscard]] bool needs_headers() const { return needs_headers_; }
    [[nodiscard]] bool takes_circuit(Stream stream, std::uint8_t vc, std::string_view op) const;
    [[nodiscard]] bool takes(const MessageHead& head, std::uint64_t header);
    [[nodiscard]] const Filter& filter() const { return filter_; }

 private:
    enum class Known : std::uint8_t { no_answer, yes, no };
    [[nodiscard]] bool takes_header(const MessageHead& head, std::uint64_t header) const;

    Filter filter_;
    ewf::Metadata metadata_;
    MessageKinds kinds_;
    std::vector<std::string> names_;    ///< texts that are looked for in names, in small letters
    std::vector<std::string> numbers_;  ///< those that begin with 0x
    std::vector<Known> known_;          ///< by stream, circuit, operation
    bool takes_all_;
    bool needs_headers_;
};

}  // namespace eciscope::view

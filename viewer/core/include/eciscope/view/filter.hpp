// Which messages are shown or searched for: words all of which must hold, as a person types them.
//   op:RLDX,RLDD  vc:6  line:0x80@1  node:0  link:1  and any other word, which the message's text must contain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/reader.hpp"

namespace eciscope::view {

struct Filter {
    std::vector<std::string> ops;
    std::vector<std::uint8_t> vcs;
    std::vector<ewf::Line> lines;
    std::vector<std::uint8_t> nodes;  ///< senders
    std::vector<std::uint8_t> links;
    std::vector<std::string> texts;

    [[nodiscard]] bool takes_all() const;
};

[[nodiscard]] ewf::Expected<Filter> parse_filter(std::string_view text);

}  // namespace eciscope::view

#include "matcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <eciscope/spec/eci.hpp>
#include <utility>

namespace eciscope::view {

namespace {

constexpr std::size_t most_ops = 512;

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
    return small;
}

template <class T>
bool is_wanted(const std::vector<T>& wanted, const T& value) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

std::string node_text(const ewf::Metadata& metadata, std::uint8_t node) {
    for (const ewf::NodeInfo& info : metadata.nodes) {
        if (info.id == node && !info.name.empty()) {
            return info.name;
        }
    }
    return fmt::format("node {}", node);
}

}  // namespace

std::string direction_text(const ewf::Metadata& metadata, Stream stream) {
    return fmt::format("{} to {}", node_text(metadata, stream.from), node_text(metadata, stream.reverse().from));
}

std::string class_text(std::uint8_t vc) {
    return std::string(name(eci::class_of_vc(vc % ewf::vc_slots)));
}

Matcher::Matcher(Filter filter, const ewf::Metadata& metadata)
    : filter_(std::move(filter)),
      metadata_(metadata),
      known_(stream_count * ewf::vc_slots * most_ops),
      takes_all_(filter_.takes_all()) {
    for (const std::string& text : filter_.texts) {
        const std::string small = in_small_letters(text);
        (small.starts_with("0x") ? numbers_ : names_).push_back(small);
    }
    needs_headers_ = !filter_.lines.empty() || !numbers_.empty();
}

bool Matcher::takes_circuit(Stream stream, std::uint8_t vc, std::string_view op) const {
    if (!is_wanted(filter_.vcs, vc) || !is_wanted(filter_.nodes, stream.from) ||
        !is_wanted(filter_.links, stream.link) || !is_wanted(filter_.ops, std::string(op))) {
        return false;
    }
    const std::string text = in_small_letters(fmt::format("{} {} vc {} link {} node {} {}", op, class_text(vc), vc,
                                                          stream.link, stream.from, direction_text(metadata_, stream)));
    return std::all_of(names_.begin(), names_.end(),
                       [&text](const std::string& wanted) { return text.find(wanted) != std::string::npos; });
}

bool Matcher::takes(const MessageHead& head, std::uint64_t header) {
    if (takes_all_) {
        return true;
    }
    const OpNumber op = kinds_.op_of(head.vc, header);
    const std::uint8_t vc = head.vc % ewf::vc_slots;
    Known& known = known_[(head.stream.index() * ewf::vc_slots + vc) * most_ops + op % most_ops];
    if (known == Known::no_answer) {
        known = takes_circuit(head.stream, vc, kinds_.names()[op]) ? Known::yes : Known::no;
    }
    return known == Known::yes && (!needs_headers_ || takes_header(head, header));
}

bool Matcher::takes_header(const MessageHead& head, std::uint64_t header) const {
    const eci::message message = eci::decode(head.vc, header);
    const auto index = eci::line_of(message);
    const auto is_line = [&](const ewf::Line& line) {
        return index && line.aliased_cli == *index && line.home == eci::home_of(head.stream.from, message);
    };
    if (!filter_.lines.empty() && std::none_of(filter_.lines.begin(), filter_.lines.end(), is_line)) {
        return false;
    }
    if (numbers_.empty()) {
        return true;
    }
    const std::string text = fmt::format("0x{:x} 0x{:x}", header, index ? eci::line_address(*index) : 0);
    return std::all_of(numbers_.begin(), numbers_.end(),
                       [&text](const std::string& wanted) { return text.find(wanted) != std::string::npos; });
}

}  // namespace eciscope::view

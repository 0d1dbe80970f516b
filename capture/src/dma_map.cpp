#include "eciscope/capture/dma_map.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace eciscope::capture {

namespace {

namespace dom = simdjson::dom;

std::optional<std::uint64_t> number_of(dom::object object, std::string_view key) {
    std::uint64_t value = 0;
    return object[key].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
}

std::string_view text_of(dom::object object, std::string_view key) {
    std::string_view value;
    return object[key].get(value) == simdjson::SUCCESS ? value : std::string_view();
}

std::optional<dom::object> object_of(dom::object object, std::string_view key) {
    dom::object value;
    return object[key].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
}

/// Which node sends what a channel carries: `_i` goes into the directory, which is the FPGA's, `_o` out of it, and
/// links are traced on their way out.
std::optional<std::uint8_t> sender_of(std::string_view channel) {
    const auto begins = [channel](std::string_view with) { return channel.starts_with(with); };
    if (channel.ends_with("_i") || begins("gsync_req") || begins("intc_req")) {
        return std::uint8_t{0};
    }
    const bool leaves = channel.ends_with("_o") || begins("gsync_rsp") || begins("intc_rsp") ||
                        channel.find("_out_") != std::string_view::npos;
    return leaves ? std::optional<std::uint8_t>(1) : std::nullopt;
}

std::optional<std::uint8_t> link_of(dom::object source, std::string_view channel) {
    if (const auto number = number_of(source, "link")) {
        return *number < link_count ? std::optional(static_cast<std::uint8_t>(*number)) : std::nullopt;
    }
    const std::string_view name = text_of(source, "link").empty() ? channel : text_of(source, "link");
    return name.starts_with("link1") ? std::optional<std::uint8_t>(0)
                                     : (name.starts_with("link2") ? std::optional<std::uint8_t>(1) : std::nullopt);
}

bool is_at(dom::object source, TracePoint point) {
    const bool at_boundary = !text_of(source, "boundary").empty();
    const std::string_view domain = text_of(source, "clock_domain");
    switch (point) {
        case TracePoint::sys:
            return !at_boundary && domain == "sys";
        case TracePoint::app:
            return !at_boundary && domain == "app";
        case TracePoint::boundary:
            return at_boundary;
    }
    return false;
}

class MapReader {
 public:
    MapReader(dom::object root, TracePoint point) : root_(root), point_(point) {}

    tl::expected<DmaMap, std::string> read() {
        if (auto layout = read_layout(); !layout) {
            return tl::unexpected(layout.error());
        }
        if (auto fields = read_fields(); !fields) {
            return tl::unexpected(fields.error());
        }
        if (auto sources = read_sources(); !sources) {
            return tl::unexpected(sources.error());
        }
        return std::move(map_);
    }

 private:
    using Done = tl::expected<void, std::string>;

    static Done wrong(std::string what) { return tl::unexpected(std::move(what)); }

    Done read_layout() {
        const auto sample = object_of(root_, "sample");
        if (!sample) {
            return wrong("it has no object \"sample\" with the layout");
        }
        std::array<std::uint64_t, 4> widths{};
        constexpr std::array keys = {"payload_width", "source_width", "timestamp_width", "sample_width"};
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto width = number_of(*sample, keys[i]);
            if (!width || *width == 0 || *width > 8 * dma_longest_sample) {
                return wrong(std::string("\"sample\" lacks a usable \"") + keys[i] + '"');
            }
            widths[i] = *width;
        }
        const auto [payload, source, timestamp, whole] = widths;
        if (whole % 8 != 0) {
            return wrong("samples of " + std::to_string(whole) + " bits do not begin at bytes");
        }
        if (payload + source + timestamp > whole || source > 32 || timestamp > 64 || timestamp < 2) {
            return wrong("payload, source and time stamp do not fit a sample");
        }
        if (const std::string_view order = text_of(*sample, "byte_order"); !order.empty() && order != "little") {
            return wrong("byte order \"" + std::string(order.substr(0, 20)) + "\" is not known");
        }
        map_.sample_bytes = whole / 8;
        map_.payload = {0, static_cast<unsigned>(payload)};
        map_.source = {map_.payload.width, static_cast<unsigned>(source)};
        map_.timestamp = {map_.payload.width + map_.source.width, static_cast<unsigned>(timestamp)};
        return read_markers(*sample);
    }

    Done read_markers(dom::object sample) {
        const std::uint64_t count_width =
            number_of(sample, "lost_count_width").value_or(std::min(32U, map_.payload.width));
        if (count_width == 0 || count_width > 64 || count_width > map_.payload.width) {
            return wrong("\"lost_count_width\" does not fit the payload");
        }
        map_.lost_count = {0, static_cast<unsigned>(count_width)};
        map_.cycle_ps = number_of(sample, "cycle_ps").value_or(dma_usual_cycle_ps);
        if (map_.cycle_ps == 0 || map_.cycle_ps > 1'000'000) {
            return wrong("\"cycle_ps\" is not between 1 and 1,000,000");
        }
        const std::uint64_t all_ones = (std::uint64_t{1} << map_.source.width) - 1;
        const std::uint64_t marker = number_of(sample, "lost_source").value_or(all_ones);
        map_.sources[marker].use = DmaSource::Use::marker;
        return {};
    }

    std::optional<DmaField> field(dom::object fields, std::string_view name) const {
        const auto object = object_of(fields, name);
        const auto offset = object ? number_of(*object, "offset") : std::nullopt;
        const auto width = object ? number_of(*object, "width") : std::nullopt;
        if (!offset || !width || *width == 0 || *width > 64 || *offset >= map_.payload.width ||
            *width > map_.payload.width - *offset) {
            return std::nullopt;
        }
        return DmaField{static_cast<unsigned>(*offset), static_cast<unsigned>(*width)};
    }

    Done read_fields() {
        const auto formats = object_of(root_, "payload_formats");
        const auto eci = formats ? object_of(*formats, "eci") : std::nullopt;
        const auto fields = eci ? object_of(*eci, "fields") : std::nullopt;
        const auto header = fields ? field(*fields, "eci_header") : std::nullopt;
        const auto vc = fields ? field(*fields, "vc") : std::nullopt;
        if (!header || !vc) {
            return wrong("\"payload_formats\" has no usable \"eci_header\" and \"vc\" of \"eci\"");
        }
        map_.header = *header;
        map_.vc = *vc;
        map_.accepted = field(*fields, "accepted");
        return {};
    }

    void take_source(dom::object source, std::uint64_t number) {
        DmaSource& entry = map_.sources[number];
        if (text_of(source, "type") == "lost" || entry.use == DmaSource::Use::marker) {
            entry.use = DmaSource::Use::marker;
            return;
        }
        entry.channel = std::string(text_of(source, "channel"));
        entry.stages = std::min(number_of(source, "pipeline_stages").value_or(0), dma_most_stages);
        if (text_of(source, "type") != "eci" || !is_at(source, point_)) {
            return;
        }
        const auto said = number_of(source, "from");
        const auto from = said && *said < node_count ? static_cast<std::uint8_t>(*said) : sender_of(entry.channel);
        if (!from) {
            map_.sources.erase(number);  // its samples are counted as of no known source
            return;
        }
        const auto link = link_of(source, entry.channel);
        all_have_links_ = all_have_links_ && link.has_value();
        entry.use = DmaSource::Use::message;
        entry.stream = {link.value_or(0), *from};
        entry.every_word = entry.channel.starts_with("intc_") || entry.channel.ends_with("_out_lo");
        map_.most_stages = std::max(map_.most_stages, entry.stages);
        any_ = true;
    }

    Done read_sources() {
        dom::array sources;
        if (root_["sources"].get(sources) != simdjson::SUCCESS) {
            return wrong("it has no array \"sources\"");
        }
        for (const dom::element element : sources) {
            dom::object source;
            if (element.get(source) != simdjson::SUCCESS) {
                continue;
            }
            if (const auto number = number_of(source, "source")) {
                take_source(source, *number);
            }
        }
        for (auto& [number, source] : map_.sources) {
            if (source.use == DmaSource::Use::marker) {
                source.stages = map_.most_stages;  // a loss comes before all that was written after it
            }
        }
        map_.tells_links = any_ && all_have_links_;
        return any_ ? Done() : wrong("no source of it is of the trace point asked for");
    }

    dom::object root_;
    TracePoint point_;
    DmaMap map_;
    bool any_ = false;
    bool all_have_links_ = true;
};

}  // namespace

tl::expected<DmaMap, std::string> parse_dma_map(std::string_view json, TracePoint point) {
    if (json.size() > dma_longest_map) {
        return tl::unexpected(std::string("it is longer than any map"));
    }
    dom::parser parser;
    dom::object root;
    if (const auto error = parser.parse(json.data(), json.size()).get(root); error != simdjson::SUCCESS) {
        return tl::unexpected(std::string("it is no JSON object (") + simdjson::error_message(error) + ')');
    }
    return MapReader(root, point).read();
}

}  // namespace eciscope::capture

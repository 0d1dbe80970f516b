// Builds dumps of a trace buffer for tests, bit by bit from the documented layout: payload 74:0, source 80:75, time
// stamp 127:81; of a message header 63:0, circuit 67:64, accepted 68. Not with the code under test.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "builder.hpp"

namespace eciscope::capture::test {

inline constexpr std::uint64_t marker_source = 63;

/// Sets bits of a sample in memory, lowest byte first.
inline void put_bits(Buffer& sample, unsigned offset, unsigned width, std::uint64_t value) {
    for (unsigned bit = 0; bit < width; ++bit) {
        if ((value >> bit & 1U) != 0) {
            sample[(offset + bit) / 8] =
                static_cast<std::uint8_t>(sample[(offset + bit) / 8] | 1U << (offset + bit) % 8);
        }
    }
}

struct DmaDump {
    Buffer bytes;

    DmaDump& sample(std::uint64_t source, std::uint64_t stamp, std::uint64_t low, std::uint64_t vc = 0,
                    bool accepted = false) {
        Buffer one(16);
        put_bits(one, 0, 64, low);
        put_bits(one, 64, 4, vc);
        put_bits(one, 68, 1, accepted ? 1 : 0);
        put_bits(one, 75, 6, source);
        put_bits(one, 81, 47, stamp);
        append(bytes, one);
        return *this;
    }
    DmaDump& message(std::uint64_t source, std::uint64_t stamp, std::uint64_t header, std::uint64_t vc) {
        return sample(source, stamp, header, vc, true);
    }
    DmaDump& offer(std::uint64_t source, std::uint64_t stamp, std::uint64_t header, std::uint64_t vc) {
        return sample(source, stamp, header, vc, false);
    }
    DmaDump& lost(std::uint64_t stamp, std::uint64_t count) { return sample(marker_source, stamp, count); }
    DmaDump& bubble(std::uint64_t stamp) { return sample(marker_source, stamp, 0); }
    DmaDump& unwritten(std::size_t samples) {
        bytes.resize(bytes.size() + 16 * samples);
        return *this;
    }
    /// As a ring holds it that went round: the last `samples` stand before the others.
    [[nodiscard]] DmaDump turned(std::size_t samples) const {
        const auto cut = bytes.end() - static_cast<std::ptrdiff_t>(16 * samples);
        DmaDump result{Buffer(cut, bytes.end())};
        result.bytes.insert(result.bytes.end(), bytes.begin(), cut);
        return result;
    }
};

/// A map with the sources that the tests use, as the hardware's generator writes them.
inline std::string dma_map(const std::string& sample_more = "", const std::string& sources_more = "") {
    const auto source = [](int number, const char* domain, const char* channel, int stages, const char* more) {
        return "{\"source\": " + std::to_string(number) + ", \"port\": \"p\", \"type\": \"eci\", \"clock_domain\": \"" +
               domain + "\", \"channel\": \"" + channel + "\", \"pipeline_stages\": " + std::to_string(stages) + more +
               "}, ";
    };
    return "{\"sample\": {\"payload_width\": 75, \"source_width\": 6, \"timestamp_width\": 47, \"sample_width\": 128, "
           "\"lost_source\": 63, \"lost_count_width\": 32, \"axi_data_width\": 512, \"byte_order\": \"little\"" +
           sample_more +
           "}, \"payload_formats\": {\"dcs_event\": {\"fields\": {\"error\": {\"offset\": 0, \"width\": 1}}}, \"eci\": "
           "{\"fields\": {\"eci_header\": {\"offset\": 0, \"width\": 64, \"format\": \"hex\"}, \"vc\": {\"offset\": "
           "64, "
           "\"width\": 4}, \"accepted\": {\"offset\": 68, \"width\": 1}}}}, \"sources\": [" +
           "{\"source\": 0, \"port\": \"d\", \"type\": \"dcs_event\", \"clock_domain\": \"app\", \"pipeline_stages\": "
           "0}, " +
           source(10, "app", "req_wod_i", 10, "") + source(22, "sys", "req_wod_i", 5, "") +
           source(26, "sys", "rsp_wd_o", 5, "") + source(16, "sys", "req_wod_i", 0, "") +
           source(33, "sys", "intc_rsp_vc12", 5, "") +
           source(34, "sys", "link1_out_lo", 5, ", \"boundary\": \"dynamic_static\", \"link\": \"link1\"") +
           source(37, "sys", "link2_out_hi", 5, ", \"boundary\": \"dynamic_static\", \"link\": \"link2\"") +
           sources_more + "{\"source\": 63, \"port\": \"lost\", \"type\": \"lost\"}]}";
}

}  // namespace eciscope::capture::test

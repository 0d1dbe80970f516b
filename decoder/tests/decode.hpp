// Runs a decoder over blocks of a test and says what came out.
#pragma once

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "eciscope/decoder/decoder.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "plain_reader.hpp"

namespace eciscope::test {

struct Decoded {
    std::vector<std::string> lines;  ///< messages as lines of ground truth
    std::vector<MessageHead> heads;
    std::vector<Event> events;
    DecoderAccounts accounts;
    Diagnostics diagnostics;

    [[nodiscard]] std::size_t count(EventKind kind) const {
        return static_cast<std::size_t>(
            std::count_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; }));
    }
    [[nodiscard]] std::uint64_t sum(EventKind kind) const {
        std::uint64_t total = 0;
        for (const Event& event : events) {
            total += event.kind == kind ? event.count : 0;
        }
        return total;
    }
    /// Circuit and length of each message, "4:17 6:1".
    [[nodiscard]] std::string shapes() const {
        std::ostringstream out;
        for (const MessageHead& head : heads) {
            out << (out.tellp() > 0 ? " " : "") << int{head.vc} << ':' << int{head.word_count};
        }
        return out.str();
    }
};

inline Decoded decode(std::span<const BlockItem> items, std::size_t batch = 256, const DecoderOptions& options = {}) {
    Decoded result;
    Lines sink;
    Decoder decoder(sink, result.diagnostics, options);
    for (std::size_t at = 0; at < items.size(); at += batch) {
        decoder.blocks(items.subspan(at, std::min(batch, items.size() - at)));
    }
    decoder.finish();
    result.lines = std::move(sink.lines);
    result.heads = std::move(sink.heads);
    result.events = std::move(sink.events);
    result.accounts = decoder.accounts();
    return result;
}

/// The order that the suite defines: completion time, link, sender. Ground truth breaks ties of time at will.
inline void sort_ties(std::vector<std::string>& truth) {
    const auto key = [](const std::string& line) {
        long long first = 0;
        long long last = 0;
        int from = 0;
        int link = 0;
        std::sscanf(line.c_str(), "%lld,%lld,%d,%d", &first, &last, &from, &link);
        return std::tuple(last, link, from);
    };
    std::stable_sort(truth.begin(), truth.end(),
                     [&](const std::string& a, const std::string& b) { return key(a) < key(b); });
}

}  // namespace eciscope::test

// Traces for tests: from tables of messages, made up, and compared.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::test {

/// Reads `t_first_ps,t_last_ps,from,link,vc,words` lines. Places in blocks are made up.
TraceBatch read_truth(const std::string& path);

/// A trace as links carry it: requests, answers with and without data, events between them.
TraceBatch made_up_trace(std::uint32_t seed, std::size_t messages);

/// Requests, answers, requests that follow an answer, evictions; on the clock of what they follow and off it. Some data
/// words grow by steps.
TraceBatch traffic(std::uint32_t seed, std::uint64_t transactions);

/// Every field at both ends of its range, and lengths from 0 to 255 words.
TraceBatch extreme_trace();

void add_message(TraceBatch& trace, MessageHead head, std::vector<std::uint64_t> words);

/// Cuts a trace in batches of `size` messages. Events go with the message they precede.
std::vector<TraceBatch> cut(const TraceBatch& trace, std::size_t size);
void append(TraceBatch& trace, const TraceBatch& batch);

/// Compares all that EWF stores, times moved by `shift`. Empty if equal, else what differs first.
std::string difference(const TraceBatch& expected, const TraceBatch& found, Picoseconds shift = 0);

/// Takes what a reader plays into one batch.
class Collector final : public TraceSink {
 public:
    bool batch(const TraceBatch& batch) override;
    TraceBatch all;
    std::vector<TraceBatch> batches;
};

std::vector<std::uint8_t> written(const std::vector<TraceBatch>& batches, unsigned threads = 1,
                                  const ewf::Provenance* provenance = nullptr, TimeBase base = {});
inline std::vector<std::uint8_t> written(const TraceBatch& trace) {
    return written(std::vector{trace});
}

/// A stream over bytes in memory that gives at most `step` bytes a read.
class TrickleStream final : public ewf::ByteStream {
 public:
    TrickleStream(std::span<const std::uint8_t> bytes, std::size_t step) : bytes_(bytes), step_(step) {}
    ewf::Expected<std::size_t> read(std::span<std::uint8_t> into) override;

 private:
    std::span<const std::uint8_t> bytes_;
    std::size_t step_;
};

}  // namespace eciscope::test

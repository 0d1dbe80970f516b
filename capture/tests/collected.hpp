// A trace as it comes, in one batch.
#pragma once

#include <cstddef>
#include <vector>

#include "eciscope/decoder/message.hpp"

namespace eciscope::capture::test {

struct Collected final : TraceSink {
    TraceBatch all;
    std::vector<std::size_t> runs;       ///< messages of each batch
    std::size_t most = ~std::size_t{0};  ///< stops the source when it has so many
    bool batch(const TraceBatch& batch) override {
        runs.push_back(batch.messages.size());
        for (Event event : batch.events) {
            event.before += static_cast<std::uint32_t>(all.messages.size());
            all.events.push_back(event);
        }
        for (MessageHead head : batch.messages) {
            head.word_offset += static_cast<std::uint32_t>(all.words.size());
            all.messages.push_back(head);
        }
        all.words.insert(all.words.end(), batch.words.begin(), batch.words.end());
        return all.messages.size() < most;
    }
};

}  // namespace eciscope::capture::test

// What is worth a look in a trace, gathered for its index: events of the links, and what a check of the protocol finds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eciscope/conformance/checker.hpp"
#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/reader.hpp"
#include "eciscope/view/picture.hpp"
#include "index_format.hpp"
#include "index_writer.hpp"

namespace eciscope::view {

/// How bad an event is; `nothing` for those that nobody looks for.
[[nodiscard]] Worst worst_of(EventKind kind);

class FindingsCollector final : public conformance::FindingSink {
 public:
    /// `number`: of the message that follows.
    void event(const Event& event, std::uint64_t number);
    void damaged_chunk(const ewf::ChunkInfo& chunk);
    void violation(const conformance::Violation& violation) override;
    void owed(const conformance::OwedReply& owed) override;

    /// A check counts the messages that it sees: what it calls `counted` is `number` of the trace, and so on from
    /// there.
    void number_from(std::uint64_t counted, std::uint64_t number);
    /// A check tells when a message began; pictures show when it was complete. Reads the chunks of the messages;
    /// `go_on` is asked before each.
    void move_to_completion(const ewf::Reader& reader, const std::function<bool()>& go_on);
    /// Sorts and writes what was gathered.
    void write(IndexFile& file, IndexDirectory& directory);
    /// Takes over what another index holds of events.
    void keep(const FindingRecord& record, std::string_view text, std::string_view details);

    [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
    /// More are counted and not kept: a trace that is damaged everywhere must not fill the memory.
    static constexpr std::size_t most_findings = std::size_t{1} << 20;
    static constexpr std::size_t most_text_bytes = std::size_t{32} << 20;

    void add(FindingRecord record, std::string_view text, std::string_view details);

    [[nodiscard]] std::uint64_t number_of(std::uint64_t counted) const;

    std::vector<FindingRecord> records_;
    std::string texts_;
    std::uint64_t dropped_ = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> numbering_;  ///< counted, number: where the two drift apart
};

}  // namespace eciscope::view

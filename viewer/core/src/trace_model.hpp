// What is known of a trace at one time. Parts are never changed, only replaced, so that a picture can be made of one
// state while the worker goes on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eciscope/ewf/reader.hpp"
#include "eciscope/view/picture.hpp"
#include "index.hpp"

namespace eciscope::view {

/// A run of the trace of which only this is known.
struct CoarseRun {
    Picoseconds from = 0;  ///< earliest completion
    Picoseconds to = 0;    ///< latest
    std::array<std::uint32_t, ewf::vc_slots> vc_messages{};
    std::uint32_t messages = 0;
};

/// What is known of a trace before it is indexed. Streams are not told apart within a run.
struct Coarse {
    std::vector<CoarseRun> runs;
    std::uint64_t messages = 0;
    std::array<bool, stream_count> streams{};  ///< some message is of these
    Limits limits;
};

/// Findings in order of time, searched by pixel column.
class FindingTimes {
 public:
    void add(Picoseconds time, Worst worst) {
        times_.push_back(time);
        worst_.push_back(worst);
    }
    [[nodiscard]] std::size_t size() const { return times_.size(); }
    [[nodiscard]] Picoseconds time(std::size_t number) const { return times_[number]; }
    [[nodiscard]] Worst worst(std::size_t number) const { return worst_[number]; }
    [[nodiscard]] std::size_t rank(Picoseconds time) const;
    /// The worst from number `from` until before `to`.
    [[nodiscard]] Worst worst_of(std::size_t from, std::size_t to) const;

 private:
    std::vector<Picoseconds> times_;
    std::vector<Worst> worst_;
};

/// The findings of an index, sorted by whom they concern.
struct FindingTable {
    explicit FindingTable(const Index& index);
    FindingTimes all;                                                   ///< by number in Document::findings()
    std::array<FindingTimes, stream_count * ewf::vc_slots> by_circuit;  ///< of messages
    std::array<FindingTimes, stream_count> by_stream;                   ///< of messages and events
    struct OfMessage {
        std::uint64_t number = 0;
        Worst worst{};
    };
    std::vector<OfMessage> messages;  ///< those with a finding, by number
    /// The worst that was found of a message; `nothing` for most.
    [[nodiscard]] Worst worst_of_message(std::uint64_t number) const;
};

struct TraceModel {
    std::string path;      ///< as given
    std::string ewf_path;  ///< what is read
    std::string source;    ///< "capture", "EWF"
    std::shared_ptr<const ewf::Reader> reader;
    std::shared_ptr<const Index> index;
    std::shared_ptr<const FindingTable> findings;
    std::shared_ptr<const Coarse> coarse;
};

[[nodiscard]] std::shared_ptr<const Coarse> coarse_of(const ewf::Reader& reader);

}  // namespace eciscope::view

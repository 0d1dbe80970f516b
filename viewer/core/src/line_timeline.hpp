// All that is known of one cache line over the whole trace: its messages, what answers what, both nodes' copies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "eciscope/conformance/line_states.hpp"
#include "scanner.hpp"
#include "trace_model.hpp"

namespace eciscope::view {

class LineTimeline {
 public:
    static constexpr std::uint32_t none = 0xffffffff;

    struct Change {
        Picoseconds time = 0;
        const conformance::LineKnowledge* after = nullptr;
    };

    /// `states` must outlive it.
    LineTimeline(ewf::Line line, std::shared_ptr<const Hits> hits, const TraceModel& model,
                 conformance::LineStates& states);

    [[nodiscard]] const ewf::Line& line() const { return line_; }
    [[nodiscard]] const std::shared_ptr<const Hits>& hits() const { return hits_; }
    [[nodiscard]] const std::vector<NearMessage>& messages() const { return hits_->messages; }
    [[nodiscard]] const std::vector<Picoseconds>& times() const { return times_; }  ///< of completion
    [[nodiscard]] const std::vector<Worst>& worst() const { return worst_; }
    /// By message: position of its answer, or none.
    [[nodiscard]] const std::vector<std::uint32_t>& answers() const { return answers_; }
    /// In order of time; the first is from the beginning.
    [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

 private:
    void match();
    void follow(const TraceModel& model, conformance::LineStates& states);

    ewf::Line line_;
    std::shared_ptr<const Hits> hits_;
    std::vector<Picoseconds> times_;
    std::vector<Worst> worst_;
    std::vector<std::uint32_t> answers_;
    std::vector<Change> changes_;
};

}  // namespace eciscope::view

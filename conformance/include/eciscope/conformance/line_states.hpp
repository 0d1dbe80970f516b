// What an onlooker knows of both nodes' copies of one line after each of its messages: the checker's observer, with
// names.
//
// States are those that the link has shown: of the configurations that agree with what was seen, the ones with the
// fewest messages that were not seen or have not arrived. A node may meanwhile have decided what its next message will
// tell. Where several states remain, all are named; where nothing is known, that is said.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "eciscope/conformance/tables.hpp"
#include "eciscope/decoder/message.hpp"

namespace eciscope::conformance {

struct CopyState {
    std::string name;        ///< "S", or "E|M" where several are possible; empty if unknown
    bool transient = false;  ///< something that this node waits for is under way
    bool unknown = false;    ///< any state is possible
};

struct LineKnowledge {
    CopyState remote;  ///< of the node that may cache the line
    CopyState home;    ///< what the home may do with the line itself: "E" everything, "S" read it, "I" nothing
};

/// Messages of one line in order of the trace, and events of all streams in their places.
class LineStates {
 public:
    LineStates(const Profile& profile, Tap tap);
    LineStates(const LineStates&) = delete;
    LineStates& operator=(const LineStates&) = delete;
    ~LineStates();

    /// What follows is another line. From rest: the trace holds everything since power-on.
    void begin(bool from_rest);
    void take(const MessageHead& head, std::uint64_t header);
    void take(const Event& event);
    /// Something may be missing here.
    void lost();

    /// Valid until the object is gone; equal knowledge has the same address.
    [[nodiscard]] const LineKnowledge& now() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::conformance

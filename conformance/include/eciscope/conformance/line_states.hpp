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
    std::string text;  ///< "remote IS*, home E|S", a star for what is transient; "unknown" if both are
};

/// Messages of one line in order of the trace, and events of all streams in their places; or messages of many lines,
/// each after turn_to().
class LineStates {
 public:
    /// Where one of many lines stands. A new one is a line without messages so far.
    struct Mark {
        std::uint32_t known = 0;
        std::uint32_t epoch = 0;
    };

    LineStates(const Profile& profile, Tap tap);
    LineStates(const LineStates&) = delete;
    LineStates& operator=(const LineStates&) = delete;
    ~LineStates();

    /// What follows is another line. From rest: the trace holds everything since power-on.
    void begin(bool from_rest);
    /// The next message is of this line, any number that tells it from others.
    void turn_to(std::uint64_t line, Mark mark);
    [[nodiscard]] Mark mark() const;
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

// What ends a live capture from within the traffic: an operation, a line, a violation.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "selection.hpp"

namespace eciscope::cli {

struct TriggerOptions {
    std::set<std::string, std::less<>> ops;
    std::vector<LineWish> lines;
    bool violation = false;

    [[nodiscard]] bool is_on() const { return !ops.empty() || !lines.empty() || violation; }
};

/// Looks at a trace until it has found one of the things it is to look for.
class Trigger {
 public:
    explicit Trigger(const TriggerOptions& options);
    Trigger(const Trigger&) = delete;
    Trigger& operator=(const Trigger&) = delete;
    ~Trigger();

    [[nodiscard]] bool is_on() const { return options_.is_on(); }
    /// What was found in this batch, in words; only once.
    [[nodiscard]] std::optional<std::string> look(const TraceBatch& batch, TimeBase base);

 private:
    class ViolationWatch;

    [[nodiscard]] std::optional<std::string> match(const MessageHead& message, std::uint64_t header) const;

    const TriggerOptions options_;
    std::unique_ptr<ViolationWatch> violations_;
    bool found_ = false;
};

}  // namespace eciscope::cli

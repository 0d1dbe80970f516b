#include "live/trigger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "eciscope/conformance/checker.hpp"
#include "figures.hpp"
#include "names.hpp"

namespace eciscope::cli {

/// A checker of which only the first violation matters. A live capture begins in the middle of things, which is what
/// the checker assumes anyway; what is owed at the end is no violation here, since nothing ends.
class Trigger::ViolationWatch final : public conformance::FindingSink {
 public:
    void violation(const conformance::Violation& v) override {
        if (v.severity == conformance::RuleSeverity::violation && !first_) {
            first_ = std::string(conformance::info_of(v.rule).id);
        }
    }
    void owed(const conformance::OwedReply&) override {}

    std::optional<std::string> look(const TraceBatch& batch) {
        (void)checker_.batch(batch);
        return first_;
    }

 private:
    std::optional<std::string> first_;
    conformance::Checker checker_{conformance::CheckOptions{}, *this};
};

Trigger::Trigger(const TriggerOptions& options)
    : options_(options), violations_(options.violation ? std::make_unique<ViolationWatch>() : nullptr) {}

Trigger::~Trigger() = default;

std::optional<std::string> Trigger::match(const MessageHead& message, std::uint64_t header) const {
    const std::string_view op = op_name(message.vc, header);
    if (options_.ops.contains(op)) {
        return std::string(op);
    }
    const auto line = options_.lines.empty() ? std::nullopt : line_of(message.stream, message.vc, header);
    const bool wanted = line && std::any_of(options_.lines.begin(), options_.lines.end(), [&](const LineWish& wish) {
                            return wish.aliased_cli == line->aliased_cli && (!wish.home || *wish.home == line->home);
                        });
    if (!wanted) {
        return std::nullopt;
    }
    return fmt::format("{} of line {:#x} of node {}", op, line_address(line->aliased_cli), line->home);
}

std::optional<std::string> Trigger::look(const TraceBatch& batch, TimeBase base) {
    if (found_) {
        return std::nullopt;
    }
    std::optional<std::string> what;
    if (!options_.ops.empty() || !options_.lines.empty()) {
        for (const MessageHead& message : batch.messages) {
            if (what = match(message, batch.words[message.word_offset]); what) {
                *what += " at " + seconds_text(base, message.last);
                break;
            }
        }
    }
    if (violations_ != nullptr) {
        const auto violation = violations_->look(batch);
        what = what || !violation ? what : "a violation of " + *violation;
    }
    found_ = what.has_value();
    return what;
}

}  // namespace eciscope::cli

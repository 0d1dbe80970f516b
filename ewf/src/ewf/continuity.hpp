// Whether chunks found one after the other belong to one trace.
#pragma once

#include <optional>
#include <string>

#include "layout.hpp"
#include "section_scanner.hpp"

namespace eciscope::ewf {

class Continuity {
 public:
    explicit Continuity(std::optional<std::int64_t> base_seconds) : base_(base_seconds) {}

    /// False if the chunk is of another trace or repeats messages; such a chunk, and any gap before it, is reported.
    bool accept(const SectionHeader& header, std::uint64_t offset, SectionScanner& scanner) {
        if (base_ && *base_ != header.base_seconds) {
            scanner.report(DiagnosticKind::ewf_chunk_foreign, offset, "its times have another base");
            return false;
        }
        const std::uint64_t room = ~std::uint64_t{0} - header.first_message;
        if (header.first_message < next_ || room < header.messages) {
            scanner.report(DiagnosticKind::ewf_chunk_foreign, offset, "message numbers repeat");
            return false;
        }
        if (header.first_message > next_) {
            const std::uint64_t gap = header.first_message - next_;
            missing_ += gap;
            scanner.report(DiagnosticKind::ewf_messages_missing, offset, std::to_string(gap) + " messages");
        }
        base_ = header.base_seconds;
        next_ = header.first_message + header.messages;
        return true;
    }

    [[nodiscard]] std::int64_t base_seconds() const { return base_.value_or(0); }
    [[nodiscard]] std::uint64_t missing() const { return missing_; }
    [[nodiscard]] std::uint64_t next_message() const { return next_; }

 private:
    std::optional<std::int64_t> base_;
    std::uint64_t next_ = 0;
    std::uint64_t missing_ = 0;
};

}  // namespace eciscope::ewf

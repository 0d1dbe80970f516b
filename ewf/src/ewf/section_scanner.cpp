#include "section_scanner.hpp"

#include <algorithm>
#include <string>

namespace eciscope::ewf {

namespace {

constexpr std::size_t read_bytes = std::size_t{64} << 10U;

// Looking for sections inside a damaged one hashes bytes again. Hostile input could ask for that at every byte; beyond
// this much, damaged sections are passed over whole.
constexpr std::uint64_t rescan_factor = 8;
constexpr std::uint64_t rescan_free_bytes = std::uint64_t{256} << 20U;

}  // namespace

void SectionScanner::report(DiagnosticKind kind, std::uint64_t offset, std::string detail) {
    damaged_ = true;
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.where.source = source_;
    diagnostic.where.offset = offset;
    diagnostic.detail = std::move(detail);
    diagnostics_.report(std::move(diagnostic));
}

/// Makes `count` bytes available ahead if the stream has them. The buffer grows only as bytes arrive.
Expected<void> SectionScanner::need(std::size_t count) {
    while (filled_ - at_ < count && !ended_) {
        if (at_ > 0 && (at_ >= read_bytes || filled_ == at_)) {
            std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
            filled_ -= at_;
            at_ = 0;
        }
        if (buffer_.size() - filled_ < read_bytes) {
            buffer_.resize(std::max(filled_ + read_bytes, filled_ + filled_ / 2));
        }
        auto got = stream_.read(std::span(buffer_).subspan(filled_));
        if (!got) {
            return tl::unexpected(got.error());
        }
        ended_ = *got == 0;
        filled_ += *got;
    }
    return {};
}

void SectionScanner::advance(std::size_t count) {
    at_ += count;
    offset_ += count;
}

Expected<void> SectionScanner::read_file_header() {
    started_ = true;
    auto got = need(file_header_bytes + section_header_bytes);
    if (!got) {
        return got;
    }
    const Bytes bytes = ahead();
    std::int64_t base = 0;
    switch (parse_file_header(bytes, base)) {
        case HeaderState::good:
            base_seconds_ = base;
            advance(file_header_bytes);
            return {};
        case HeaderState::later_version:
            return tl::unexpected(Error{ErrorCode::version, "written in a later version of the format", 0});
        case HeaderState::damaged:
            break;
    }
    report(DiagnosticKind::ewf_header_damaged, 0, std::to_string(bytes.size()) + " bytes seen");
    // Left in place unless a section, or the end of an empty trace, follows where it should.
    if (bytes.size() >= file_header_bytes && parse_section_header(bytes.subspan(file_header_bytes))) {
        bytes_skipped_ += file_header_bytes;
        advance(file_header_bytes);
    }
    return {};
}

bool SectionScanner::take_trailer() {
    const Bytes bytes = ahead();
    if (!ended_ || bytes.size() != trailer_bytes) {
        return false;
    }
    trailer_ = parse_trailer(bytes);
    if (trailer_) {
        advance(trailer_bytes);
    }
    return trailer_.has_value();
}

/// Passes over bytes until a section or the trailer begins, or the end. `from` bytes are passed over unseen.
Expected<void> SectionScanner::resynchronise(std::size_t from) {
    const std::uint64_t start = offset_;
    advance(std::min(from, ahead().size()));
    for (;;) {
        auto got = need(section_header_bytes + 1);
        if (!got) {
            return got;
        }
        const Bytes bytes = ahead();
        if (bytes.empty() || parse_section_header(bytes) ||
            (ended_ && bytes.size() == trailer_bytes && parse_trailer(bytes))) {
            break;
        }
        // Up to the next place that could be either. Near the end every place could be the trailer.
        const std::size_t searched = bytes.size() - std::min(bytes.size() - 1, section_header_bytes);
        const auto* begin = bytes.data() + 1;
        const auto* found = std::find(begin, bytes.data() + std::max<std::size_t>(searched, 1), sync_mark[0]);
        std::size_t step = static_cast<std::size_t>(found - bytes.data());
        if (ended_ && bytes.size() > trailer_bytes) {
            step = std::min(step, bytes.size() - trailer_bytes);
        }
        advance(step);
    }
    bytes_skipped_ += offset_ - start;
    if (offset_ > start) {
        report(DiagnosticKind::ewf_bytes_skipped, start, std::to_string(offset_ - start) + " bytes");
    }
    return {};
}

/// The section ahead has a whole header and a damaged payload. If something whole follows it, goes there; else looks
/// inside, where the next section may have slipped to.
Expected<void> SectionScanner::pass_damaged(const SectionHeader& header) {
    const bool chunk = header.kind == SectionKind::chunk;
    const auto total = static_cast<std::size_t>(header.total_bytes());
    const std::size_t there = ahead().size();
    chunks_damaged_ += chunk ? 1 : 0;
    const bool cut = there < total;
    report(chunk ? DiagnosticKind::ewf_chunk_damaged : DiagnosticKind::ewf_section_damaged, offset_,
           cut ? std::to_string(total) + " bytes declared, " + std::to_string(there) + " are left"
               : std::string("checksum of the payload is wrong"));
    auto got = need(total + section_header_bytes + 1);
    if (!got) {
        return got;
    }
    const bool may_rescan = hashed_ <= rescan_free_bytes + rescan_factor * offset_;
    if (!cut) {
        const Bytes after = ahead().subspan(total);
        const bool end = ended_ && (after.empty() || (after.size() == trailer_bytes && parse_trailer(after)));
        if (end || parse_section_header(after) || !may_rescan) {
            bytes_skipped_ += total;
            advance(total);
            return {};
        }
    }
    return resynchronise(may_rescan ? section_header_bytes : total);
}

Expected<bool> SectionScanner::take_section(Section& section) {
    const auto header = parse_section_header(ahead());
    if (!header) {
        auto passed = resynchronise(0);
        if (!passed) {
            return tl::unexpected(passed.error());
        }
        return false;
    }
    const auto total = static_cast<std::size_t>(header->total_bytes());
    auto got = need(total);
    if (!got) {
        return tl::unexpected(got.error());
    }
    const Bytes bytes = ahead();
    bool whole = bytes.size() >= total;
    if (whole) {
        hashed_ += total;
        whole =
            hash64(bytes.subspan(section_header_bytes, header->head_bytes)) == header->head_hash &&
            hash64(bytes.subspan(section_header_bytes + header->head_bytes, header->data_bytes)) == header->data_hash;
    }
    if (!whole) {
        auto passed = pass_damaged(*header);
        if (!passed) {
            return tl::unexpected(passed.error());
        }
        return false;
    }
    section = {*header, offset_, bytes.first(total)};
    pending_ = total;
    return true;
}

Expected<bool> SectionScanner::next(Section& section) {
    if (!started_) {
        auto header = read_file_header();
        if (!header) {
            return tl::unexpected(header.error());
        }
    }
    advance(pending_);
    pending_ = 0;
    for (;;) {
        auto got = need(section_header_bytes + 1);
        if (!got) {
            return tl::unexpected(got.error());
        }
        if (ahead().empty() || take_trailer()) {
            return false;
        }
        auto taken = take_section(section);
        if (!taken || *taken) {
            return taken;
        }
    }
}

}  // namespace eciscope::ewf

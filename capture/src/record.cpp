#include "eciscope/capture/record.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "report.hpp"

namespace eciscope::capture {

namespace {

constexpr std::uint8_t format_version = 1;
constexpr std::uint8_t flag_direction = 1;
constexpr std::uint8_t flag_lost = 2;
constexpr std::uint16_t entry_flags = 3;

using Kind = DiagnosticKind;

/// The header's fields as they stand there.
struct Header {
    explicit Header(const std::uint8_t* p)
        : version(p[4]),
          flags(p[5]),
          link(p[6]),
          count(p[7]),
          sequence(load_le32(p + 8)),
          lost(load_le32(p + 12)),
          time_ns(load_le64(p + 16)) {}

    std::uint8_t version;
    std::uint8_t flags;
    std::uint8_t link;
    std::uint8_t count;
    std::uint32_t sequence;
    std::uint32_t lost;
    std::uint64_t time_ns;
};

std::string text(std::uint64_t number) {
    return std::to_string(number);
}

/// True when the record belongs to a stream and has this layout.
bool is_usable(Bytes payload, const Position& where, Diagnostics& diagnostics) {
    if (payload.size() < record_header_bytes) {
        report(diagnostics, Kind::record_header_cut_short, where,
               [&] { return text(payload.size()) + " bytes are there"; });
        return false;
    }
    if (std::memcmp(payload.data(), "ECIB", 4) != 0) {
        report(diagnostics, Kind::record_magic_wrong, where,
               [&] { return text(payload.size()) + " bytes passed over"; });
        return false;
    }
    const Header header(payload.data());
    if (header.version != format_version) {
        report(diagnostics, Kind::record_version_foreign, where, [&] { return "version " + text(header.version); });
        return false;
    }
    if (header.link >= link_count) {
        report(diagnostics, Kind::record_link_undefined, where, [&] { return "link " + text(header.link); });
        return false;
    }
    return true;
}

/// A flag and a count that contradict each other mean that something is missing, but not how much.
std::uint64_t lost_before(const Header& header, const Record& record, Diagnostics& diagnostics) {
    const bool flagged = (header.flags & flag_lost) != 0;
    if (flagged != (header.lost != 0)) {
        report(diagnostics, Kind::record_loss_contradictory, record.where, record.stream,
               [&] { return std::string(flagged ? "flag set" : "flag clear") + ", count " + text(header.lost); });
        return BlockItem::unknown_count;
    }
    return header.lost == lost_unknown ? BlockItem::unknown_count : header.lost;
}

/// Finds the whole entries and what is missing of them.
void take_entries(const Header& header, Bytes payload, Record& record, Diagnostics& diagnostics) {
    const Bytes body = payload.subspan(record_header_bytes);
    if (header.count == 0 || header.count > most_blocks) {
        report(diagnostics, Kind::record_count_out_of_range, record.where, record.stream,
               [&] { return text(header.count) + " blocks declared in " + text(payload.size()) + " bytes"; });
        record.lost_after = body.size() >= entry_bytes ? BlockItem::unknown_count : 0;
        return;
    }
    const std::size_t declared = header.count * entry_bytes;
    const std::size_t there = std::min<std::size_t>(header.count, body.size() / entry_bytes);
    record.entries = body.first(there * entry_bytes);
    record.lost_after = header.count - there;
    if (body.size() < declared) {
        report(diagnostics, Kind::record_cut_short, record.where, record.stream,
               [&] { return text(header.count) + " blocks declared, " + text(there) + " are there"; });
    }
    if (body.size() > declared) {
        report(diagnostics, Kind::record_trailing_bytes, record.where, record.stream,
               [&] { return text(body.size() - declared) + " bytes after " + text(header.count) + " blocks"; });
        record.lost_after = body.size() - declared >= entry_bytes ? BlockItem::unknown_count : 0;
    }
}

/// Reports what is odd in the entries one by one; called only when something is.
void report_entries(const Record& record, Diagnostics& diagnostics) {
    std::uint32_t previous = 0;
    for (std::size_t i = 0; i < record.count(); ++i) {
        const std::uint8_t* entry = record.entries.data() + i * entry_bytes;
        const std::uint32_t time = load_le32(entry);
        const std::uint16_t flags = load_le16(entry + 4);
        const std::uint16_t reserved = load_le16(entry + 6);
        Position where = record.where;
        where.block = static_cast<std::uint32_t>(i);
        if ((flags & ~entry_flags) != 0) {
            report(diagnostics, Kind::entry_flags_undefined, where, record.stream,
                   [&] { return "flags " + text(flags); });
        }
        if (reserved != 0) {
            report(diagnostics, Kind::entry_reserved_not_zero, where, record.stream,
                   [&] { return "value " + text(reserved); });
        }
        if (time < previous) {
            report(diagnostics, Kind::entry_time_backwards, where, record.stream,
                   [&] { return text(previous - time) + " ps back"; });
        }
        previous = time;
    }
}

void check_entries(const Record& record, Diagnostics& diagnostics) {
    std::uint32_t previous = 0;
    bool odd = false;
    for (std::size_t i = 0; i < record.count(); ++i) {
        const std::uint8_t* entry = record.entries.data() + i * entry_bytes;
        const std::uint32_t time = load_le32(entry);
        odd |= (load_le32(entry + 4) & ~std::uint32_t{entry_flags}) != 0 || time < previous;
        previous = time;
    }
    if (odd) {
        report_entries(record, diagnostics);
    }
}

}  // namespace

ParsedRecord parse_record(Bytes payload, const Position& where, Diagnostics& diagnostics) {
    if (!is_usable(payload, where, diagnostics)) {
        return {std::nullopt, payload.size()};
    }
    const Header header(payload.data());
    Record record;
    record.stream = {header.link, static_cast<std::uint8_t>(header.flags & flag_direction)};
    record.sequence = header.sequence;
    record.time_ns = header.time_ns;
    record.where = where;
    if ((header.flags & ~(flag_direction | flag_lost)) != 0) {
        report(diagnostics, Kind::record_flags_undefined, where, record.stream,
               [&] { return "flags " + text(header.flags); });
    }
    record.lost_before = lost_before(header, record, diagnostics);
    take_entries(header, payload, record, diagnostics);
    check_entries(record, diagnostics);
    record.input_bytes = record_header_bytes + record.entries.size();
    return {record, payload.size() - record.input_bytes};
}

}  // namespace eciscope::capture

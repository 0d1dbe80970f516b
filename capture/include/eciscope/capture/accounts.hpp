// Where every byte and block of the input went.
#pragma once

#include <cstdint>

namespace eciscope::capture {

struct Accounts {
    // Every byte read is in exactly one of the accounts that follow it.
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_container = 0;  ///< file, packet and network headers; a table's heading
    std::uint64_t bytes_records = 0;    ///< records that were used: header and whole entries
    std::uint64_t bytes_duplicate = 0;  ///< records seen before
    std::uint64_t bytes_late = 0;       ///< records whose place had been given up
    std::uint64_t bytes_damaged = 0;    ///< unreadable, cut, trailing, refused
    std::uint64_t bytes_foreign = 0;    ///< packets that carry no blocks
    std::uint64_t bytes_unread = 0;     ///< fetched but not looked at: the sink asked to stop

    // Every whole block of a readable record is in exactly one of the accounts that follow it.
    std::uint64_t blocks_read = 0;
    std::uint64_t blocks_delivered = 0;
    std::uint64_t blocks_duplicate = 0;
    std::uint64_t blocks_late = 0;
    std::uint64_t blocks_refused = 0;      ///< in records whose time cannot be kept
    std::uint64_t blocks_undelivered = 0;  ///< read, but the sink asked to stop

    std::uint64_t blocks_lost_known = 0;  ///< sum of the `lost` items with a number
    std::uint64_t losses_unknown = 0;     ///< `lost` items without
    std::uint64_t crc_flagged = 0;        ///< delivered blocks that the interposer flagged
    std::uint64_t lane_flagged = 0;

    std::uint64_t packets = 0;
    std::uint64_t packets_foreign = 0;
    std::uint64_t records = 0;          ///< readable ones
    std::uint64_t records_missing = 0;  ///< sequence numbers that never came
    std::uint64_t restarts = 0;

    [[nodiscard]] bool sums_agree() const {
        return bytes_read == bytes_container + bytes_records + bytes_duplicate + bytes_late + bytes_damaged +
                                 bytes_foreign + bytes_unread &&
               blocks_read == blocks_delivered + blocks_duplicate + blocks_late + blocks_refused + blocks_undelivered;
    }
};

}  // namespace eciscope::capture

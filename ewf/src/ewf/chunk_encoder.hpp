// A run of messages and events into the bytes of one chunk.
#pragma once

#include <zstd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "columns.hpp"
#include "eciscope/decoder/message.hpp"
#include "integer_column.hpp"

namespace eciscope::ewf {

/// Gives each distinct shape of a chunk a number.
class ShapeTable {
 public:
    void clear();
    std::uint16_t index_of(Shape shape);
    [[nodiscard]] const std::vector<std::uint64_t>& shapes() const { return shapes_; }

 private:
    struct Entry {
        std::uint64_t bits = 0;
        std::uint32_t generation = 0;
        std::uint16_t index = 0;
    };
    static constexpr unsigned slot_bits = 15;  // twice as many slots as a chunk has messages
    std::vector<Entry> slots_ = std::vector<Entry>(std::size_t{1} << slot_bits);
    std::vector<std::uint64_t> shapes_;
    std::uint32_t generation_ = 0;
};

class ChunkEncoder {
 public:
    ChunkEncoder();

    /// Replaces `out` by the whole section. `trace` keeps to the limits of a chunk and to what check_trace() allows;
    /// `first_message` is the number in the trace of its first message.
    void encode(const TraceBatch& trace, std::int64_t base_seconds, std::uint64_t first_message,
                std::vector<std::uint8_t>& out);

 private:
    void clear();
    /// What is known of the chunk so far.
    struct Past;
    void put_message(const TraceBatch& trace, std::size_t number, Past& past);
    /// What a message is predicted from.
    struct Prediction {
        Kind kind = Kind::other;
        std::uint32_t reference = 0;  ///< the moment from which ticks are counted
    };
    Prediction put_header(const MessageHead& message, std::size_t number, std::uint64_t header, bool zeros,
                          HeaderPredictor& predictor);
    void put_times(const MessageHead& message, Kind kind, std::uint64_t reference, Past& past);
    void put_data(std::span<const std::uint64_t> words);
    void put_events(const std::vector<Event>& events, Picoseconds first_min);
    void finish_data();
    void append_column(Column column, Bytes bytes);
    void append_integers(Column symbols, IntegerWriter& integers);
    void append_columns(std::vector<std::uint8_t>& out, SectionHeader& header);

    struct TimeColumns {
        IntegerWriter periods, ticks, free;
    };
    TimeColumns& times_of(Kind kind) {
        return kind == Kind::matched ? matched_ : kind == Kind::again ? again_ : other_;
    }
    struct CompressorFree {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };

    std::unique_ptr<ZSTD_CCtx, CompressorFree> compressor_;
    ShapeTable shapes_;
    std::vector<std::uint8_t> shape_low_, shape_high_, rank_matched_, id_other_, id_again_, offset_in_line_, slot_;
    TimeColumns matched_, other_, again_;
    IntegerWriter line_, duration_, span_;
    std::array<IntegerWriter, 3> block_;
    std::vector<std::uint8_t> event_kind_, event_stream_, event_vc_;
    IntegerWriter event_before_, event_time_, event_block_, event_count_, event_detail_;
    std::vector<std::uint8_t> explicit_map_, data_bytes_;
    std::vector<std::uint64_t> data_;
    std::uint64_t map_bits_ = 0;
    std::uint64_t data_step_ = 0;
    bool data_in_planes_ = false;

    std::vector<std::uint8_t> directory_, head_, tail_;
    std::uint32_t columns_ = 0;
};

}  // namespace eciscope::ewf

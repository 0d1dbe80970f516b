// Writes an index as the trace is read: what is full goes to the file, so that memory stays small however long the
// trace is (about a byte a message is kept until the end).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eciscope/ewf/error.hpp"
#include "file_handle.hpp"
#include "index_format.hpp"

namespace eciscope::view {

/// Appends to the file and hashes what it appends. A failure is remembered: the first one counts.
class IndexFile {
 public:
    explicit IndexFile(FileHandle file);
    IndexFile(const IndexFile&) = delete;
    IndexFile& operator=(const IndexFile&) = delete;
    ~IndexFile();

    /// Where the bytes stand; padded to a multiple of 8.
    std::uint64_t append(std::span<const std::uint8_t> bytes);
    template <class T>
    std::uint64_t append_values(std::span<const T> values) {
        return append({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
    }
    /// Writes directory and header. More may be appended afterwards, for another directory.
    ewf::Expected<void> conclude(IndexHeader header, std::span<const std::uint8_t> directory);

    /// Hashes a file that was written before, so that more can be appended where its directory stands.
    ewf::Expected<void> resume(const IndexHeader& header);

    [[nodiscard]] const FileHandle& file() const { return file_; }

 private:
    struct Hash;
    FileHandle file_;
    std::unique_ptr<Hash> hash_;
    std::uint64_t at_ = sizeof(IndexHeader);
    std::optional<ewf::Error> error_;
};

/// One series while it grows. A value is one byte or eight.
template <class Value>
class SeriesWriter {
 public:
    explicit SeriesWriter(const SeriesEntry& entry) : entry_(entry) {
        distances_.resize(segment_messages);
        values_.resize(segment_messages);
    }

    void add(IndexFile& file, Picoseconds time, Value value) {
        const std::uint64_t distance = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(base_);
        if (room_ == 0 || distance > most_distance) {
            begin_leaf(time);
            distances_[filled_] = 0;
        } else {
            distances_[filled_] = static_cast<std::uint32_t>(distance);
        }
        --room_;
        count_value(value);
        if (filled_ == segment_messages) {
            flush(file);
        }
    }

    /// Writes what is left and the tables.
    SeriesEntry finish(IndexFile& file);
    [[nodiscard]] const SeriesEntry& entry() const { return entry_; }

 private:
    static constexpr std::uint64_t most_distance = 0xffffffff;

    void begin_leaf(Picoseconds time) {
        base_ = time;
        room_ = static_cast<std::uint32_t>(leaf_messages);
        bases_.push_back(time);
        starts_.push_back(entry_.count);
        sums_.push_back(entry_.kind == SeriesKind::messages ? entry_.sum : 0);
    }
    void count_value(Value value) {
        values_[filled_++] = value;
        ++entry_.count;
        if constexpr (sizeof(Value) == 1) {
            entry_.sum += value;
            entry_.uniform = value == entry_.uniform || entry_.count == 1 ? value : SeriesEntry::mixed;
        } else {
            sums_.back() = value > sums_.back() ? value : sums_.back();
            entry_.sum = value > entry_.sum ? value : entry_.sum;
        }
    }
    void flush(IndexFile& file);

    SeriesEntry entry_;
    Picoseconds base_ = 0;
    std::uint32_t room_ = 0;
    std::size_t filled_ = 0;  ///< of the segment
    std::vector<std::uint32_t> distances_;
    std::vector<Value> values_;
    std::vector<Picoseconds> bases_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint64_t> segments_;
};

extern template class SeriesWriter<std::uint8_t>;
extern template class SeriesWriter<std::uint64_t>;

/// What an index's directory holds, in memory.
struct DirectoryParts {
    IndexDirectory directory;
    std::vector<SeriesEntry> series;
    std::vector<std::string> names;
};
[[nodiscard]] std::vector<std::uint8_t> encode(const DirectoryParts& parts);
/// None where the bytes are no such thing.
[[nodiscard]] std::optional<DirectoryParts> decode_directory(std::span<const std::uint8_t> bytes);

[[nodiscard]] std::uint64_t hash_of(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::uint64_t hash_of_header(const IndexHeader& header);

}  // namespace eciscope::view

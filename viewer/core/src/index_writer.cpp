#include "index_writer.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace eciscope::view {

namespace {

constexpr std::size_t alignment = 8;
constexpr std::size_t most_names = std::size_t{1} << 16;

template <class T>
std::span<const std::uint8_t> bytes_of(const T& value) {
    return {reinterpret_cast<const std::uint8_t*>(&value), sizeof value};
}

void put(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Takes a value from the front of the bytes.
template <class T>
bool take(std::span<const std::uint8_t>& bytes, T& value) {
    if (bytes.size() < sizeof value) {
        return false;
    }
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return true;
}

bool take_name(std::span<const std::uint8_t>& bytes, std::string& name) {
    std::uint64_t size = 0;
    if (!take(bytes, size) || size > bytes.size()) {
        return false;
    }
    name.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    bytes = bytes.subspan(size);
    return true;
}

}  // namespace

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t hash_of_header(const IndexHeader& header) {
    return hash_of(bytes_of(header).first(offsetof(IndexHeader, header_hash)));
}

struct IndexFile::Hash {
    XXH3_state_t* state = XXH3_createState();
    Hash() { XXH3_64bits_reset(state); }
    Hash(const Hash&) = delete;
    Hash& operator=(const Hash&) = delete;
    ~Hash() { XXH3_freeState(state); }
};

IndexFile::IndexFile(FileHandle file) : file_(std::move(file)), hash_(std::make_unique<Hash>()) {}
IndexFile::~IndexFile() = default;

std::uint64_t IndexFile::append(std::span<const std::uint8_t> bytes) {
    static constexpr std::array<std::uint8_t, alignment> zeros{};
    const std::uint64_t at = at_;
    const std::size_t padding = (alignment - bytes.size() % alignment) % alignment;
    for (const auto piece : {bytes, std::span<const std::uint8_t>(zeros).first(padding)}) {
        auto written = error_ ? ewf::Expected<void>() : file_.write_at(at_, piece);
        if (!written) {
            error_ = written.error();
        }
        XXH3_64bits_update(hash_->state, piece.data(), piece.size());
        at_ += piece.size();
    }
    return at;
}

ewf::Expected<void> IndexFile::conclude(IndexHeader header, std::span<const std::uint8_t> directory) {
    if (error_) {
        return tl::unexpected(*error_);
    }
    header.directory_at = at_;
    header.directory_bytes = directory.size();
    header.directory_hash = hash_of(directory);
    header.body_bytes = at_ - sizeof(IndexHeader);
    header.body_hash = XXH3_64bits_digest(hash_->state);
    header.header_hash = hash_of_header(header);
    auto written = file_.write_at(at_, directory);
    if (written) {
        written = file_.write_at(0, bytes_of(header));
    }
    // A mapping of this directory may be in use while more is appended.
    at_ += (directory.size() + alignment - 1) / alignment * alignment;
    std::vector<std::uint8_t> skipped(directory.begin(), directory.end());
    skipped.resize((directory.size() + alignment - 1) / alignment * alignment);
    XXH3_64bits_update(hash_->state, skipped.data(), skipped.size());
    return written;
}

ewf::Expected<void> IndexFile::resume(const IndexHeader& header) {
    std::vector<std::uint8_t> piece(std::size_t{1} << 20U);
    const std::uint64_t whole = header.body_bytes + (header.directory_bytes + alignment - 1) / alignment * alignment;
    for (std::uint64_t done = 0; done < whole;) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), whole - done));
        std::fill(piece.begin(), piece.end(), std::uint8_t{0});
        const std::uint64_t there = header.body_bytes + header.directory_bytes;
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, there - std::min(there, done)));
        auto got = file_.read_at(sizeof(IndexHeader) + done, std::span(piece).first(wanted));
        if (!got) {
            return got;
        }
        XXH3_64bits_update(hash_->state, piece.data(), count);
        done += count;
    }
    at_ = sizeof(IndexHeader) + whole;
    return {};
}

template <class Value>
void SeriesWriter<Value>::flush(IndexFile& file) {
    if (filled_ == 0) {
        return;
    }
    const std::size_t distance_bytes = filled_ * sizeof(std::uint32_t);
    const std::size_t values_at = (distance_bytes + alignment - 1) / alignment * alignment;
    std::vector<std::uint8_t> bytes(values_at + filled_ * sizeof(Value));
    std::memcpy(bytes.data(), distances_.data(), distance_bytes);
    std::memcpy(bytes.data() + values_at, values_.data(), filled_ * sizeof(Value));
    segments_.push_back(file.append(bytes));
    filled_ = 0;
    room_ = 0;  // a leaf lies in one segment
}

template <class Value>
SeriesEntry SeriesWriter<Value>::finish(IndexFile& file) {
    flush(file);
    entry_.leaves = bases_.size();
    entry_.bases_at = file.append_values<Picoseconds>(bases_);
    entry_.starts_at = file.append_values<std::uint64_t>(starts_);
    entry_.sums_at = file.append_values<std::uint64_t>(sums_);
    entry_.segments_at = file.append_values<std::uint64_t>(segments_);
    return entry_;
}

template class SeriesWriter<std::uint8_t>;
template class SeriesWriter<std::uint64_t>;

std::vector<std::uint8_t> encode(const DirectoryParts& parts) {
    std::vector<std::uint8_t> out;
    IndexDirectory directory = parts.directory;
    directory.series = parts.series.size();
    directory.names = parts.names.size();
    put(out, bytes_of(directory));
    for (const SeriesEntry& entry : parts.series) {
        put(out, bytes_of(entry));
    }
    for (const std::string& name : parts.names) {
        put(out, bytes_of(std::uint64_t{name.size()}));
        put(out, {reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
    }
    return out;
}

std::optional<DirectoryParts> decode_directory(std::span<const std::uint8_t> bytes) {
    DirectoryParts parts;
    if (!take(bytes, parts.directory) || parts.directory.series > bytes.size() / sizeof(SeriesEntry) ||
        parts.directory.names > most_names) {
        return std::nullopt;
    }
    for (std::uint64_t i = 0; i < parts.directory.series; ++i) {
        take(bytes, parts.series.emplace_back());
    }
    for (std::uint64_t i = 0; i < parts.directory.names; ++i) {
        if (!take_name(bytes, parts.names.emplace_back())) {
            return std::nullopt;
        }
    }
    return parts;
}

}  // namespace eciscope::view

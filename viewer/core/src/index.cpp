#include "index.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace eciscope::view {

namespace {

constexpr std::uint64_t largest_directory = std::uint64_t{64} << 20U;

tl::unexpected<ewf::Error> damage(std::string what) {
    return tl::unexpected(ewf::Error{ewf::ErrorCode::damaged, std::move(what), 0});
}

/// Read, not mapped: what is only hashed shall not stay in memory.
ewf::Expected<std::uint64_t> hash_of_file(const FileHandle& file, std::uint64_t at, std::uint64_t bytes) {
    struct State {
        XXH3_state_t* state = XXH3_createState();
        State() { XXH3_64bits_reset(state); }
        State(const State&) = delete;
        State& operator=(const State&) = delete;
        ~State() { XXH3_freeState(state); }
    } hash;
    std::vector<std::uint8_t> piece(std::size_t{256} << 10U);
    while (bytes > 0) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes));
        if (auto got = file.read_at(at, std::span(piece).first(count)); !got) {
            return tl::unexpected(got.error());
        }
        XXH3_64bits_update(hash.state, piece.data(), count);
        at += count;
        bytes -= count;
    }
    return XXH3_64bits_digest(hash.state);
}

ewf::Expected<IndexHeader> read_header(const FileHandle& file) {
    std::array<std::uint8_t, sizeof(IndexHeader)> bytes{};
    if (auto got = file.read_at(0, bytes); !got) {
        return tl::unexpected(got.error());
    }
    IndexHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto size = file.size();
    if (!size) {
        return tl::unexpected(size.error());
    }
    if (header.magic != index_magic || header.version != index_version || header.byte_order != index_byte_order ||
        header.header_hash != hash_of_header(header)) {
        return damage("no index of this version of the viewer");
    }
    if (header.body_bytes > *size || header.directory_at != sizeof(IndexHeader) + header.body_bytes ||
        header.directory_at > *size || header.directory_bytes > *size - header.directory_at ||
        header.directory_bytes > largest_directory) {
        return damage("the index is cut short");
    }
    return header;
}

}  // namespace

double Checkpoints::blocks_before(Picoseconds time) const {
    if (times.empty()) {
        return 0;
    }
    const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    if (after == 0 || after == times.size()) {
        return static_cast<double>(after == 0 ? blocks.front() : blocks.back());
    }
    const double length = static_cast<double>(times[after]) - static_cast<double>(times[after - 1]);
    const double share = length <= 0 ? 0 : (static_cast<double>(time) - static_cast<double>(times[after - 1])) / length;
    const auto from = static_cast<double>(blocks[after - 1]);
    return from + share * (static_cast<double>(blocks[after]) - from);
}

ewf::Expected<std::shared_ptr<const Index>> Index::open(const FileHandle& file, bool verify) {
    const auto header = read_header(file);
    if (!header) {
        return tl::unexpected(header.error());
    }
    std::vector<std::uint8_t> bytes(header->directory_bytes);
    if (auto got = file.read_at(header->directory_at, bytes); !got) {
        return tl::unexpected(got.error());
    }
    auto parts = decode_directory(bytes);
    if (!parts || hash_of(bytes) != header->directory_hash) {
        return damage("the index's directory is damaged");
    }
    if (verify) {
        const auto hash = hash_of_file(file, sizeof(IndexHeader), header->body_bytes);
        if (!hash || *hash != header->body_hash) {
            return damage("the index is damaged");
        }
    }
    auto mapping = Mapping::of(file, header->directory_at);
    if (!mapping) {
        return tl::unexpected(mapping.error());
    }
    std::shared_ptr<Index> index(new Index);
    index->file_ = FileHandle(::dup(file.get()));
    index->header_ = *header;
    index->parts_ = std::move(*parts);
    index->mapping_ = std::move(*mapping);
    if (!index->take_series() || !index->take_rest()) {
        return damage("a part of the index lies where it cannot");
    }
    return std::shared_ptr<const Index>(std::move(index));
}

bool Index::is_whole() const {
    const auto size = file_.size();
    return size && *size >= mapping_.bytes().size();
}

bool Index::take_series() {
    for (const SeriesEntry& entry : parts_.series) {
        auto series = Series::in(mapping_.bytes(), entry);
        if (!series || entry.name >= parts_.names.size() || entry.vc > 0xf) {
            return false;
        }
        (entry.kind == SeriesKind::messages ? messages_ : latencies_).push_back(*series);
    }
    return true;
}

bool Index::take_rest() {
    const std::span<const std::uint8_t> file = mapping_.bytes();
    const IndexDirectory& directory = parts_.directory;
    for (std::size_t i = 0; i < stream_count; ++i) {
        const CheckpointsEntry& entry = directory.streams[i];
        const auto times = values_at<Picoseconds>(file, entry.times_at, entry.count);
        const auto blocks = values_at<std::uint64_t>(file, entry.blocks_at, entry.count);
        if (!times || !blocks) {
            return false;
        }
        checkpoints_[i] = {*times, *blocks};
    }
    const auto findings = values_at<FindingRecord>(file, directory.findings_at, directory.findings);
    const auto texts = values_at<char>(file, directory.text_at, directory.text_bytes);
    if (!findings || !texts) {
        return false;
    }
    findings_ = *findings;
    texts_ = *texts;
    return std::is_sorted(findings_.begin(), findings_.end(),
                          [](const FindingRecord& a, const FindingRecord& b) { return a.time < b.time; });
}

std::string Index::text_at(std::uint64_t at, std::uint64_t bytes) const {
    if (at > texts_.size() || bytes > texts_.size() - at) {
        return {};
    }
    return {texts_.data() + at, bytes};
}

std::string Index::text_of(const FindingRecord& record) const {
    return text_at(record.text_at, record.text_bytes);
}

std::string Index::details_of(const FindingRecord& record) const {
    return text_at(record.text_at + record.text_bytes, record.details_bytes);
}

}  // namespace eciscope::view

#include "reader_open.hpp"

#include <array>

#include "chunk_scan.hpp"
#include "source_stream.hpp"

namespace eciscope::ewf {

namespace {

class Opening {
 public:
    Opening(OpenedFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

    /// False if the file's end cannot be used.
    Expected<bool> from_index();
    Expected<void> by_scanning();

 private:
    void report(DiagnosticKind kind, std::uint64_t offset, std::string detail);
    Expected<bool> read_ends(std::int64_t& base);
    Expected<std::optional<std::vector<std::uint8_t>>> read_section(std::uint64_t offset, std::uint64_t end,
                                                                    SectionKind kind);
    Expected<void> read_metadata();
    Expected<void> read_provenance();
    [[nodiscard]] bool index_fits(const IndexSection& index) const;

    OpenedFile& file_;
    Diagnostics& diagnostics_;
};

void Opening::report(DiagnosticKind kind, std::uint64_t offset, std::string detail) {
    Diagnostic diagnostic;
    diagnostic.kind = kind;
    diagnostic.where.source = file_.source_number;
    diagnostic.where.offset = offset;
    diagnostic.detail = std::move(detail);
    diagnostics_.report(std::move(diagnostic));
}

/// Reads header and trailer. False if either is not whole or they do not fit the file.
Expected<bool> Opening::read_ends(std::int64_t& base) {
    std::array<std::uint8_t, file_header_bytes> header{};
    std::array<std::uint8_t, trailer_bytes> end{};
    const std::uint64_t size = file_.source->size();
    if (size < header.size() + end.size()) {
        return false;
    }
    auto got = file_.source->read_at(0, header);
    if (!got) {
        return tl::unexpected(got.error());
    }
    auto at_end = file_.source->read_at(size - end.size(), end);
    if (!at_end) {
        return tl::unexpected(at_end.error());
    }
    if (*got < header.size() || *at_end < end.size()) {
        return false;
    }
    const HeaderState state = parse_file_header(header, base);
    if (state == HeaderState::later_version) {
        return tl::unexpected(Error{ErrorCode::version, "written in a later version of the format", 0});
    }
    file_.trailer = parse_trailer(end);
    if (state == HeaderState::damaged || !file_.trailer) {
        return false;
    }
    const Trailer& trailer = *file_.trailer;
    const std::uint64_t before_trailer = size - trailer_bytes;
    return trailer.metadata_offset >= file_header_bytes && trailer.metadata_offset <= trailer.index_offset &&
           trailer.index_offset <= trailer.canonical_bytes && trailer.canonical_bytes <= before_trailer &&
           trailer.canonical_bytes - trailer.index_offset == trailer.index_bytes;
}

/// The payload of the section that fills [offset, end); none if it is not whole.
Expected<std::optional<std::vector<std::uint8_t>>> Opening::read_section(std::uint64_t offset, std::uint64_t end,
                                                                         SectionKind kind) {
    std::array<std::uint8_t, section_header_bytes> bytes{};
    auto got = file_.source->read_at(offset, bytes);
    if (!got) {
        return tl::unexpected(got.error());
    }
    const auto header = *got == bytes.size() ? parse_section_header(bytes) : std::nullopt;
    if (!header || header->kind != kind || header->total_bytes() != end - offset) {
        return std::nullopt;
    }
    std::vector<std::uint8_t> payload(header->head_bytes);
    got = file_.source->read_at(offset + bytes.size(), payload);
    if (!got) {
        return tl::unexpected(got.error());
    }
    if (*got != payload.size() || hash64(payload) != header->head_hash || hash64({}) != header->data_hash) {
        return std::nullopt;
    }
    return payload;
}

/// Chunks must lie one behind the other from the header to the metadata.
bool Opening::index_fits(const IndexSection& index) const {
    std::uint64_t offset = file_header_bytes;
    std::uint64_t next_message = 0;
    std::uint64_t messages = 0;
    for (const ChunkInfo& chunk : index.chunks) {
        if (chunk.offset != offset || chunk.bytes < section_header_bytes ||
            chunk.bytes > section_header_bytes + 2 * chunk_part_bytes_max || chunk.first_message < next_message ||
            ~std::uint64_t{0} - chunk.first_message < chunk.messages) {
            return false;
        }
        offset += chunk.bytes;
        if (offset > file_.trailer->metadata_offset) {
            return false;
        }
        next_message = chunk.first_message + chunk.messages;
        messages += chunk.messages;
    }
    const Contents& contents = index.metadata.contents;
    return offset == file_.trailer->metadata_offset && contents.chunks == index.chunks.size() &&
           contents.messages == messages;
}

Expected<void> Opening::read_metadata() {
    auto payload = read_section(file_.trailer->metadata_offset, file_.trailer->index_offset, SectionKind::metadata);
    if (!payload) {
        return tl::unexpected(payload.error());
    }
    const auto metadata = *payload ? parse_metadata(**payload) : std::nullopt;
    if (!metadata || metadata->metadata != file_.metadata.metadata || metadata->contents != file_.metadata.contents) {
        report(DiagnosticKind::ewf_section_damaged, file_.trailer->metadata_offset,
               "metadata; the index has a copy, which was used");
    }
    return {};
}

Expected<void> Opening::read_provenance() {
    const std::uint64_t start = file_.trailer->canonical_bytes;
    const std::uint64_t end = file_.source->size() - trailer_bytes;
    if (start == end) {
        return {};
    }
    auto payload = read_section(start, end, SectionKind::provenance);
    if (!payload) {
        return tl::unexpected(payload.error());
    }
    file_.provenance = *payload ? parse_provenance(**payload) : std::nullopt;
    if (!file_.provenance) {
        report(DiagnosticKind::ewf_section_damaged, start, "provenance");
    } else if (file_.provenance->interrupted) {
        report(DiagnosticKind::trace_interrupted, start, {});
    }
    return {};
}

Expected<bool> Opening::from_index() {
    std::int64_t base = 0;
    auto ends = read_ends(base);
    if (!ends || !*ends) {
        return ends;
    }
    auto payload = read_section(file_.trailer->index_offset, file_.trailer->canonical_bytes, SectionKind::index);
    if (!payload) {
        return tl::unexpected(payload.error());
    }
    auto index = *payload ? parse_index(**payload) : std::nullopt;
    if (!index || !index_fits(*index) || index->metadata.contents.base.unix_seconds != base) {
        return false;
    }
    file_.metadata = std::move(index->metadata);
    file_.chunks = std::move(index->chunks);
    auto rest = read_metadata().and_then([this] { return read_provenance(); });
    if (!rest) {
        return tl::unexpected(rest.error());
    }
    std::uint64_t next = 0;
    for (const ChunkInfo& chunk : file_.chunks) {
        if (chunk.first_message > next) {
            report(DiagnosticKind::ewf_messages_missing, chunk.offset,
                   std::to_string(chunk.first_message - next) + " messages");
        }
        next = chunk.first_message + chunk.messages;
    }
    return true;
}

Expected<void> Opening::by_scanning() {
    SourceStream stream(*file_.source);
    ChunkScan scan(stream, diagnostics_, file_.source_number);
    ChunkSummariser summariser;
    Section section;
    TraceBatch batch;
    std::optional<ContentsCounter> counter;
    for (;;) {
        auto found = scan.next(section, batch, Parts::heads);
        if (!found) {
            return tl::unexpected(found.error());
        }
        if (!counter) {
            counter.emplace(TimeBase{scan.base_seconds()});
        }
        if (!*found) {
            break;
        }
        ChunkInfo info = info_of(section.header);
        info.offset = section.offset;
        info.bytes = section.bytes.size();
        summariser.summarise(batch, true, info);
        counter->add(batch, info);
        file_.chunks.push_back(std::move(info));
    }
    if (scan.foreign()) {
        return tl::unexpected(Error{ErrorCode::not_ewf, "neither an EWF header nor a chunk was found", 0});
    }
    file_.metadata.metadata = scan.metadata() ? scan.metadata()->metadata : Metadata{};
    file_.metadata.contents = counter->contents();
    file_.provenance = scan.provenance();
    file_.trailer = scan.scanner().trailer();
    file_.rebuilt = true;
    report(DiagnosticKind::ewf_index_rebuilt, 0, std::to_string(file_.chunks.size()) + " chunks found");
    return {};
}

}  // namespace

Expected<OpenedFile> open_ewf(std::unique_ptr<ByteSource> source, Diagnostics& diagnostics, const std::string& name) {
    OpenedFile file;
    file.source = std::move(source);
    file.source_number = diagnostics.add_source(name);
    Opening opening(file, diagnostics);
    auto indexed = opening.from_index();
    if (!indexed) {
        return tl::unexpected(indexed.error());
    }
    if (!*indexed) {
        auto scanned = opening.by_scanning();
        if (!scanned) {
            return tl::unexpected(scanned.error());
        }
    }
    return file;
}

}  // namespace eciscope::ewf

#include "file_end.hpp"

#include <algorithm>
#include <array>

#include "index.hpp"

namespace eciscope::ewf {

RunningDigest::RunningDigest() : state_(XXH3_createState()) {
    XXH3_128bits_reset(state_.get());
}

void RunningDigest::add(Bytes bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

Digest RunningDigest::digest() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
    Digest out{};
    std::copy_n(canonical.digest, out.size(), out.begin());
    return out;
}

std::string to_text(const Digest& digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : digest) {
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

Expected<void> CanonicalOutput::write(Bytes bytes) {
    digest_.add(bytes);
    offset_ += bytes.size();
    return sink_.write(bytes);
}

Expected<void> CanonicalOutput::write_section(SectionKind kind, Bytes payload) {
    SectionHeader header;
    header.kind = kind;
    header.head_bytes = payload.size();
    header.head_hash = hash64(payload);
    header.data_hash = hash64({});
    std::array<std::uint8_t, section_header_bytes> bytes{};
    store_section_header(header, bytes.data());
    return write(bytes).and_then([&] { return write(payload); });
}

Expected<Digest> CanonicalOutput::finish(const Metadata& metadata, const Contents& contents,
                                         const std::vector<ChunkInfo>& chunks, const Provenance* provenance) {
    Trailer end;
    end.metadata_offset = offset_;
    auto written = write_section(SectionKind::metadata, metadata_payload(metadata, contents));
    if (!written) {
        return tl::unexpected(written.error());
    }
    end.index_offset = offset_;
    written = write_section(SectionKind::index, index_payload(metadata, contents, chunks));
    if (!written) {
        return tl::unexpected(written.error());
    }
    end.index_bytes = offset_ - end.index_offset;
    end.canonical_bytes = offset_;
    end.digest = digest_.digest();
    if (provenance != nullptr) {
        written = write_section(SectionKind::provenance, provenance_payload(*provenance));
    }
    if (written) {
        written = write(trailer(end));
    }
    if (!written) {
        return tl::unexpected(written.error());
    }
    return end.digest;
}

}  // namespace eciscope::ewf

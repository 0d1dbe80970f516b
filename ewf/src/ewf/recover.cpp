#include "eciscope/ewf/recover.hpp"

#include "chunk_scan.hpp"
#include "file_end.hpp"
#include "source_stream.hpp"

namespace eciscope::ewf {

namespace {

Expected<void> copy_chunks(ChunkScan& scan, CanonicalOutput& out, std::optional<ContentsCounter>& counter,
                           std::vector<ChunkInfo>& chunks) {
    Section section;
    TraceBatch batch;
    ChunkSummariser summariser;
    for (;;) {
        auto found = scan.next(section, batch, Parts::whole);
        if (!found) {
            return tl::unexpected(found.error());
        }
        if (!counter) {
            if (!*found && scan.foreign()) {
                return tl::unexpected(Error{ErrorCode::not_ewf, "neither an EWF header nor a chunk was found", 0});
            }
            counter.emplace(TimeBase{scan.base_seconds()});
            auto written = out.write(file_header(scan.base_seconds()));
            if (!written) {
                return written;
            }
        }
        if (!*found) {
            return {};
        }
        ChunkInfo info = info_of(section.header);
        info.offset = out.offset();
        info.bytes = section.bytes.size();
        summariser.summarise(batch, false, info);
        counter->add(batch, info);
        auto written = out.write(section.bytes);
        if (!written) {
            return written;
        }
        chunks.push_back(std::move(info));
    }
}

}  // namespace

Expected<RecoverReport> recover(const ByteSource& in, ByteSink& out, Diagnostics& diagnostics) {
    SourceStream stream(in);
    ChunkScan scan(stream, diagnostics, diagnostics.add_source(""));
    CanonicalOutput canonical(out);
    std::optional<ContentsCounter> counter;
    std::vector<ChunkInfo> chunks;
    auto copied = copy_chunks(scan, canonical, counter, chunks);
    if (!copied) {
        return tl::unexpected(copied.error());
    }
    const Metadata metadata = scan.metadata() ? scan.metadata()->metadata : Metadata{};
    const Provenance* provenance = scan.provenance() ? &*scan.provenance() : nullptr;
    auto digest = canonical.finish(metadata, counter->contents(), chunks, provenance);
    if (!digest) {
        return tl::unexpected(digest.error());
    }
    RecoverReport report;
    report.contents = counter->contents();
    report.chunks_damaged = scan.chunks_damaged();
    report.messages_missing = scan.messages_missing();
    report.bytes_skipped = scan.scanner().bytes_skipped();
    report.metadata_lost = !scan.metadata();
    // The trailer vouches for everything before it, so an index that does not fit the chunks shows here.
    report.was_complete =
        !scan.scanner().damaged() && scan.scanner().trailer() && scan.scanner().trailer()->digest == *digest;
    return report;
}

}  // namespace eciscope::ewf

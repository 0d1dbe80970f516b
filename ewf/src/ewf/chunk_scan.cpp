#include "chunk_scan.hpp"

namespace eciscope::ewf {

void ChunkScan::take_other(const Section& section) {
    bool good = true;
    if (section.header.kind == SectionKind::metadata) {
        auto metadata = parse_metadata(section.payload());
        good = metadata.has_value();
        metadata_section_seen_ = metadata_section_seen_ || good;
        metadata_ = good ? std::move(metadata) : std::move(metadata_);
    } else if (section.header.kind == SectionKind::index) {
        auto index = parse_index(section.payload());
        good = index.has_value();
        if (good && !metadata_section_seen_) {
            metadata_ = std::move(index->metadata);
        }
    } else {
        auto provenance = parse_provenance(section.payload());
        good = provenance.has_value();
        provenance_ = good ? std::move(provenance) : std::move(provenance_);
        if (good && provenance_->interrupted) {
            scanner_.report(DiagnosticKind::trace_interrupted, section.offset, {});
        }
    }
    if (!good) {
        scanner_.report(DiagnosticKind::ewf_section_damaged, section.offset, "its content makes no sense");
    }
}

void ChunkScan::finish() {
    if (finished_) {
        return;
    }
    finished_ = true;
    if (!scanner_.trailer()) {
        scanner_.report(DiagnosticKind::ewf_cut_short, scanner_.offset(), "no trailer");
    }
    if (metadata_ && !scanner_.damaged() && metadata_->contents.chunks != chunks_) {
        scanner_.report(DiagnosticKind::ewf_messages_missing, scanner_.offset(),
                        std::to_string(metadata_->contents.chunks) + " chunks counted when written, " +
                            std::to_string(chunks_) + " found");
    }
}

Expected<bool> ChunkScan::next(Section& section, TraceBatch& batch, Parts parts) {
    for (;;) {
        auto found = scanner_.next(section);
        if (!found) {
            return found;
        }
        if (!continuity_) {
            continuity_.emplace(scanner_.base_seconds());
        }
        if (!*found) {
            finish();
            return false;
        }
        recognised_ = true;
        if (section.header.kind != SectionKind::chunk) {
            take_other(section);
            continue;
        }
        auto decoded = decoder_.decode(section.header, section.payload(), parts, batch);
        if (!decoded) {
            ++undecodable_;
            scanner_.report(DiagnosticKind::ewf_chunk_damaged, section.offset, decoded.error().message);
            continue;
        }
        if (continuity_->accept(section.header, section.offset, scanner_)) {
            ++chunks_;
            return true;
        }
    }
}

}  // namespace eciscope::ewf

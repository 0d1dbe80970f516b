#include "eciscope/view/document.hpp"

#include <utility>

namespace eciscope::view {

class Document::Impl {
 public:
    explicit Impl(ewf::Reader reader) : reader_(std::move(reader)) {}
    [[nodiscard]] const ewf::Reader& reader() const { return reader_; }

 private:
    ewf::Reader reader_;
};

Document::Document(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Document::~Document() = default;

ewf::Expected<std::unique_ptr<Document>> Document::open(const std::string& path, OpenOptions) {
    Diagnostics diagnostics;
    auto reader = ewf::Reader::open(path, diagnostics);
    if (!reader) {
        return tl::unexpected(reader.error());
    }
    return std::unique_ptr<Document>(new Document(std::make_unique<Impl>(std::move(*reader))));
}

Facts Document::facts() const {
    Facts facts;
    facts.base = impl_->reader().time_base();
    facts.limits = {impl_->reader().contents().first_min, impl_->reader().contents().last_max};
    facts.messages = impl_->reader().contents().messages;
    facts.metadata = impl_->reader().metadata();
    facts.clock = facts.metadata.clock;
    return facts;
}

Status Document::status() const {
    Status status;
    status.phase = Phase::ready;
    return status;
}

void Document::cancel() {}
void Document::wait() {}
std::vector<TrackInfo> Document::tracks() const {
    return {};
}
std::vector<std::string> Document::request_kinds() const {
    return {};
}

Picture Document::picture(const Viewport& viewport, std::span<const TrackId> tracks, const Filter&) {
    Picture picture;
    picture.viewport = viewport;
    picture.ticks = ruler(viewport, 100);
    for (const TrackId& id : tracks) {
        TrackPicture& track = picture.tracks.emplace_back();
        track.id = id;
        track.columns.resize(static_cast<std::size_t>(viewport.columns));
    }
    return picture;
}

std::vector<MessageRow> Document::rows(MessageNumber, std::size_t) {
    return {};
}
std::optional<MessageDetails> Document::details(MessageNumber) {
    return std::nullopt;
}
MessageNumber Document::message_at(Picoseconds) {
    return 0;
}
std::vector<MessageRow> Document::line_history(ewf::Line, std::size_t) {
    return {};
}
std::vector<Finding> Document::findings() const {
    return {};
}
std::size_t Document::finding_count() const {
    return 0;
}
std::vector<Finding> Document::findings(std::size_t, std::size_t) const {
    return {};
}
std::size_t Document::finding_at(Picoseconds) const {
    return 0;
}
std::optional<MessageNumber> Document::find(const Filter&, MessageNumber, bool, const std::function<bool()>&) {
    return std::nullopt;
}
Statistics Document::statistics(Picoseconds, Picoseconds) {
    return {};
}
ewf::Expected<std::uint64_t> Document::export_messages(const std::string&, Format, Picoseconds, Picoseconds,
                                                       const Filter&) {
    return 0;
}

}  // namespace eciscope::view

#include "eciscope/view/document.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "decode_job.hpp"
#include "document_impl.hpp"
#include "message_text.hpp"

namespace eciscope::view {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(250);
constexpr int least_label_columns = 90;

const Coarse& coarse_of(const TraceModel& model) {
    static const Coarse none;
    return model.coarse != nullptr ? *model.coarse : none;
}

}  // namespace

FileWatch::FileWatch(std::string path) : path_(std::move(path)), facts_(facts_of(path_)) {}

FileWatch::Facts FileWatch::facts_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return {};
    }
    return {true, static_cast<std::uint64_t>(status.st_size),
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec, status.st_ino};
}

std::optional<std::string> FileWatch::look() const {
    const Facts now = facts_of(path_);
    if (!now.exists) {
        return path_ + " is gone; what was read of it is still shown.";
    }
    if (now.node == facts_.node && now.bytes < facts_.bytes) {
        return path_ + " has become shorter since it was opened: a part of it cannot be shown any more.";
    }
    if (now.node != facts_.node || now.bytes != facts_.bytes || now.modified_ns != facts_.modified_ns) {
        return path_ + " has changed since it was opened; open it again to see what it holds now.";
    }
    return std::nullopt;
}

Document::Impl::Impl(TraceModel model, OpenOptions options)
    : profile_(options.profile),
      worker_(model, options),
      chunks_([this](const std::string& sentence) { worker_.trouble(sentence); }),
      watch_(model.path),
      scanner_(options.changed) {}

void Document::Impl::watch_file() {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < between_looks) {
        return;
    }
    looked_ = now;
    const TraceModel model = worker_.model();
    if (!watch_ewf_ && model.reader != nullptr && model.ewf_path != model.path) {
        watch_ewf_.emplace(model.ewf_path);
    }
    if (const auto sentence = watch_.look()) {
        worker_.trouble(*sentence);
    }
    if (const auto sentence = watch_ewf_ ? watch_ewf_->look() : std::nullopt) {
        worker_.trouble(*sentence);
    }
}

std::shared_ptr<const LineTimeline> Document::Impl::line(const TraceModel& model, const ewf::Line& line) {
    Filter filter;
    filter.lines = {line};
    const auto hits = scanner_.find(model.reader, filter);
    if (hits == nullptr) {
        return nullptr;
    }
    const auto known = std::find_if(timelines_.begin(), timelines_.end(), [&](const Timeline& entry) {
        return entry.index == model.index && entry.timeline->hits() == hits;
    });
    if (known != timelines_.end()) {
        timelines_.splice(timelines_.begin(), timelines_, known);
        return timelines_.front().timeline;
    }
    if (!states_) {
        const conformance::Profile* const profile = conformance::find_profile(profile_);
        states_.emplace(profile != nullptr ? *profile : conformance::profiles().front(), conformance::Tap::unordered);
    }
    // Only what is made of results that the scanner still keeps is worth keeping.
    timelines_.remove_if(
        [&](const Timeline& entry) { return entry.index != model.index || entry.timeline->hits().use_count() == 1; });
    timelines_.push_front({model.index, std::make_shared<const LineTimeline>(line, hits, model, *states_)});
    return timelines_.front().timeline;
}

Picture Document::Impl::picture(const Viewport& wanted, std::span<const TrackId> tracks, const Filter& filter) {
    const TraceModel model = worker_.model();
    Picture picture;
    picture.viewport = {wanted.start, std::max<Picoseconds>(1, wanted.span), std::max(1, wanted.columns)};
    picture.ticks = ruler(picture.viewport, least_label_columns);
    const std::string key = key_of(filter);
    if (!matcher_ || matcher_key_ != key) {
        matcher_.emplace(filter, model.reader != nullptr ? model.reader->metadata() : ewf::Metadata());
        matcher_key_ = key;
    }
    PictureSources sources{chunks_, kinds_,
                           [this, &model](const Filter& of) { return scanner_.find(model.reader, of); },
                           [this, &model](const ewf::Line& of) { return line(model, of); }};
    PictureMaker maker(model, picture.viewport, *matcher_, std::move(sources));
    for (const TrackId& id : tracks) {
        picture.tracks.push_back(maker.make(id));
    }
    picture.coarse = maker.is_coarse();
    return picture;
}

Document::Document(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Document::~Document() = default;

ewf::Expected<std::unique_ptr<Document>> Document::open(const std::string& path, OpenOptions options) {
    const auto stored = is_stored_trace(path);
    if (!stored) {
        return tl::unexpected(stored.error());
    }
    TraceModel model;
    model.path = path;
    model.source = *stored ? "EWF" : "capture";
    std::vector<std::string> troubles;
    if (*stored) {
        Diagnostics diagnostics;
        auto reader = ewf::Reader::open(path, diagnostics);
        if (!reader) {
            return tl::unexpected(reader.error());
        }
        if (reader->index_rebuilt()) {
            troubles.push_back(path + " is damaged or was cut: its chunks had to be searched for. 'eciscope recover' " +
                               "makes a whole file of what is left.");
        }
        model.ewf_path = path;
        model.reader = std::make_shared<const ewf::Reader>(std::move(*reader));
        model.coarse = view::coarse_of(*model.reader);
    }
    std::unique_ptr<Document> document(new Document(std::make_unique<Impl>(std::move(model), std::move(options))));
    for (const std::string& trouble : troubles) {
        document->impl_->worker().trouble(trouble);
    }
    return document;
}

Facts Document::facts() const {
    const TraceModel model = impl_->worker().model();
    Facts facts;
    facts.path = model.path;
    facts.source = model.source;
    facts.limits = coarse_of(model).limits;
    facts.messages = coarse_of(model).messages;
    if (model.reader != nullptr) {
        facts.base = model.reader->time_base();
        facts.metadata = model.reader->metadata();
        facts.clock = facts.metadata.clock;
    }
    return facts;
}

Status Document::status() const {
    impl_->watch_file();
    return impl_->worker().status();
}

void Document::cancel() {
    impl_->worker().cancel();
}

void Document::wait() {
    impl_->worker().wait();
    impl_->scanner().wait();
}

std::vector<TrackInfo> Document::tracks() const {
    return impl_->tracks();
}

std::vector<std::string> Document::request_kinds() const {
    std::vector<std::string> names;
    const TraceModel model = impl_->worker().model();
    if (model.index != nullptr) {
        for (const Series& series : model.index->latencies()) {
            names.push_back(model.index->name_of(series));
        }
    }
    return names;
}

Picture Document::picture(const Viewport& viewport, std::span<const TrackId> tracks, const Filter& filter) {
    return impl_->picture(viewport, tracks, filter);
}

std::vector<MessageRow> Document::rows(MessageNumber first, std::size_t count) {
    std::vector<MessageRow> rows;
    const TraceModel model = impl_->worker().model();
    if (model.reader == nullptr || count == 0) {
        return rows;
    }
    walk(*model.reader, impl_->chunks(), first, true, count, true, [&](const NearMessage& message) {
        rows.push_back(row_of(message, impl_->kinds()));
        return true;
    });
    return rows;
}

std::optional<MessageDetails> Document::details(MessageNumber number) {
    const TraceModel model = impl_->worker().model();
    const auto place = model.reader == nullptr ? ewf::Expected<ewf::Place>(tl::unexpected(ewf::Error{}))
                                               : model.reader->find_message(number);
    if (!place) {
        return std::nullopt;
    }
    const auto batch = impl_->chunks().whole(*model.reader, place->chunk);
    if (batch == nullptr || place->message >= batch->messages.size()) {
        return std::nullopt;
    }
    const MessageHead& head = batch->messages[place->message];
    MessageDetails details;
    const auto words = batch->words_of(head);
    const NearMessage message{number, head, words.empty() ? 0 : words.front()};
    details.row = row_of(message, impl_->kinds());
    details.fields = fields_of(message);
    details.words.assign(words.begin(), words.end());
    details.fragments = fragments_of(message, model.reader->metadata());
    const Links links = links_of(message, *model.reader, impl_->chunks());
    if (links.request) {
        details.request = links.request->other;
        details.latency = links.request->latency;
    }
    if (links.answer) {
        details.answer = links.answer->other;
        details.latency = links.answer->latency;
    }
    return details;
}

MessageNumber Document::message_at(Picoseconds time) {
    const TraceModel model = impl_->worker().model();
    if (model.reader == nullptr) {
        return 0;
    }
    const ewf::Reader& reader = *model.reader;
    const auto first = reader.find_time(time);
    for (std::size_t i = first.value_or(reader.chunk_count()); i < reader.chunk_count(); ++i) {
        const auto batch = impl_->chunks().heads(reader, i);
        if (batch == nullptr) {
            continue;
        }
        const auto at = std::find_if(batch->messages.begin(), batch->messages.end(),
                                     [time](const MessageHead& head) { return head.last >= time; });
        if (at != batch->messages.end()) {
            return reader.chunk(i).first_message + static_cast<MessageNumber>(at - batch->messages.begin());
        }
    }
    const std::size_t chunks = reader.chunk_count();
    return chunks == 0 ? 0 : reader.chunk(chunks - 1).first_message + reader.chunk(chunks - 1).messages;
}

std::vector<MessageRow> Document::line_history(ewf::Line line, std::size_t most) {
    std::vector<MessageRow> rows;
    const TraceModel model = impl_->worker().model();
    if (model.reader == nullptr) {
        return rows;
    }
    for (const std::size_t chunk : model.reader->chunks_with_line(line)) {
        if (rows.size() >= most || model.reader->chunk(chunk).messages == 0) {
            continue;
        }
        const MessageNumber first = model.reader->chunk(chunk).first_message;
        walk(*model.reader, impl_->chunks(), first, true, model.reader->chunk(chunk).messages, true,
             [&](const NearMessage& message) {
                 const auto its = line_of(message);
                 if (its && its->home == line.home && its->aliased_cli == line.aliased_cli) {
                     rows.push_back(row_of(message, impl_->kinds()));
                 }
                 return rows.size() < most;
             });
    }
    return rows;
}

std::vector<Finding> Document::findings() const {
    return findings(0, finding_count());
}

std::size_t Document::finding_count() const {
    const TraceModel model = impl_->worker().model();
    return model.index == nullptr ? 0 : model.index->findings().size();
}

std::vector<Finding> Document::findings(std::size_t first, std::size_t count) const {
    std::vector<Finding> found;
    const TraceModel model = impl_->worker().model();
    if (model.index == nullptr) {
        return found;
    }
    const auto records = model.index->findings();
    first = std::min(first, records.size());
    for (const FindingRecord& record : records.subspan(first, std::min(count, records.size() - first))) {
        found.push_back(impl_->finding_of(model, record));
    }
    return found;
}

std::size_t Document::finding_at(Picoseconds time) const {
    const TraceModel model = impl_->worker().model();
    return model.findings == nullptr ? 0 : model.findings->all.rank(time);
}

std::optional<MessageNumber> Document::find(const Filter& filter, MessageNumber from, bool forward,
                                            const std::function<bool()>& go_on) {
    return impl_->find(filter, from, forward, go_on);
}

Statistics Document::statistics(Picoseconds from, Picoseconds to) {
    return impl_->statistics(from, to);
}

ewf::Expected<std::uint64_t> Document::export_messages(const std::string& path, Format format, Picoseconds from,
                                                       Picoseconds to, const Filter& filter) {
    return impl_->export_messages(path, format, from, to, filter);
}

}  // namespace eciscope::view

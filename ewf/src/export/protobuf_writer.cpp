#include "eciscope/ewf/protobuf_writer.hpp"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <string>
#include <vector>

#include "export/export_rules.hpp"
#include "export/json_names.hpp"
#include "export/json_text.hpp"
#include "export/message_layout.hpp"
#include "export/output_buffer.hpp"
#include "message.pb.h"

namespace eciscope::ewf {

namespace {

namespace pb = eciscope::trace;

template <class Info>
void add_parts(const std::vector<Info>& infos, google::protobuf::RepeatedPtrField<pb::Part>& parts) {
    for (const Info& info : infos) {
        pb::Part& part = *parts.Add();
        part.set_id(info.id);
        part.set_name(detail::valid_utf8(info.name));
    }
}

}  // namespace

class ProtobufWriter::Impl {
 public:
    explicit Impl(ByteSink& sink) : out_(sink) {}

    bool batch(const TraceBatch& batch, const ExportHeader& header) {
        if (!started_ && !batch.empty()) {
            start(header, detail::start_base(header.base, batch));
        }
        std::size_t event = 0;
        for (std::size_t i = 0; i < batch.messages.size() && out_.good(); ++i) {
            for (; event < batch.events.size() && batch.events[event].before <= i; ++event) {
                put_event(batch.events[event]);
            }
            put_message(batch, batch.messages[i]);
        }
        for (; event < batch.events.size() && out_.good(); ++event) {
            put_event(batch.events[event]);
        }
        return out_.good();
    }

    Expected<void> finish(const ExportHeader& header, bool interrupted) {
        if (!started_) {
            start(header, header.base);
        }
        pb::End& end = *record_.mutable_end();
        end.set_messages(messages_);
        end.set_events(events_);
        end.set_words(words_);
        end.set_interrupted(interrupted);
        put_record();
        out_.flush();
        return out_.status();
    }

 private:
    void start(const ExportHeader& header, TimeBase shown) {
        started_ = true;
        if (!detail::usable(header.base) || !detail::usable(shown)) {
            out_.fail({ErrorCode::invalid_trace, "the base of the trace's times is out of range", 0});
            return;
        }
        index_ = header.first_index;
        // Times are counted from the base shown; unsigned, because the difference of the two may wrap and wrap back.
        shift_ =
            (static_cast<std::uint64_t>(header.base.unix_seconds) - static_cast<std::uint64_t>(shown.unix_seconds)) *
            static_cast<std::uint64_t>(picoseconds_per_second);
        pb::Header& out = *record_.mutable_header();
        out.set_version(1);
        out.set_base_seconds(shown.unix_seconds);
        out.set_clock(static_cast<pb::Clock>(header.metadata.clock));
        add_parts(header.metadata.nodes, *out.mutable_nodes());
        add_parts(header.metadata.links, *out.mutable_links());
        put_record();
    }

    [[nodiscard]] std::int64_t shown_time(Picoseconds time) const {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + shift_);
    }

    void put_message(const TraceBatch& batch, const MessageHead& message) {
        if (!detail::writable(batch, message)) {
            out_.fail(detail::unwritable_message());
            return;
        }
        const auto words = batch.words_of(message);
        const auto [layout, header] = detail::describe(message.vc, words);
        pb::Message& out = *record_.mutable_message();
        out.Clear();
        out.set_index(index_);
        out.set_time(shown_time(message.first));
        out.set_time_last(shown_time(message.last));
        out.set_from(message.stream.from);
        out.set_link(message.stream.link);
        out.set_vc(message.vc);
        out.set_class_(layout.class_name.data(), layout.class_name.size());
        out.set_op(layout.op.data(), layout.op.size());
        if (layout.line) {
            const detail::LineFacts facts = detail::line_facts(layout, message.stream.from, header);
            out.set_home(facts.home);
            out.set_address(facts.address);
            out.set_aliased_cli(facts.aliased_cli);
        }
        for (const detail::LayoutField& field : layout.fields) {
            const std::uint64_t value = field.of(header);
            if (!field.quiet || value != 0) {
                pb::Field& added = *out.add_fields();
                added.set_name(field.name.data(), field.name.size());
                added.set_value(value);
            }
        }
        out.mutable_words()->Assign(words.begin(), words.end());
        out.set_first_block(message.first_block);
        out.set_last_block(message.last_block);
        out.set_slot(message.slot);
        put_record();
        ++index_;
        ++messages_;
        words_ += words.size();
    }

    void put_event(const Event& event) {
        if (!detail::writable(event)) {
            out_.fail(detail::unwritable_event());
            return;
        }
        pb::Event& out = *record_.mutable_event();
        out.Clear();
        out.set_kind(static_cast<pb::EventKind>(static_cast<int>(event.kind) + 1));
        out.set_time(shown_time(event.time));
        out.set_from(event.stream.from);
        out.set_link(event.stream.link);
        out.set_block(event.block);
        if (event.vc != Event::no_vc) {
            out.set_vc(event.vc);
        }
        if (event.count != Event::unknown_count) {
            out.set_count(event.count);
        }
        out.set_detail(event.detail);
        put_record();
        ++events_;
    }

    /// The record behind its length. Its objects are used again for the next one of the same kind.
    void put_record() {
        const std::size_t size = record_.ByteSizeLong();
        bytes_.resize(size + 10);
        std::uint8_t* const start = bytes_.data();
        std::uint8_t* const body = google::protobuf::io::CodedOutputStream::WriteVarint64ToArray(size, start);
        std::uint8_t* const end = record_.SerializeWithCachedSizesToArray(body);
        const auto* text = static_cast<const char*>(static_cast<const void*>(start));
        out_.append({text, static_cast<std::size_t>(end - start)});
    }

    detail::OutputBuffer out_;
    pb::Record record_;
    std::vector<std::uint8_t> bytes_;
    std::uint64_t shift_ = 0;  ///< from the batches' times to those shown, modulo 2^64
    std::uint64_t index_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t words_ = 0;
    bool started_ = false;
};

ProtobufWriter::ProtobufWriter(ByteSink& sink, ExportHeader header)
    : Exporter(std::move(header)), impl_(std::make_unique<Impl>(sink)) {}

ProtobufWriter::~ProtobufWriter() = default;

bool ProtobufWriter::batch(const TraceBatch& batch) {
    return impl_->batch(batch, header());
}

Expected<void> ProtobufWriter::finish() {
    return impl_->finish(header(), interrupted());
}

}  // namespace eciscope::ewf

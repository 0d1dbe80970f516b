#include "eciscope/capture/capture.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "eciscope/capture/edge_csv.hpp"
#include "eciscope/capture/hex.hpp"
#include "eciscope/capture/ila_csv.hpp"
#include "eciscope/capture/merge.hpp"
#include "eciscope/capture/packet.hpp"
#include "eciscope/capture/packet_file.hpp"
#include "eciscope/capture/record.hpp"
#include "report.hpp"

namespace eciscope::capture {

namespace {

using Kind = DiagnosticKind;

constexpr std::uint64_t progress_step = std::uint64_t{1} << 20;

bool is_packets(FileKind kind) {
    return kind == FileKind::pcap || kind == FileKind::pcapng;
}

struct Source {
    SourceSpec spec;
    FileKind kind = FileKind::unknown;
    std::optional<Input> input;  ///< kept open when it cannot be opened twice
    std::optional<std::uint64_t> size;
};

tl::expected<Input, std::string> open_input(const SourceSpec& spec) {
    if (spec.pull) {
        return Input::of_pull(spec.pull, spec.read_size);
    }
    return spec.memory ? tl::expected<Input, std::string>(Input::of_memory(*spec.memory, spec.read_size))
                       : Input::open(spec.path, spec.read_size);
}

}  // namespace

struct CaptureReader::State {
    std::vector<Source> sources;
    std::vector<FileKind> kinds;
    std::function<void(const Progress&)> progress;
    Accounts accounts;
    TimeBase base;

    // While it runs.
    BlockSink* sink = nullptr;
    Diagnostics* diagnostics = nullptr;
    std::unique_ptr<Merger> merger;
    std::uint64_t records = 0;
    std::uint64_t next_progress = progress_step;
    std::uint32_t first_source = 0;  ///< what the diagnostics call the first of ours
    std::array<RawProgress, stream_count> raw{};

    std::optional<Input> take_input(Source& source, std::uint32_t index);
    void close(const Input& input, std::uint32_t index);
    void read_one(Source& source, std::uint32_t index);
    void read_packets(Input& input, std::uint32_t index);
    void take_step(PacketStep& step, int link_type, std::uint32_t index);
    void take_payload(Bytes payload, const Position& where, bool may_be_late);
    std::size_t read_raw(std::size_t first);
    void tell_progress(const Input& input);
};

namespace {

/// Remembers the base as soon as it is known, so that the sink can ask for it.
class BaseKeeper : public BlockSink {
 public:
    BaseKeeper(BlockSink& sink, const std::unique_ptr<Merger>& merger, TimeBase& base)
        : sink_(sink), merger_(merger), base_(base) {}
    bool blocks(std::span<const BlockItem> items) override {
        base_ = merger_->base().value_or(TimeBase{});
        return sink_.blocks(items);
    }
    void may_go_on(Stream stream) override { sink_.may_go_on(stream); }

 private:
    BlockSink& sink_;
    const std::unique_ptr<Merger>& merger_;
    TimeBase& base_;
};

}  // namespace

tl::expected<CaptureReader, OpenError> CaptureReader::open(std::vector<SourceSpec> specs) {
    auto state = std::make_unique<State>();
    for (SourceSpec& spec : specs) {
        auto input = open_input(spec);
        if (!input) {
            return tl::unexpected(OpenError{spec.path, input.error(), std::nullopt});
        }
        Source source;
        source.size = input->size();
        const FileKind seen = identify(input->peek(identify_bytes), source.size);
        if (!input->error().empty()) {
            return tl::unexpected(OpenError{spec.path, input->error(), std::nullopt});
        }
        source.kind = spec.format.value_or(seen);
        const bool needs_stream =
            source.kind == FileKind::raw_blocks || (source.kind == FileKind::hex && spec.stream_said);
        if (needs_stream && (spec.raw.stream.link >= link_count || spec.raw.stream.from >= node_count)) {
            return tl::unexpected(OpenError{spec.path, "a dump's link and direction must be 0 or 1", seen});
        }
        const bool dump_unsaid = source.kind == FileKind::raw_blocks && !spec.format;
        if (!info_of(source.kind).readable || dump_unsaid) {
            return tl::unexpected(OpenError{spec.path, no_capture_message(seen), seen});
        }
        state->kinds.push_back(source.kind);
        if (!source.size || spec.path == "-") {  // cannot be opened a second time
            source.input = std::move(*input);
        }
        source.spec = std::move(spec);
        state->sources.push_back(std::move(source));
    }
    return CaptureReader(std::move(state));
}

std::optional<Input> CaptureReader::State::take_input(Source& source, std::uint32_t index) {
    if (source.input) {
        return std::exchange(source.input, std::nullopt);
    }
    auto input = open_input(source.spec);
    if (!input) {
        report(*diagnostics, Kind::input_read_failed, {index, 0, records, 0}, [&] { return input.error(); });
        return std::nullopt;
    }
    if (source.spec.read_ahead) {
        input->read_ahead();
    }
    return std::move(*input);
}

void CaptureReader::State::close(const Input& input, std::uint32_t index) {
    if (!input.error().empty()) {
        report(*diagnostics, Kind::input_read_failed, {index, input.position(), records, 0},
               [&] { return input.error(); });
    }
    accounts.bytes_read += input.taken();
    accounts.bytes_unread += input.taken() - input.position();
}

void CaptureReader::State::tell_progress(const Input& input) {
    const std::uint64_t done = accounts.bytes_read + input.position();
    if (!progress || done < next_progress) {
        return;
    }
    next_progress = done + progress_step;
    Progress now{done, std::uint64_t{0}};
    for (const Source& source : sources) {
        now.bytes_total =
            now.bytes_total && source.size ? std::optional(*now.bytes_total + *source.size) : std::nullopt;
    }
    progress(now);
}

void CaptureReader::State::take_payload(Bytes payload, const Position& where, bool may_be_late) {
    ParsedRecord parsed = parse_record(payload, where, *diagnostics);
    accounts.bytes_damaged += parsed.damaged_bytes;
    if (parsed.record) {
        parsed.record->may_be_late = may_be_late;
        merger->push(*parsed.record);
    }
}

void CaptureReader::State::take_step(PacketStep& step, int link_type, std::uint32_t index) {
    accounts.bytes_container += step.container;
    accounts.bytes_damaged += step.damaged;
    const Position where{index, step.offset, records, 0};
    if (step.kind == PacketStep::Kind::damage || step.kind == PacketStep::Kind::cut) {
        report(*diagnostics,
               step.kind == PacketStep::Kind::cut ? Kind::capture_cut_short : Kind::capture_framing_damaged, where,
               [&] { return step.why; });
    }
    if (step.kind == PacketStep::Kind::end || (step.bytes.empty() && step.kind != PacketStep::Kind::packet)) {
        return;
    }
    ++accounts.packets;
    Payload payload{step.bytes, true, 0, 0};
    if (link_type == link_type_ethernet) {
        payload = payload_of_frame(step.bytes, where, *diagnostics);
    }
    if (!payload.is_record) {
        report(*diagnostics, Kind::foreign_traffic, where,
               [&] { return std::to_string(step.bytes.size()) + " bytes"; });
        accounts.bytes_foreign += step.bytes.size();
        ++accounts.packets_foreign;
        return;
    }
    if (step.bytes.size() < step.original_length) {
        report(*diagnostics, Kind::packet_cut_by_snaplen, where, [&] {
            return std::to_string(step.bytes.size()) + " of " + std::to_string(step.original_length) + " bytes";
        });
    }
    accounts.bytes_container += payload.headers + payload.padding;
    take_payload(payload.bytes, where, link_type == link_type_ethernet);
    ++records;
}

void CaptureReader::State::read_packets(Input& input, std::uint32_t index) {
    auto file = PacketFile::open(input);
    if (!file) {
        report(*diagnostics, Kind::capture_header_damaged, {index, 0, records, 0}, [&] { return file.error(); });
        accounts.bytes_damaged += input.position();
        accounts.bytes_damaged += input.skip(UINT64_MAX);
        return;
    }
    accounts.bytes_container += input.position();
    const int link_type = file->link_type();
    if (link_type != link_type_ethernet && link_type != link_type_user0) {
        report(*diagnostics, Kind::capture_link_type_foreign, {index, 0, records, 0},
               [&] { return "link type " + std::to_string(link_type); });
        accounts.bytes_foreign += input.skip(UINT64_MAX);
        return;
    }
    while (!merger->stopped()) {
        PacketStep step = file->next();
        take_step(step, link_type, index);
        if (step.kind == PacketStep::Kind::end) {
            break;
        }
        tell_progress(input);
    }
}

/// Reads dumps that follow each other in the list, each of another stream, side by side; says how many there were.
std::size_t CaptureReader::State::read_raw(std::size_t first) {
    struct Dump {
        Input input;
        std::uint32_t index;
        std::optional<RawReader> reader;
    };
    std::vector<std::unique_ptr<Dump>> dumps;
    std::array<bool, stream_count> taken{};
    std::size_t next = first;
    for (; next < sources.size() && sources[next].kind == FileKind::raw_blocks; ++next) {
        const RawOptions& options = sources[next].spec.raw;
        const std::size_t stream = options.stream.index();
        if (taken[stream]) {
            break;
        }
        taken[stream] = true;
        const auto index = first_source + static_cast<std::uint32_t>(next);
        if (auto input = take_input(sources[next], index)) {
            dumps.push_back(std::make_unique<Dump>(Dump{std::move(*input), index, std::nullopt}));
            dumps.back()->reader.emplace(dumps.back()->input, options, index, raw[stream]);
        }
    }
    while (!dumps.empty() && !merger->stopped()) {
        for (auto& dump : dumps) {
            if (!dump->reader->step(*merger, accounts, *diagnostics, records++)) {
                close(dump->input, dump->index);
                dump.reset();
            } else {
                tell_progress(dump->input);
            }
        }
        std::erase(dumps, nullptr);
    }
    for (const auto& dump : dumps) {
        close(dump->input, dump->index);
    }
    return std::max<std::size_t>(next - first, 1);
}

void CaptureReader::State::read_one(Source& source, std::uint32_t index) {
    auto input = take_input(source, index);
    if (!input) {
        return;
    }
    if (source.kind == FileKind::edge_csv) {
        read_edge_csv(*input, index, records, *merger, accounts, *diagnostics);
    } else if (source.kind == FileKind::ila_blocks) {
        read_ila_blocks(*input, index, records, *merger, accounts, *diagnostics);
    } else if (source.kind == FileKind::hex) {
        read_hex(*input, source.spec.raw, source.spec.stream_said, index, records, *merger, accounts, *diagnostics);
    } else {
        read_packets(*input, index);
    }
    close(*input, index);
}

void CaptureReader::on_progress(std::function<void(const Progress&)> callback) {
    state_->progress = std::move(callback);
}

bool CaptureReader::run(BlockSink& sink, Diagnostics& diagnostics) {
    State& state = *state_;
    state.diagnostics = &diagnostics;
    BaseKeeper keeper(sink, state.merger, state.base);
    state.merger = std::make_unique<Merger>(keeper, diagnostics, state.accounts);
    state.first_source = static_cast<std::uint32_t>(diagnostics.sources().size());
    for (const Source& source : state.sources) {
        diagnostics.add_source(source.spec.name.empty() ? source.spec.path : source.spec.name);
    }
    for (std::size_t i = 0; i < state.sources.size() && !state.merger->stopped();) {
        const FileKind kind = state.sources[i].kind;
        const bool goes_on =
            i != 0 && (is_packets(kind) ? is_packets(state.sources[i - 1].kind)
                                        : kind == state.sources[i - 1].kind && kind == FileKind::raw_blocks);
        if (i != 0 && !goes_on) {
            state.merger->boundary();
        }
        if (kind == FileKind::raw_blocks) {
            i += state.read_raw(i);
            continue;
        }
        state.read_one(state.sources[i], state.first_source + static_cast<std::uint32_t>(i));
        ++i;
    }
    const bool finished = state.merger->finish();
    state.base = state.merger->base().value_or(TimeBase{});
    return finished;
}

CaptureReader::CaptureReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
CaptureReader::CaptureReader(CaptureReader&&) noexcept = default;
CaptureReader& CaptureReader::operator=(CaptureReader&&) noexcept = default;
CaptureReader::~CaptureReader() = default;

TimeBase CaptureReader::base() const {
    return state_->base;
}
const Accounts& CaptureReader::accounts() const {
    return state_->accounts;
}
const std::vector<FileKind>& CaptureReader::kinds() const {
    return state_->kinds;
}

}  // namespace eciscope::capture

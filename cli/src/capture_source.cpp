#include "capture_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "eciscope/capture/capture.hpp"
#include "eciscope/decoder/decoder.hpp"

namespace eciscope::cli {

namespace {

// Counts the blocks whose words are missing for good.
class DamageCounter final : public TraceSink {
 public:
    explicit DamageCounter(TraceSink& sink) : sink_(sink) {}
    bool batch(const TraceBatch& batch) override {
        count_ += static_cast<std::uint64_t>(std::count_if(
            batch.events.begin(), batch.events.end(), [](const Event& e) { return e.kind == EventKind::damaged; }));
        return sink_.batch(batch);
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
    TraceSink& sink_;
    std::uint64_t count_ = 0;
};

class CaptureSource final : public TraceSource {
 public:
    CaptureSource(capture::CaptureReader reader, Diagnostics& diagnostics, std::size_t batch_messages)
        : reader_(std::move(reader)), diagnostics_(diagnostics) {
        options_.batch_messages = batch_messages;
        reader_.on_progress([this](const capture::Progress& progress) { progress_ = progress; });
    }
    CaptureSource(const CaptureSource&) = delete;
    CaptureSource& operator=(const CaptureSource&) = delete;

    Result<void> run(TraceSink& sink) override {
        DamageCounter counter(sink);
        Decoder decoder(counter, diagnostics_, options_);
        reader_.run(decoder, diagnostics_);
        decoder.finish();
        accounts_ = decoder.accounts();
        never_repaired_ = counter.count();
        finished_ = true;
        return {};
    }
    [[nodiscard]] TimeBase time_base() const override { return reader_.base(); }
    [[nodiscard]] ProgressFigures figures() const override {
        return {finished_ ? reader_.accounts().bytes_read : progress_.bytes_read, progress_.bytes_total, 0};
    }
    [[nodiscard]] std::string kind() const override {
        std::string text;
        for (const capture::FileKind kind : reader_.kinds()) {
            const std::string name(capture::info_of(kind).name);
            if (text.find(name) == std::string::npos) {
                text += (text.empty() ? "" : ", ") + name;
            }
        }
        return text + " capture";
    }
    [[nodiscard]] const capture::Accounts* capture_accounts() const override { return &reader_.accounts(); }
    [[nodiscard]] const DecoderAccounts* decoder_accounts() const override { return &accounts_; }
    [[nodiscard]] std::uint64_t blocks_never_repaired() const override { return never_repaired_; }

 private:
    capture::CaptureReader reader_;
    Diagnostics& diagnostics_;
    DecoderOptions options_;
    capture::Progress progress_;
    DecoderAccounts accounts_;
    std::uint64_t never_repaired_ = 0;
    bool finished_ = false;
};

std::optional<capture::FileKind> forced_kind(const InputOptions& options) {
    if (options.raw || options.format == "raw") {
        return capture::FileKind::raw_blocks;
    }
    for (const capture::FileKind kind :
         {capture::FileKind::pcap, capture::FileKind::pcapng, capture::FileKind::edge_csv, capture::FileKind::hex}) {
        if (options.format == capture::info_of(kind).name) {
            return kind;
        }
    }
    return std::nullopt;
}

Failure open_failure(const capture::OpenError& error) {
    Failure failure;
    failure.what = fmt::format("{}: {}", error.path == "-" ? "standard input" : error.path, error.message);
    return failure;
}

}  // namespace

Result<std::unique_ptr<TraceSource>> open_capture(const InputOptions& options, Diagnostics& diagnostics,
                                                  unsigned threads, const CaptureManner& manner) {
    std::vector<capture::SourceSpec> specs;
    for (const std::string& path : options.files) {
        capture::SourceSpec spec;
        spec.path = path;
        spec.name = manner.name;
        spec.format = forced_kind(options);
        spec.read_size = options.read_size;
        spec.read_ahead = threads > 1;
        spec.pull = manner.pull;
        if (spec.format == capture::FileKind::raw_blocks) {
            if (options.link < 0 || options.from < 0) {
                return fail(Exit::usage, "a plain dump does not say which stream it holds",
                            "Give --link 0 or 1, and --from with the sending node, 0 or 1.");
            }
        }
        if (options.link >= 0 && options.from >= 0) {
            spec.raw.stream = {static_cast<std::uint8_t>(options.link), static_cast<std::uint8_t>(options.from)};
            spec.stream_said = true;
        }
        specs.push_back(std::move(spec));
    }
    auto reader = capture::CaptureReader::open(std::move(specs));
    if (!reader) {
        return tl::unexpected<Failure>(open_failure(reader.error()));
    }
    return std::make_unique<CaptureSource>(std::move(*reader), diagnostics, manner.batch_messages);
}

}  // namespace eciscope::cli

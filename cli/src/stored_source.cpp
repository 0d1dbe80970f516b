#include "stored_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "eciscope/capture/ila_csv.hpp"
#include "eciscope/capture/sys_csv.hpp"
#include "eciscope/ewf/ndjson_reader.hpp"
#include "eciscope/ewf/reader.hpp"

namespace eciscope::cli {

namespace {

class EwfFileSource final : public TraceSource {
 public:
    EwfFileSource(ewf::Reader reader, std::string name, Diagnostics& diagnostics, unsigned threads)
        : reader_(std::move(reader)), name_(std::move(name)), diagnostics_(diagnostics), threads_(threads) {}

    Result<void> run(TraceSink& sink) override {
        Counter counter(*this, sink);
        const auto outcome = reader_.play(counter, diagnostics_, {.parts = ewf::Parts::whole, .threads = threads_});
        if (!outcome) {
            return tl::unexpected<Failure>(stored_failure(name_, outcome.error()));
        }
        return {};
    }
    [[nodiscard]] TimeBase time_base() const override { return reader_.time_base(); }
    [[nodiscard]] ewf::Metadata metadata() const override { return reader_.metadata(); }
    [[nodiscard]] std::string kind() const override { return "EWF"; }
    [[nodiscard]] const ewf::Reader* ewf_reader() const override { return &reader_; }
    [[nodiscard]] ProgressFigures figures() const override {
        ProgressFigures figures;
        const std::size_t chunks = reader_.chunk_count();
        if (chunks != 0) {
            const ewf::ChunkInfo& last = reader_.chunk(chunks - 1);
            figures.total = last.offset + last.bytes;
            const double total = static_cast<double>(std::max<std::uint64_t>(1, reader_.contents().messages));
            const double share = std::min(1.0, static_cast<double>(messages_) / total);
            figures.bytes = static_cast<std::uint64_t>(static_cast<double>(*figures.total) * share);
        }
        return figures;
    }

 private:
    class Counter final : public TraceSink {
     public:
        Counter(EwfFileSource& source, TraceSink& sink) : source_(source), sink_(sink) {}
        bool batch(const TraceBatch& batch) override {
            source_.messages_ += batch.messages.size();
            return sink_.batch(batch);
        }

     private:
        EwfFileSource& source_;
        TraceSink& sink_;
    };

    ewf::Reader reader_;
    std::string name_;
    Diagnostics& diagnostics_;
    unsigned threads_;
    std::uint64_t messages_ = 0;
};

// An Input as the EWF library's stream.
class InputStream final : public ewf::ByteStream {
 public:
    explicit InputStream(capture::Input input) : input_(std::move(input)) {}
    ewf::Expected<std::size_t> read(std::span<std::uint8_t> into) override {
        const std::size_t count = input_.read(into);
        if (count == 0 && !input_.error().empty()) {
            return tl::unexpected<ewf::Error>(ewf::Error{ewf::ErrorCode::io, input_.error(), input_.position()});
        }
        return count;
    }
    [[nodiscard]] ProgressFigures figures() const { return {input_.position(), input_.size(), 0}; }

 private:
    capture::Input input_;
};

// One pass over a stream with next(): EWF from a pipe, and JSON.
template <class Reader>
class StreamSource final : public TraceSource {
 public:
    StreamSource(capture::Input input, std::string name, Diagnostics& diagnostics, std::string kind)
        : stream_(std::move(input)),
          reader_(stream_, diagnostics, name),
          name_(std::move(name)),
          kind_(std::move(kind)) {}

    Result<void> run(TraceSink& sink) override {
        TraceBatch batch;
        while (true) {
            const ewf::Expected<bool> more = reader_.next(batch);
            if (!more) {
                return tl::unexpected<Failure>(stored_failure(name_, more.error()));
            }
            if (!more.value() || !sink.batch(batch)) {
                return {};
            }
        }
    }
    [[nodiscard]] TimeBase time_base() const override { return reader_.time_base(); }
    [[nodiscard]] ewf::Metadata metadata() const override { return known(reader_.metadata()); }
    [[nodiscard]] std::string kind() const override { return kind_; }
    [[nodiscard]] ProgressFigures figures() const override { return stream_.figures(); }

 private:
    static ewf::Metadata known(const ewf::Metadata& metadata) { return metadata; }
    static ewf::Metadata known(const std::optional<ewf::Metadata>& metadata) {
        static const ewf::Metadata usual;
        return metadata ? *metadata : usual;
    }

    InputStream stream_;
    Reader reader_;
    std::string name_;
    std::string kind_;
};

// Messages from a table; see eciscope/capture/sys_csv.hpp and ila_csv.hpp.
class TableSource final : public TraceSource {
 public:
    using Read = bool (*)(capture::Input&, std::uint32_t, TraceSink&, Diagnostics&);

    TableSource(capture::Input input, std::string name, Read read, Diagnostics& diagnostics)
        : input_(std::move(input)),
          number_(diagnostics.add_source(std::move(name))),
          read_(read),
          diagnostics_(diagnostics) {}

    Result<void> run(TraceSink& sink) override {
        read_(input_, number_, sink, diagnostics_);
        return {};
    }
    [[nodiscard]] TimeBase time_base() const override { return {}; }
    [[nodiscard]] std::string kind() const override { return "table of messages"; }
    [[nodiscard]] bool tells_links_apart() const override { return false; }
    [[nodiscard]] ProgressFigures figures() const override { return {input_.position(), input_.size(), 0}; }

 private:
    capture::Input input_;
    std::uint32_t number_;
    Read read_;
    Diagnostics& diagnostics_;
};

}  // namespace

Failure stored_failure(const std::string& name, const ewf::Error& error) {
    Failure failure;
    failure.what = fmt::format("{}: {}", name == "-" ? "standard input" : name, error.message);
    switch (error.code) {
        case ewf::ErrorCode::version:
            failure.remedy = "A newer eciscope wrote the file; use that one.";
            break;
        case ewf::ErrorCode::not_ewf:
            failure.remedy = "'eciscope doctor FILE' says what it looks like instead.";
            break;
        case ewf::ErrorCode::damaged:
            failure.remedy = "'eciscope recover' saves what is whole.";
            break;
        default:
            break;
    }
    return failure;
}

Result<std::unique_ptr<TraceSource>> open_ewf_file(const std::string& path, Diagnostics& diagnostics,
                                                   unsigned threads) {
    auto reader = ewf::Reader::open(path, diagnostics);
    if (!reader) {
        return tl::unexpected<Failure>(stored_failure(path, reader.error()));
    }
    return std::make_unique<EwfFileSource>(std::move(*reader), path, diagnostics, threads);
}

std::unique_ptr<TraceSource> open_ewf_stream(capture::Input input, const std::string& name, Diagnostics& diagnostics) {
    return std::make_unique<StreamSource<ewf::StreamReader>>(std::move(input), name, diagnostics, "EWF from a pipe");
}

std::unique_ptr<TraceSource> open_json(capture::Input input, const std::string& name, Diagnostics& diagnostics) {
    return std::make_unique<StreamSource<ewf::NdjsonReader>>(std::move(input), name, diagnostics, "JSON trace");
}

std::unique_ptr<TraceSource> open_table(capture::Input input, const std::string& name, capture::FileKind kind,
                                        Diagnostics& diagnostics) {
    const TableSource::Read read =
        kind == capture::FileKind::ila_csv ? capture::read_ila_messages : capture::read_sys_csv;
    return std::make_unique<TableSource>(std::move(input), name, read, diagnostics);
}

}  // namespace eciscope::cli

#include "trace_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "counting_sink.hpp"
#include "eciscope/ewf/ndjson_writer.hpp"
#include "eciscope/ewf/pcapng_writer.hpp"
#include "eciscope/ewf/protobuf_writer.hpp"
#include "eciscope/ewf/writer.hpp"

namespace eciscope::cli {

namespace {

class FileOutput : public TraceOutput {
 public:
    explicit FileOutput(OutputFile file) : file_(std::move(file)), sink_(file_.descriptor()) {}
    [[nodiscard]] std::uint64_t bytes() const override { return sink_.bytes(); }

 protected:
    // The outcome of a library's finish() as ours.
    template <class T>
    Result<void> conclude(const ewf::Expected<T>& outcome) {
        if (!outcome) {
            if (sink_.error_number() != 0) {
                return tl::unexpected<Failure>(file_.write_failure(sink_.error_number()));
            }
            return fail(Exit::damaged, file_.name() + ": " + outcome.error().message,
                        "The trace cannot be stored in this format; please report it with the input.");
        }
        return file_.close();
    }
    ewf::ByteSink& sink() { return sink_; }

 private:
    OutputFile file_;
    CountingSink sink_;
};

class EwfOutput final : public FileOutput {
 public:
    EwfOutput(OutputFile file, unsigned threads) : FileOutput(std::move(file)), writer_(sink(), {}, {threads}) {}

    void begin(TimeBase base, const ewf::Metadata&) override { writer_.set_time_base(base); }
    bool batch(const TraceBatch& batch) override { return writer_.batch(batch); }
    Result<void> finish(const ewf::Metadata& metadata, const ewf::Provenance* provenance) override {
        return conclude(writer_.finish(metadata, provenance));
    }

 private:
    ewf::Writer writer_;
};

template <class Writer>
class ExportOutput final : public FileOutput {
 public:
    template <class... Arguments>
    explicit ExportOutput(OutputFile file, Arguments... arguments)
        : FileOutput(std::move(file)), writer_(sink(), arguments...) {}

    void begin(TimeBase base, const ewf::Metadata& metadata) override {
        writer_.set_header({base, metadata, std::nullopt, 0});
        begun_ = true;
    }
    bool batch(const TraceBatch& batch) override { return writer_.batch(batch); }
    Result<void> finish(const ewf::Metadata& metadata, const ewf::Provenance* provenance) override {
        if (!begun_) {
            writer_.set_header({{}, metadata, std::nullopt, 0});
        }
        if (provenance != nullptr && provenance->interrupted) {
            writer_.mark_interrupted();
        }
        return conclude(writer_.finish());
    }

 private:
    Writer writer_;
    bool begun_ = false;
};

class NoOutput final : public TraceOutput {
 public:
    void begin(TimeBase, const ewf::Metadata&) override {}
    bool batch(const TraceBatch&) override { return true; }
    Result<void> finish(const ewf::Metadata&, const ewf::Provenance*) override { return {}; }
    [[nodiscard]] std::uint64_t bytes() const override { return 0; }
};

bool is_same_file(const struct stat& one, const std::string& path) {
    struct stat other {};
    return path != "-" && stat(path.c_str(), &other) == 0 && S_ISREG(other.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

}  // namespace

const std::vector<std::string>& output_format_names() {
    static const std::vector<std::string> names = {"ewf", "ndjson", "json", "protobuf", "pcapng", "text", "none"};
    return names;
}

OutputFormat format_of(const OutputRequest& request) {
    if (request.format) {
        return *request.format;
    }
    static constexpr std::array<std::pair<std::string_view, OutputFormat>, 11> extensions = {
        {{".ewf", OutputFormat::ewf},
         {".ndjson", OutputFormat::ndjson},
         {".jsonl", OutputFormat::ndjson},
         {".json", OutputFormat::json},
         {".pb", OutputFormat::protobuf},
         {".binpb", OutputFormat::protobuf},
         {".protobuf", OutputFormat::protobuf},
         {".pcapng", OutputFormat::pcapng},
         {".txt", OutputFormat::text},
         {".text", OutputFormat::text},
         {".log", OutputFormat::text}}};
    const std::string extension = std::filesystem::path(request.path).extension().string();
    for (const auto& [known, format] : extensions) {
        if (extension == known) {
            return format;
        }
    }
    const bool terminal = request.to_stdout() && look_at(STDOUT_FILENO).is_terminal;
    return terminal ? OutputFormat::text : OutputFormat::ndjson;
}

Result<OutputFile> OutputFile::open(const std::string& path, const std::vector<std::string>& inputs) {
    if (path == "-") {
        return OutputFile(STDOUT_FILENO, "standard output", false);
    }
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        std::any_of(inputs.begin(), inputs.end(),
                    [&](const std::string& input) { return is_same_file(status, input); })) {
        return fail(Exit::usage, path + " is the output and an input at once",
                    "It would be emptied before it is read; give the output another name.");
    }
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return tl::unexpected<Failure>(system_failure("cannot write " + path, errno));
    }
    return OutputFile(descriptor, path, true);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)), owned_(other.owned_) {}

OutputFile::~OutputFile() {
    if (owned_ && descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

Result<void> OutputFile::close() {
    if (owned_ && descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) {
        return tl::unexpected<Failure>(write_failure(errno));
    }
    return {};
}

Failure OutputFile::write_failure(int error_number) const {
    return system_failure("cannot write on to " + name_, error_number);
}

Result<void> check_output(const OutputRequest& request) {
    const OutputFormat format = format_of(request);
    const bool binary =
        format == OutputFormat::ewf || format == OutputFormat::protobuf || format == OutputFormat::pcapng;
    if (binary && request.to_stdout() && look_at(STDOUT_FILENO).is_terminal) {
        return fail(Exit::usage,
                    fmt::format("{} is not for a terminal", output_format_names()[static_cast<std::size_t>(format)]),
                    "Give -o FILE, send the output into a pipe, or read the trace with --to text.");
    }
    return {};
}

Result<std::unique_ptr<TraceOutput>> open_output(const OutputRequest& request, const std::vector<std::string>& inputs) {
    const OutputFormat format = format_of(request);
    if (format == OutputFormat::none) {
        return std::make_unique<NoOutput>();
    }
    auto file = OutputFile::open(request.path, inputs);
    if (!file) {
        return tl::unexpected<Failure>(file.error());
    }
    switch (format) {
        case OutputFormat::ewf:
            return std::make_unique<EwfOutput>(std::move(*file), request.threads);
        case OutputFormat::protobuf:
            return std::make_unique<ExportOutput<ewf::ProtobufWriter>>(std::move(*file));
        case OutputFormat::pcapng:
            return std::make_unique<ExportOutput<ewf::PcapngWriter>>(std::move(*file));
        case OutputFormat::text: {
            ewf::TextOptions text = request.text;
            const Terminal terminal = look_at(request.to_stdout() ? STDOUT_FILENO : file->descriptor(), request.colour);
            text.colour = terminal.colour;
            text.ascii = !terminal.unicode;
            return std::make_unique<ExportOutput<ewf::TextWriter>>(std::move(*file), text);
        }
        case OutputFormat::json:
            return std::make_unique<ExportOutput<ewf::NdjsonWriter>>(std::move(*file), ewf::JsonForm::array);
        default:
            return std::make_unique<ExportOutput<ewf::NdjsonWriter>>(std::move(*file), ewf::JsonForm::lines);
    }
}

}  // namespace eciscope::cli

// Where a trace goes: a file or standard output, in one of the formats.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "eciscope/ewf/text_writer.hpp"
#include "failure.hpp"
#include "terminal.hpp"

namespace eciscope::cli {

enum class OutputFormat : std::uint8_t { ewf, ndjson, json, protobuf, pcapng, text, none };

struct OutputRequest {
    std::string path = "-";              ///< "-" is standard output
    std::optional<OutputFormat> format;  ///< else by the path's extension
    ewf::TextOptions text;
    ColourChoice colour = ColourChoice::automatic;
    unsigned threads = 1;
    bool provenance = false;  ///< say in EWF how it was made

    [[nodiscard]] bool to_stdout() const { return path == "-"; }
};

/// The words of `--to`, in the order of the enumeration.
[[nodiscard]] const std::vector<std::string>& output_format_names();

/// What was asked for, else what the extension says, else text for a terminal and NDJSON for a file or pipe.
[[nodiscard]] OutputFormat format_of(const OutputRequest& request);

/// A file that is opened for writing, or standard output. Closes what it opened.
class OutputFile {
 public:
    /// Refuses a file that is one of the `inputs`.
    static Result<OutputFile> open(const std::string& path, const std::vector<std::string>& inputs);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// "boot.ewf" or "standard output".
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Late errors of network file systems come out here.
    Result<void> close();
    /// What the last write to it failed of.
    [[nodiscard]] Failure write_failure(int error_number) const;

 private:
    OutputFile(int descriptor, std::string name, bool owned)
        : descriptor_(descriptor), name_(std::move(name)), owned_(owned) {}

    int descriptor_;
    std::string name_;
    bool owned_;
};

class TraceOutput : public TraceSink {
 public:
    /// Before the first batch.
    virtual void begin(TimeBase base, const ewf::Metadata& metadata) = 0;
    /// Writes what is left. `metadata` as it is known now. `provenance` may be null; only EWF holds it, but that the
    /// trace was interrupted JSON and Protobuf say as well.
    virtual Result<void> finish(const ewf::Metadata& metadata, const ewf::Provenance* provenance) = 0;
    /// Bytes written so far.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Opens the output; only after the input proved readable, since it empties the file.
[[nodiscard]] Result<std::unique_ptr<TraceOutput>> open_output(const OutputRequest& request,
                                                               const std::vector<std::string>& inputs);

/// What can be said of a request before anything is opened: EWF and Protobuf are not for terminals.
[[nodiscard]] Result<void> check_output(const OutputRequest& request);

}  // namespace eciscope::cli

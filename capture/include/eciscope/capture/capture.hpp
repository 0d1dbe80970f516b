// The one door of the folder: a list of sources in, blocks of all streams in order of time out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/identify.hpp"
#include "eciscope/capture/input.hpp"
#include "eciscope/capture/raw.hpp"
#include "eciscope/decoder/block.hpp"
#include "eciscope/decoder/diagnostic.hpp"

namespace eciscope::capture {

struct SourceSpec {
    std::string path;                ///< "-" is standard input
    std::string name;                ///< in diagnostics, where it is not the path
    std::optional<FileKind> format;  ///< read it as this, whatever it looks like
    RawOptions raw;                  ///< for raw_blocks and hex
    bool stream_said = false;        ///< the stream in `raw` is said, not assumed; hex may do without
    std::size_t read_size = Input::default_read_size;
    bool read_ahead = false;      ///< a thread of its own reads the file
    std::optional<Bytes> memory;  ///< read this instead of the path, which is then only a name; must outlive the reader
    Input::Pull pull = nullptr;   ///< the same with bytes that come from elsewhere, once
};

struct OpenError {
    std::string path;
    std::string message;           ///< without the path
    std::optional<FileKind> kind;  ///< what the file looks like, when it could be read but is no capture
};

struct Progress {
    std::uint64_t bytes_read = 0;
    std::optional<std::uint64_t> bytes_total;  ///< known unless a source is a pipe
};

/// Reads several sources one after the other as one input: sequence numbers go on from file to file, or begin again.
/// Dumps (raw_blocks) of different streams that follow each other in the list are read side by side.
class CaptureReader {
 public:
    /// Opens every source and looks at its first bytes. A file that is no capture is an error here.
    [[nodiscard]] static tl::expected<CaptureReader, OpenError> open(std::vector<SourceSpec> specs);

    CaptureReader(CaptureReader&&) noexcept;
    CaptureReader& operator=(CaptureReader&&) noexcept;
    ~CaptureReader();

    /// Called about once for every MiB read.
    void on_progress(std::function<void(const Progress&)> callback);

    /// Reads everything once and hands it over, in order of (time, stream, position). False if the sink asked to stop.
    /// Damage is reported and never ends the run.
    bool run(BlockSink& sink, Diagnostics& diagnostics);

    /// The second of the earliest block, from which all times count. Set when the sink is called first.
    [[nodiscard]] TimeBase base() const;
    [[nodiscard]] const Accounts& accounts() const;
    /// What each source was taken for, in the order given.
    [[nodiscard]] const std::vector<FileKind>& kinds() const;

 private:
    struct State;
    explicit CaptureReader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace eciscope::capture

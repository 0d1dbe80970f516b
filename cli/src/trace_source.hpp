// Any input that holds a trace: a capture (of one or several files), EWF, NDJSON, JSON. Known by its content.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eciscope/capture/accounts.hpp"
#include "eciscope/capture/dma.hpp"
#include "eciscope/decoder/decoder.hpp"
#include "eciscope/decoder/diagnostic.hpp"
#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/metadata.hpp"
#include "eciscope/ewf/reader.hpp"
#include "failure.hpp"
#include "progress.hpp"

namespace eciscope::cli {

/// What the command line says of the inputs.
struct InputOptions {
    std::vector<std::string> files;
    std::string format;  ///< empty: by content
    bool raw = false;    ///< the same as format "raw"
    int link = -1;       ///< of a plain dump
    int from = -1;
    std::string map;    ///< JSON map of a trace buffer's dump
    std::string point;  ///< which trace point of a dump; empty: sys
    std::size_t read_size = std::size_t{1} << 20;
};

class TraceSource {
 public:
    virtual ~TraceSource() = default;

    /// Hands out the whole trace, once. Damage is reported to the Diagnostics given to open_trace().
    virtual Result<void> run(TraceSink& sink) = 0;

    /// Of the batches' times. Known once run() has handed out a batch.
    [[nodiscard]] virtual TimeBase time_base() const = 0;
    /// Known after run(), in most sources before.
    [[nodiscard]] virtual ewf::Metadata metadata() const { return {}; }
    [[nodiscard]] virtual ProgressFigures figures() const = 0;
    /// What it is, e.g. "pcapng capture".
    [[nodiscard]] virtual std::string kind() const = 0;
    /// False where all messages are given to one link because it is not known of which they are.
    [[nodiscard]] virtual bool tells_links_apart() const { return true; }
    /// Blocks that were damaged in a capture and never seen whole. Known after run().
    [[nodiscard]] virtual std::uint64_t blocks_never_repaired() const { return 0; }

    // What only some sources have; null otherwise.
    [[nodiscard]] virtual const capture::Accounts* capture_accounts() const { return nullptr; }
    [[nodiscard]] virtual const DecoderAccounts* decoder_accounts() const { return nullptr; }
    [[nodiscard]] virtual const capture::DmaAccounts* dma_accounts() const { return nullptr; }
    [[nodiscard]] virtual const ewf::Reader* ewf_reader() const { return nullptr; }
};

/// Identifies the inputs and opens them as one trace. `threads` is how many may be used.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> open_trace(const InputOptions& options, Diagnostics& diagnostics,
                                                              unsigned threads = 1);

/// True if all of the files look like captures, which together are one trace.
[[nodiscard]] bool all_captures(const InputOptions& options);

}  // namespace eciscope::cli

// What the writers of JSON, Protobuf and text have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

/// What stands before the first message of an export.
struct ExportHeader {
    TimeBase base;  ///< of the batches' times; output does not depend on the choice
    Metadata metadata;
    std::optional<Provenance> provenance;  ///< left out where absent, so that equal traces give equal bytes
    std::uint64_t first_index = 0;         ///< number of the first message, where a part of a trace is written
};

/// A sink that turns batches into bytes. A failure of the byte sink (disk full, broken pipe) makes batch() return
/// false, now and from then on, and finish() says what it was.
class Exporter : public TraceSink {
 public:
    explicit Exporter(ExportHeader header) : header_(std::move(header)) {}
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;

    /// Only before the first batch: what was not known at construction.
    void set_header(ExportHeader header) { header_ = std::move(header); }

    /// The input goes on where the export will end. Before finish(); JSON and Protobuf say so in their last object.
    void mark_interrupted() { interrupted_ = true; }

    /// Writes what is left. An export without it shows as cut short.
    virtual Expected<void> finish() = 0;

 protected:
    [[nodiscard]] const ExportHeader& header() const { return header_; }
    [[nodiscard]] bool interrupted() const { return interrupted_; }

 private:
    ExportHeader header_;
    bool interrupted_ = false;
};

}  // namespace eciscope::ewf

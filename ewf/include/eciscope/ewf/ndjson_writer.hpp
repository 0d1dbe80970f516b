// Writes a trace as JSON (docs/json.md): one object a line, or one array of the same objects.
#pragma once

#include <memory>

#include "eciscope/ewf/exporter.hpp"

namespace eciscope::ewf {

enum class JsonForm : std::uint8_t {
    lines,  ///< NDJSON: one object a line
    array,  ///< one JSON array; every object still stands on a line of its own
};

/// The same trace gives the same bytes however it was batched; reading them back (NdjsonReader) gives the same EWF.
class NdjsonWriter final : public Exporter {
 public:
    explicit NdjsonWriter(ByteSink& sink, JsonForm form = JsonForm::lines, ExportHeader header = {});
    ~NdjsonWriter() override;

    bool batch(const TraceBatch& batch) override;
    Expected<void> finish() override;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

// A trace as people read it in a terminal: one line a message, aligned; events stand out between them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "eciscope/ewf/exporter.hpp"

namespace eciscope::ewf {

enum class TextTime : std::uint8_t {
    relative,  ///< since the first message or event: +0.000'005'004'340, seconds in groups of three digits
    absolute,  ///< seconds of the trace's clock: 1700000000.000'005'004'340
    delta,     ///< since the line before
};

struct TextOptions {
    TextTime time = TextTime::relative;
    bool colour = false;      ///< ANSI escapes: classes differ, losses and damage stand out
    bool ascii = false;       ///< "0->1" and "..." for terminals without UTF-8
    bool show_index = true;   ///< number of the message in the trace
    bool headings = true;     ///< one line that names the columns, before the first
    unsigned data_words = 2;  ///< words shown of a message's data, the rest is counted; 0 shows none
};

/// What a line depends on besides its message.
struct TextState {
    TimeBase base;
    std::uint64_t index = 0;        ///< number of the next message
    bool started = false;           ///< the two times below are known
    Picoseconds first_time = 0;     ///< zero of relative times: the first line's time
    Picoseconds previous_time = 0;  ///< of the line before
};

/// Appends the lines of a batch to `out`. Times shown are completion times: lines are in order of them.
void append_text(const TraceBatch& batch, const TextOptions& options, TextState& state, std::string& out);

class TextWriter final : public Exporter {
 public:
    explicit TextWriter(ByteSink& sink, const TextOptions& options = {}, ExportHeader header = {});
    ~TextWriter() override;

    bool batch(const TraceBatch& batch) override;
    Expected<void> finish() override;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

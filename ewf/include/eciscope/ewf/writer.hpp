// Writes a trace as EWF (docs/ewf.md): the same messages and events give the same bytes, however they were batched and
// however many threads work.
#pragma once

#include <memory>
#include <optional>

#include "eciscope/decoder/message.hpp"
#include "eciscope/ewf/error.hpp"
#include "eciscope/ewf/io.hpp"
#include "eciscope/ewf/metadata.hpp"

namespace eciscope::ewf {

struct WriterOptions {
    unsigned threads = 1;  ///< 1 starts none; memory grows by a few chunks for each more
};

/// Bytes reach the sink chunk by chunk, in order, so that a file whose writer was killed lacks at most its last chunk
/// (and those that threads still had in hand) and is otherwise recoverable.
class Writer final : public TraceSink {
 public:
    explicit Writer(ByteSink& sink, TimeBase base = {}, WriterOptions options = {});
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() override;

    /// The base of the times that follow, where it was not known at construction. Only before the first batch; times
    /// are stored from the whole second of the first message or event, whatever base they come with.
    void set_time_base(TimeBase base);

    /// Returns false once something failed; finish() then says what.
    bool batch(const TraceBatch& batch) override;

    /// Writes what is left, the metadata, the index and the trailer. `provenance` goes behind the canonical part.
    Expected<Contents> finish(const Metadata& metadata, const Provenance* provenance = nullptr);

    /// Of the canonical part; after a finish() that succeeded.
    [[nodiscard]] const Digest& digest() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

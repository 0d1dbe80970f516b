// Writes a trace as length-delimited Protobuf messages for other languages: a varint with the length, then one
// `eciscope.trace.Record` of ewf/message.proto, again and again.
#pragma once

#include <memory>

#include "eciscope/ewf/exporter.hpp"

namespace eciscope::ewf {

class ProtobufWriter final : public Exporter {
 public:
    explicit ProtobufWriter(ByteSink& sink, ExportHeader header = {});
    ~ProtobufWriter() override;

    bool batch(const TraceBatch& batch) override;
    Expected<void> finish() override;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

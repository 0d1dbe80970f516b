// Writes a trace as pcapng: one message or event a packet (message_packet.hpp), one interface a stream. libpcap writes
// neither interfaces nor options, so the few kinds of blocks are made here.
#pragma once

#include <memory>

#include "eciscope/ewf/exporter.hpp"

namespace eciscope::ewf {

class PcapngWriter final : public Exporter {
 public:
    explicit PcapngWriter(ByteSink& sink, ExportHeader header = {});
    ~PcapngWriter() override;

    bool batch(const TraceBatch& batch) override;
    Expected<void> finish() override;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace eciscope::ewf

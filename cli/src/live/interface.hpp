// A network interface from which frames are taken with libpcap.
#pragma once

#include <pcap/pcap.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "failure.hpp"

namespace eciscope::cli {

struct InterfaceOptions {
    std::string name;
    std::uint64_t buffer = std::uint64_t{256} << 20;  ///< bytes of the kernel's ring
    bool immediate = false;                           ///< every frame at once instead of in batches
};

/// What the kernel counted since the interface was opened.
struct KernelCounts {
    std::uint64_t seen = 0;               ///< frames that passed the filter, dropped ones included
    std::uint64_t dropped = 0;            ///< because the ring was full
    std::uint64_t dropped_interface = 0;  ///< by the interface itself, before any filter
};

class Interface {
 public:
    /// Longest time for which a batch is held back by the kernel.
    static constexpr int batch_milliseconds = 50;
    static constexpr int snapshot_length = 65535;

    using Take = std::function<void(const pcap_pkthdr& header, const std::uint8_t* bytes)>;

    [[nodiscard]] static Result<Interface> open(const InterfaceOptions& options);

    /// Waits up to `milliseconds` for frames; comes back at a signal that `mask` lets through.
    void wait(int milliseconds, const sigset_t& mask) const;
    /// Hands over what is there, at most some thousand frames, and says how many there were. Times are in nanoseconds.
    [[nodiscard]] Result<std::size_t> take(const Take& take);
    /// Within take(): no further frame is handed over.
    void stop() { pcap_breakloop(pcap_.get()); }

    /// Adds up: the kernel's own counters are too short for a long capture.
    [[nodiscard]] const KernelCounts& counts();
    /// A failure once the interface is down or gone.
    [[nodiscard]] Result<void> check_up() const;

    [[nodiscard]] int link_type() const { return pcap_datalink(pcap_.get()); }

 private:
    struct Close {
        void operator()(pcap_t* pcap) const { pcap_close(pcap); }
    };
    using Handle = std::unique_ptr<pcap_t, Close>;

    Interface(Handle pcap, std::string name) : pcap_(std::move(pcap)), name_(std::move(name)) {}
    static Result<Handle> activate(const InterfaceOptions& options);
    static Result<void> prepare(pcap_t* pcap, const std::string& name);

    Handle pcap_;
    std::string name_;
    bool nanoseconds_ = true;
    pcap_stat before_{};
    KernelCounts counts_;
};

}  // namespace eciscope::cli

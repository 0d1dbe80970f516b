#include "live/interface.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <vector>

#include "eciscope/capture/packet.hpp"
#include "eciscope/capture/record.hpp"

namespace eciscope::cli {

namespace {

// Outside a VLAN, or inside one: `vlan` moves what stands behind it in the expression.
std::string filter_text() {
    return fmt::format("udp port {0} or (vlan and udp port {0})", capture::udp_port);
}

std::string interface_names() {
    pcap_if_t* all = nullptr;
    std::array<char, PCAP_ERRBUF_SIZE> error{};
    std::vector<std::string> names;
    if (pcap_findalldevs(&all, error.data()) == 0) {
        for (const pcap_if_t* one = all; one != nullptr; one = one->next) {
            if (if_nametoindex(one->name) != 0) {  // libpcap also lists what is no network
                names.emplace_back(one->name);
            }
        }
        pcap_freealldevs(all);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

Failure open_failure(pcap_t* pcap, const std::string& name, int code) {
    std::string what = fmt::format("cannot capture on {}: {}", name, pcap_statustostr(code));
    if (const std::string detail = pcap_geterr(pcap); !detail.empty() && code != PCAP_ERROR_PERM_DENIED) {
        what += fmt::format(" ({})", detail);
    }
    std::string remedy;
    switch (code) {
        case PCAP_ERROR_PERM_DENIED:
            remedy = "Allow it once: sudo setcap cap_net_raw+ep $(command -v eciscope); 'eciscope doctor' looks at it.";
            break;
        case PCAP_ERROR_NO_SUCH_DEVICE:
            remedy = fmt::format("There are: {}.", interface_names());
            break;
        case PCAP_ERROR_IFACE_NOT_UP:
            remedy = fmt::format("Bring it up: sudo ip link set {} up mtu 9000", name);
            break;
        default:
            break;
    }
    return {Exit::damaged, std::move(what), std::move(remedy), false};
}

short flags_of(const std::string& name) {
    ifreq request{};
    const int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (handle < 0) {
        return IFF_UP;  // nothing can be said
    }
    std::memcpy(request.ifr_name, name.data(), std::min<std::size_t>(name.size(), IFNAMSIZ - 1));
    const bool known = ioctl(handle, SIOCGIFFLAGS, &request) == 0;
    close(handle);
    return known ? request.ifr_flags : static_cast<short>(0);
}

// Ethernet's way on the loopback interface shows each frame as it leaves and as it comes; libpcap drops the former, but
// the kernel counts and copies it.
void ignore_outgoing_on_loopback(pcap_t* pcap, const std::string& name) {
    constexpr int packet_ignore_outgoing = 23;  // PACKET_IGNORE_OUTGOING, which older headers lack
    const int yes = 1;
    if ((flags_of(name) & IFF_LOOPBACK) != 0) {
        (void)setsockopt(pcap_fileno(pcap), SOL_PACKET, packet_ignore_outgoing, &yes, sizeof yes);
    }
}

}  // namespace

Result<Interface::Handle> Interface::activate(const InterfaceOptions& options) {
    std::array<char, PCAP_ERRBUF_SIZE> error{};
    Handle pcap(pcap_create(options.name.c_str(), error.data()));
    if (!pcap) {
        return fail(Exit::damaged, fmt::format("cannot capture on {}: {}", options.name, error.data()));
    }
    constexpr std::uint64_t most = 0x7fff0000;  // libpcap takes an int
    pcap_set_snaplen(pcap.get(), snapshot_length);
    pcap_set_promisc(pcap.get(), 1);
    pcap_set_timeout(pcap.get(), batch_milliseconds);
    pcap_set_buffer_size(pcap.get(), static_cast<int>(std::min(options.buffer, most)));
    pcap_set_immediate_mode(pcap.get(), options.immediate ? 1 : 0);
    pcap_set_tstamp_precision(pcap.get(), PCAP_TSTAMP_PRECISION_NANO);  // where it is refused, activation gives µs
    if (const int code = pcap_activate(pcap.get()); code < 0) {
        return tl::unexpected<Failure>(open_failure(pcap.get(), options.name, code));
    }
    return pcap;
}

Result<void> Interface::prepare(pcap_t* pcap, const std::string& name) {
    const auto failed = [&](const char* doing) {
        return fail(Exit::damaged, fmt::format("cannot {} on {}: {}", doing, name, pcap_geterr(pcap)));
    };
    if (pcap_datalink(pcap) != capture::link_type_ethernet) {
        return fail(Exit::damaged, fmt::format("{} is no Ethernet: its link type is {}", name, pcap_datalink(pcap)),
                    "Capture on the interface at which the interposer's datagrams come in, not on all at once.");
    }
    bpf_program program{};
    if (pcap_compile(pcap, &program, filter_text().c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0) {
        return failed("make the filter");
    }
    const int set = pcap_setfilter(pcap, &program);
    pcap_freecode(&program);
    if (set != 0) {
        return failed("set the filter");
    }
    std::array<char, PCAP_ERRBUF_SIZE> error{};
    if (pcap_setnonblock(pcap, 1, error.data()) != 0) {
        return failed("read without waiting");
    }
    ignore_outgoing_on_loopback(pcap, name);
    return {};
}

Result<Interface> Interface::open(const InterfaceOptions& options) {
    auto pcap = activate(options);
    if (!pcap) {
        return tl::unexpected<Failure>(pcap.error());
    }
    if (const auto prepared = prepare(pcap->get(), options.name); !prepared) {
        return tl::unexpected<Failure>(prepared.error());
    }
    Interface interface(std::move(*pcap), options.name);
    interface.nanoseconds_ = pcap_get_tstamp_precision(interface.pcap_.get()) == PCAP_TSTAMP_PRECISION_NANO;
    pcap_stats(interface.pcap_.get(), &interface.before_);
    return interface;
}

// libpcap's own waiting may be without end on a silent link, so that the wait is ours.
void Interface::wait(int milliseconds, const sigset_t& mask) const {
    pollfd ready{pcap_get_selectable_fd(pcap_.get()), POLLIN, 0};
    const timespec time{milliseconds / 1000, std::int64_t{milliseconds % 1000} * 1'000'000};
    (void)ppoll(&ready, 1, &time, &mask);
}

Result<std::size_t> Interface::take(const Take& take) {
    struct Context {
        const Take& take;
        bool nanoseconds;
    } context{take, nanoseconds_};
    constexpr int most = 4096;  // so that stop conditions come to their turn on a busy link
    const int count = pcap_dispatch(
        pcap_.get(), most,
        [](u_char* user, const pcap_pkthdr* header, const u_char* bytes) {
            const auto& self = *reinterpret_cast<const Context*>(user);
            pcap_pkthdr copy = *header;
            copy.ts.tv_usec *= self.nanoseconds ? 1 : 1000;
            self.take(copy, bytes);
        },
        reinterpret_cast<u_char*>(&context));
    if (count == PCAP_ERROR_BREAK) {
        return std::size_t{0};
    }
    if (count < 0) {
        return fail(Exit::damaged, fmt::format("the capture on {} ended: {}", name_, pcap_geterr(pcap_.get())));
    }
    return static_cast<std::size_t>(count);
}

const KernelCounts& Interface::counts() {
    pcap_stat now{};
    if (pcap_stats(pcap_.get(), &now) == 0) {
        counts_.seen += now.ps_recv - before_.ps_recv;  // unsigned: right also when they wrap
        counts_.dropped += now.ps_drop - before_.ps_drop;
        counts_.dropped_interface += now.ps_ifdrop - before_.ps_ifdrop;
        before_ = now;
    }
    return counts_;
}

Result<void> Interface::check_up() const {
    if ((flags_of(name_) & IFF_UP) == 0) {
        return fail(Exit::damaged, fmt::format("the interface {} went down", name_));
    }
    return {};
}

}  // namespace eciscope::cli

#include "live/sender.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include "eciscope/capture/record.hpp"
#include "interrupt.hpp"

namespace eciscope::cli {

namespace {

struct Target {
    std::string host;
    std::string port = std::to_string(capture::udp_port);
};

Target target_of(const std::string& to) {
    Target target;
    target.host = to;
    const std::size_t colon = to.rfind(':');
    const bool bracketed = to.starts_with('[');
    const std::size_t close = bracketed ? to.find(']') : std::string::npos;
    if (bracketed && close != std::string::npos) {
        target.host = to.substr(1, close - 1);
        target.port = close + 1 < to.size() && to[close + 1] == ':' ? to.substr(close + 2) : target.port;
    } else if (colon != std::string::npos && to.find(':') == colon) {  // else it is an IPv6 address without a port
        target.host = to.substr(0, colon);
        target.port = to.substr(colon + 1);
    }
    return target;
}

void pause_shortly() {
    const timespec time{0, 50'000};
    nanosleep(&time, nullptr);
}

}  // namespace

Sender::Sender(int socket, const sockaddr* address, socklen_t length, std::string to)
    : socket_(socket), address_length_(length), to_(std::move(to)), slots_(at_once) {
    std::memcpy(&address_, address, length);
}

Sender::Sender(Sender&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      address_(other.address_),
      address_length_(other.address_length_),
      to_(std::move(other.to_)),
      slots_(std::move(other.slots_)),
      waiting_(std::exchange(other.waiting_, 0)),
      datagrams_(other.datagrams_),
      bytes_(other.bytes_) {}

Sender::~Sender() {
    if (socket_ >= 0) {
        close(socket_);
    }
}

Result<Sender> Sender::open(const std::string& to) {
    const Target target = target_of(to);
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* raw = nullptr;
    if (const int code = getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &raw); code != 0) {
        return fail(Exit::usage, fmt::format("--to {}: {}", to, gai_strerror(code)),
                    "Give HOST:PORT, [IPV6]:PORT, or HOST alone for the interposer's port.");
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(raw, freeaddrinfo);
    const int handle = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (handle < 0) {
        return tl::unexpected<Failure>(system_failure("cannot send to " + to, errno));
    }
    const int buffer = 8 << 20;
    (void)setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);  // the system may give less
    // A record is one frame: a fragmented one would arrive, but no capture could use it.
    const bool is_v6 = found->ai_family == AF_INET6;
    static_assert(IPV6_PMTUDISC_DO == IP_PMTUDISC_DO);
    const int never_fragment = IP_PMTUDISC_DO;
    (void)setsockopt(handle, is_v6 ? IPPROTO_IPV6 : IPPROTO_IP, is_v6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER,
                     &never_fragment, sizeof never_fragment);
    return Sender(handle, found->ai_addr, found->ai_addrlen, to);
}

Result<void> Sender::add(capture::Bytes datagram) {
    if (datagram.size() > most_bytes) {
        return fail(Exit::damaged, fmt::format("a record of {} bytes does not go into a datagram", datagram.size()));
    }
    slots_[waiting_++].assign(datagram.begin(), datagram.end());
    return waiting_ == at_once ? flush() : Result<void>();
}

Failure Sender::failure(int error_number) const {
    Failure failure = system_failure("cannot send to " + to_, error_number);
    if (error_number == EMSGSIZE) {
        failure.remedy = "A record is one frame of up to 8,712 bytes: sudo ip link set IFACE mtu 9000, at both ends.";
    }
    return failure;
}

Result<void> Sender::flush() {
    std::array<mmsghdr, at_once> messages{};
    std::array<iovec, at_once> parts{};
    for (std::size_t i = 0; i < waiting_; ++i) {
        parts[i] = {slots_[i].data(), slots_[i].size()};
        messages[i].msg_hdr.msg_name = &address_;
        messages[i].msg_hdr.msg_namelen = address_length_;
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    std::size_t sent = 0;
    while (sent < waiting_) {
        const int count = sendmmsg(socket_, messages.data() + sent, static_cast<unsigned>(waiting_ - sent), 0);
        if (count < 0 && (errno == EINTR || errno == ENOBUFS || errno == EAGAIN)) {
            if (interrupted()) {
                break;
            }
            pause_shortly();  // the interface's queue is full
            continue;
        }
        if (count <= 0) {
            return tl::unexpected<Failure>(failure(count < 0 ? errno : EIO));
        }
        for (std::size_t i = sent; i < sent + static_cast<std::size_t>(count); ++i) {
            bytes_ += slots_[i].size();
        }
        sent += static_cast<std::size_t>(count);
        datagrams_ += static_cast<std::uint64_t>(count);
    }
    waiting_ = 0;
    return {};
}

}  // namespace eciscope::cli

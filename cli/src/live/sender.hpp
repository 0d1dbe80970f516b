// Sends datagrams, many with one call of the system.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "eciscope/capture/input.hpp"
#include "failure.hpp"

namespace eciscope::cli {

class Sender {
 public:
    /// `to` is HOST, HOST:PORT or [HOST]:PORT; the port is the interposer's if none is given.
    [[nodiscard]] static Result<Sender> open(const std::string& to);

    Sender(Sender&& other) noexcept;
    Sender& operator=(Sender&&) = delete;
    ~Sender();

    /// Copies the datagram; it goes out when enough have come together, or at flush().
    Result<void> add(capture::Bytes datagram);
    Result<void> flush();

    [[nodiscard]] std::uint64_t datagrams() const { return datagrams_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
    static constexpr std::size_t at_once = 64;
    static constexpr std::size_t most_bytes = 65507;  ///< in a datagram over IPv4

    Sender(int socket, const sockaddr* address, socklen_t length, std::string to);
    [[nodiscard]] Failure failure(int error_number) const;

    int socket_ = -1;
    sockaddr_storage address_{};
    socklen_t address_length_ = 0;
    std::string to_;
    std::vector<std::vector<std::uint8_t>> slots_;
    std::size_t waiting_ = 0;
    std::uint64_t datagrams_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace eciscope::cli

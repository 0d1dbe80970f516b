#include "eciscope/ewf/pcapng_writer.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <string>

#include "eciscope/ewf/message_packet.hpp"
#include "export/digits.hpp"
#include "export/export_rules.hpp"
#include "export/output_buffer.hpp"

namespace eciscope::ewf {

namespace {

// pcapng's own numbers (draft-ietf-opsawg-pcapng); blocks are written little-endian.
enum BlockType : std::uint32_t {
    section_header = 0x0A0D0D0A,
    interface_description = 1,
    interface_statistics = 5,
    enhanced_packet = 6,
};
constexpr std::uint32_t byte_order_magic = 0x1A2B3C4D;
constexpr std::size_t block_frame_bytes = 12;  // type, length, and the length again
constexpr std::uint8_t nanosecond_resolution = 9;
constexpr std::uint32_t longest_packet = packet_offset::end + 8 * 255;

enum Option : std::uint16_t {
    end_of_options = 0,
    if_name = 2,
    if_description = 3,
    if_tsresol = 9,
    shb_userappl = 4,
    epb_flags = 2,
    epb_dropcount = 4,
    epb_packetid = 5,
    isb_ifrecv = 4,
    isb_ifdrop = 5,
};
constexpr std::uint32_t flag_inbound = 1;
constexpr std::uint32_t flag_outbound = 2;

constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + 3) & ~std::size_t{3};
}

/// One block on its way into a buffer; its length is filled in at the end.
class BlockWriter {
 public:
    BlockWriter(char* out, BlockType type) : start_(out), out_(out) {
        put(std::uint32_t{type});
        put(std::uint32_t{0});
    }

    template <std::integral T>
    void put(T value) {
        static_assert(std::endian::native == std::endian::little);
        std::memcpy(out_, &value, sizeof value);
        out_ += sizeof value;
    }
    void put_bytes(const void* bytes, std::size_t size) {
        if (size != 0) std::memcpy(out_, bytes, size);
        std::memset(out_ + size, 0, padded(size) - size);
        out_ += padded(size);
    }
    void option(Option code, const void* bytes, std::size_t size) {
        put(std::uint16_t{code});
        put(static_cast<std::uint16_t>(size));
        put_bytes(bytes, size);
    }
    template <std::integral T>
    void option(Option code, T value) {
        option(code, &value, sizeof value);
    }
    char* finish() {
        const auto length = static_cast<std::uint32_t>(out_ - start_ + 4);
        put(length);
        std::memcpy(start_ + 4, &length, sizeof length);
        return out_;
    }

 private:
    char* start_;
    char* out_;
};

/// Names come from files: no longer than a buffer has room for.
std::string shortened(std::string text) {
    constexpr std::size_t longest_name = 1000;
    text.resize(std::min(text.size(), longest_name));
    return text;
}

std::string node_name(const Metadata& metadata, std::uint8_t node) {
    for (const NodeInfo& info : metadata.nodes) {
        if (info.id == node) {
            return shortened(info.name);
        }
    }
    return "node " + std::to_string(node);
}

std::string link_name(const Metadata& metadata, std::uint8_t link) {
    for (const LinkInfo& info : metadata.links) {
        if (info.id == link) {
            return shortened(info.name);
        }
    }
    return "link " + std::to_string(link);
}

/// Nanoseconds that a packet can be dated with: none before 1970.
std::uint64_t nanoseconds(const MessagePacket& packet) {
    constexpr std::uint64_t per_second = 1'000'000'000;
    constexpr auto latest = static_cast<std::int64_t>(UINT64_MAX / per_second - 1);
    const std::int64_t seconds = std::clamp<std::int64_t>(packet.seconds, 0, latest);
    return static_cast<std::uint64_t>(seconds) * per_second +
           (seconds == packet.seconds ? packet.picoseconds / picoseconds_per_nanosecond : 0);
}

}  // namespace

class PcapngWriter::Impl {
 public:
    explicit Impl(ByteSink& sink) : out_(sink) {}

    bool batch(const TraceBatch& batch, const ExportHeader& header) {
        if (!started_ && !batch.empty()) {
            start(header);
        }
        std::size_t event = 0;
        for (std::size_t i = 0; i < batch.messages.size() && out_.good(); ++i) {
            for (; event < batch.events.size() && batch.events[event].before <= i; ++event) {
                put_event(batch.events[event]);
            }
            put_message(batch, batch.messages[i]);
        }
        for (; event < batch.events.size() && out_.good(); ++event) {
            put_event(batch.events[event]);
        }
        out_.flush();  // whoever reads a pipe sees every batch at once
        return out_.good();
    }

    Expected<void> finish(const ExportHeader& header) {
        if (!started_) {
            start(header);
        }
        for (std::uint32_t i = 0; i < stream_count; ++i) {
            BlockWriter block(out_.room(), interface_statistics);
            block.put(i);
            block.put(static_cast<std::uint32_t>(latest_ >> 32));
            block.put(static_cast<std::uint32_t>(latest_));
            block.option(isb_ifrecv, received_[i]);
            block.option(isb_ifdrop, dropped_[i]);
            block.option(end_of_options, nullptr, 0);
            out_.advance_to(block.finish());
        }
        out_.flush();
        return out_.status();
    }

 private:
    void start(const ExportHeader& header) {
        started_ = true;
        if (!detail::usable(header.base)) {
            out_.fail({ErrorCode::invalid_trace, "the base of the trace's times is out of range", 0});
            return;
        }
        base_ = header.base.unix_seconds;
        index_ = header.first_index;
        BlockWriter block(out_.room(), section_header);
        block.put(byte_order_magic);
        block.put(std::uint16_t{1});  // version 1.0
        block.put(std::uint16_t{0});
        block.put(~std::uint64_t{0});  // length of the section: not known
        constexpr std::string_view writer = "eciscope";
        block.option(shb_userappl, writer.data(), writer.size());
        block.option(end_of_options, nullptr, 0);
        out_.advance_to(block.finish());
        for (std::size_t i = 0; i < stream_count; ++i) {
            put_interface(Stream::of_index(i), header.metadata);
        }
    }

    void put_interface(Stream stream, const Metadata& metadata) {
        const std::string from = node_name(metadata, stream.from);
        const std::string to = node_name(metadata, stream.reverse().from);
        const std::string link = link_name(metadata, stream.link);
        const std::string name = link + ", " + from + " to " + to;
        const std::string description = "messages of " + link + " that " + from + " sent";
        BlockWriter block(out_.room(), interface_description);
        block.put(message_link_type);
        block.put(std::uint16_t{0});
        block.put(longest_packet);
        block.option(if_name, name.data(), name.size());
        block.option(if_description, description.data(), description.size());
        block.option(if_tsresol, nanosecond_resolution);
        block.option(end_of_options, nullptr, 0);
        out_.advance_to(block.finish());
    }

    void set_time(MessagePacket& packet, Picoseconds time) const {
        const detail::SplitTime parts = detail::split(time);
        packet.seconds = base_ + parts.seconds;
        packet.picoseconds = static_cast<std::uint64_t>(parts.rest);
    }

    void put_message(const TraceBatch& batch, const MessageHead& message) {
        if (!detail::writable(batch, message)) {
            out_.fail(detail::unwritable_message());
            return;
        }
        MessagePacket packet;
        packet.stream = message.stream;
        packet.vc = message.vc;
        packet.slot = message.slot;
        packet.word_count = message.word_count;
        packet.event = 0;
        packet.index = index_++;
        set_time(packet, message.last);
        packet.duration = static_cast<std::int64_t>(static_cast<std::uint64_t>(message.last) -
                                                    static_cast<std::uint64_t>(message.first));
        packet.first_block = message.first_block;
        packet.last_block = message.last_block;
        put_packet(packet, batch.words_of(message), 0);
    }

    void put_event(const Event& event) {
        if (!detail::writable(event)) {
            out_.fail(detail::unwritable_event());
            return;
        }
        MessagePacket packet;
        packet.kind = PacketKind::event;
        packet.stream = event.stream;
        packet.vc = event.vc;
        packet.event = static_cast<std::uint8_t>(event.kind);
        packet.index = index_;
        set_time(packet, event.time);
        packet.count = event.count;
        packet.block = event.block;
        packet.detail = event.detail;
        const bool counted = event.kind == EventKind::lost && event.count != Event::unknown_count;
        put_packet(packet, {}, counted ? event.count : 0);
    }

    void put_packet(const MessagePacket& packet, std::span<const std::uint64_t> words, std::uint64_t drops) {
        const std::size_t stream = packet.stream.index();
        const std::uint64_t time = nanoseconds(packet);
        const auto bytes = static_cast<std::uint32_t>(packet_offset::end + 8 * words.size());
        BlockWriter block(out_.room(), enhanced_packet);
        block.put(static_cast<std::uint32_t>(stream));
        block.put(static_cast<std::uint32_t>(time >> 32));
        block.put(static_cast<std::uint32_t>(time));
        block.put(bytes);
        block.put(bytes);
        const MessagePacketHeader header = encode(packet);
        block.put_bytes(header.data(), header.size());
        for (const std::uint64_t word : words) {
            block.put(__builtin_bswap64(word));
        }
        block.option(epb_flags, packet.stream.from == 0 ? flag_outbound : flag_inbound);
        if (drops != 0) {
            block.option(epb_dropcount, drops);
        }
        if (packet.kind == PacketKind::message) {
            block.option(epb_packetid, packet.index);
        }
        block.option(end_of_options, nullptr, 0);
        out_.advance_to(block.finish());
        latest_ = std::max(latest_, time);
        ++received_[stream];
        dropped_[stream] += drops;
    }

    // Room for the longest packet and for an interface with the longest names.
    static_assert(detail::OutputBuffer::room_bytes >= longest_packet + block_frame_bytes + 128);
    static_assert(detail::OutputBuffer::room_bytes >= 2 * 3100 + 128);

    detail::OutputBuffer out_;
    std::array<std::uint64_t, stream_count> received_{};
    std::array<std::uint64_t, stream_count> dropped_{};
    std::int64_t base_ = 0;
    std::uint64_t index_ = 0;
    std::uint64_t latest_ = 0;
    bool started_ = false;
};

PcapngWriter::PcapngWriter(ByteSink& sink, ExportHeader header)
    : Exporter(std::move(header)), impl_(std::make_unique<Impl>(sink)) {}

PcapngWriter::~PcapngWriter() = default;

bool PcapngWriter::batch(const TraceBatch& batch) {
    return impl_->batch(batch, header());
}

Expected<void> PcapngWriter::finish() {
    return impl_->finish(header());
}

}  // namespace eciscope::ewf

#include "made_up_traffic.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <eciscope/spec/eci.hpp>

#include "eciscope/conformance/tables.hpp"
#include "eciscope/ewf/writer.hpp"

namespace eciscope::view {

namespace {

constexpr Picoseconds block_time = 4340;
constexpr std::uint8_t all_sub_lines = 0xf;
constexpr std::uint8_t grant_opcode = 9;  // any of a grant's: the structure replaces it
constexpr unsigned ids = 32;

std::uint64_t request_header(std::uint64_t line, std::uint8_t id) {
    eci::message m = eci::decode(6, 0);
    m.Mreq.Mreq_line.op = eci::mreq_line_op::RLDD;
    m.Mreq.Mreq_line.rreq_id = id;
    m.Mreq.Mreq_line.dmask = all_sub_lines;
    m.Mreq.Mreq_line.aliased_cli = line;
    return eci::encode(m);
}

std::uint64_t grant_header(std::uint64_t line, std::uint8_t id) {
    eci::message m = eci::decode(4, std::uint64_t{grant_opcode} << conformance::opcode_field.shift);
    m.Mrsp.Mrsp_grant.op = eci::mrsp_grant_op::PSHA;
    m.Mrsp.Mrsp_grant.rreq_id = id;
    m.Mrsp.Mrsp_grant.dmask = all_sub_lines;
    m.Mrsp.Mrsp_grant.aliased_cli = line;
    return eci::encode(m);
}

std::uint64_t drop_header(std::uint64_t line) {
    eci::message m = eci::decode(10, 0);
    m.Mrsp.Mrsp_victim.op = eci::mrsp_victim_op::VICS;
    m.Mrsp.Mrsp_victim.aliased_cli = line;
    return eci::encode(m);
}

}  // namespace

MadeUpTraffic::MadeUpTraffic(std::uint64_t seed, std::uint64_t lines) : state_(seed * 2 + 1), lines_(lines) {}

std::uint64_t MadeUpTraffic::random() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
}

void MadeUpTraffic::next(TraceBatch& batch, std::size_t messages) {
    batch.clear();
    for (std::size_t i = 0; i < stream_count && !powered_on_; ++i) {
        Event event;
        event.kind = EventKind::link_up;
        event.detail = 1;
        event.time = now_;
        event.stream = Stream::of_index(i);
        batch.events.push_back(event);
    }
    powered_on_ = true;
    while (batch.messages.size() < messages) {
        exchange(batch);
    }
}

/// A read, its grant, and the drop of the copy. The line demands circuits of one parity.
void MadeUpTraffic::exchange(TraceBatch& batch) {
    const std::uint64_t line = random() % lines_;
    const auto id = static_cast<std::uint8_t>(random() % ids);
    const auto asker = static_cast<std::uint8_t>(random() % node_count);
    const auto link = static_cast<std::uint8_t>(random() % link_count);
    const auto parity = eci::vc_parity_of_line(line);
    const Stream to{link, asker};
    // Mostly dense, sometimes a pause of up to milliseconds.
    const std::uint64_t dice = random() % 4096;
    now_ += static_cast<Picoseconds>(dice == 0   ? random() % 8'000'000'000
                                     : dice < 64 ? random() % 5'000'000
                                                 : random() % 3);
    add(batch, to, static_cast<std::uint8_t>(6 + parity), request_header(line, id), 1);
    add(batch, to.reverse(), static_cast<std::uint8_t>(4 + parity), grant_header(line, id), 17);
    add(batch, to, static_cast<std::uint8_t>(10 + parity), drop_header(line), 1);
}

void MadeUpTraffic::break_protocol(TraceBatch& batch) {
    const std::uint64_t line = random() % lines_;
    add(batch, {0, 0}, static_cast<std::uint8_t>(10 + eci::vc_parity_of_line(line)), drop_header(line), 1);
}

void MadeUpTraffic::add(TraceBatch& batch, Stream stream, std::uint8_t vc, std::uint64_t header, std::uint8_t words) {
    const Picoseconds length = (words / 7) * block_time;
    now_ += static_cast<Picoseconds>(random() % 16) * block_time + length;
    MessageHead head;
    head.first = now_ - length;
    head.last = now_;
    head.first_block = static_cast<std::uint64_t>(head.first / block_time);
    head.last_block = static_cast<std::uint64_t>(head.last / block_time);
    head.stream = stream;
    head.vc = vc;
    head.word_count = words;
    head.word_offset = static_cast<std::uint32_t>(batch.words.size());
    batch.words.push_back(header);
    batch.words.insert(batch.words.end(), words - 1U, 0);
    batch.messages.push_back(head);
}

bool write_made_up_traffic(const std::string& path, std::uint64_t messages, std::uint64_t seed) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        return false;
    }
    ewf::FileSink sink(descriptor);
    ewf::Writer writer(sink, {}, {.threads = 2});
    MadeUpTraffic traffic(seed);
    TraceBatch batch;
    bool is_broken = false;
    for (std::uint64_t done = 0; done < messages; done += batch.messages.size()) {
        traffic.next(batch, static_cast<std::size_t>(std::min<std::uint64_t>(4096, messages - done)));
        if (!is_broken && done + batch.messages.size() > messages / 2) {
            traffic.break_protocol(batch);
            is_broken = true;
        }
        if (!writer.batch(batch)) {
            break;
        }
    }
    const bool written = writer.finish({}).has_value();
    return ::close(descriptor) == 0 && written;
}

}  // namespace eciscope::view

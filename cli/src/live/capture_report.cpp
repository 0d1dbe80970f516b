#include "live/capture_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "figures.hpp"

namespace eciscope::cli {

namespace {

std::uint64_t per_second(std::uint64_t count, double seconds) {
    return seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(count) / seconds) : 0;
}

std::string blocks_lost(const StreamCount& count) {
    std::string text = grouped(count.lost_blocks);
    if (count.lost_unknown != 0) {
        text += fmt::format(" and {} times an unknown number", grouped(count.lost_unknown));
    }
    return text;
}

std::string stream_text(std::size_t index, const StreamCount& count) {
    const Stream stream = Stream::of_index(index);
    std::string text = fmt::format(
        "  link {}, node {} to node {}: {} records, {} blocks; records missing {}, late {}, again {}; "
        "blocks lost at the interposer {}",
        stream.link, stream.from, 1 - stream.from, grouped(count.records), grouped(count.blocks),
        grouped(count.missing), grouped(count.late), grouped(count.duplicate), blocks_lost(count));
    if (count.restarts != 0) {
        text += fmt::format("; began again {} times", grouped(count.restarts));
    }
    return text + "\n";
}

}  // namespace

LiveLine::LiveLine(bool wanted) : terminal_(look_at(STDERR_FILENO)), on_(wanted && terminal_.is_terminal) {}

void LiveLine::draw(const LiveFigures& figures) {
    if (!on_) {
        return;
    }
    const double seconds = figures.seconds - seconds_;
    const StreamCount total = figures.streams.total();
    std::string streams;
    for (std::size_t index = 0; index < stream_count; ++index) {
        streams += fmt::format("{}{}", index == 0 ? "" : "/", figures.streams.of(index).missing);
    }
    const std::string text =
        fmt::format("{:.0f} s  {} records  {}/s  {}/s  dropped: kernel {}, interface {}  missing {}  interposer {}",
                    figures.seconds, grouped(total.records), grouped(per_second(figures.frames - frames_, seconds)),
                    bytes_text(per_second(figures.frame_bytes - bytes_, seconds)), grouped(figures.kernel.dropped),
                    grouped(figures.kernel.dropped_interface), streams, blocks_lost(total));
    seconds_ = figures.seconds;
    frames_ = figures.frames;
    bytes_ = figures.frame_bytes;
    drawn_ = true;
    fmt::print(stderr, "\r\033[K{}", text.substr(0, terminal_.columns - 1));
    std::fflush(stderr);
}

void LiveLine::clear() {
    if (drawn_) {
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
        drawn_ = false;
    }
}

std::string live_summary(const LiveFigures& figures, const CaptureFiles& files, bool& sums_agree) {
    const StreamCount total = figures.streams.total();
    const std::uint64_t unwritten = figures.frames - files.frames();
    // What was in the ring when the capture ended; the kernel's count may not be less than ours.
    const std::uint64_t accounted = figures.frames + figures.kernel.dropped;
    const std::uint64_t left = figures.kernel.seen - std::min(figures.kernel.seen, accounted);
    sums_agree = accounted + left == figures.kernel.seen && total.records + figures.streams.foreign() == figures.frames;

    std::string text = fmt::format(
        "  frames seen by the kernel {} = {} taken + {} dropped for want of room + {} left when it ended; by the "
        "interface "
        "dropped {}\n",
        grouped(figures.kernel.seen), grouped(figures.frames), grouped(figures.kernel.dropped), grouped(left),
        grouped(figures.kernel.dropped_interface));
    text += fmt::format("  frames taken {} = {} records + {} foreign = {} written + {} not written; {}\n",
                        grouped(figures.frames), grouped(total.records), grouped(figures.streams.foreign()),
                        grouped(files.frames()), grouped(unwritten), sums_agree ? "sums agree" : "SUMS DO NOT AGREE");
    for (std::size_t index = 0; index < stream_count; ++index) {
        const StreamCount& count = figures.streams.of(index);
        text += count.records == 0 ? "" : stream_text(index, count);
    }
    return text;
}

}  // namespace eciscope::cli

// eciscope replay: sends a capture as the interposer would, to test a chain without hardware.
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <memory>

#include "eciscope/capture/packet.hpp"
#include "eciscope/capture/packet_file.hpp"
#include "eciscope/capture/record.hpp"
#include "figures.hpp"
#include "interrupt.hpp"
#include "live/mishaps.hpp"
#include "live/pace.hpp"
#include "live/sender.hpp"
#include "log.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "whole_numbers.hpp"

namespace eciscope::cli {

namespace {

using Clock = Pace::Clock;

struct ReplayOptions {
    std::string file;
    std::string to;
    std::string speed = "1";
    Mishaps mishaps;
};

struct ReplayCounts {
    std::uint64_t records = 0;    ///< read from the capture
    std::uint64_t lost = 0;       ///< on request
    std::uint64_t reordered = 0;  ///< on request
    std::uint64_t again = 0;      ///< on request
    std::uint64_t foreign = 0;    ///< packets without a record
    std::uint64_t damaged = 0;    ///< bytes of the file that are in no packet
};

Result<std::optional<double>> speed_of(const std::string& text) {
    if (text == "max") {
        return std::optional<double>();
    }
    double speed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
    if (error != std::errc{} || end != text.data() + text.size() || !(speed >= 1e-6 && speed <= 1e6)) {
        return fail(Exit::usage, fmt::format("--speed {}: makes no sense", text),
                    "Give a factor, such as 1 or 0.5, or max for as fast as it goes.");
    }
    return std::optional(speed);
}

// Waits; comes back early at a signal.
void sleep_until(Clock::time_point due) {
    while (!interrupted()) {
        const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(due - Clock::now());
        if (left.count() <= 0) {
            return;
        }
        const timespec time{static_cast<std::time_t>(left.count() / 1'000'000'000), left.count() % 1'000'000'000};
        nanosleep(&time, nullptr);
    }
}

class Replay {
 public:
    Replay(const ReplayOptions& options, std::optional<double> speed, Sender& sender)
        : mishaps_(options.mishaps), dice_(options.mishaps.seed), pace_(speed), sender_(sender) {}

    Result<void> run(capture::PacketFile& file, const capture::Input& input, Progress& progress) {
        while (!interrupted()) {
            const capture::PacketStep step = file.next();
            counts_.damaged += step.damaged;
            if (step.kind == capture::PacketStep::Kind::end) {
                break;
            }
            if (auto done = packet(step, file.link_type()); !done) {
                return done;
            }
            if (progress.on()) {
                progress.update({input.position(), input.size(), counts_.records});
            }
        }
        if (held_) {
            held_ = false;
            if (auto sent = sender_.add(held_bytes_); !sent) {
                return sent;
            }
        }
        return sender_.flush();
    }

    [[nodiscard]] const ReplayCounts& counts() const { return counts_; }

 private:
    Result<void> packet(const capture::PacketStep& step, int link_type) {
        capture::Payload payload{step.bytes, true, 0, 0};
        if (link_type == capture::link_type_ethernet) {
            payload = capture::payload_of_frame(step.bytes, {}, diagnostics_);
        }
        if (!payload.is_record || payload.bytes.empty()) {
            ++counts_.foreign;
            return {};
        }
        ++counts_.records;
        if (payload.bytes.size() >= capture::record_header_bytes) {
            if (auto waited = wait(capture::load_le64(payload.bytes.data() + 16)); !waited) {
                return waited;
            }
        }
        return send(payload.bytes);
    }

    // What waits for its batch to fill goes out before a pause.
    Result<void> wait(std::uint64_t time_ns) {
        const Clock::time_point now = Clock::now();
        const Clock::time_point due = pace_.due(time_ns, now);
        if (due > now) {
            if (auto sent = sender_.flush(); !sent) {
                return sent;
            }
            sleep_until(due);
        }
        return {};
    }

    Result<void> send(capture::Bytes record) {
        if (dice_.falls(mishaps_.loss)) {
            ++counts_.lost;
            return {};
        }
        if (!held_ && dice_.falls(mishaps_.reorder)) {
            ++counts_.reordered;
            held_ = true;
            held_bytes_.assign(record.begin(), record.end());
            return {};
        }
        auto sent = sender_.add(record);
        if (sent && dice_.falls(mishaps_.duplicate)) {
            ++counts_.again;
            sent = sender_.add(record);
        }
        if (sent && held_) {
            held_ = false;
            sent = sender_.add(held_bytes_);
        }
        return sent;
    }

    const Mishaps mishaps_;
    Dice dice_;
    Pace pace_;
    Sender& sender_;
    Diagnostics diagnostics_;
    ReplayCounts counts_;
    bool held_ = false;
    std::vector<std::uint8_t> held_bytes_;
};

void print_counts(const ReplayCounts& counts, const Sender& sender, double seconds) {
    const auto rate = [seconds](std::uint64_t count) {
        return static_cast<std::uint64_t>(static_cast<double>(count) / std::max(seconds, 1e-9));
    };
    const bool agree = counts.records - counts.lost + counts.again == sender.datagrams();
    fmt::print(stderr,
               "sent {} datagrams, {} in {:.3f} s ({}/s, {}/s)\n"
               "  records read {} - {} lost on request + {} sent twice = {} datagrams; {} sent behind the next; {}\n",
               grouped(sender.datagrams()), bytes_text(sender.bytes()), seconds, grouped(rate(sender.datagrams())),
               bytes_text(rate(sender.bytes())), grouped(counts.records), grouped(counts.lost), grouped(counts.again),
               grouped(sender.datagrams()), grouped(counts.reordered),
               agree ? "sums agree" : "not all that was read was sent");
    if (counts.foreign != 0 || counts.damaged != 0) {
        fmt::print(stderr, "  not sent: {} packets without a record, {} bytes in no packet\n", grouped(counts.foreign),
                   grouped(counts.damaged));
    }
}

Result<capture::PacketFile> open_packets(capture::Input& input, const std::string& name) {
    auto file = capture::PacketFile::open(input);
    if (!file) {
        return fail(Exit::damaged, fmt::format("{}: {}", name, file.error()),
                    "Only pcap and pcapng hold records; 'eciscope doctor FILE' says what this is.");
    }
    const int type = file->link_type();
    if (type != capture::link_type_ethernet && type != capture::link_type_user0) {
        return fail(Exit::damaged, fmt::format("{}: link type {} holds no records", name, type));
    }
    return std::move(*file);
}

Exit replay(const ReplayOptions& options, const CommonOptions& common) {
    const auto speed = speed_of(options.speed);
    if (!speed) {
        return report(speed.error());
    }
    auto input = capture::Input::open(options.file, std::size_t{1} << 20);
    if (!input) {
        return report({Exit::damaged, fmt::format("cannot read {}: {}", options.file, input.error()), {}, false});
    }
    auto file = open_packets(*input, options.file);
    if (!file) {
        return report(file.error());
    }
    auto sender = Sender::open(options.to);
    if (!sender) {
        return report(sender.error());
    }
    Progress progress(!common.quiet && !common.no_progress);
    Replay replay(options, *speed, *sender);
    const Result<void> run = replay.run(*file, *input, progress);
    const double seconds = progress.seconds();
    progress.clear();
    if (!common.quiet) {
        print_counts(replay.counts(), *sender, seconds);
    }
    if (!run) {
        return report(run.error());
    }
    if (interrupted()) {
        log_warning("interrupted: the rest of the capture was not sent");
        return interrupt_exit();
    }
    return replay.counts().damaged == 0 ? Exit::fine : Exit::damaged;
}

Manual replay_manual() {
    return {
        {"Sends the records of a capture as the interposer would: each as one UDP datagram, its bytes as they are, "
         "and as far apart as the times in the records say. A pause of more than 10 s, and a step back in time, "
         "are left out.",
         "--loss, --reorder and --duplicate do to the datagrams what networks do; the same seed does the same. What "
         "was done is counted on standard error.",
         "The link must take a record in one frame (an MTU of 9000): nothing is sent in fragments."},
        {{"eciscope replay boot.pcap --to 10.0.0.2", "send a capture at the speed at which it was taken"},
         {"eciscope replay boot.pcap --to 10.0.0.2:60443 --speed max", "as fast as it goes"},
         {"eciscope replay boot.pcap --to [::1]:60443 --loss 0.01 --reorder 0.05 --seed 7", "over a bad network"}}};
}

}  // namespace

void add_replay(Program& program) {
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* command =
        program.add("replay", "Send a capture over the network as the interposer would", replay_manual(),
                    [&program, options] { return replay(*options, program.common()); });
    program.takes_files(
        command->add_option("FILE", options->file, "Capture in pcap or pcapng; - is standard input")->required());
    command->add_option("--to", options->to, "Where to send: HOST:PORT; the port is 60443 if not given")
        ->required()
        ->type_name("HOST:PORT");
    command->add_option("--speed", options->speed, "So many times as fast as it was captured, or max")
        ->type_name("X")
        ->capture_default_str();
    const std::string group = "Mishaps";
    for (const auto& [name, value, help] :
         {std::tuple{"--loss", &options->mishaps.loss, "Do not send a record, with this probability"},
          std::tuple{"--reorder", &options->mishaps.reorder, "Send a record after the one that follows it"},
          std::tuple{"--duplicate", &options->mishaps.duplicate, "Send a record twice"}}) {
        command->add_option(name, *value, help)
            ->check(CLI::Range(0.0, 1.0).description(""))
            ->type_name("P")
            ->group(group);
    }
    not_negative(command->add_option("--seed", options->mishaps.seed, "Of the draws")
                     ->type_name("N")
                     ->capture_default_str()
                     ->group(group));
}

}  // namespace eciscope::cli

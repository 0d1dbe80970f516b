// Figures of the viewer's core on a long trace: how fast the index is built beside reading the heads alone, and how
// long pictures take over a scripted minute of zooming and panning.
//
//   view_bench [FILE.ewf | MESSAGES]    a number makes up a trace of so many messages in /tmp
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "chunk_pump.hpp"
#include "eciscope/view/document.hpp"
#include "made_up_traffic.hpp"

namespace {

using namespace eciscope;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Processor time of the calling thread, or of the whole process: what a machine with other work takes no part in.
double cpu_seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Memory of this process now, and what of it belongs to files.
void print_memory(const char* when) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS") || line.starts_with("RssFile") || line.starts_with("RssAnon") ||
            line.starts_with("VmHWM") || line.starts_with("RssShmem")) {
            fmt::print("  {}: {}\n", when, line);
        }
    }
}

void read_heads(const std::string& path) {
    Diagnostics diagnostics;
    const auto reader = ewf::Reader::open(path, diagnostics);
    if (!reader) {
        return;
    }
    const double cpu_start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const auto start = Clock::now();
    view::ChunkPump pump(*reader, view::chunk_numbers(0, reader->chunk_count()), ewf::Parts::heads, 1);
    std::uint64_t messages = 0;
    while (const auto* chunk = pump.next()) {
        messages += chunk->batch.messages.size();
    }
    const double seconds = seconds_since(start);
    fmt::print("heads alone: {} messages in {:.3f} s, {:.1f} M/s, {:.3f} s of processor time\n", messages, seconds,
               static_cast<double>(messages) / seconds / 1e6, cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
}

struct Frames {
    std::vector<double> milliseconds;
    void print(const std::string& what) {
        std::sort(milliseconds.begin(), milliseconds.end());
        fmt::print("{}: {} pictures, median {:.2f} ms, 99 % {:.2f} ms, worst {:.2f} ms\n", what, milliseconds.size(),
                   milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 99 / 100],
                   milliseconds.back());
    }
};

/// A minute at 60 pictures a second: in at several places, along, and out again.
void scripted_minute(view::Document& document, const std::vector<view::TrackId>& tracks, const view::Filter& filter,
                     const char* what) {
    constexpr int columns = 1920;
    constexpr int pictures = 3600;
    const view::Limits limits = document.facts().limits;
    view::Viewport viewport = view::whole(limits, columns);
    Frames frames;
    Frames cpu_frames;
    for (int i = 0; i < pictures; ++i) {
        const int step = i % 360;
        if (step < 150) {
            viewport = view::zoomed(viewport, 300 + i % 1300, 9, 10, limits);
        } else if (step < 210) {
            viewport = view::panned(viewport, step % 2 == 0 ? 40 : 15, limits);
        } else {
            viewport = view::zoomed(viewport, 960, 10, 9, limits);
        }
        const double cpu_start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
        const auto start = Clock::now();
        const view::Picture picture = document.picture(viewport, tracks, filter);
        frames.milliseconds.push_back(seconds_since(start) * 1e3);
        cpu_frames.milliseconds.push_back((cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu_start) * 1e3);
        if (std::getenv("VIEW_BENCH_FRAMES") != nullptr) {
            fmt::print("  {} span {} {:.2f} ms\n", step, view::time_text(viewport.span, 1),
                       cpu_frames.milliseconds.back());
        }
    }
    frames.print(what);
    cpu_frames.print(std::string(what) + ", processor time");
}

int run(const std::string& path) {
    read_heads(path);
    std::error_code ignored;
    std::filesystem::remove(path + ".eciview", ignored);
    for (const bool check : {false, true}) {
        view::OpenOptions options;
        options.check = check;
        const double cpu_start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
        const auto start = Clock::now();
        const auto document = view::Document::open(path, options);
        if (!document) {
            fmt::print("{}\n", document.error().message);
            return 1;
        }
        const double opened = seconds_since(start);
        (*document)->wait();
        const double seconds = seconds_since(start);
        const auto messages = static_cast<double>((*document)->facts().messages);
        fmt::print("{}: open {:.1f} ms, ready after {:.3f} s, {:.1f} M/s, {:.3f} s of processor time, {} findings\n",
                   check ? "index there, then check" : "index built", opened * 1e3, seconds, messages / seconds / 1e6,
                   cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start, (*document)->finding_count());
        print_memory(check ? "after check" : "after build");
    }
    const auto start = Clock::now();
    const auto opened = view::Document::open(path, {});
    view::Document& document = **opened;
    document.wait();
    fmt::print("opened again: ready after {:.1f} ms, from file {}\n", seconds_since(start) * 1e3,
               document.status().index_from_file);
    std::vector<view::TrackId> tracks;
    for (const view::TrackInfo& info : document.tracks()) {
        tracks.push_back(info.id);
        fmt::print("  {} {}: {}\n", info.group, info.name, info.messages);
    }
    fmt::print("{} tracks, index {} MiB\n", tracks.size(),
               std::filesystem::file_size(path + ".eciview", ignored) >> 20U);
    scripted_minute(document, tracks, {}, "all tracks");
    const auto filter = view::parse_filter("op:RLDD,PSHA");
    scripted_minute(document, tracks, *filter, "filtered by operation");
    const auto row = document.rows(document.facts().messages / 2, 1);
    if (!row.empty() && row.front().line) {
        view::TrackId line;
        line.kind = view::TrackKind::line;
        line.line = *row.front().line;
        tracks.push_back(line);
        (void)document.picture(view::whole(document.facts().limits, 1920), tracks, {});
        document.wait();
        scripted_minute(document, tracks, {}, "with a pinned line");
    }
    print_memory("at the end");
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string argument = count > 1 ? arguments[1] : "10000000";
    const bool is_number = argument.find_first_not_of("0123456789") == std::string::npos;
    std::string path = argument;
    if (is_number) {
        path = fmt::format("/tmp/view_bench_{}.ewf", argument);
        if (!std::filesystem::exists(path) && !view::write_made_up_traffic(path, std::stoull(argument))) {
            return 1;
        }
    }
    return run(path);
}

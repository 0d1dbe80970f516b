#include "bench.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <QApplication>
#include <QFile>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>
#include <vector>

#include "canvas.hpp"
#include "headless.hpp"
#include "timeline.hpp"
#include "window.hpp"

namespace eciscope::view {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int screen_width = 1920;
constexpr int screen_height = 1080;
constexpr std::chrono::microseconds frame_time{16'667};

/// Since this process was started, as the kernel counts: in steps of 10 ms.
double seconds_since_start() {
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QByteArray text = file.readAll();
    // Behind the name, which may hold anything, stand 19 fields, then the start.
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    const double started = fields.value(19).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - started;
}

/// Of all threads since the start, without what others on the machine take.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// A figure of /proc/self/status in MiB.
double memory_mib(const QByteArray& name) {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(name + ':')) {
            return line.mid(name.size() + 1).simplified().split(' ').value(0).toDouble() / 1024;
        }
    }
    return 0;
}

bool useful(const Picture& picture) {
    return std::any_of(picture.tracks.begin(), picture.tracks.end(), [](const TrackPicture& track) {
        return std::any_of(track.columns.begin(), track.columns.end(), [](const Column& c) { return c.count != 0; });
    });
}

/// One step of the script: from the whole trace to single messages and back, moving sideways, again and again.
void step(Session& session, int frame) {
    const int columns = session.viewport().columns;
    const int phase = frame % 240;
    const int fixed = columns / 2 + static_cast<int>(std::lround(std::sin(frame * 0.013) * columns * 0.4));
    if (phase < 80) {
        session.zoom(fixed, 5, 6);
    } else if (phase < 120) {
        session.pan(columns / 40);
    } else if (phase < 200) {
        session.zoom(fixed, 6, 5);
    } else {
        session.pan(-columns / 30);
    }
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// Of this thread, without what others on the machine take.
double processor_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Frames {
    std::vector<double> elapsed_ms;
    std::vector<double> processor_ms;
};

Frames run_script(Window& window, int seconds) {
    Frames frames;
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::seconds(seconds);
    for (int n = 0; Clock::now() < end; ++n) {
        const auto started = Clock::now();
        const double worked = processor_ms();
        step(window.session(), n);
        QApplication::processEvents();  // paints
        frames.elapsed_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - started).count());
        frames.processor_ms.push_back(processor_ms() - worked);
        std::this_thread::sleep_until(begin + frame_time * (n + 1));
    }
    return frames;
}

/// What the core takes of a frame.
std::vector<double> time_pictures(Window& window) {
    std::vector<TrackId> ids;
    for (const TrackPicture& track : window.timeline().canvas().picture().tracks) {
        ids.push_back(track.id);
    }
    std::vector<double> times;
    for (int n = 0; n < 240; ++n) {
        step(window.session(), n);
        const double worked = processor_ms();
        const Picture picture = window.session().document()->picture(window.session().viewport(), ids, {});
        times.push_back(processor_ms() - worked);
    }
    return times;
}

void print_frames(const char* name, const std::vector<double>& times) {
    const double worst = times.empty() ? 0 : *std::max_element(times.begin(), times.end());
    fmt::print("{:<26}median {:.2f} ms, worst {:.2f} ms\n", name, median(times), worst);
}

}  // namespace

int run_bench(const Arguments& arguments) {
    Window window(false);
    window.use_theme(arguments.theme == QStringLiteral("dark"));
    window.resize(screen_width, screen_height);
    window.set_open_options(open_options(arguments));
    window.open(arguments.file);
    if (window.session().document() == nullptr) {
        fmt::print(stderr, "eciscope-view: {}\n", window.trouble().toStdString());
        return 2;
    }
    window.show();
    QApplication::processEvents();
    fmt::print("first paint               {:.3f} s, {:.3f} s of them on a processor\n", seconds_since_start(),
               processor_seconds());
    while (!useful(window.timeline().canvas().picture()) && window.session().status().phase <= Phase::checking) {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
    fmt::print("first useful picture      {:.3f} s{}\n", seconds_since_start(),
               window.timeline().canvas().picture().coarse ? ", coarse" : "");
    const auto waited = Clock::now();
    window.session().document()->wait();
    window.session().refresh();
    const Status status = window.session().document()->status();
    fmt::print("ready                     {:.3f} s later{}\n",
               std::chrono::duration<double>(Clock::now() - waited).count(),
               status.index_from_file ? ", index from its file" : "");
    fmt::print("messages                  {}\n", window.session().facts().messages);

    const Frames frames = run_script(window, arguments.bench_seconds);
    fmt::print("frames                    {} in {} s, {} x {} at scale {}\n", frames.elapsed_ms.size(),
               arguments.bench_seconds, screen_width, screen_height, window.devicePixelRatioF());
    print_frames("frame", frames.elapsed_ms);
    print_frames("frame, processor", frames.processor_ms);
    print_frames("picture alone, processor", time_pictures(window));
    fmt::print("memory, peak              {:.0f} MiB (VmHWM)\n", memory_mib("VmHWM"));
    fmt::print("memory of its own, now    {:.0f} MiB (RssAnon)\n", memory_mib("RssAnon"));
    return 0;
}

}  // namespace eciscope::view

#include "launch.hpp"

#include <fmt/format.h>

#include <QApplication>
#include <QIcon>
#include <cstdio>

#include "arguments.hpp"
#include "bench.hpp"
#include "headless.hpp"
#include "text.hpp"
#include "window.hpp"

namespace eciscope::view {

namespace {

constexpr int fine = 0;
constexpr int wrong_usage = 3;

bool has_display() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

/// What Qt says of every window without a display is of no use to anybody.
void quiet_offscreen() {
    static QtMessageHandler before = nullptr;
    before = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
        const bool noise =
            text.contains(QStringLiteral("propagateSizeHints")) || text.contains(QStringLiteral("XDG_RUNTIME_DIR"));
        if (!noise) {
            before(type, context, text);
        }
    });
}

int run_window(const Arguments& arguments) {
    Window window(true);
    window.set_open_options(open_options(arguments));
    if (arguments.theme == QStringLiteral("dark") || arguments.theme == QStringLiteral("light")) {
        window.use_theme(arguments.theme == QStringLiteral("dark"));
    }
    window.show();
    if (!arguments.file.isEmpty()) {
        // After the window is there: a frame that says so is better than none.
        QMetaObject::invokeMethod(
            &window,
            [&window, &arguments] {
                window.open(arguments.file);
                if (const QString trouble = apply_view(window.session(), arguments); !trouble.isEmpty()) {
                    window.say(trouble);
                }
            },
            Qt::QueuedConnection);
    }
    return QApplication::exec();
}

}  // namespace

int launch(int argc, char** argv) {
    QStringList words;
    for (int n = 0; n < argc; ++n) {
        words << QString::fromLocal8Bit(argv[n]);
    }
    const ParsedArguments parsed = parse_arguments(words);
    if (!parsed.text.isEmpty()) {
        fmt::print("{}", parsed.text.toStdString());
        return fine;
    }
    if (!parsed.error.isEmpty()) {
        fmt::print(stderr, "eciscope-view: {}\n", parsed.error.toStdString());
        return wrong_usage;
    }
    const Arguments& arguments = parsed.arguments;
    const bool windowless = !arguments.export_path.isEmpty() || (arguments.bench && !has_display());
    if (!windowless && !has_display()) {
        fmt::print(stderr,
                   "eciscope-view: there is no display. A picture needs none: eciscope-view FILE --export view.png\n");
        return wrong_usage;
    }
    if (windowless) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    if (arguments.whole_window) {
        qputenv("QT_SCALE_FACTOR", QByteArray::number(arguments.scale));
    }
    if (qgetenv("QT_QPA_PLATFORM") == "offscreen") {
        quiet_offscreen();
    }
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("eciscope"));
    QApplication::setApplicationName(QStringLiteral("eciscope-view"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/eciscope-view.svg")));
    if (arguments.bench) {
        return run_bench(arguments);
    }
    return arguments.export_path.isEmpty() ? run_window(arguments) : run_export(arguments);
}

}  // namespace eciscope::view

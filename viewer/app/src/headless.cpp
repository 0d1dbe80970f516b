#include "headless.hpp"

#include <fmt/format.h>

#include <QApplication>
#include <QSaveFile>
#include <QWidget>
#include <cstdio>

#include "export_picture.hpp"
#include "text.hpp"
#include "window.hpp"

namespace eciscope::view {

namespace {

constexpr int fine = 0;
constexpr int damaged = 2;
constexpr int wrong_usage = 3;

int complain(int code, const QString& sentence) {
    fmt::print(stderr, "eciscope-view: {}\n", sentence.toStdString());
    return code;
}

QString apply_times(Session& session, const Arguments& arguments) {
    Picoseconds from = session.facts().limits.first;
    Picoseconds to = session.facts().limits.last + 1;
    if (!arguments.from.isEmpty()) {
        const auto time = parse_seconds(arguments.from, session.facts());
        if (!time) {
            return to_qt(time.error().message);
        }
        from = *time;
    }
    if (!arguments.to.isEmpty()) {
        const auto time = parse_seconds(arguments.to, session.facts());
        if (!time) {
            return to_qt(time.error().message);
        }
        to = *time;
    }
    if (from >= to) {
        return QStringLiteral("--from must lie before --to");
    }
    session.show_range(from, to);
    return {};
}

std::optional<std::size_t> wanted_finding(Session& session, const QString& text) {
    const std::size_t count = session.document()->finding_count();
    if (text != QStringLiteral("violation")) {
        bool number = false;
        const auto value = static_cast<std::size_t>(text.toULongLong(&number));
        return number && value < count ? std::optional(value) : std::nullopt;
    }
    for (std::size_t n = 0; n < count; ++n) {
        const auto finding = session.finding_number(n);
        if (finding && finding->worst == Worst::violation) {
            return n;
        }
    }
    return std::nullopt;
}

QString apply_choice(Session& session, const Arguments& arguments) {
    if (!arguments.message.isEmpty()) {
        bool number = false;
        const qulonglong value = arguments.message.toULongLong(&number);
        if (!number || value >= session.facts().messages) {
            return QStringLiteral("there is no message %1").arg(arguments.message);
        }
        session.go_to_message(value);
    }
    if (!arguments.finding.isEmpty()) {
        const auto finding = wanted_finding(session, arguments.finding);
        if (!finding) {
            return QStringLiteral("there is no finding '%1'; the trace has %2")
                .arg(arguments.finding, grouped(session.document()->finding_count()));
        }
        session.go_to_finding(*finding);
    }
    return {};
}

void print_troubles(const Session& session) {
    for (const std::string& trouble : session.troubles()) {
        fmt::print(stderr, "eciscope-view: {}\n", trouble);
    }
}

/// Lines and filters that the index knows nothing of are looked for when a picture asks; this waits until they are
/// found.
void find_all(Session& session) {
    std::vector<TrackId> ids;
    for (const Row& row : session.tracks().rows()) {
        if (row.kind == Row::Kind::track) {
            ids.push_back(row.track.id);
        }
    }
    const Picture asks = session.document()->picture(session.viewport(), ids, session.filter());
    if (asks.coarse) {
        session.document()->wait();
        session.refresh();
    }
}

int export_window(const Arguments& arguments) {
    Window window(false);
    window.use_theme(arguments.theme == QStringLiteral("dark"));
    window.resize(arguments.size);
    window.set_open_options(open_options(arguments));
    window.open(arguments.file);
    Session& session = window.session();
    if (session.document() == nullptr) {
        return complain(damaged, window.trouble());
    }
    window.show();
    session.document()->wait();
    session.refresh();
    QApplication::processEvents();
    if (const QString trouble = apply_view(session, arguments); !trouble.isEmpty()) {
        return complain(wrong_usage, trouble);
    }
    find_all(session);
    window.settle();
    QSaveFile file(arguments.export_path);
    const bool written = file.open(QIODevice::WriteOnly) && window.grab().save(&file, "PNG") && file.commit();
    print_troubles(session);
    return written ? fine : complain(damaged, arguments.export_path + QStringLiteral(": ") + file.errorString());
}

}  // namespace

OpenOptions open_options(const Arguments& arguments) {
    OpenOptions options;
    options.index = arguments.index;
    options.check = arguments.check;
    if (!arguments.profile.isEmpty()) {
        options.profile = arguments.profile.toStdString();
    }
    return options;
}

QString apply_view(Session& session, const Arguments& arguments) {
    if (session.document() == nullptr) {
        return {};
    }
    for (const QString& text : arguments.lines) {
        const auto line = parse_line(text);
        if (!line) {
            return to_qt(line.error().message);
        }
        session.pin_line(*line);
    }
    if (!arguments.filter.isEmpty()) {
        if (const auto filtered = session.set_filter(arguments.filter); !filtered) {
            return to_qt(filtered.error().message);
        }
    }
    if (!arguments.from.isEmpty() || !arguments.to.isEmpty()) {
        if (const QString trouble = apply_times(session, arguments); !trouble.isEmpty()) {
            return trouble;
        }
    }
    return apply_choice(session, arguments);
}

int run_export(const Arguments& arguments) {
    if (arguments.whole_window) {
        return export_window(arguments);
    }
    Session session;
    session.set_theme(arguments.theme == QStringLiteral("dark") ? dark_theme() : light_theme());
    session.set_columns(arguments.size.width());
    if (const auto opened = session.open(arguments.file, open_options(arguments)); !opened) {
        return complain(damaged, to_qt(opened.error().message));
    }
    session.document()->wait();
    session.refresh();
    print_troubles(session);
    if (session.status().phase == Phase::failed) {
        return damaged;
    }
    if (const QString trouble = apply_view(session, arguments); !trouble.isEmpty()) {
        return complain(wrong_usage, trouble);
    }
    find_all(session);
    const auto written = export_view(session, arguments.export_path, arguments.size, arguments.scale);
    return written ? fine : complain(damaged, to_qt(written.error().message));
}

}  // namespace eciscope::view

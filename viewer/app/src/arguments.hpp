// What the command line says.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace eciscope::view {

struct Arguments {
    QString file;
    QString export_path;  ///< empty: a window
    bool whole_window = false;
    bool bench = false;
    int bench_seconds = 60;
    QString from;
    QString to;
    QStringList lines;
    QString filter;
    QString message;
    QString finding;
    QSize size{1600, 900};
    double scale = 1;
    QString theme;
    QString profile;
    bool index = true;
    bool check = true;
};

/// Text that was asked for (help or version), arguments, or what is wrong with them.
struct ParsedArguments {
    Arguments arguments;
    QString text;
    QString error;
};

[[nodiscard]] ParsedArguments parse_arguments(const QStringList& words);

}  // namespace eciscope::view

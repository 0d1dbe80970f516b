#include "arguments.hpp"

#include <QCommandLineParser>
#include <array>

namespace eciscope::view {

namespace {

struct Option {
    const char* name;
    const char* value;  ///< empty: a switch
    const char* text;
};

constexpr std::array options = {
    Option{"export", "FILE", "Write a picture (.png or .svg) and end; needs no display"},
    Option{"from", "TIME", "Show from this second of the trace's clock on, or +SECONDS from its first moment"},
    Option{"to", "TIME", "… to this one"},
    Option{"line", "A@N", "Pin this cache line: aliased number, home node; may be given several times"},
    Option{"filter", "WORDS", "Show only messages that these words describe, e.g. 'op:RLDX node:0'"},
    Option{"message", "NUMBER", "Choose this message"},
    Option{"finding", "WHICH",
           "Choose this finding and go there: its number from 0 on, or 'violation' for the first of these"},
    Option{"size", "WxH", "Size of the picture (1600x900)"},
    Option{"scale", "S", "Pixels of the picture for each of its size, for high resolution (1)"},
    Option{"theme", "NAME", "dark or light"},
    Option{"window", "", "With --export: the whole window with its panels"},
    Option{"profile", "NAME", "What the two nodes are, for the checker (ThunderX)"},
    Option{"no-index", "", "Neither read nor build the index beside the file"},
    Option{"no-check", "", "Do not look for violations"},
    Option{"bench", "", "Measure: first picture, frames of a scripted minute, memory"},
    Option{"seconds", "N", "With --bench: how long (60)"},
};

QString name_of(const char* name) {
    return QString::fromLatin1(name);
}

void add_options(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        QStringLiteral("Shows a capture or stored trace of the Enzian Coherence Interface over time."));
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("A capture or a stored trace"),
                                 QStringLiteral("[FILE]"));
    parser.addOption({{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Say this")});
    parser.addOption({QStringLiteral("version"), QStringLiteral("Say the version")});
    for (const Option& option : options) {
        parser.addOption({name_of(option.name), QString::fromUtf8(option.text), name_of(option.value)});
    }
}

bool read_numbers(const QCommandLineParser& parser, ParsedArguments& parsed) {
    Arguments& arguments = parsed.arguments;
    bool fine = true;
    if (parser.isSet(QStringLiteral("size"))) {
        const QStringList sides = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
        bool width_fine = false;
        bool height_fine = false;
        arguments.size = QSize(sides.value(0).toInt(&width_fine), sides.value(1).toInt(&height_fine));
        fine = width_fine && height_fine && sides.size() == 2 && arguments.size.width() >= 320 &&
               arguments.size.height() >= 120 && arguments.size.width() <= 16384 && arguments.size.height() <= 16384;
        parsed.error = fine ? QString() : QStringLiteral("--size takes WxH, from 320x120 to 16384x16384");
    }
    if (fine && parser.isSet(QStringLiteral("scale"))) {
        arguments.scale = parser.value(QStringLiteral("scale")).toDouble(&fine);
        fine = fine && arguments.scale >= 0.5 && arguments.scale <= 4;
        parsed.error = fine ? QString() : QStringLiteral("--scale takes a number from 0.5 to 4");
    }
    if (fine && parser.isSet(QStringLiteral("seconds"))) {
        arguments.bench_seconds = parser.value(QStringLiteral("seconds")).toInt(&fine);
        fine = fine && arguments.bench_seconds > 0;
        parsed.error = fine ? QString() : QStringLiteral("--seconds takes a number");
    }
    return fine;
}

void read_texts(const QCommandLineParser& parser, Arguments& arguments) {
    arguments.file = parser.positionalArguments().value(0);
    arguments.export_path = parser.value(QStringLiteral("export"));
    arguments.whole_window = parser.isSet(QStringLiteral("window"));
    arguments.bench = parser.isSet(QStringLiteral("bench"));
    arguments.from = parser.value(QStringLiteral("from"));
    arguments.to = parser.value(QStringLiteral("to"));
    arguments.lines = parser.values(QStringLiteral("line"));
    arguments.filter = parser.value(QStringLiteral("filter"));
    arguments.message = parser.value(QStringLiteral("message"));
    arguments.finding = parser.value(QStringLiteral("finding"));
    arguments.theme = parser.value(QStringLiteral("theme"));
    arguments.profile = parser.value(QStringLiteral("profile"));
    arguments.index = !parser.isSet(QStringLiteral("no-index"));
    arguments.check = !parser.isSet(QStringLiteral("no-check"));
}

}  // namespace

ParsedArguments parse_arguments(const QStringList& words) {
    QCommandLineParser parser;
    add_options(parser);
    ParsedArguments parsed;
    if (!parser.parse(words)) {
        parsed.error = parser.errorText();
        return parsed;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        parsed.text = parser.helpText().replace(QStringLiteral("<executable_name>"), QStringLiteral("eciscope-view"));
        return parsed;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        parsed.text = QStringLiteral("eciscope-view " ECISCOPE_VERSION "\n");
        return parsed;
    }
    read_texts(parser, parsed.arguments);
    const Arguments& arguments = parsed.arguments;
    if (!read_numbers(parser, parsed)) {
        return parsed;
    }
    const bool known_theme = arguments.theme.isEmpty() || arguments.theme == QStringLiteral("dark") ||
                             arguments.theme == QStringLiteral("light");
    if (!known_theme) {
        parsed.error = QStringLiteral("--theme takes dark or light");
    } else if (parser.positionalArguments().size() > 1) {
        parsed.error = QStringLiteral("one file at a time; 'eciscope merge' makes one of several");
    } else if (arguments.file.isEmpty() && (!arguments.export_path.isEmpty() || arguments.bench)) {
        parsed.error = QStringLiteral("which file?");
    }
    return parsed;
}

}  // namespace eciscope::view

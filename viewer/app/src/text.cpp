#include "text.hpp"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

namespace eciscope::view {

namespace {

tl::unexpected<ewf::Error> complaint(const QString& text) {
    return tl::unexpected<ewf::Error>(ewf::Error{ewf::ErrorCode::out_of_range, text.toStdString(), 0});
}

constexpr int picosecond_digits = 12;

}  // namespace

QString grouped(std::uint64_t number) {
    static const QLocale english(QLocale::English);
    return english.toString(static_cast<qulonglong>(number));
}

QString line_text(const ewf::Line& line) {
    return QStringLiteral("0x%1@%2").arg(line.aliased_cli, 0, 16).arg(line.home);
}

ewf::Expected<ewf::Line> parse_line(const QString& text) {
    const QStringList parts = text.trimmed().split(QLatin1Char('@'));
    bool line_fine = false;
    bool home_fine = true;
    ewf::Line line;
    line.aliased_cli = parts.value(0).toULongLong(&line_fine, 0);
    const uint home = parts.size() > 1 ? parts.value(1).toUInt(&home_fine, 0) : 0;
    if (!line_fine || !home_fine || home >= node_count || parts.size() > 2) {
        return complaint(
            QStringLiteral("'%1' is no cache line; one is written as 0x80@1: aliased number and home").arg(text));
    }
    line.home = static_cast<std::uint8_t>(home);
    return line;
}

QString seconds_text(const TimeBase& base, Picoseconds time) {
    Picoseconds fraction = time % picoseconds_per_second;
    std::int64_t seconds = base.unix_seconds + time / picoseconds_per_second;
    if (fraction < 0) {
        fraction += picoseconds_per_second;
        --seconds;
    }
    return QStringLiteral("%1.%2").arg(seconds).arg(fraction, picosecond_digits, 10, QLatin1Char('0'));
}

QString moment_text(const Facts& facts, Picoseconds time) {
    if (facts.clock != ewf::Clock::unix_time) {
        return seconds_text(facts.base, time) + QStringLiteral(" s");
    }
    const Picoseconds second = time >= 0 ? time / picoseconds_per_second : (time + 1) / picoseconds_per_second - 1;
    const QDateTime date = QDateTime::fromSecsSinceEpoch(facts.base.unix_seconds + second, Qt::UTC);
    return date.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) +
           QStringLiteral(".%1 UTC").arg(time - second * picoseconds_per_second, picosecond_digits, 10,
                                         QLatin1Char('0'));
}

ewf::Expected<Picoseconds> parse_seconds(const QString& text, const Facts& facts) {
    QString number = text.trimmed();
    const bool relative = number.startsWith(QLatin1Char('+'));
    if (relative) {
        number.remove(0, 1);
    }
    const QString whole = number.section(QLatin1Char('.'), 0, 0);
    const QString digits = number.section(QLatin1Char('.'), 1).leftJustified(picosecond_digits, QLatin1Char('0'));
    bool whole_fine = false;
    bool digits_fine = false;
    const qlonglong seconds = whole.toLongLong(&whole_fine);
    const qulonglong fraction = digits.toULongLong(&digits_fine);
    if (!whole_fine || !digits_fine || digits.size() > picosecond_digits) {
        return complaint(QStringLiteral("'%1' is no time; one is written as 1359.224872569018 (seconds of the trace's "
                                        "clock) or +0.000001 (from its first moment)")
                             .arg(text));
    }
    const std::int64_t from_base = relative ? seconds : seconds - facts.base.unix_seconds;
    constexpr std::int64_t reach = std::int64_t{9'000'000};  // seconds that picoseconds can count
    if (from_base > reach || from_base < -reach) {
        return complaint(QStringLiteral("%1 lies far outside of the trace, which begins at %2")
                             .arg(text, seconds_text(facts.base, facts.limits.first)));
    }
    return from_base * picoseconds_per_second + static_cast<Picoseconds>(fraction) +
           (relative ? facts.limits.first : 0);
}

}  // namespace eciscope::view

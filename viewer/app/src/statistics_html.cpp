// What a selected range of time holds.
#include <algorithm>
#include <cmath>

#include "details_html.hpp"
#include "paint_frame.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr int bar_width = 150;
constexpr std::uint64_t word_bytes = 8;

QString rate_text(double per_second) {
    if (per_second >= 1e9) {
        return QStringLiteral("%1 G a second").arg(per_second / 1e9, 0, 'f', 2);
    }
    if (per_second >= 1e6) {
        return QStringLiteral("%1 M a second").arg(per_second / 1e6, 0, 'f', 2);
    }
    return per_second >= 1e3 ? QStringLiteral("%1 k a second").arg(per_second / 1e3, 0, 'f', 2)
                             : QStringLiteral("%1 a second").arg(per_second, 0, 'f', 1);
}

QString bar(const QColor& colour, double part) {
    const int width = std::max(1, static_cast<int>(std::lround(part * bar_width)));
    return QStringLiteral(
               "<table cellspacing='0' cellpadding='0'><tr><td width='%1' bgcolor='%2'>&nbsp;</td></tr></table>")
        .arg(width)
        .arg(colour.name());
}

QString counts_html(const Theme& theme, const Statistics& statistics) {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='2'>");
    const double most = statistics.counts.empty()
                            ? 1.0
                            : static_cast<double>(std::max<std::uint64_t>(1, statistics.counts.front().messages));
    for (const auto& count : statistics.counts) {
        html += QStringLiteral("<tr><td>%1</td><td align='right'>&nbsp;%2&nbsp;</td><td>%3</td></tr>")
                    .arg(to_qt(count.name).toHtmlEscaped(), grouped(count.messages),
                         bar(theme.of(Worst::messages), static_cast<double>(count.messages) / most));
    }
    return html + QStringLiteral("</table>");
}

/// Bucket n counts latencies from 2^(n-1) ns on, the first one those below 1 ns.
QString histogram_html(const Theme& theme, const std::vector<std::uint64_t>& histogram) {
    const auto first = std::find_if(histogram.begin(), histogram.end(), [](std::uint64_t n) { return n != 0; });
    const auto last = std::find_if(histogram.rbegin(), histogram.rend(), [](std::uint64_t n) { return n != 0; }).base();
    if (first >= last) {
        return {};
    }
    const double most = static_cast<double>(*std::max_element(first, last));
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    for (auto at = first; at != last; ++at) {
        const auto doubling = static_cast<int>(at - histogram.begin());
        const Picoseconds from = doubling == 0 ? 0 : picoseconds_per_nanosecond << std::min(doubling - 1, 40);
        const QString filled = *at == 0 ? QString() : bar(theme.of_state('O'), static_cast<double>(*at) / most);
        html +=
            QStringLiteral("<tr><td align='right'>from %1&nbsp;</td><td align='right'>%2&nbsp;</td><td>%3</td></tr>")
                .arg(to_qt(time_text(from, 3)), grouped(*at), filled);
    }
    return html + QStringLiteral("</table>");
}

QString latency_html(const Theme& theme, const Statistics::Latency& latency) {
    return QStringLiteral(
               "<h4 style='margin:10px 0 2px 0'>%1: %2 answered</h4>"
               "<p style='margin:2px 0'>least %3, median <b>%4</b>, most %5</p>")
               .arg(to_qt(latency.request).toHtmlEscaped(), grouped(latency.count), to_qt(time_text(latency.least)),
                    to_qt(time_text(latency.median)), to_qt(time_text(latency.most))) +
           histogram_html(theme, latency.histogram);
}

}  // namespace

QString statistics_html(const Session& session, const Statistics& statistics) {
    const Picoseconds span = statistics.to - statistics.from;
    const double seconds = std::max(1.0, static_cast<double>(span)) / 1e12;
    const double messages = static_cast<double>(statistics.messages);
    QString html = QStringLiteral("<h3 style='margin:0'>%1</h3>").arg(to_qt(time_text(span)));
    html += QStringLiteral("<p style='margin:2px 0'>%1<br/>%2 messages, %3<br/>")
                .arg(distance_text(session, span).toHtmlEscaped(), grouped(statistics.messages),
                     rate_text(messages / seconds));
    html +=
        QStringLiteral("%1 words, %2 bytes</p>")
            .arg(grouped(statistics.words), rate_text(static_cast<double>(statistics.words * word_bytes) / seconds));
    if (!statistics.exact) {
        html +=
            QStringLiteral("<p style='margin:2px 0'>From the index alone: select a shorter range for latencies.</p>");
    }
    html += counts_html(session.theme(), statistics);
    for (const auto& latency : statistics.latencies) {
        html += latency_html(session.theme(), latency);
    }
    return html;
}

}  // namespace eciscope::view

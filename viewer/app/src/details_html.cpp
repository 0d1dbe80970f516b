#include "details_html.hpp"

#include <algorithm>
#include <vector>

#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr std::size_t most_history = 4000;
constexpr std::size_t history_around = 12;  // lines shown before and after the message

QString escaped(const std::string& text) {
    return to_qt(text).toHtmlEscaped();
}

QString section(const QString& title) {
    return QStringLiteral("<h4 style='margin:10px 0 2px 0'>%1</h4>").arg(title);
}

QString faint(const Theme& theme, const QString& text) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(theme.faint.name(), text);
}

QString link(const QString& target, const QString& text) {
    return QStringLiteral("<a href='%1'>%2</a>").arg(target, text);
}

QString message_link(MessageNumber number, const QString& text) {
    return link(QStringLiteral("message:%1").arg(number), text);
}

QString stream_text(const Facts& facts, const Stream& stream) {
    const auto node = [&facts](std::size_t n) {
        return n < facts.metadata.nodes.size() ? to_qt(facts.metadata.nodes[n].name) : QStringLiteral("node %1").arg(n);
    };
    return QStringLiteral("link %1, %2 to %3")
        .arg(stream.link)
        .arg(node(stream.from), node(1U - stream.from))
        .toHtmlEscaped();
}

QString fields_html(const Theme& theme, const std::vector<FieldText>& fields) {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='2' width='100%'>");
    for (const FieldText& field : fields) {
        html += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td><code>%2</code></td></tr>")
                    .arg(escaped(field.name), escaped(field.value));
        if (!field.meaning.empty()) {
            html += QStringLiteral("<tr><td></td><td>%1</td></tr>").arg(faint(theme, escaped(field.meaning)));
        }
    }
    return html + QStringLiteral("</table>");
}

QString words_html(const std::vector<std::uint64_t>& words) {
    QString html = QStringLiteral("<pre style='margin:2px 0'>");
    for (std::size_t n = 0; n < words.size(); ++n) {
        html += QStringLiteral("%1  %2\n").arg(n, 2).arg(words[n], 16, 16, QLatin1Char('0'));
    }
    return html + QStringLiteral("</pre>");
}

QString links_html(const MessageDetails& details) {
    QString html;
    if (details.request) {
        html += QStringLiteral("<p style='margin:4px 0'>answers %1 after <b>%2</b></p>")
                    .arg(message_link(*details.request, QStringLiteral("message ") + grouped(*details.request)),
                         to_qt(time_text(details.latency)));
    }
    if (details.answer) {
        html += QStringLiteral("<p style='margin:4px 0'>answered by %1 after <b>%2</b></p>")
                    .arg(message_link(*details.answer, QStringLiteral("message ") + grouped(*details.answer)),
                         to_qt(time_text(details.latency)));
    }
    return html;
}

QString history_row(const Theme& theme, const MessageRow& row, MessageNumber here, Picoseconds zero) {
    const bool is_here = row.number == here;
    const Picoseconds distance = row.head.last - zero;
    const QString time = (distance >= 0 ? QStringLiteral("+") : QString()) + to_qt(time_text(distance));
    const QString op = escaped(row.op);
    return QStringLiteral("<tr><td align='right'>%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
        .arg(is_here ? QStringLiteral("<b>here</b>") : faint(theme, time),
             is_here ? QStringLiteral("<b>%1</b>").arg(op) : message_link(row.number, op),
             QStringLiteral("VC %1, from node %2").arg(row.head.vc).arg(row.head.stream.from));
}

QString history_html(Session& session, const MessageRow& row) {
    const auto history = session.document()->line_history(*row.line, most_history);
    const auto here =
        std::find_if(history.begin(), history.end(), [&row](const MessageRow& r) { return r.number >= row.number; });
    const auto at = static_cast<std::size_t>(here - history.begin());
    const std::size_t from = at > history_around ? at - history_around : 0;
    const std::size_t to = std::min(history.size(), at + history_around + 1);
    QString html = section(
        QStringLiteral("Line %1 %2")
            .arg(line_text(*row.line), link(QStringLiteral("pin:") + line_text(*row.line), QStringLiteral("pin"))));
    if (from > 0) {
        html += faint(session.theme(), QStringLiteral("%1 earlier").arg(grouped(from)));
    }
    html += QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    for (std::size_t n = from; n < to; ++n) {
        html += history_row(session.theme(), history[n], row.number, row.head.last);
    }
    html += QStringLiteral("</table>");
    if (to < history.size()) {
        const bool more = history.size() == most_history;
        html += faint(session.theme(),
                      QStringLiteral("%1%2 later")
                          .arg(grouped(history.size() - to), more ? QStringLiteral(" or more") : QString()));
    }
    return html;
}

QString finding_html(const Session& session, std::size_t number) {
    const auto finding = session.finding_number(number);
    if (!finding) {
        return {};
    }
    QString html = QStringLiteral("<h3 style='margin:0;color:%1'>%2</h3><p style='margin:4px 0'>%3</p>")
                       .arg(session.theme().of(finding->worst).name(), escaped(finding->id), escaped(finding->text));
    if (finding->line) {
        html += QStringLiteral("<p style='margin:4px 0'>%1</p>")
                    .arg(link(QStringLiteral("pin:") + line_text(*finding->line),
                              QStringLiteral("Pin line ") + line_text(*finding->line)));
    }
    if (!finding->details.empty()) {
        html += QStringLiteral("<pre style='white-space:pre-wrap'>%1</pre>").arg(escaped(finding->details));
    }
    return html + faint(session.theme(), moment_text(session.facts(), finding->time));
}

QString message_html(Session& session, MessageNumber number) {
    const auto details = session.document()->details(number);
    if (!details) {
        return QStringLiteral("<p>Message %1 cannot be read: its part of the file is damaged or gone.</p>")
            .arg(grouped(number));
    }
    const MessageRow& row = details->row;
    const Theme& theme = session.theme();
    QString html = QStringLiteral("<h3 style='margin:0'>%1</h3>").arg(details_heading(row).toHtmlEscaped());
    html += QStringLiteral("<p style='margin:2px 0'>%1<br/>%2</p>")
                .arg(stream_text(session.facts(), row.head.stream),
                     faint(theme, moment_text(session.facts(), row.head.last)));
    html += links_html(*details) + section(QStringLiteral("Fields")) + fields_html(theme, details->fields);
    html += section(QStringLiteral("Words")) + words_html(details->words);
    if (!details->fragments.empty()) {
        html += section(QStringLiteral("Blocks")) + escaped(details->fragments);
    }
    if (row.line) {
        html += history_html(session, row);
    }
    return html;
}

}  // namespace

QString details_heading(const MessageRow& row) {
    QString heading = QStringLiteral("%1  ·  VC %2 %3  ·  message %4")
                          .arg(to_qt(row.op))
                          .arg(row.head.vc)
                          .arg(to_qt(row.message_class), grouped(row.number));
    return heading;
}

QString details_html(Session& session) {
    if (session.document() == nullptr) {
        return {};
    }
    QString html;
    if (session.finding()) {
        html += finding_html(session, *session.finding());
        html += session.message() ? QStringLiteral("<hr/>") : QString();
    }
    if (session.message()) {
        html += message_html(session, *session.message());
    }
    if (html.isEmpty()) {
        html = faint(session.theme(), QStringLiteral("Click a message or a finding to see all of it."));
    }
    return html;
}

}  // namespace eciscope::view

#include "cursor_distance.hpp"

#include <algorithm>

#include "paint_frame.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr std::size_t page = 256;
constexpr int most_pages = 8;

QString stream_name(const Facts& facts, const Stream& stream) {
    const auto node = [&facts](std::size_t n) {
        return n < facts.metadata.nodes.size() ? to_qt(facts.metadata.nodes[n].name) : QStringLiteral("node %1").arg(n);
    };
    return QStringLiteral("link %1, %2 to %3").arg(stream.link).arg(node(stream.from), node(1U - stream.from));
}

}  // namespace

NextBlocks next_blocks(Document& document, Picoseconds time) {
    NextBlocks blocks;
    MessageNumber from = document.message_at(time);
    for (int n = 0; n < most_pages; ++n) {
        const auto rows = document.rows(from, page);
        for (const MessageRow& row : rows) {
            auto& block = blocks[row.head.stream.index()];
            block = block ? block : row.head.last_block;
        }
        const bool all = std::all_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.has_value(); });
        if (all || rows.size() < page) {
            break;
        }
        from += rows.size();
    }
    return blocks;
}

QString cursors_html(Session& session) {
    const auto a = session.cursor(0);
    const auto b = session.cursor(1);
    if (!a || !b || session.document() == nullptr) {
        return {};
    }
    QString html = QStringLiteral("<h3 style='margin:0'>From cursor A to B</h3><p style='margin:2px 0 10px 0'>%1")
                       .arg(distance_text(session, *b - *a).toHtmlEscaped());
    const NextBlocks at_a = next_blocks(*session.document(), *a);
    const NextBlocks at_b = next_blocks(*session.document(), *b);
    for (std::size_t n = 0; n < stream_count; ++n) {
        if (at_a[n] && at_b[n]) {
            const auto blocks = static_cast<std::int64_t>(*at_b[n]) - static_cast<std::int64_t>(*at_a[n]);
            html += QStringLiteral("<br/>%1%2 blocks on %3")
                        .arg(blocks < 0 ? QStringLiteral("−") : QString(),
                             grouped(static_cast<std::uint64_t>(std::abs(blocks))),
                             stream_name(session.facts(), Stream::of_index(n)).toHtmlEscaped());
        }
    }
    html += QStringLiteral(
                "<br/><span style='color:%1'>Blocks are counted between the messages that follow the cursors.</span>")
                .arg(session.theme().faint.name());
    return html + QStringLiteral("</p>");
}

}  // namespace eciscope::view

#include "message_model.hpp"

#include <QColor>

#include "text.hpp"

namespace eciscope::view {

namespace {

QVariant alignment(int section) {
    const bool right =
        section == MessageModel::number || section == MessageModel::difference || section == MessageModel::words;
    return QVariant((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

MessageModel::MessageModel(Session& session) : session_(session) {}

void MessageModel::show(MessageNumber first, int count) {
    if (first == first_ && count == count_) {
        return;
    }
    first_ = first;
    count_ = count;
    reload();
}

void MessageModel::reload() {
    beginResetModel();
    rows_.clear();
    before_.reset();
    if (Document* document = session_.document(); document != nullptr && count_ > 0) {
        const MessageNumber from = first_ > 0 ? first_ - 1 : 0;
        rows_ = document->rows(from, static_cast<std::size_t>(count_) + (first_ > 0 ? 1 : 0));
        if (first_ > 0 && !rows_.empty()) {
            before_ = rows_.front().head.last;
            rows_.erase(rows_.begin());
        }
    }
    endResetModel();
}

int MessageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MessageModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(section_count);
}

QString MessageModel::text(const MessageRow& row, int section) const {
    switch (section) {
        case number:
            return grouped(row.number);
        case time:
            return seconds_text(session_.facts().base, row.head.last);
        case stream:
            return QStringLiteral("%1→%2  link %3")
                .arg(row.head.stream.from)
                .arg(1 - row.head.stream.from)
                .arg(row.head.stream.link);
        case circuit:
            return QStringLiteral("%1 %2").arg(row.head.vc).arg(to_qt(row.message_class));
        case operation:
            return to_qt(row.op);
        case line:
            return row.line ? line_text(*row.line) : QString();
        case words:
            return QString::number(row.head.word_count);
        default:
            return {};
    }
}

QVariant MessageModel::data(const QModelIndex& index, int role) const {
    const auto at = static_cast<std::size_t>(index.row());
    if (!index.isValid() || at >= rows_.size()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignment(index.column());
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (index.column() != difference) {
        return text(rows_[at], index.column());
    }
    const std::optional<Picoseconds> before = at > 0 ? std::optional(rows_[at - 1].head.last) : before_;
    return before ? QStringLiteral("+") + to_qt(time_text(rows_[at].head.last - *before)) : QString();
}

QVariant MessageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        return alignment(section);
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case number:
            return QStringLiteral("Message");
        case time:
            return QStringLiteral("Time, s");
        case difference:
            return QStringLiteral("After the last");
        case stream:
            return QStringLiteral("From → to");
        case circuit:
            return QStringLiteral("VC");
        case operation:
            return QStringLiteral("Operation");
        case line:
            return QStringLiteral("Line");
        case words:
            return QStringLiteral("Words");
        default:
            return {};
    }
}

}  // namespace eciscope::view

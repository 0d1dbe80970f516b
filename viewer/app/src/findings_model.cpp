#include "findings_model.hpp"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <limits>

#include "paint_tracks.hpp"
#include "text.hpp"

namespace eciscope::view {

namespace {

constexpr std::size_t page_rows = 256;
constexpr int icon_size = 16;

QPixmap icon(const Theme& theme, Worst worst) {
    QPixmap pixmap(icon_size, icon_size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint_mark(painter, make_look(theme, 1), worst, QPointF(icon_size / 2.0, icon_size / 2.0), 12);
    return pixmap;
}

}  // namespace

FindingsModel::FindingsModel(Session& session) : session_(session) {}

void FindingsModel::refresh() {
    const std::size_t count = session_.document() == nullptr ? 0 : session_.document()->finding_count();
    beginResetModel();
    count_ = std::min(count, static_cast<std::size_t>(std::numeric_limits<int>::max()));
    page_.clear();
    endResetModel();
}

const Finding* FindingsModel::finding(std::size_t number) const {
    const bool here = number >= page_first_ && number - page_first_ < page_.size();
    if (!here && session_.document() != nullptr) {
        page_first_ = number - number % page_rows;
        page_ = session_.document()->findings(page_first_, page_rows);
    }
    const std::size_t at = number - page_first_;
    return at < page_.size() ? &page_[at] : nullptr;
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(count_);
}

int FindingsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 3;
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    const Finding* shown = index.isValid() ? finding(static_cast<std::size_t>(index.row())) : nullptr;
    if (shown == nullptr) {
        return {};
    }
    if (role == Qt::DecorationRole && index.column() == 0) {
        return icon(session_.theme(), shown->worst);
    }
    if (role == Qt::ToolTipRole || (role == Qt::DisplayRole && index.column() == 2)) {
        return to_qt(shown->text);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return index.column() == 0 ? to_qt(shown->id) : seconds_text(session_.facts().base, shown->time);
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == 0   ? QStringLiteral("What")
           : section == 1 ? QStringLiteral("Time, s")
                          : QStringLiteral("Sentence");
}

}  // namespace eciscope::view

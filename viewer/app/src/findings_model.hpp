// Findings as rows, fetched in pages as they come into sight.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "session.hpp"

namespace eciscope::view {

class FindingsModel : public QAbstractTableModel {
 public:
    explicit FindingsModel(Session& session);

    /// More may have been found.
    void refresh();

    [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    [[nodiscard]] const Finding* finding(std::size_t number) const;

    Session& session_;
    std::size_t count_ = 0;
    mutable std::size_t page_first_ = 0;
    mutable std::vector<Finding> page_;
};

}  // namespace eciscope::view

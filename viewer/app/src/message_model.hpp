// A screenful of messages for a table. It holds only the rows that are seen: a view that knows of all 10^8 rows keeps
// gigabytes for their heights alone.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "session.hpp"

namespace eciscope::view {

class MessageModel : public QAbstractTableModel {
 public:
    enum Section : std::uint8_t { number, time, difference, stream, circuit, words, operation, line, section_count };

    explicit MessageModel(Session& session);

    /// Shows `count` messages from `first` on.
    void show(MessageNumber first, int count);
    void reload();
    [[nodiscard]] MessageNumber first() const { return first_; }
    [[nodiscard]] const std::vector<MessageRow>& messages() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    [[nodiscard]] QString text(const MessageRow& row, int section) const;

    Session& session_;
    MessageNumber first_ = 0;
    int count_ = 0;
    std::vector<MessageRow> rows_;
    std::optional<Picoseconds> before_;  // time of the message in front of the first row
};

}  // namespace eciscope::view

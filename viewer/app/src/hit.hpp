// What lies under the pointer.
#pragma once

#include <QPoint>
#include <QString>
#include <optional>

#include "look.hpp"
#include "paint_tracks.hpp"
#include "session.hpp"

namespace eciscope::view {

[[nodiscard]] const Box* box_hit(const Look& look, const QRect& area, const TrackPicture& track, const QPoint& point);
[[nodiscard]] std::optional<std::size_t> finding_hit(const Look& look, const TrackPicture& track, const QPoint& point);
/// The first message of the track in the nearest column that holds one, no further than `reach` columns away.
[[nodiscard]] std::optional<MessageNumber> message_near(Session& session, const TrackId& id, const TrackPicture& track,
                                                        int column, int reach);
/// For a tool tip.
[[nodiscard]] QString hit_text(const Session& session, const Look& look, const QRect& area, const TrackInfo& info,
                               const TrackPicture& track, const QPoint& point);

/// The messages that a track is made of.
[[nodiscard]] Filter filter_of(const TrackId& id);

}  // namespace eciscope::view

// The view as a file: the same painting as the window's, in a size of its own.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>

#include "session.hpp"

namespace eciscope::view {

/// Minimap, ruler, labels and as many tracks as there is room for. `size` is in logical pixels.
[[nodiscard]] QImage view_image(Session& session, const QSize& size, double scale);

/// PNG or SVG, as the name ends.
[[nodiscard]] ewf::Expected<void> export_view(Session& session, const QString& path, const QSize& size, double scale);

}  // namespace eciscope::view

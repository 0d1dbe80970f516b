// The list of keys.
#pragma once

class QWidget;

namespace eciscope::view {

void show_help(QWidget* parent);

}  // namespace eciscope::view

// eciscope-view: the timeline viewer.
#include "launch.hpp"

int main(int argc, char** argv) {
    return eciscope::view::launch(argc, argv);
}

#include "interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace eciscope::cli {

namespace {

std::atomic<int> signal_caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

// Standard input is replaced by /dev/null so that a read that waits for a silent pipe comes back and finds the end.
extern "C" void on_signal(int signal) {
    signal_caught = signal;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: a waiting read must come back
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {  // nohup and background jobs of a script keep what they asked for
            sigaction(signal, &action, nullptr);
        }
    }
    std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
    return signal_caught != 0;
}

Exit interrupt_exit() {
    return signal_caught == SIGTERM ? Exit::terminated : Exit::interrupted;
}

}  // namespace eciscope::cli

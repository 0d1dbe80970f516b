// Signals that come only when it suits.
#pragma once

#include <csignal>

namespace eciscope::cli {

/// Keeps Ctrl-C and SIGTERM from this thread but where it waits with the mask from before, so that none cuts a write
/// short.
class HeldInterrupts {
 public:
    HeldInterrupts() {
        sigset_t held;
        sigemptyset(&held);
        sigaddset(&held, SIGINT);
        sigaddset(&held, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    HeldInterrupts(const HeldInterrupts&) = delete;
    HeldInterrupts& operator=(const HeldInterrupts&) = delete;
    ~HeldInterrupts() { let_go(); }

    /// For ppoll() and the like.
    [[nodiscard]] const sigset_t& mask_before() const { return before_; }
    void let_go() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
    sigset_t before_{};
};

}  // namespace eciscope::cli

// A few threads that work on jobs in any order and give them back in the order they came.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace eciscope::ewf {

/// A ring of jobs whose buffers are reused, so memory is bounded. One thread owns it: it fills the next free job,
/// submits it, and takes finished ones from the other end. With one thread, submit() does the work itself.
template <class Job>
class OrderedWorkers {
 public:
    using Work = std::function<void(Job&)>;

    /// `make_work` is called once for each thread, so that each has buffers of its own.
    OrderedWorkers(unsigned threads, const std::function<Work()>& make_work)
        : slots_(threads <= 1 ? 1 : threads + 2), inline_work_(make_work()) {
        if (threads <= 1) {
            return;
        }
        try {
            for (unsigned i = 0; i < threads; ++i) {
                threads_.emplace_back([this, work = make_work()] { run(work); });
            }
        } catch (const std::system_error&) {
            // The system gives no more threads: those there are do all, and if there are none, submit() does.
        }
    }
    OrderedWorkers(const OrderedWorkers&) = delete;
    OrderedWorkers& operator=(const OrderedWorkers&) = delete;

    ~OrderedWorkers() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        submitted_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    [[nodiscard]] bool full() const { return in_ - out_ == slots_.size(); }
    [[nodiscard]] bool empty() const { return in_ == out_; }

    /// The job that submit() will hand over; only while not full().
    [[nodiscard]] Job& next() { return slots_[in_ % slots_.size()].job; }

    void submit() {
        Slot& slot = slots_[in_ % slots_.size()];
        if (threads_.empty()) {
            inline_work_(slot.job);
            slot.done = true;
            ++in_;
            return;
        }
        {
            const std::lock_guard lock(mutex_);
            slot.done = false;
            ++in_;
        }
        submitted_.notify_one();
    }

    /// Waits for the oldest job; only while not empty().
    [[nodiscard]] Job& oldest() {
        Slot& slot = slots_[out_ % slots_.size()];
        std::unique_lock lock(mutex_);
        finished_.wait(lock, [&slot] { return slot.done; });
        return slot.job;
    }

    /// Frees the oldest job for use by next().
    void release() { ++out_; }

 private:
    struct Slot {
        Job job;
        bool done = false;
    };

    void run(const Work& work) {
        std::unique_lock lock(mutex_);
        for (;;) {
            submitted_.wait(lock, [this] { return stop_ || taken_ != in_; });
            if (stop_) {
                return;
            }
            Slot& slot = slots_[taken_++ % slots_.size()];
            lock.unlock();
            work(slot.job);
            lock.lock();
            slot.done = true;
            finished_.notify_one();
        }
    }

    std::vector<Slot> slots_;
    Work inline_work_;
    std::size_t in_ = 0;     // written by the owner under the lock
    std::size_t out_ = 0;    // the owner's alone
    std::size_t taken_ = 0;  // under the lock
    bool stop_ = false;
    std::mutex mutex_;
    std::condition_variable submitted_;
    std::condition_variable finished_;
    std::vector<std::thread> threads_;
};

}  // namespace eciscope::ewf

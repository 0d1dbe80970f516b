// Searches a trace in a thread of its own, with a reader of its own, so that the window goes on meanwhile.
#pragma once

#include <QObject>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "eciscope/view/document.hpp"

namespace eciscope::view {

struct SearchRequest {
    std::string path;
    Filter filter;
    MessageNumber from = 0;
    bool forward = true;
};

struct SearchOutcome {
    std::optional<MessageNumber> found;
    bool cancelled = false;
    std::string error;
};

class SearchWorker {
 public:
    SearchWorker() = default;
    SearchWorker(const SearchWorker&) = delete;
    SearchWorker& operator=(const SearchWorker&) = delete;
    ~SearchWorker() { cancel(); }

    /// `done` is called in the window's thread, unless the search is cancelled before.
    void start(SearchRequest request, std::function<void(const SearchOutcome&)> done);
    void cancel();

 private:
    QObject receiver_;  // drops the outcome of a search that is over
    std::atomic<bool> go_on_{false};
    std::thread thread_;
};

}  // namespace eciscope::view

#include "search_worker.hpp"

namespace eciscope::view {

namespace {

SearchOutcome search(const SearchRequest& request, const std::atomic<bool>& go_on) {
    OpenOptions options;
    options.index = false;
    options.check = false;
    options.keep_index = false;
    auto document = Document::open(request.path, options);
    if (!document) {
        return {std::nullopt, false, document.error().message};
    }
    (*document)->wait();  // for the stored trace of a capture, which is there already
    SearchOutcome outcome;
    outcome.found = (*document)->find(request.filter, request.from, request.forward, [&go_on] { return go_on.load(); });
    outcome.cancelled = !go_on;
    return outcome;
}

}  // namespace

void SearchWorker::start(SearchRequest request, std::function<void(const SearchOutcome&)> done) {
    cancel();
    go_on_ = true;
    thread_ = std::thread([this, request = std::move(request), done = std::move(done)] {
        const SearchOutcome outcome = search(request, go_on_);
        const auto report = [this, outcome, done] {
            if (go_on_.exchange(false)) {
                done(outcome);
            }
        };
        QMetaObject::invokeMethod(&receiver_, report, Qt::QueuedConnection);
    });
}

void SearchWorker::cancel() {
    go_on_ = false;
    if (thread_.joinable()) {
        thread_.join();
    }
}

}  // namespace eciscope::view

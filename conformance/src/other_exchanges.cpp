#include "other_exchanges.hpp"

namespace eciscope::conformance {

bool OtherExchanges::open(const ExchangeKey& key, const Seen& request) {
    if (count_ == most_open) {
        overflowed_ = true;
        return true;
    }
    auto& requests = open_[key];
    requests.push_back(request);
    ++count_;
    return requests.size() == 1;
}

std::optional<Seen> OtherExchanges::close(const ExchangeKey& key) {
    const auto place = open_.find(key);
    if (place == open_.end()) {
        return std::nullopt;
    }
    const Seen request = place->second.front();
    place->second.pop_front();
    if (place->second.empty()) {
        open_.erase(place);
    }
    --count_;
    return request;
}

void OtherExchanges::forget() {
    open_.clear();
    count_ = 0;
}

}  // namespace eciscope::conformance

#include "chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace eciscope::conformance::model {

namespace {

constexpr std::string_view remote_prefix = "R_";
constexpr std::string_view wish_prefix = "Wish_";

std::string without_prefix(const std::string& name, std::string_view prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

class Chart {
 public:
    explicit Chart(const Machines& machines) : machines_(machines) {}

    void heading() { row("remote", "home"); }

    /// The remote's and the home's state where the chart begins.
    void begin(const Configuration& c) { row(remote_state(c), home_state(c)); }

    void event(const Event& what, const Configuration& after) {
        if (what.who == Who::remote) {
            const std::string does =
                joined({wish(what), arrow("<-- ", what.received, ""), arrow("", what.sent, " -->")});
            row(fmt::format("{:<6}{}", remote_state(after), does), "");
        } else if (what.who == Who::home) {
            const std::string does =
                joined({wish(what), arrow("--> ", what.received, ""), arrow("<-- ", what.sent, "")});
            row("", fmt::format("{:<14}{}", home_state(after), does));
        }
    }

    /// What the columns do not show.
    void remarks(const Configuration& c) {
        remark("under way:", c.in_flight);
        text_ += c.remote_is_newest ? "" : "  the remote's copy is old\n";
        text_ += c.memory_is_newest ? "" : "  the home's memory is old\n";
    }

    std::string text() && { return std::move(text_); }

 private:
    void row(const std::string& remote, const std::string& home) {
        const std::string padded = fmt::format("  {:<30}| {}", remote, home);
        text_ += padded.substr(0, padded.find_last_not_of(' ') + 1) + "\n";
    }

    void remark(std::string_view title, const std::vector<StepId>& bag) {
        if (bag.empty()) {
            return;
        }
        text_.append("  ").append(title);
        for (const StepId carried : bag) {
            text_ += " " + machines_.steps[step_of(carried)] + ((carried & stale_data) != 0 ? " (old data)" : "");
        }
        text_ += "\n";
    }

    static std::string joined(const std::vector<std::string>& parts) {
        std::string text;
        for (const std::string& part : parts) {
            text += text.empty() || part.empty() ? part : "; " + part;
        }
        return text;
    }

    std::string arrow(std::string_view before, StepId step, std::string_view after) const {
        return step == no_step ? "" : fmt::format("{}{}{}", before, machines_.steps[step], after);
    }

    /// What a node wanted; a forward of the home is named by what it sends.
    std::string wish(const Event& what) const {
        const bool is_named = what.sent != no_step && machines_.steps[what.sent] == what.wish;
        std::string text = is_named ? "" : without_prefix(what.wish, wish_prefix);
        std::replace(text.begin(), text.end(), '_', ' ');
        return text;
    }

    std::string remote_state(const Configuration& c) const {
        return without_prefix(machines_.remote_states[c.remote], remote_prefix);
    }

    std::string home_state(const Configuration& c) const {
        const auto& names =
            machines_.home_states_in_short.empty() ? machines_.home_states : machines_.home_states_in_short;
        return names[c.home];
    }

    const Machines& machines_;
    std::string text_;
};

}  // namespace

std::string chart_of(const Machines& machines, const Graph& graph, std::size_t configuration, const Edge* last) {
    std::vector<const Edge*> way;
    for (std::size_t c = configuration; c != 0; c = graph.parent[c]) {
        way.push_back(&graph.edges[graph.parent[c]][graph.parent_edge[c]]);
    }
    std::reverse(way.begin(), way.end());
    if (last != nullptr) {
        way.push_back(last);
    }
    Chart chart(machines);
    chart.heading();
    chart.begin(graph.configurations[0]);
    for (const Edge* edge : way) {
        chart.event(edge->what, graph.configurations[edge->to]);
    }
    chart.remarks(graph.configurations[way.empty() ? 0 : way.back()->to]);
    return std::move(chart).text();
}

}  // namespace eciscope::conformance::model

#include "search/cutting/fusion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warptile {
namespace {

constexpr int kOpen = -1;

struct State {
    std::vector<int> root;  ///< by node id: the output of its group; kOpen: not decided
    double cost = 0;        ///< of the groups as they are
};

class Fuser {
public:
    Fuser(const KeptGraph &graph, const GroupCost &cost, const FusionBounds &bounds)
        : graph_(graph), cost_(cost), bounds_(bounds), oldest_producer_(graph.dag->nodes.size(), INT32_MAX) {
        for (const int n : graph.nodes) {
            for (const int reader : graph.readers[static_cast<size_t>(n)]) {
                int &oldest = oldest_producer_[static_cast<size_t>(reader)];
                oldest = std::min(oldest, n);
            }
        }
    }

    Fusion run() {
        State start;
        start.root.assign(graph_.dag->nodes.size(), kOpen);
        std::vector<State> states = {start};
        for (size_t i = graph_.nodes.size(); i-- > 0;) {
            states = step(states, graph_.nodes[i]);
        }
        return {groups_of(states.front()), states.front().cost};
    }

private:
    const KeptGraph &graph_;
    const GroupCost &cost_;
    const FusionBounds &bounds_;
    std::vector<int> oldest_producer_;          ///< by node id: the last of its producers to be decided
    std::map<std::vector<int>, double> costs_;  ///< by output and members

    double cost_of(int output, const std::vector<int> &members) {
        std::vector<int> key = {output};
        key.insert(key.end(), members.begin(), members.end());
        const auto found = costs_.find(key);
        return found != costs_.end() ? found->second : costs_.emplace(key, cost_(output, members)).first->second;
    }

    std::vector<int> members_of(const State &state, int root) const {
        std::vector<int> members;
        for (const int n : graph_.nodes) {
            if (n != root && state.root[static_cast<size_t>(n)] == root) {
                members.push_back(n);
            }
        }
        return members;
    }

    /// The group in which all readers are; kOpen: there is none.
    int common_root(const State &state, int node) const {
        int common = kOpen;
        for (const int reader : graph_.readers[static_cast<size_t>(node)]) {
            const int root = state.root[static_cast<size_t>(reader)];
            if (root == kOpen || (common != kOpen && common != root)) {
                return kOpen;
            }
            common = root;
        }
        return common;
    }

    std::vector<State> step(const std::vector<State> &states, int node) {
        std::map<std::vector<int>, State> next;
        const auto offer = [&](State &&state) {
            std::vector<int> key = frontier(state, node);
            const auto found = next.find(key);
            if (found == next.end()) {
                next.emplace(std::move(key), std::move(state));
            } else if (state.cost < found->second.cost) {
                found->second = std::move(state);
            }
        };
        for (const State &state : states) {
            const int common = graph_.must_root[static_cast<size_t>(node)] ? kOpen : common_root(state, node);
            if (common != kOpen && graph_.form[static_cast<size_t>(common)] != RootForm::Stages &&
                graph_.form[static_cast<size_t>(common)] != RootForm::Host) {
                std::vector<int> members = members_of(state, common);
                const double before = cost_of(common, members);
                members.insert(members.begin(), node);
                const double after = members.size() > bounds_.members ? INFINITY : cost_of(common, members);
                if (std::isfinite(after)) {
                    State joined = state;
                    joined.root[static_cast<size_t>(node)] = common;
                    joined.cost += after - before;
                    offer(std::move(joined));
                }
            }
            State alone = state;
            alone.root[static_cast<size_t>(node)] = node;
            alone.cost += cost_of(node, {});
            offer(std::move(alone));
        }
        return best_of(next);
    }

    std::vector<State> best_of(std::map<std::vector<int>, State> &next) const {
        std::vector<State> kept;
        for (auto &entry : next) {
            kept.push_back(std::move(entry.second));
        }
        std::stable_sort(kept.begin(), kept.end(), [](const State &a, const State &b) { return a.cost < b.cost; });
        if (kept.size() > bounds_.states) {
            kept.resize(bounds_.states);
        }
        return kept;
    }

    /// What the decisions still to come can depend on: the groups of nodes with undecided producers, and what is in
    /// them.
    std::vector<int> frontier(const State &state, int decided) const {
        std::set<int> open;
        for (const int n : graph_.nodes) {
            if (n >= decided && oldest_producer_[static_cast<size_t>(n)] < decided) {
                open.insert(state.root[static_cast<size_t>(n)]);
            }
        }
        std::vector<int> key;
        for (const int n : graph_.nodes) {
            const int root = state.root[static_cast<size_t>(n)];
            if (root != kOpen && open.count(root)) {
                key.push_back(n);
                key.push_back(root);
            }
        }
        return key;
    }

    std::vector<GroupSpec> groups_of(const State &state) const {
        std::vector<GroupSpec> groups;
        for (const int n : graph_.nodes) {
            if (state.root[static_cast<size_t>(n)] == n) {
                groups.push_back({n, members_of(state, n)});
            }
        }
        return groups;
    }
};

}  // namespace

Fusion fuse(const KeptGraph &graph, const GroupCost &cost, const FusionBounds &bounds) {
    return Fuser(graph, cost, bounds).run();
}

}  // namespace warptile

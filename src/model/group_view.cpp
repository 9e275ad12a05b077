#include "model/group_view.h"

#include <algorithm>
#include <cmath>

namespace warptile {

GroupView::GroupView(const FunctionDag &dag, int output, const std::vector<int> &members, std::vector<bool> inlined)
    : dag_(dag), output_(output), inlined_(std::move(inlined)), footprint_(dag, output, members, inlined_),
      slots_(dag.nodes.size(), -1) {
    inputs_ = footprint_.inputs();
    std::vector<int> kept = {output};
    for (const int id : footprint_.order()) {
        if (id == output) {
            continue;
        }
        if (std::find(members.begin(), members.end(), id) != members.end()) {
            members_.push_back(id);
            kept.push_back(id);
        } else {
            inlined_funcs_.push_back(id);
        }
    }
    const size_t computed = kept.size();
    kept.insert(kept.end(), inputs_.begin(), inputs_.end());
    const std::vector<Region> &regions = footprint_.regions(dag.node(output).estimate);
    for (size_t i = 0; i < kept.size(); i++) {
        const Node &node = dag.node(kept[i]);
        slots_[static_cast<size_t>(node.id)] = static_cast<int>(i);
        whole_.push_back(regions[static_cast<size_t>(node.id)]);
        std::vector<Expansion> stages;
        for (size_t s = 0; i < computed && s < node.stages.size(); s++) {
            stages.push_back(expand(dag, node.id, static_cast<int>(s), inlined_));
        }
        expansions_.push_back(std::move(stages));
    }
    count_divisions();
}

void GroupView::count_divisions() {
    std::vector<std::vector<int>> by_dim(whole_.size());
    for (size_t i = 0; i < whole_.size(); i++) {
        by_dim[i].assign(whole_[i].size(), 0);
    }
    const auto visit = [&](int reader) {
        const Node &node = dag_.node(reader);
        const std::vector<int> own = by_dim[static_cast<size_t>(slot(reader))];
        for (size_t s = 0; s < node.stages.size(); s++) {
            for (const ExpandedLoad &load : expansion(reader, static_cast<int>(s)).loads) {
                if (load.producer == reader) {
                    continue;
                }
                std::vector<int> &into = by_dim[static_cast<size_t>(slot(load.producer))];
                for (size_t d = 0; d < load.axes.size(); d++) {
                    for (size_t dim = 0; dim < own.size(); dim++) {
                        const int loop = node.stages[s].pure_of_dim[dim];
                        const double slope = loop < 0 ? 0 : load.axes[d].slope[static_cast<size_t>(loop)];
                        const bool wide = load.axes[d].hi - load.axes[d].lo > 1;
                        const int divides = slope == std::floor(slope) ? 0 : wide ? 2 : 1;
                        into[d] = std::max(into[d], slope != 0 ? own[dim] + divides : 0);
                    }
                }
            }
        }
    };
    visit(output_);
    for (const int m : members_) {
        visit(m);
    }
    for (const std::vector<int> &dims : by_dim) {
        divisions_.push_back(dims.empty() ? 0 : *std::max_element(dims.begin(), dims.end()));
    }
}

bool GroupView::is_member(int node) const {
    return std::find(members_.begin(), members_.end(), node) != members_.end();
}

bool GroupView::is_input(int node) const { return std::binary_search(inputs_.begin(), inputs_.end(), node); }

const Expansion &GroupView::expansion(int node, int stage) const {
    return expansions_[static_cast<size_t>(slot(node))][static_cast<size_t>(stage)];
}

std::vector<int> GroupView::readers(int node) const {
    std::vector<int> result;
    const auto add_if_reads = [&](int reader) {
        for (const Expansion &stage : expansions_[static_cast<size_t>(slot(reader))]) {
            for (const ExpandedLoad &load : stage.loads) {
                if (load.producer == node) {
                    result.push_back(reader);
                    return;
                }
            }
        }
    };
    add_if_reads(output_);
    for (const int m : members_) {
        add_if_reads(m);
    }
    return result;
}

Footprint &GroupView::steps_of(int member) const {
    const auto found = step_footprints_.find(member);
    return found != step_footprints_.end()
               ? found->second
               : step_footprints_.emplace(member, Footprint(dag_, member, members_, inlined_, TileSteps::One))
                     .first->second;
}

const std::vector<int64_t> &GroupView::step_extents(int member, const std::vector<int64_t> &tile, int node) const {
    return steps_of(member).max_extents(tile)[static_cast<size_t>(node)];
}

const std::vector<int64_t> &GroupView::extents(const std::vector<int64_t> &tile, int node) const {
    const auto found = extents_.find(tile);
    if (found != extents_.end()) {
        return found->second[static_cast<size_t>(slot(node))];
    }
    const std::vector<std::vector<int64_t>> &all = footprint_.max_extents(tile);
    std::vector<std::vector<int64_t>> kept(whole_.size());
    for (size_t id = 0; id < slots_.size(); id++) {
        if (slots_[id] >= 0) {
            kept[static_cast<size_t>(slots_[id])] = all[id];
        }
    }
    return extents_.emplace(tile, std::move(kept)).first->second[static_cast<size_t>(slot(node))];
}

}  // namespace warptile

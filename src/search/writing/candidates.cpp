#include "search/writing/candidates.h"

#include <algorithm>

#include "schedule/rules/check_steps.h"
#include "search/pricing/kernels.h"
#include "search/pricing/selection.h"
#include "search/pricing/update_kernels.h"
#include "search/writing/grid_reductions.h"
#include "search/writing/update_parts.h"

namespace warptile {
namespace {

void add_by_cost(const Candidate &candidate, std::vector<Candidate> &candidates) {
    const auto dearer =
        std::find_if(candidates.begin(), candidates.end(), [&](const Candidate &c) { return c.cost > candidate.cost; });
    candidates.insert(dearer, candidate);
}

class Writer {
public:
    Writer(const RefMap &refs, const Machine &machine, const CostModel &model, const SearchOptions &options,
           const GroupSpec &spec)
        : refs_(refs), graph_(*refs.graph), machine_(machine), model_(model), options_(options), output_(spec.output),
          members_(spec.members), cut_(spec.cut) {}

    std::vector<Candidate> run() {
        if (!options_.plain(output_)) {
            add_kernels();
        }
        for (const Additions additions : {Additions::Atomic, Additions::Serial}) {
            if (additions == Additions::Atomic || adds_atomically(*graph_.dag, output_, members_)) {
                candidates_.push_back(emit_plain(refs_, model_, output_, members_, additions));
                candidates_.back().last_resort = true;
            }
        }
        return candidates_;
    }

private:
    const RefMap &refs_;
    const KeptGraph &graph_;
    const Machine &machine_;
    const CostModel &model_;
    const SearchOptions &options_;
    const int output_;
    const std::vector<int> &members_;
    const std::vector<GroupSpec> &cut_;
    std::vector<Candidate> candidates_;

    RootForm form(int node) const { return graph_.form[static_cast<size_t>(node)]; }

    void add_kernels() {
        const std::vector<PricedKernel> kernels =
            select_kernels(priced_kernels(graph_, model_, options_.space, output_, members_, Effort::Full),
                           options_.max_registers, options_.keep);
        if (form(output_) == RootForm::Stages) {
            add_stages(kernels, Additions::Atomic, candidates_);
            if (adds_atomically(*graph_.dag, output_, {}) && !kernels.empty()) {
                std::vector<Candidate> serial;
                add_stages({kernels.front()}, Additions::Serial, serial);
                add_by_cost(serial.front(), candidates_);
            }
        } else {
            for (const PricedKernel &priced : kernels) {
                candidates_.push_back(emit(refs_, priced));
            }
        }
        for (const Candidate &c : reduce_over_grid(refs_, machine_, model_, output_, members_)) {
            add_by_cost(c, candidates_);
        }
        for (const Candidate &c : updates_in_parts(refs_, machine_, model_, output_)) {
            add_by_cost(c, candidates_);
        }
        // What is dearer than the group whole is tried only where that does not hold.
        if (cut_.size() > 1 && !candidates_.empty()) {
            Candidate cut = in_groups("cut:", cut_);
            cut.cost = std::max(cut.cost, candidates_.front().cost);
            add_by_cost(cut, candidates_);
        }
        if (!members_.empty()) {
            candidates_.push_back(unfused());
            candidates_.back().last_resort = true;
        }
    }

    std::vector<PricedKernel> updates(int most_steps, Additions additions) const {
        return priced_updates(graph_, model_, output_, most_steps, additions);
    }

    /// The second and third candidates take fewer steps of scans together, and the last one point and step of every
    /// update: how many registers the addresses of their loads need only the assembler knows. Tiles of a pure stage
    /// that has no loop are all one.
    void add_stages(const std::vector<PricedKernel> &kernels, Additions additions,
                    std::vector<Candidate> &candidates) const {
        const std::vector<PricedKernel> with_most = updates(kMostSteps, additions);
        for (const PricedKernel &priced : kernels) {
            candidates.push_back(emit_stages(refs_, priced, with_most));
            if (graph_.dag->node(output_).stages[0].undefined) {
                break;
            }
        }
        if (kernels.empty()) {
            return;
        }
        int most = 1;
        for (const PricedKernel &update : with_most) {
            most = std::max(most, static_cast<int>(update.kernel.tile.steps.together()));
        }
        for (size_t place = 1; place < 3 && most >= 4; place++) {
            most /= 2;
            candidates.insert(candidates.begin() + static_cast<std::ptrdiff_t>(std::min(place, candidates.size())),
                              emit_stages(refs_, kernels.front(), updates(most, additions)));
        }
        const auto takes_several = [](const PricedKernel &update) {
            const std::vector<AxisTile> &axes = update.kernel.tile.axes;
            return update.kernel.tile.steps.together() > 1 ||
                   std::any_of(axes.begin(), axes.end(), [](const AxisTile &axis) { return axis.width > 1; });
        };
        if (std::any_of(with_most.begin(), with_most.end(), takes_several)) {
            // What one update's points or steps spill is no reason to make all stages plain.
            candidates.push_back(emit_stages(refs_, kernels.front(), updates(1, additions)));
        }
    }

    /// Every member at root, each by its own best kernel: for groups that cannot be lowered as planned.
    Candidate unfused() const {
        std::vector<GroupSpec> all;
        for (const int member : members_) {
            all.push_back({member, {}});
        }
        std::sort(all.begin(), all.end(), [](const GroupSpec &a, const GroupSpec &b) { return a.output < b.output; });
        all.push_back({output_, {}});
        return in_groups("unfused:", all);
    }

    /// In several kernels: `groups`, producers first, of which the last has the output.
    Candidate in_groups(const std::string &what, const std::vector<GroupSpec> &groups) const {
        Candidate result;
        result.why = what;
        for (const GroupSpec &group : groups) {
            // Members with updates are left to the plain form: a copy of theirs would have to be shared by all
            // candidates.
            const bool plain = form(group.output) == RootForm::Wrapped && group.output != output_;
            const Candidate c = plain ? emit_plain(refs_, model_, group.output, {}, Additions::Atomic) : best_of(group);
            result.cost += c.cost;
            result.why += " " + c.why + ";";
            result.before.insert(result.before.end(), c.before.begin(), c.before.end());
            if (group.output != output_) {
                result.before.push_back(c.group);
            } else {
                result.group = c.group;
            }
        }
        return result;
    }

    /// Without staging, which would make Funcs of this candidate's own.
    Candidate best_of(const GroupSpec &group) const {
        const Effort effort = group.members.empty() ? Effort::Coarse : Effort::Full;
        for (const PricedKernel &priced :
             priced_kernels(graph_, model_, options_.space, group.output, group.members, effort)) {
            Candidate c = emit(refs_, priced);
            if (c.derived.empty() && priced.cost.registers <= options_.max_registers) {
                return form(group.output) == RootForm::Stages
                           ? emit_stages(refs_, priced,
                                         priced_updates(graph_, model_, group.output, kMostSteps, Additions::Atomic))
                           : c;
            }
        }
        return emit_plain(refs_, model_, group.output, group.members, Additions::Atomic);
    }
};

}  // namespace

std::vector<Candidate> candidates_of(const RefMap &refs, const Machine &machine, const CostModel &model,
                                     const SearchOptions &options, const GroupSpec &spec) {
    return Writer(refs, machine, model, options, spec).run();
}

}  // namespace warptile

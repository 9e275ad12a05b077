#include "model/plan_kernels.h"

#include <algorithm>

#include "model/work.h"

namespace warptile {
namespace {

class PlanReader {
public:
    PlanReader(const Plan &plan, const FunctionDag &dag) : plan_(plan), dag_(dag), written_(dag.nodes.size()) {
        nodes_.assign(static_cast<size_t>(plan.funcs), -1);
        for (const Node &node : dag.nodes) {
            if (node.func_index >= 0) {
                nodes_[static_cast<size_t>(node.func_index)] = node.id;
            }
        }
        for (const Derived &derived : plan.derived) {
            nodes_.push_back(node_of(derived.source));
        }
        for (const Group &group : plan.groups) {
            written_[static_cast<size_t>(node_of(group.output))] = true;
        }
    }

    std::vector<PlanKernel> run() {
        std::vector<PlanKernel> kernels;
        for (const Group &group : plan_.groups) {
            if (const int reduction = over_grid(group); reduction >= 0) {
                kernels.push_back(grid_kernel(group, reduction));
                if (!derived(group.output) && node_of(group.output) == reduction && group.updates.size() > 1) {
                    add_updates(group, pure(group), update_in_parts(group, reduction), kernels);
                }
                continue;
            }
            kernels.push_back(pure(group));
            add_updates(group, kernels.back(), -1, kernels);
        }
        return kernels;
    }

private:
    const Plan &plan_;
    const FunctionDag &dag_;
    std::vector<int> nodes_;     // by FuncRef
    std::vector<bool> written_;  // by node: some group's output, in global memory

    /// The updates of a group, but for the one whose partial results its first kernel adds up.
    static void add_updates(const Group &group, const PlanKernel &of_group, int in_parts,
                            std::vector<PlanKernel> &kernels) {
        for (size_t u = 0; u < group.updates.size(); u++) {
            if (static_cast<int>(u) == in_parts) {
                continue;
            }
            PlanKernel update = of_group;
            update.stage = update.kernel.stage = static_cast<int>(u) + 1;
            update.kernel.tile = group.updates[u];
            update.kernel.parts.clear();
            update.kernel.guarded = tests_points(update.view->output_node(), update.stage, update.kernel.tile);
            kernels.push_back(update);
        }
    }

    int node_of(FuncRef ref) const { return nodes_[static_cast<size_t>(ref)]; }

    const Derived *derived(FuncRef ref) const {
        return ref < plan_.funcs ? nullptr : &plan_.derived[static_cast<size_t>(ref - plan_.funcs)];
    }

    bool is(FuncRef ref, Derived::Kind kind) const { return derived(ref) && derived(ref)->kind == kind; }

    /// Of the Func's reduction that is split over lanes or threads; 0 where none is.
    int split_of(FuncRef func) const {
        for (const Derived &made : plan_.derived) {
            if (made.kind == Derived::Kind::Partial && made.source == func) {
                return made.factor;
            }
        }
        return 0;
    }

    /// Partial results for each point of the Func that `ref` is made from; 1 for a Func itself.
    int64_t partials(FuncRef ref) const {
        const Derived *const made = derived(ref);
        return !made ? 1 : partials(made->source) * (made->kind == Derived::Kind::Partial ? made->factor : 1);
    }

    /// The Func in this group, its output or a member, of which some kernel leaves partial results in global memory, or
    /// of which this one finds them in several steps; -1: none.
    int over_grid(const Group &group) const {
        std::vector<FuncRef> funcs = {group.output};
        std::vector<int> split;
        for (const Member &member : group.members) {
            funcs.push_back(member.func);
            if (is(member.func, Derived::Kind::Partial)) {
                split.push_back(node_of(member.func));
            }
        }
        for (const FuncRef func : funcs) {
            const int node = node_of(func);
            const bool in_memory = std::any_of(plan_.groups.begin(), plan_.groups.end(), [&](const Group &other) {
                return node_of(other.output) == node && partials(other.output) > 1;
            });
            if (in_memory || std::count(split.begin(), split.end(), node) > 1) {
                return node;
            }
        }
        return -1;
    }

    /// The kernel of the reduction before this one; null: there is none.
    const Group *kernel_before(const Group &group, int reduction) const {
        const Group *before = nullptr;
        for (const Group &other : plan_.groups) {
            if (&other == &group) {
                break;
            }
            before = node_of(other.output) == reduction ? &other : before;
        }
        return before;
    }

    int update_in_parts(const Group &group, int reduction) const {
        const Group *const before = kernel_before(group, reduction);
        return update_of(before ? before->output : group.output, group);
    }

    /// The first of the reduction's kernels reads what its Func reads, each later one what the one before it wrote.
    PlanKernel grid_kernel(const Group &group, int reduction) const {
        const Node &node = dag_.node(reduction);
        PlanKernel result = named(group);
        const Group *const before = kernel_before(group, reduction);
        const double found = before ? static_cast<double>(partials(before->output)) : 0;
        const double parts = static_cast<double>(partials(group.output));
        const int stage = update_in_parts(group, reduction) + 1;
        const double sharing = static_cast<double>(most_partials(group)) / parts;
        if (before) {
            result.sweep = adding_sweep(node, found, parts, sharing, together(group));
        } else {
            result.sweep =
                reducing_sweep(dag_, node, stage, expand(dag_, node.id, stage, inline_in_memory()), parts,
                               threads_of(group, node, stage, parts * sharing), block_of(group), together(group));
            add_atomics(group, node, stage, parts, *result.sweep);
        }
        const Node &output = dag_.node(node_of(group.output));
        const double more = (static_cast<double>(volume(output.estimate)) * output.bytes() -
                             static_cast<double>(volume(node.estimate)) * node.bytes()) *
                            parts;
        result.sweep->moved += more;
        result.sweep->compulsory += more;
        return result;
    }

    /// Which update it is whose partial results are kept in `ref`, or in what the group makes on the way.
    int update_of(FuncRef ref, const Group &group) const {
        for (const Member &member : group.members) {
            ref = is(member.func, Derived::Kind::Partial) ? member.func : ref;
        }
        int update = 0;
        for (const Derived *made = derived(ref); made; made = derived(made->source)) {
            update = made->kind == Derived::Kind::Partial ? made->update : update;
        }
        return update;
    }

    /// Partial results for each point, of that of the group's Funcs which has most.
    int64_t most_partials(const Group &group) const {
        int64_t most = partials(group.output);
        for (const Member &member : group.members) {
            most = std::max(most, partials(member.func));
        }
        return most;
    }

    static int together(const Group &group) {
        int64_t count = 1;
        for (const Member &member : group.members) {
            count = std::max(count, member.steps.together());
        }
        for (const KernelTile &update : group.updates) {
            count = std::max(count, update.steps.together());
        }
        return static_cast<int>(count);
    }

    static bool adds_atomically(const Group &group) {
        return std::find(group.atomic.begin(), group.atomic.end(), true) != group.atomic.end();
    }

    /// Where it adds atomically a step each; else as many as there are results, for each place that the update keeps.
    double threads_of(const Group &group, const Node &node, int stage, double results) const {
        const Stage &update = node.stages[static_cast<size_t>(stage)];
        if (adds_atomically(group)) {
            return update.iterations();
        }
        double threads = results;
        for (const Loop &loop : update.loops) {
            threads *= loop.dependence == Dependence::Apart
                           ? static_cast<double>(std::max<int64_t>(1, loop.estimate.extent()))
                           : 1;
        }
        for (const Member &member : group.members) {
            for (const AxisTile &axis : member.atomic) {
                threads *= axis.threads;
            }
        }
        return threads;
    }

    static double block_of(const Group &group) {
        double threads = 1;
        for (const AxisTile &axis : group.updates.empty() ? group.tile.axes : group.updates.front().axes) {
            threads *= axis.threads;
        }
        for (const Member &member : group.members) {
            double of_member = 1;
            for (const AxisTile &axis : member.axes) {
                of_member *= axis.threads;
            }
            threads = std::max(threads, of_member);
        }
        return threads;
    }

    static void add_atomics(const Group &group, const Node &node, int stage, double parts, Sweep &sweep) {
        const bool shared = std::any_of(group.members.begin(), group.members.end(),
                                        [](const Member &member) { return !member.atomic.empty(); });
        if (!shared && !adds_atomically(group)) {
            return;
        }
        sweep.additions = node.stages[static_cast<size_t>(stage)].iterations();
        sweep.cells = shared ? 0 : static_cast<double>(volume(node.estimate)) * parts * node.bytes();
    }

    PlanKernel named(const Group &group) const {
        PlanKernel result;
        result.output = dag_.node(node_of(group.output)).name;
        result.on_host = group.on_host;
        return result;
    }

    /// Per node: it is a Func that no kernel leaves in memory.
    std::vector<bool> inline_in_memory() const {
        std::vector<bool> inlined;
        for (const Node &node : dag_.nodes) {
            inlined.push_back(node.kind == NodeKind::Func && !written_[static_cast<size_t>(node.id)]);
        }
        return inlined;
    }

    /// Of a member of a streamed kernel: the dimension along which nothing is stored.
    static int streamed_dim(const Member &member) {
        const auto none = std::find(member.storage.begin(), member.storage.end(), 0);
        return none == member.storage.end() ? -1 : static_cast<int>(none - member.storage.begin());
    }

    /// What the search had priced. Other steps are taken together so that loads wait together, which the model takes
    /// for granted.
    static Steps priced_steps(const Member &member) {
        return member.steps.whole_tiles || member.steps.counts.size() > 1 ? member.steps : Steps();
    }

    Part part(const Group &group, const Member &member) const {
        Part part;
        part.node = node_of(member.func);
        part.placement = member.placement;
        part.axes = member.axes;
        part.each_step = member.each_step;
        part.steps = priced_steps(member);
        part.stream_dim = group.tile.stream < 0 ? -1 : streamed_dim(member);
        for (size_t i = 0; i < group.members.size(); i++) {
            if (group.members[i].func == member.at && member.at != group.output) {
                part.at = static_cast<int>(i);
            }
        }
        if (is(member.func, Derived::Kind::Partial)) {
            const Derived &made = *derived(member.func);
            part.role = Role::Partial;
            part.factor = made.factor;
            part.split_rvar = made.rvar;
            part.usual_extent = made.usual_extent;
            part.split_loop = reduction_loop(part.node, made.rvar);
        } else if (is(member.func, Derived::Kind::Staged)) {
            // A copy of what another kernel has written; or of a Func that is inline elsewhere, which is as a member.
            const bool in_memory = written_[static_cast<size_t>(part.node)] && part.node != node_of(group.output);
            part.role = in_memory || dag_.node(part.node).kind == NodeKind::Input ? Role::Copy : Role::Func;
        } else if (const int factor = split_of(member.func)) {
            part.role = Role::Total;
            part.factor = factor;
        }
        return part;
    }

    int reduction_loop(int node, int number) const {
        const std::vector<Loop> &loops = dag_.node(node).stages.at(1).loops;
        for (size_t i = 0; i < loops.size(); i++) {
            if (loops[i].reduction && number-- == 0) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

    PlanKernel pure(const Group &group) const {
        PlanKernel result = named(group);
        const int output = node_of(group.output);
        Kernel &kernel = result.kernel;
        kernel.wrapped = is(group.output, Derived::Kind::Staged);
        kernel.tile = group.tile;
        std::vector<int> members;
        std::vector<bool> inlined = inline_in_memory();
        for (const Member &member : group.members) {
            kernel.parts.push_back(part(group, member));
            const Part &made = kernel.parts.back();
            if (made.role != Role::Copy && made.node != output) {
                inlined[static_cast<size_t>(made.node)] = false;
                if (std::find(members.begin(), members.end(), made.node) == members.end()) {
                    members.push_back(made.node);
                }
            }
        }
        result.view = std::make_shared<const GroupView>(dag_, output, members, inlined);
        kernel.guarded = guarded(group);
        set_across(*result.view, kernel);
        return result;
    }

    /// Readers come first, so that the loops that their lanes walk are known.
    static void set_across(const GroupView &view, Kernel &kernel) {
        for (size_t i = 0; i < kernel.parts.size(); i++) {
            if (kernel.parts[i].placement == Placement::Warp) {
                continue;
            }
            bool across = false;
            for (const Work &work : work_of(view, kernel, geometry(view, kernel))) {
                for (const ExpandedLoad &load : work.expansion().loads) {
                    across = across || (work.part < static_cast<int>(i) && work.lane_loop() >= 0 &&
                                        part_of(kernel, load.producer) == static_cast<int>(i) &&
                                        load.walks_across(static_cast<size_t>(work.lane_loop())));
                }
            }
            kernel.parts[i].across = across;
        }
    }

    /// Whether every point is tested, at the estimates.
    bool guarded(const Group &group) const {
        return group.tail == Tail::Guard ||
               std::any_of(group.conditions.begin(), group.conditions.end(), [&](const SizeCondition &condition) {
                   const Node &output = dag_.node(dag_.outputs[static_cast<size_t>(condition.output)]);
                   return output.estimate[static_cast<size_t>(condition.dim)].extent() < condition.extent;
               });
    }
};

}  // namespace

Cost cost_of(const CostModel &model, const PlanKernel &kernel) {
    return kernel.sweep ? model.cost(*kernel.sweep) : model.cost(*kernel.view, kernel.kernel);
}

std::vector<PlanKernel> kernels_of(const Plan &plan, const FunctionDag &dag) { return PlanReader(plan, dag).run(); }

}  // namespace warptile

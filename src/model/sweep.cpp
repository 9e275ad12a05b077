#include "model/sweep.h"

#include <algorithm>
#include <cmath>

#include "schedule/plan.h"

namespace warptile {
namespace {

constexpr double kBlock = 256;

double points_of(const Node &node) { return static_cast<double>(volume(node.estimate)); }

bool moves(const ExpandedLoad &load) {
    return std::any_of(load.axes.begin(), load.axes.end(), [](const LoadAxis &axis) {
        return !axis.known || std::any_of(axis.slope.begin(), axis.slope.end(), [](double s) { return s != 0; });
    });
}

}  // namespace

Sweep reducing_sweep(const FunctionDag &dag, const Node &node, int stage, const Expansion &update, double parts,
                     double threads, double threads_a_block, int together) {
    const double steps = node.stages[static_cast<size_t>(stage)].iterations();
    double a_step = 0;
    Sweep sweep;
    for (const ExpandedLoad &load : update.loads) {
        const Node &producer = dag.node(load.producer);
        if (load.producer != node.id && moves(load)) {
            a_step += load.count * producer.bytes();
            sweep.compulsory += std::min(points_of(producer), steps) * producer.bytes();
        }
    }
    const double results = points_of(node) * parts, stored = results * node.bytes();
    sweep.threads = threads;
    sweep.threads_a_block = threads_a_block;
    sweep.held = sweep.compulsory;
    sweep.moved = steps * a_step + stored;
    sweep.compulsory += stored;
    sweep.at_once = a_step * together;
    sweep.waits = std::ceil(steps / threads) / together;
    sweep.instructions = steps / kLanes * (update.ops() + 2 * update.load_count());
    sweep.tree_bytes = threads > results ? threads_a_block * node.bytes() : 0;
    return sweep;
}

Sweep adding_sweep(const Node &node, double parts, double results, double threads, int together) {
    const double bytes = points_of(node) * node.bytes(), each = parts / results;
    Sweep sweep;
    sweep.threads = points_of(node) * results * threads;
    sweep.threads_a_block = std::max(threads, std::min<double>(kLanes, sweep.threads));
    sweep.moved = sweep.compulsory = bytes * (parts + results);
    sweep.held = bytes * parts;
    sweep.waits = std::ceil(each / threads / together);
    sweep.instructions = points_of(node) * parts / kLanes;
    sweep.tree_bytes = threads > 1 ? sweep.threads_a_block * node.bytes() : 0;
    return sweep;
}

Sweep first_values_sweep(const Node &node, double parts) {
    Sweep sweep;
    sweep.threads = points_of(node) * parts;
    sweep.threads_a_block = kBlock;
    sweep.moved = sweep.compulsory = sweep.held = sweep.threads * node.bytes();
    return sweep;
}

}  // namespace warptile

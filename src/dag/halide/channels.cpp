#include "dag/halide/channels.h"

#include "dag/halide/count_ops.h"
#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

constexpr int64_t kMostChannels = 32;
// Of what the steps cost apart, the share that they cost together, up to which it is worth to know.
constexpr double kSaves = 0.75;
constexpr double kSpecial = 4;  // what a special function is worth, as in `Expansion::size`

/// Of values alone: which loads and indices points share is seen in the access matrices, along every loop.
double cost(const OpCounts &ops) { return ops.float_ops + ops.int_ops + kSpecial * ops.special_ops; }

/// All steps of the loop as one stage with as many values; `first` undefined: from a number that nobody knows.
StageSource all_steps(const StageSource &source, const Loop &loop, const Expr &first) {
    StageSource all;
    for (int64_t k = 0; k < loop.estimate.extent(); k++) {
        const Expr variable = Variable::make(Int(32), loop.name);
        const Expr step = first.defined() ? first + static_cast<int>(k) : variable + static_cast<int>(k);
        const StageSource one =
            changed(source, [&](const Expr &e) { return simplify(substitute(loop.name, simplify(step), e)); });
        all.args.insert(all.args.end(), one.args.begin(), one.args.end());
        all.values.insert(all.values.end(), one.values.begin(), one.values.end());
        all.predicate = one.predicate;
    }
    return all;
}

double size_of(const StageSource &source) {
    double size = 0;
    for (const Expr &e : source.expressions()) {
        size += tree_size(e);
    }
    return size;
}

}  // namespace

Channel find_channel(const StageSource &source, const Stage &stage) {
    Channel best;
    double least = kSaves;
    const double apart = cost(stage.ops), size = size_of(source);
    for (size_t l = 0; l < stage.loops.size(); l++) {
        const Loop &loop = stage.loops[l];
        const int64_t steps = loop.estimate.extent();
        if (loop.reduction || apart == 0 || steps < 2 || steps > kMostChannels ||
            size * static_cast<double>(steps) > kLargestTree) {
            continue;
        }
        Channel channel;
        channel.loop = static_cast<int>(l);
        channel.steps = static_cast<int>(steps);
        channel.numbers = count_ops(all_steps(source, loop, static_cast<int>(loop.estimate.min)));
        channel.apart = count_ops(all_steps(source, loop, Expr()));
        const double share = cost(channel.numbers) / (static_cast<double>(steps) * apart);
        if (share <= least) {
            best = channel;
            least = share;
        }
    }
    return best;
}

}  // namespace warptile

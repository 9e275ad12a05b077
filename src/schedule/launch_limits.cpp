#include "schedule/launch_limits.h"

#include "dag/user_name.h"

namespace warptile {

namespace {

/// The Func of the user's that a kernel's output is made from.
FuncRef origin(const Plan &plan, FuncRef ref) {
    while (ref >= plan.funcs) {
        ref = plan.derived[static_cast<size_t>(ref - plan.funcs)].source;
    }
    return ref;
}

/// How many points a block has along each dimension, those with an axis first, as the grid has them.
std::vector<std::pair<size_t, int64_t>> points_of_a_block(const KernelTile &tile, size_t dims) {
    std::vector<std::pair<size_t, int64_t>> points;
    std::vector<bool> named(dims);
    for (const AxisTile &axis : tile.axes) {
        const size_t dim = static_cast<size_t>(axis.dim);
        points.emplace_back(dim, int64_t{axis.width} * axis.threads);
        if (dim < dims) {
            named[dim] = true;
        }
    }
    for (size_t d = 0; d < dims; d++) {
        if (!named[d]) {
            points.emplace_back(d, 1);
        }
    }
    return points;
}

}  // namespace

std::vector<Notice> launch_limits(const Plan &plan, const DimensionNames &dimensions) {
    std::vector<Notice> limits;
    for (const Group &group : plan.groups) {
        if (!group.tile.one_launch || group.on_host) {
            continue;
        }
        const size_t func = static_cast<size_t>(origin(plan, group.output));
        const std::vector<std::string> &names = dimensions[func];
        std::string text;
        const std::vector<std::pair<size_t, int64_t>> points = points_of_a_block(group.tile, names.size());
        for (size_t i = 1; i < points.size(); i++) {
            if (points[i].first < names.size()) {
                text += (text.empty() ? "more than " : ", or than ") + std::to_string(kGridYZ * points[i].second) +
                        " points along '" + names[points[i].first] + "'";
            }
        }
        if (!text.empty()) {
            limits.push_back({user_name(plan.names[func]), "launched once: a card refuses " + text});
        }
    }
    return limits;
}

}  // namespace warptile

#include "schedule/launch_limits.h"

#include <algorithm>
#include <cmath>

#include "dag/saturating.h"
#include "dag/user_name.h"

namespace warptile {

namespace {

constexpr size_t kGridDimensions = 3;

/// The Func of the user's that a kernel's output is made from.
FuncRef origin(const Plan &plan, FuncRef ref) {
    while (ref >= plan.funcs) {
        ref = plan.derived[static_cast<size_t>(ref - plan.funcs)].source;
    }
    return ref;
}

int64_t blocks_of(int64_t points, const BlockLoop &loop) { return (points + loop.points - 1) / loop.points; }

}  // namespace

std::vector<std::vector<BlockLoop>> grid_loops(const KernelTile &tile, int dims) {
    std::vector<BlockLoop> loops;
    std::vector<bool> named(static_cast<size_t>(dims));
    for (const AxisTile &axis : tile.axes) {
        if (axis.dim < dims) {
            loops.push_back({axis.dim, int64_t{axis.width} * axis.threads});
            named[static_cast<size_t>(axis.dim)] = true;
        }
    }
    for (int d = 0; d < dims; d++) {
        if (!named[static_cast<size_t>(d)]) {
            loops.push_back({d, 1});
        }
    }
    loops.resize(loops.size() - std::min(loops.size(), static_cast<size_t>(tile.host_loops)));
    std::vector<std::vector<BlockLoop>> grid;
    for (size_t i = 0; i < loops.size(); i++) {
        grid.resize(std::min(i + 1, kGridDimensions));
        grid.back().push_back(loops[i]);
    }
    return grid;
}

std::vector<int64_t> sizes_launched_once(const KernelTile &tile, const std::vector<int64_t> &points) {
    const std::vector<std::vector<BlockLoop>> grid = grid_loops(tile, static_cast<int>(points.size()));
    if (grid.size() < 2) {
        return {};
    }
    std::vector<int64_t> most(points.size(), 0);
    for (size_t g = 1; g < grid.size(); g++) {
        double blocks = 1;
        for (const BlockLoop &loop : grid[g]) {
            blocks *= static_cast<double>(blocks_of(points[static_cast<size_t>(loop.dim)], loop));
        }
        // Each loop of several may grow by as much.
        const double room = std::pow(static_cast<double>(kGridYZ) / blocks, 1.0 / static_cast<double>(grid[g].size()));
        for (const BlockLoop &loop : grid[g]) {
            const size_t d = static_cast<size_t>(loop.dim);
            const double share = grid[g].size() == 1 ? kGridYZ : room * static_cast<double>(blocks_of(points[d], loop));
            most[d] = static_cast<int64_t>(share) * loop.points;
            if (room < 1) {
                return {};
            }
        }
    }
    return most;
}

std::string check_launched_once(const Group &group, int dims, bool of_output) {
    const std::vector<int64_t> &most = group.launched_once;
    if (most.empty()) {
        return "";
    }
    if (group.tail != Tail::Both || group.conditions.empty() || !of_output) {
        return "is launched once up to some size, which is for outputs of the pipeline that nothing else reads, with "
               "the "
               "tail \"both\"; remove \"launched_once\"";
    }
    if (static_cast<int>(most.size()) != dims) {
        return "has " + std::to_string(dims) + " dimensions and " + std::to_string(most.size()) +
               " sizes up to which it is launched once; make them as many";
    }
    const std::vector<std::vector<BlockLoop>> grid = grid_loops(group.tile, dims);
    for (size_t g = 1; g < grid.size(); g++) {
        int64_t blocks = 1;
        for (const BlockLoop &loop : grid[g]) {
            const int64_t size = most[static_cast<size_t>(loop.dim)];
            blocks = saturating_multiply(blocks, size > 0 ? blocks_of(size, loop) : kGridYZ + 1);
        }
        if (blocks > kGridYZ) {
            return "may have more than " + std::to_string(kGridYZ) + " blocks in " + (g == 1 ? "y" : "z") +
                   " where it is launched once; make the sizes of \"launched_once\" smaller";
        }
    }
    return "";
}

std::vector<Notice> launch_limits(const Plan &plan, const DimensionNames &dimensions) {
    std::vector<Notice> limits;
    for (const Group &group : plan.groups) {
        if (!group.tile.one_launch || group.on_host) {
            continue;
        }
        const size_t func = static_cast<size_t>(origin(plan, group.output));
        const std::vector<std::string> &names = dimensions[func];
        std::string text;
        const std::vector<std::vector<BlockLoop>> grid = grid_loops(group.tile, static_cast<int>(names.size()));
        for (size_t g = 1; g < grid.size(); g++) {
            for (const BlockLoop &loop : grid[g]) {
                text += (text.empty() ? "more than " : ", or than ") + std::to_string(kGridYZ * loop.points) +
                        " points along '" + names[static_cast<size_t>(loop.dim)] + "'";
            }
        }
        if (!text.empty()) {
            limits.push_back({user_name(plan.names[func]), "launched once: a card refuses " + text});
        }
    }
    return limits;
}

}  // namespace warptile

#include "model/fit.h"

#include <algorithm>

namespace warptile {
namespace {

// Size of an unrolled body (`Expansion::size`): more takes seconds to lower, and more registers than there are.
constexpr double kMostOpsABody = 1600;

}  // namespace

Fit fit(const Machine &machine, const GroupView &view, const Kernel &kernel, int max_registers) {
    const GpuSpec &gpu = machine.gpu;
    Fit result;
    result.geometry = geometry(view, kernel);
    if (result.geometry.threads > gpu.threads_per_block) {
        result.problem = "too many threads";
        return result;
    }
    result.works = work_of(view, kernel, result.geometry);
    if (std::any_of(result.works.begin(), result.works.end(),
                    [](const Work &work) { return work.points() * work.expansion().size() > kMostOpsABody; })) {
        result.problem = "the unrolled body is too large";
        return result;
    }
    result.need = resources_of(view, kernel, result.geometry, result.works);
    if (result.need.shared_bytes > gpu.shared_per_block) {
        result.problem = "too much shared memory";
        return result;
    }
    const double registers = std::min(result.need.registers, static_cast<double>(max_registers));
    result.occupancy = occupancy(gpu, static_cast<int>(result.geometry.threads),
                                 std::max(16, static_cast<int>(registers)), static_cast<int>(result.need.shared_bytes));
    if (result.occupancy.blocks_per_sm == 0) {
        result.problem = "a block does not fit on an SM";
        return result;
    }
    result.demand =
        demand_of(machine, view, kernel, result.geometry, result.works, max_registers - result.need.registers);
    return result;
}

}  // namespace warptile

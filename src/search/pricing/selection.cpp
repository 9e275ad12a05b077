#include "search/pricing/selection.h"

#include <algorithm>
#include <map>
#include <string>

namespace warptile {
namespace {

constexpr double kFewerRegisters = 0.85, kTooDear = 3;
// The same of sums that take steps together, whose registers the model tells better.
constexpr double kFewerOfSums = 0.95;
// Costs that the model cannot tell apart, and the share of the registers from which a kernel may well spill.
constexpr double kAsCheap = 1.005, kNearTheCap = 0.8;
// The same of kernels that differ in how often their threads wait for each other.
constexpr double kAsCheapInPhases = 1.02;

int64_t points_of(const PricedKernel &priced) { return geometry(*priced.view, priced.kernel).points; }

/// Members in shared memory, each of which its block waits for: one after the other, of which the model does not have
/// that what one is bound by does not hide what the next is.
auto phases_of(const PricedKernel &priced) {
    return std::count_if(priced.kernel.parts.begin(), priced.kernel.parts.end(),
                         [](const Part &part) { return part.placement == Placement::Block; });
}

/// So many times the registers of one that spills may not.
double fewer_registers(const PricedKernel &priced) {
    const std::vector<Part> &parts = priced.kernel.parts;
    const bool sums =
        std::any_of(parts.begin(), parts.end(), [](const Part &part) { return part.steps.together() > 1; });
    return sums ? kFewerOfSums : kFewerRegisters;
}

/// Dimensions along which a thread has several points.
std::vector<int> wide_dims(const PricedKernel &priced) {
    std::vector<int> dims;
    for (const AxisTile &axis : priced.kernel.tile.axes) {
        if (axis.width > 1) {
            dims.push_back(axis.dim);
        }
    }
    return dims;
}

/// By cost, except that the first gives way to one as cheap with fewer phases.
std::vector<PricedKernel> fewest_phases_first(std::vector<PricedKernel> kernels) {
    const auto dearer = std::find_if(kernels.begin(), kernels.end(), [&](const PricedKernel &d) {
        return d.cost.total > kAsCheapInPhases * kernels.front().cost.total;
    });
    const auto fewest = std::min_element(kernels.begin(), dearer, [](const PricedKernel &a, const PricedKernel &b) {
        return phases_of(a) < phases_of(b);
    });
    if (fewest != dearer) {
        std::rotate(kernels.begin(), fewest, fewest + 1);
    }
    return kernels;
}

/// By cost, except that a first one near the register cap gives way to one as cheap with clearly fewer: each candidate
/// that spills is another lowering of the whole pipeline.
std::vector<PricedKernel> unlikely_to_spill_first(std::vector<PricedKernel> kernels, int max_registers) {
    if (kernels.empty() || kernels.front().cost.registers < kNearTheCap * max_registers) {
        return kernels;
    }
    const Cost first = kernels.front().cost;
    const auto safer = std::find_if(kernels.begin(), kernels.end(), [&](const PricedKernel &d) {
        return d.cost.total <= kAsCheap * first.total && d.cost.registers <= kFewerRegisters * first.registers;
    });
    if (safer != kernels.end()) {
        std::rotate(kernels.begin(), safer, safer + 1);
    }
    return kernels;
}

/// The cheapest of those with fewest points a thread: what is left where the assembler needs more registers than the
/// model thinks, as sorting networks do.
void add_frugal(const std::vector<PricedKernel> &kernels, std::vector<PricedKernel> &kept) {
    const auto fewer = [&](const PricedKernel &a, const PricedKernel &b) { return points_of(a) < points_of(b); };
    if (kept.empty()) {
        return;
    }
    const auto dear = std::find_if(kernels.begin(), kernels.end(), [&](const PricedKernel &d) {
        return d.cost.total > kTooDear * kernels.front().cost.total;
    });
    const auto frugal = std::min_element(kernels.begin(), dear, fewer);
    if (points_of(*frugal) < points_of(*std::min_element(kept.begin(), kept.end(), fewer))) {
        kept.push_back(*frugal);
    }
}

}  // namespace

std::vector<PricedKernel> select_kernels(const std::vector<PricedKernel> &kernels, int max_registers, int most) {
    struct Least {
        double registers;
        int64_t points;
    };

    // Of the same points in a thread, those along other loops are loaded in other windows, and may fit where these do
    // not.
    std::map<std::pair<std::string, std::vector<int>>, Least> least;
    std::vector<PricedKernel> kept;
    for (const PricedKernel &priced : unlikely_to_spill_first(fewest_phases_first(kernels), max_registers)) {
        if (priced.cost.total > kTooDear * kernels.front().cost.total) {
            break;
        }
        const int64_t points = points_of(priced);
        const auto [seen, first] = least.insert({{priced.form, wide_dims(priced)}, {priced.cost.registers, points}});
        if (!first && priced.cost.registers > fewer_registers(priced) * seen->second.registers &&
            points * 2 > seen->second.points) {
            continue;
        }
        seen->second.registers = std::min(seen->second.registers, priced.cost.registers);
        seen->second.points = std::min(seen->second.points, points);
        kept.push_back(priced);
        if (kept.size() >= static_cast<size_t>(std::max(1, most))) {
            break;
        }
    }
    add_frugal(kernels, kept);
    return kept;
}

}  // namespace warptile

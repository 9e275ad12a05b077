#include "search/selection.h"

#include <algorithm>
#include <map>
#include <string>

namespace warptile {
namespace {

constexpr double kFewerRegisters = 0.85, kTooDear = 3;
// Costs that the model cannot tell apart, and the share of the registers from which a kernel may well spill.
constexpr double kAsCheap = 1.005, kNearTheCap = 0.8;
// The same of kernels that differ in how often their threads wait for each other.
constexpr double kAsCheapInPhases = 1.02;

int64_t points_of(const Draft &draft) { return geometry(*draft.view, draft.kernel).points; }

/// Members in shared memory, each of which its block waits for: one after the other, of which the model does not have
/// that what one is bound by does not hide what the next is.
auto phases_of(const Draft &draft) {
    return std::count_if(draft.kernel.parts.begin(), draft.kernel.parts.end(),
                         [](const Part &part) { return part.placement == Placement::Block; });
}

/// By cost, except that the first gives way to one as cheap with fewer phases.
std::vector<Draft> fewest_phases_first(std::vector<Draft> drafts) {
    const auto dearer = std::find_if(drafts.begin(), drafts.end(), [&](const Draft &d) {
        return d.cost.total > kAsCheapInPhases * drafts.front().cost.total;
    });
    const auto fewest = std::min_element(drafts.begin(), dearer,
                                         [](const Draft &a, const Draft &b) { return phases_of(a) < phases_of(b); });
    if (fewest != dearer) {
        std::rotate(drafts.begin(), fewest, fewest + 1);
    }
    return drafts;
}

/// By cost, except that a first one near the register cap gives way to one as cheap with clearly fewer: each candidate
/// that spills is another lowering of the whole pipeline.
std::vector<Draft> unlikely_to_spill_first(std::vector<Draft> drafts, int max_registers) {
    if (drafts.empty() || drafts.front().cost.registers < kNearTheCap * max_registers) {
        return drafts;
    }
    const Cost first = drafts.front().cost;
    const auto safer = std::find_if(drafts.begin(), drafts.end(), [&](const Draft &d) {
        return d.cost.total <= kAsCheap * first.total && d.cost.registers <= kFewerRegisters * first.registers;
    });
    if (safer != drafts.end()) {
        std::rotate(drafts.begin(), safer, safer + 1);
    }
    return drafts;
}

/// The cheapest of those with fewest points a thread: what is left where the assembler needs more registers than the
/// model thinks, as sorting networks do.
void add_frugal(const std::vector<Draft> &drafts, std::vector<Draft> &kept) {
    const auto fewer = [&](const Draft &a, const Draft &b) { return points_of(a) < points_of(b); };
    if (kept.empty()) {
        return;
    }
    const auto dear = std::find_if(drafts.begin(), drafts.end(),
                                   [&](const Draft &d) { return d.cost.total > kTooDear * drafts.front().cost.total; });
    const auto frugal = std::min_element(drafts.begin(), dear, fewer);
    if (points_of(*frugal) < points_of(*std::min_element(kept.begin(), kept.end(), fewer))) {
        kept.push_back(*frugal);
    }
}

}  // namespace

std::vector<Draft> select_drafts(const std::vector<Draft> &drafts, int max_registers, int most) {
    struct Least {
        double registers;
        int64_t points;
    };

    std::map<std::string, Least> least;  // by form
    std::vector<Draft> kept;
    for (const Draft &draft : unlikely_to_spill_first(fewest_phases_first(drafts), max_registers)) {
        if (draft.cost.total > kTooDear * drafts.front().cost.total) {
            break;
        }
        const int64_t points = points_of(draft);
        const auto [seen, first] = least.insert({draft.form, {draft.cost.registers, points}});
        if (!first && draft.cost.registers > kFewerRegisters * seen->second.registers &&
            points * 2 > seen->second.points) {
            continue;
        }
        seen->second.registers = std::min(seen->second.registers, draft.cost.registers);
        seen->second.points = std::min(seen->second.points, points);
        kept.push_back(draft);
        if (kept.size() >= static_cast<size_t>(std::max(1, most))) {
            break;
        }
    }
    add_frugal(drafts, kept);
    return kept;
}

}  // namespace warptile

// What the stages of a member are cut into, whatever place it is kept in: the loops inside a thread, the reductions
// around them, then lanes or threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/directives/kernel_loops.h"

namespace warptile {

/// What one stage of a member is cut into, each list innermost first.
struct StageParts {
    std::vector<std::string> points;  // of one step each (`free_to_cut`)
    std::vector<std::string> serial, reductions, threads;
    std::vector<std::string> rolled;  ///< those that cannot be unrolled, around the reductions: a sum is in registers
    std::string lane;
    std::vector<std::string> steps;  // of reductions: those that are taken together
    int64_t reduction_points = 1;
    int whole_reductions = 0;  ///< of `reductions`, those that are not dealt to threads
    bool total = false;        ///< its reduction runs over partial results
    NamedLoop usual;           ///< a reduction that has a Stage of its own for its usual extent; else without a name
};

/// The calls that bring a stage into the order of its parts. Reductions go outside the unrolled loops of a thread, so
/// that a tile of accumulators stays in registers while one reduction step serves all of them.
void finish_stage(const StageName &stage, const StageParts &parts, bool unroll, Names &names,
                  std::vector<Directive> &calls);

/// Adds the next reduction loop of the stage, the `number`-th.
void add_reduction(const Steps &steps, const StageName &stage, const NamedLoop &loop, int number, Names &names,
                   StageParts &parts, std::vector<Directive> &calls);

/// The most points of a dimension in any tile; 0: not known.
int64_t storage_of(const Member &member, size_t dim);

/// Bounds the storage of a dimension by what it has in any tile, in whole multiples of `unit`.
void bound(const Member &member, const NamedFunc &func, size_t dim, int64_t unit, std::vector<Directive> &calls);

/// The same loops once more for the case that no partial result is empty: Halide then leaves out the tests of the
/// parts. Each would be a branch, and a load behind it would wait for the one before.
void specialize_full(const StageName &stage, const NamedFunc &func, Names &names, std::vector<Directive> &calls);

/// `schedule` for each stage of a member inside a warp or a thread. Steps that are taken together in whole tiles only
/// have a specialization of their own, on the test that the output's tiles have.
template<typename Schedule>
void schedule_stages(const Member &member, const NamedFunc &func, const std::vector<SizeTest> &whole_tiles,
                     const Schedule &schedule, Names &names, std::vector<Directive> &calls) {
    const bool apart = member.steps.whole_tiles && !whole_tiles.empty();
    for (int s = 0; s < func.stages(); s++) {
        const StageName stage{func.local, s, ""};
        if (s == 1 && apart) {
            schedule(specialize(stage, whole_tiles, "large", names, calls), member.steps);
        }
        schedule(stage, apart ? Steps() : member.steps);
        if (s == 1 && member.full) {
            specialize_full(stage, func, names, calls);
        }
    }
}

}  // namespace warptile

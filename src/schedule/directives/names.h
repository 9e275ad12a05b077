// The local names of a list of directives: what each Func of a plan is called, its loops as they were defined, and the
// new loops that splits make. Loops of the algorithm are fetched by position before any directive, since `rfactor` and
// `in` shift the pipeline's indices; new loops have literal names that no loop of the pipeline has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "schedule/directives/directive.h"
#include "schedule/plan.h"

namespace warptile {

/// A loop of a definition.
struct NamedLoop {
    std::string local;  ///< the name directives use
    std::string base;   ///< a plain identifier that names of its parts start with; unique within the Func
    bool reduction = false;
    int64_t extent = 0;     ///< of a reduction with constant bounds, or over partial results; 0: not known
    int rvar = -1;          ///< of a reduction: which of the RVars of the pipeline's own update it is part of; -1: one
                            ///< whose extent cannot be tested
    int64_t whole = 0;      ///< that RVar's extent where it is constant
    int64_t stride = 1;     ///< along that RVar, from one step of this loop to the next
    bool one_size = false;  ///< as ReductionLength::one_size
    bool part = false;      ///< of a total: it runs over the partial results
    bool apart = false;     ///< of a reduction: Halide can tell that no two steps touch the same place
    bool where = false;     ///< of an update that has a `where`
    /// Of a reduction that was split: the whole one's extent, by local name, and the steps that are left where it is
    /// the usual one; 0: they are never unrolled.
    std::string whole_extent;
    int64_t usual_extent = 0, usual_steps = 0, steps_together = 0;
};

/// The definitions of one Func that a plan schedules.
struct NamedFunc {
    std::string local;
    std::vector<NamedLoop> args;                  ///< the pure definition's loops, in storage order
    std::vector<std::vector<NamedLoop>> updates;  ///< loops of each update, innermost first
    std::vector<bool> chooses;                    ///< per update: as Stage::chooses, of those that the plan splits
    FuncRef origin = -1;                          ///< of a reduction or partial results: the pipeline's Func …
    int first_update = 0;                         ///< … and which of its updates the first one here is, or is part of

    /// Loops of a stage: 0 the pure definition, k update k - 1.
    const std::vector<NamedLoop> &loops(int stage) const {
        return stage == 0 ? args : updates[static_cast<size_t>(stage - 1)];
    }

    int stages() const { return 1 + static_cast<int>(updates.size()); }
};

/// Hands out names and collects the declarations that introduce them.
class Names {
public:
    /// Fetches every Func that the plan names. Throws `Error` where the plan refers to a Func or an update that the
    /// pipeline does not have. `calls` receives the directives that make derived Funcs.
    Names(const Plan &plan, const std::vector<Halide::Func> &outputs, std::vector<Directive> &calls);

    /// What has to stand before all calls: the pipeline's Funcs and loops, then the new loops.
    const std::vector<Directive> &declarations() const { return declarations_; }

    const NamedFunc &func(FuncRef ref) const;
    const std::string &output(int index) const;  ///< local name of the pipeline's output

    /// A local name that nothing has yet.
    std::string func_local(const std::string &wanted) { return unique(wanted); }

    /// The local name of a new loop; declared at its first use.
    std::string loop(const std::string &base, const char *role, bool reduction = false);

    /// The sizes from which on all partial results that the first update reads or makes have values. None where that is
    /// known, or there are none.
    std::vector<SizeTest> sizes_of_full(const NamedFunc &func);

    /// The local name of the extent of a reduction variable, taken before anything is scheduled.
    std::string extent_of(const NamedFunc &func, int update, int rvar);

    /// Names the Func that plan.derived[k] makes and gives its definitions; `in` and `rfactor` change them.
    void add_staged(FuncRef ref, const Derived &d);
    void add_partial(FuncRef ref, const Derived &d);

    /// What has to stand after all calls: updates for which a sum stood in choose again.
    const std::vector<Directive> &last() const { return last_; }

private:
    std::string unique(const std::string &wanted);
    void fetch(FuncRef ref, const Halide::Func &f);
    std::string stand_in(const Derived &d, const NamedFunc &source);
    void put_back(const std::string &stand_in, const std::string &func, int stage);
    void tell_usual_steps(const Derived &d, const NamedFunc &source, const NamedLoop &whole, NamedLoop &outer);

    std::vector<Directive> &calls_;
    std::vector<Directive> declarations_, last_;
    std::set<std::pair<FuncRef, int>> split_;  ///< updates that get partial results
    std::set<std::string> taken_;              ///< identifiers in use, loops of the pipeline among them
    std::map<FuncRef, NamedFunc> funcs_;
    std::vector<std::string> outputs_;

    struct Full {
        int64_t least = 0, known = 0;  ///< extent of an RVar: that is needed; where it is constant
    };

    std::map<std::pair<FuncRef, int>, std::map<int, Full>> full_;  ///< by update, and by RVar that is split
    std::map<std::pair<FuncRef, int>, std::string> stand_ins_;     ///< by update
    std::map<std::string, std::string> loops_;                     ///< declared new loops, by what was asked for
};

}  // namespace warptile

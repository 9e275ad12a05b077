// What `rfactor` leaves of an update, in names: the loops of the partial results and of their total, and the lengths of
// the whole reduction by which pieces of code of either are told apart.

#include <algorithm>

#include "machine/error.h"
#include "schedule/directives/names.h"
#include "schedule/tile_extents.h"

namespace warptile {

/// The extent is taken before `rfactor`, which leaves expressions of it.
void Names::tell_usual_steps(const Derived &d, const NamedFunc &source, const NamedLoop &whole, NamedLoop &outer) {
    if (d.usual_extent <= 0 || whole.extent > 0 || !whole.one_size || whole.rvar < 0) {
        return;
    }
    Directive fetch;
    fetch.op = Op::FetchExtent;
    fetch.func = source.local;
    fetch.local = unique(whole.local + "_extent");
    fetch.numbers = {d.update, whole.rvar};
    calls_.push_back(fetch);
    outer.whole_extent = fetch.local;
    outer.usual_extent = d.usual_extent;
    outer.usual_steps = (d.usual_extent + d.factor - 1) / d.factor;
    outer.steps_together = steps_of_a_partial(d.usual_extent, d.factor);
}

/// Halide splits only what it can prove.
std::string Names::stand_in(const Derived &d, const NamedFunc &source) {
    std::string &local = stand_ins_[{source.origin, source.first_update + d.update}];
    if (local.empty() && source.origin == d.source && source.chooses[static_cast<size_t>(d.update)]) {
        Directive stand_in;
        stand_in.op = Op::StandIn;
        stand_in.func = source.local;
        stand_in.stage = d.update + 1;
        stand_in.local = local = unique(source.local + "_choice");
        calls_.push_back(stand_in);
        put_back(local, source.local, d.update + 1);
    }
    return local;
}

void Names::put_back(const std::string &stand_in, const std::string &func, int stage) {
    Directive back;
    back.op = Op::PutBack;
    back.func = func;
    back.stage = stage;
    back.names = {stand_in};
    last_.push_back(back);
}

void Names::add_partial(FuncRef ref, const Derived &d) {
    NamedFunc &source = funcs_.at(d.source);
    if (d.update < 0 || d.update >= static_cast<int>(source.updates.size())) {
        throw Error("the plan splits update " + std::to_string(d.update) + " of '" + source.local + "', which has " +
                    std::to_string(source.updates.size()));
    }
    std::vector<NamedLoop> &loops = source.updates[static_cast<size_t>(d.update)];
    std::vector<NamedLoop> kept, reductions;
    for (const NamedLoop &l : loops) {
        (l.reduction ? reductions : kept).push_back(l);
    }
    if (d.rvar < 0 || d.rvar >= static_cast<int>(reductions.size())) {
        throw Error("the plan splits reduction variable " + std::to_string(d.rvar) + " of '" + source.local +
                    "', which has " + std::to_string(reductions.size()));
    }
    const NamedLoop split_loop = reductions[static_cast<size_t>(d.rvar)];
    const int stage = d.update + 1;
    NamedLoop outer = split_loop, inner = split_loop, lane;
    outer.local = loop(split_loop.base, "outer", true);
    outer.base = split_loop.base + "_outer";  // the partial result may be split once more
    outer.extent = split_loop.extent ? (split_loop.extent + d.factor - 1) / d.factor : 0;
    tell_usual_steps(d, source, split_loop, outer);
    inner.local = loop(split_loop.base, "part", true);
    inner.base = split_loop.base + "_part";
    inner.extent = d.factor;
    outer.stride = split_loop.stride * d.factor;
    inner.part = true;
    inner.where = false;
    // Its steps are tested too, against the whole extent.
    inner.whole_extent = outer.whole_extent;
    inner.usual_extent = outer.usual_extent;
    lane.local = loop(split_loop.base, "partial");
    lane.base = split_loop.base + "_partial";
    lane.where = false;  // there are as many at every size

    const std::string choice = stand_in(d, source);
    Directive split;
    split.op = Op::Split;
    split.func = source.local;
    split.stage = stage;
    split.names = {split_loop.local, outer.local, inner.local};
    split.numbers = {d.factor};
    split.tail = SplitTail::GuardWithIf;
    calls_.push_back(split);
    Directive rfactor;
    rfactor.op = Op::Rfactor;
    rfactor.func = source.local;
    rfactor.stage = stage;
    rfactor.names = {inner.local, lane.local};
    rfactor.local = unique(source.local + "_partial");
    calls_.push_back(rfactor);

    if (!choice.empty()) {
        put_back(choice, rfactor.local, 1);
    }

    NamedFunc partial;
    partial.local = rfactor.local;
    partial.origin = source.origin;
    partial.first_update = source.first_update + d.update;
    // Once the RVar is that long there is a value for each part: that of the first step outside, at least.
    Full &full = full_[{partial.origin, partial.first_update}][split_loop.rvar];
    full = {std::max(full.least, split_loop.stride * d.factor), split_loop.whole};
    for (const NamedLoop &l : source.args) {
        partial.args.push_back(l);
    }
    partial.args.push_back(lane);
    std::vector<NamedLoop> partial_loops;
    for (size_t i = 0; i < reductions.size(); i++) {
        partial_loops.push_back(static_cast<int>(i) == d.rvar ? outer : reductions[i]);
    }
    partial_loops.insert(partial_loops.end(), kept.begin(), kept.end());
    partial_loops.push_back(lane);
    partial.updates.push_back(partial_loops);
    partial.chooses = {false};
    // Wherever the update writes, its parts are added up over all of the Func.
    loops = source.args;
    loops.insert(loops.begin(), inner);
    funcs_[ref] = partial;
}

std::string Names::extent_of(const NamedFunc &func, int update, int rvar) {
    const std::string wanted = func.local + "_extent_" + std::to_string(update) + "_" + std::to_string(rvar);
    const auto known = loops_.find(wanted);
    if (known != loops_.end()) {
        return known->second;
    }
    Directive extent;
    extent.op = Op::FetchExtent;
    extent.func = func.local;
    extent.numbers = {update, rvar};
    extent.local = loops_[wanted] = unique(wanted);
    declarations_.push_back(extent);
    return extent.local;
}

std::vector<SizeTest> Names::sizes_of_full(const NamedFunc &func) {
    const auto found = full_.find({func.origin, func.first_update});
    std::vector<SizeTest> tests;
    if (found == full_.end()) {
        return tests;
    }
    const NamedFunc &origin = this->func(func.origin);
    for (const auto &[rvar, full] : found->second) {
        if (rvar < 0 || (full.known > 0 && full.known < full.least)) {
            return {};
        }
        if (full.known > 0) {
            continue;
        }
        SizeTest test;
        test.local = extent_of(origin, func.first_update, rvar);
        test.extent = full.least;
        tests.push_back(test);
    }
    return tests;
}

}  // namespace warptile

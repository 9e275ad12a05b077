#include "schedule/names.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "machine/error.h"
#include "schedule/tile_extents.h"

namespace warptile {

namespace {

/// `name` as a C++ identifier: Halide's names may carry `$` and `.`.
std::string identifier(const std::string &name) {
    std::string id = name.substr(0, name.find('$'));
    for (char &c : id) {
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    }
    if (id.empty() || !std::isalpha(static_cast<unsigned char>(id[0]))) {
        id = "v" + id;
    }
    return id;
}

/// A loop's own name: what stands after the last `$` or `.` of an RVar's name (`r4$x` is `r4_x`), or the Var's.
std::string loop_base(const std::string &name) {
    std::string id = name;
    for (char &c : id) {
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    }
    if (!std::isalpha(static_cast<unsigned char>(id[0]))) {
        id = "v" + id;
    }
    return id;
}

/// Words that cannot name a local of the generated function.
const std::set<std::string> &reserved() {
    static const std::set<std::string> words = {
        "pipeline",  "target", "Func",     "MemoryType", "RVar",     "TailStrategy", "Var",       "auto",
        "break",     "case",   "char",     "const",      "continue", "default",      "do",        "double",
        "else",      "enum",   "extern",   "float",      "for",      "goto",         "if",        "inline",
        "int",       "long",   "register", "restrict",   "return",   "short",        "signed",    "sizeof",
        "static",    "struct", "switch",   "typedef",    "union",    "unsigned",     "void",      "volatile",
        "while",     "and",    "or",       "not",        "xor",      "bool",         "class",     "delete",
        "new",       "this",   "template", "true",       "false",    "operator",     "private",   "public",
        "protected", "try",    "catch",    "throw",      "using",    "virtual",      "namespace", "compl",
        "bitand",    "bitor",  "export",   "friend",     "mutable",  "typename",     "explicit",  "asm"};
    return words;
}

int64_t constant_extent(const Halide::Internal::StageSchedule &schedule, const std::string &rvar) {
    for (const Halide::Internal::ReductionVariable &rv : schedule.rvars()) {
        if (rv.var == rvar) {
            const auto extent = Halide::Internal::as_const_int(Halide::Internal::simplify(rv.extent));
            return extent ? *extent : 0;
        }
    }
    return 0;
}

/// Whether the extent comes from sizes and parameters alone, so that it can be tested anywhere.
bool is_plain(const Halide::Expr &extent) {
    struct Calls : Halide::Internal::IRVisitor {
        bool any = false;
        using IRVisitor::visit;

        void visit(const Halide::Internal::Call *call) override {
            any = any || !call->is_pure() || call->call_type == Halide::Internal::Call::Image;
            IRVisitor::visit(call);
        }
    } calls;

    extent.accept(&calls);
    return !calls.any;
}

/// The RVar's place in its RDom; -1 where its extent cannot be tested.
int number_of(const Halide::Internal::StageSchedule &schedule, const std::string &rvar) {
    for (size_t i = 0; i < schedule.rvars().size(); i++) {
        if (schedule.rvars()[i].var == rvar && is_plain(schedule.rvars()[i].extent)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

/// Whether Halide puts a constant for the extent wherever a specialization says that it is that constant.
bool is_one_size(const Halide::Internal::StageSchedule &schedule, const std::string &rvar) {
    constexpr int kAny = 1000003;
    for (const Halide::Internal::ReductionVariable &rv : schedule.rvars()) {
        if (rv.var == rvar) {
            const Halide::Expr test = Halide::Internal::simplify(rv.extent == kAny);
            const auto *equal = test.as<Halide::Internal::EQ>();
            return equal && equal->a.as<Halide::Internal::Variable>() && Halide::Internal::is_const(equal->b);
        }
    }
    return false;
}

}  // namespace

Names::Names(const Plan &plan, const std::vector<Halide::Func> &outputs, std::vector<Directive> &calls)
    : calls_(calls) {
    Halide::Pipeline pipeline(outputs);
    taken_ = reserved();
    std::vector<Halide::Func> funcs;
    for (int i = 0; i < plan.funcs; i++) {
        funcs.push_back(pipeline.get_func(static_cast<size_t>(i)));
        const Halide::Internal::Function &f = funcs.back().function();
        for (const std::string &arg : f.args()) {
            taken_.insert(arg);
        }
        for (const Halide::Internal::Definition &u : f.updates()) {
            for (const Halide::Internal::Dim &d : u.schedule().dims()) {
                taken_.insert(d.var);
            }
        }
    }
    std::set<FuncRef> used;
    const auto use = [&](FuncRef f) {
        if (f < 0 || f >= plan.funcs + static_cast<int>(plan.derived.size())) {
            throw Error("the plan names Func " + std::to_string(f) +
                        ", which the pipeline does not have; make the plan anew");
        }
        if (f < plan.funcs) {
            used.insert(f);
        }
    };
    for (const Derived &d : plan.derived) {
        use(d.source);
        for (const FuncRef c : d.consumers) {
            use(c);
        }
    }
    for (const Group &g : plan.groups) {
        use(g.output);
        for (const Member &m : g.members) {
            use(m.func);
            use(m.at);
        }
    }
    std::map<std::string, int> index;
    for (int i = 0; i < plan.funcs; i++) {
        index[funcs[static_cast<size_t>(i)].name()] = i;
    }
    for (const Halide::Func &f : outputs) {
        used.insert(index.at(f.name()));
    }
    for (const FuncRef f : used) {
        fetch(f, funcs[static_cast<size_t>(f)]);
    }
    for (const Halide::Func &f : outputs) {
        outputs_.push_back(func(index.at(f.name())).local);
    }
}

const NamedFunc &Names::func(FuncRef ref) const {
    const auto it = funcs_.find(ref);
    if (it == funcs_.end()) {
        throw Error("the plan names Func " + std::to_string(ref) + " before it is made; make the plan anew");
    }
    return it->second;
}

const std::string &Names::output(int index) const {
    if (index < 0 || index >= static_cast<int>(outputs_.size())) {
        throw Error("the plan tests the size of output " + std::to_string(index) +
                    ", which the pipeline does not have");
    }
    return outputs_[static_cast<size_t>(index)];
}

std::string Names::unique(const std::string &wanted) {
    std::string name = wanted;
    for (int i = 2; !taken_.insert(name).second; i++) {
        name = wanted + "_" + std::to_string(i);
    }
    return name;
}

std::string Names::loop(const std::string &base, const char *role, bool reduction) {
    const std::string wanted = base + "_" + role;
    const auto known = loops_.find(wanted);
    if (known != loops_.end()) {
        return known->second;
    }
    Directive d;
    d.op = reduction ? Op::NewRVar : Op::NewVar;
    d.local = unique(wanted);
    declarations_.push_back(d);
    loops_[wanted] = d.local;
    return d.local;
}

void Names::fetch(FuncRef ref, const Halide::Func &f) {
    NamedFunc named;
    named.origin = ref;
    named.local = unique(identifier(f.name()));
    Directive d;
    d.op = Op::FetchFunc;
    d.local = named.local;
    d.numbers = {ref};
    declarations_.push_back(d);

    const Halide::Internal::Function &function = f.function();
    std::set<std::string> bases;
    const auto base_of = [&](const std::string &name) {
        std::string base = loop_base(name), result = base;
        for (int i = 2; !bases.insert(result).second; i++) {
            result = base + "_" + std::to_string(i);
        }
        return result;
    };
    std::map<std::string, NamedLoop> pure;
    for (size_t i = 0; i < function.args().size(); i++) {
        NamedLoop loop;
        loop.base = base_of(function.args()[i]);
        loop.local = unique(named.local + "_" + loop.base);
        Directive arg;
        arg.op = Op::FetchArg;
        arg.func = named.local;
        arg.local = loop.local;
        arg.numbers = {static_cast<int64_t>(i)};
        declarations_.push_back(arg);
        named.args.push_back(loop);
        pure[function.args()[i]] = loop;
    }
    for (size_t u = 0; u < function.updates().size(); u++) {
        const Halide::Internal::StageSchedule &schedule = function.updates()[u].schedule();
        std::vector<NamedLoop> loops;
        for (size_t k = 0; k + 1 < schedule.dims().size(); k++) {  // the last is Var::outermost()
            const Halide::Internal::Dim &dim = schedule.dims()[k];
            if (pure.count(dim.var)) {
                loops.push_back(pure[dim.var]);
                continue;
            }
            NamedLoop loop;
            loop.base = base_of(dim.var);
            loop.local = unique(named.local + "_" + loop.base);
            loop.reduction = true;
            loop.extent = constant_extent(schedule, dim.var);
            loop.rvar = number_of(schedule, dim.var);
            loop.whole = loop.extent;
            loop.one_size = is_one_size(schedule, dim.var);
            Directive rvar;
            rvar.op = Op::FetchRVar;
            rvar.func = named.local;
            rvar.local = loop.local;
            rvar.numbers = {static_cast<int64_t>(u), static_cast<int64_t>(k)};
            declarations_.push_back(rvar);
            loops.push_back(loop);
        }
        named.updates.push_back(loops);
    }
    funcs_[ref] = named;
}

void Names::add_staged(FuncRef ref, const Derived &d) {
    const NamedFunc &source = func(d.source);
    Directive in;
    in.op = Op::In;
    in.func = source.local;
    for (const FuncRef c : d.consumers) {
        in.names.push_back(func(c).local);
    }
    in.local = unique(source.local + (d.consumers.empty() ? "_copy" : "_tile"));
    calls_.push_back(in);

    NamedFunc copy;
    copy.local = in.local;
    for (size_t i = 0; i < source.args.size(); i++) {
        NamedLoop loop = source.args[i];
        loop.local = unique(copy.local + "_" + loop.base);
        Directive arg;
        arg.op = Op::FetchArg;
        arg.func = copy.local;
        arg.local = loop.local;
        arg.numbers = {static_cast<int64_t>(i)};
        calls_.push_back(arg);
        copy.args.push_back(loop);
    }
    funcs_[ref] = copy;
}

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
    outer.steps_together = steps_together(d.usual_extent, d.factor);
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
    // Its steps are tested too, against the whole extent.
    inner.whole_extent = outer.whole_extent;
    inner.usual_extent = outer.usual_extent;
    lane.local = loop(split_loop.base, "partial");
    lane.base = split_loop.base + "_partial";

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
    // The parts of an update that scatters are added up over all of its Func.
    loops = kept.empty() ? source.args : kept;
    loops.insert(loops.begin(), inner);
    funcs_[ref] = partial;
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
        Directive extent;
        extent.op = Op::FetchExtent;
        extent.func = origin.local;
        extent.numbers = {func.first_update, rvar};
        const std::string wanted =
            origin.local + "_extent_" + std::to_string(func.first_update) + "_" + std::to_string(rvar);
        const auto known = loops_.find(wanted);
        if (known == loops_.end()) {
            extent.local = loops_[wanted] = unique(wanted);
            declarations_.push_back(extent);
        }
        SizeTest test;
        test.local = loops_[wanted];
        test.extent = full.least;
        tests.push_back(test);
    }
    return tests;
}

}  // namespace warptile

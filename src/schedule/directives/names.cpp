#include "schedule/directives/names.h"

#include <cctype>
#include <utility>

#include "dag/halide/choice.h"
#include "dag/halide/order.h"
#include "machine/error.h"
#include "schedule/directives/reduction_length.h"

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
        "pipeline", "target", "Func", "MemoryType", "RVar", "TailStrategy", "Var", "auto", "break", "case", "char",
        "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto", "if",
        "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
        "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "and", "or", "not", "xor", "bool",
        "class", "delete", "new", "this", "template", "true", "false", "operator", "private", "public", "protected",
        "try", "catch", "throw", "using", "virtual", "namespace", "compl", "bitand", "bitor", "export", "friend",
        "mutable", "typename", "explicit", "asm",
        // What a printed schedule defines itself.
        "Choice", "StandIn", "AddInPlace", "GuardLoads", "KeepStored", "LaunchInParts"};
    return words;
}

}  // namespace

Names::Names(const Plan &plan, const std::vector<Halide::Func> &outputs, std::vector<Directive> &calls)
    : calls_(calls) {
    taken_ = reserved();
    const std::vector<Halide::Func> funcs = numbered_funcs(outputs);
    if (plan.funcs > static_cast<int>(funcs.size())) {
        throw Error("the plan is of a pipeline of " + std::to_string(plan.funcs) + " Funcs, this one has " +
                    std::to_string(funcs.size()) + "; make the plan anew");
    }
    for (const Halide::Func &func : funcs) {
        const Halide::Internal::Function &f = func.function();
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
        if (d.kind == Derived::Kind::Partial) {
            split_.insert({d.source, d.update});
        }
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
        const int update = static_cast<int>(u);
        named.chooses.push_back(split_.count({ref, update}) > 0 && is_choice(function, update));
        const Halide::Internal::StageSchedule &schedule = function.updates()[u].schedule();
        const bool where = !Halide::Internal::is_const_one(function.updates()[u].predicate());
        std::vector<NamedLoop> loops;
        for (size_t k = 0; k + 1 < schedule.dims().size(); k++) {  // the last is Var::outermost()
            const Halide::Internal::Dim &dim = schedule.dims()[k];
            if (pure.count(dim.var)) {
                loops.push_back(pure[dim.var]);
                loops.back().where = where;
                continue;
            }
            NamedLoop loop;
            loop.where = where;
            loop.apart = dim.dim_type == Halide::Internal::DimType::PureRVar;
            loop.base = base_of(dim.var);
            loop.local = unique(named.local + "_" + loop.base);
            loop.reduction = true;
            const ReductionLength extent = reduction_length(schedule, dim.var);
            loop.extent = loop.whole = extent.constant;
            loop.rvar = extent.number;
            loop.one_size = extent.one_size;
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

}  // namespace warptile

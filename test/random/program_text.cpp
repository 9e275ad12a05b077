// A random pipeline as text, read off Halide's own definitions, so that what is shown is what ran.

#include <sstream>

#include "pipeline.h"

namespace warptile::fuzz {

namespace {

using Halide::Internal::Function;

void print_list(std::ostream &out, const std::vector<Halide::Expr> &exprs) {
    for (size_t i = 0; i < exprs.size(); i++) {
        out << (i ? ", " : "") << exprs[i];
    }
}

void print_definition(std::ostream &out, const std::string &name, const Halide::Internal::Definition &d) {
    out << "  " << name << "(";
    print_list(out, d.args());
    out << ") = ";
    if (d.values().size() > 1) {
        out << "{";
    }
    print_list(out, d.values());
    if (d.values().size() > 1) {
        out << "}";
    }
    for (const Halide::Internal::ReductionVariable &r : d.schedule().rvars()) {
        out << "  for " << r.var << " of [" << r.min << ", + " << r.extent << ")";
    }
    if (d.predicate().defined() && !is_const_one(d.predicate())) {
        out << "  where " << d.predicate();
    }
    out << "\n";
}

void print_func(std::ostream &out, const Function &f) {
    for (const Halide::Type &t : f.output_types()) {
        out << "  " << t;
    }
    out << "\n";
    print_definition(out, f.name(), f.definition());
    for (const Halide::Internal::Definition &u : f.updates()) {
        print_definition(out, f.name(), u);
    }
}

template<typename T>
void print_extents(std::ostream &out, const std::vector<T> &extents) {
    for (size_t i = 0; i < extents.size(); i++) {
        out << (i ? " x " : "") << extents[i];
    }
}

}  // namespace

std::string program_text(const RandomPipeline &pipeline) {
    std::ostringstream out;
    for (const InputBuffer &in : pipeline.inputs) {
        out << "  input " << in.param.name() << ": " << in.param.type() << " of [" << in.lo << ", " << in.hi << "]";
        out << (in.raw ? ", raw" : ", behind a boundary condition, ");
        for (const std::vector<int> &e : in.extents) {
            out << (in.raw ? "" : "; ");
            print_extents(out, in.raw ? std::vector<int>{} : e);
        }
        out << ", " << in.param.dimensions() << " dimensions\n";
    }
    for (const InputScalar &s : pipeline.scalars) {
        out << "  scalar " << s.param.name() << ": " << s.param.type() << " = " << s.value << "\n";
    }
    Halide::Pipeline p(pipeline.outputs);
    std::map<std::string, Function> env;
    std::vector<Function> outputs;
    for (const Halide::Func &f : pipeline.outputs) {
        outputs.push_back(f.function());
        const auto calls = Halide::Internal::find_transitive_calls(f.function());
        env.insert(calls.begin(), calls.end());
    }
    for (const std::string &name : Halide::Internal::topological_order(outputs, env)) {
        print_func(out, env.at(name));
    }
    for (size_t o = 0; o < pipeline.outputs.size(); o++) {
        out << "  output " << pipeline.outputs[o].name() << ":";
        for (const OutputSizes &s : pipeline.sizes) {
            out << " ";
            print_extents(out, s[o]);
            out << ";";
        }
        out << "\n";
    }
    return out.str();
}

}  // namespace warptile::fuzz

// The fingerprint of an algorithm: FNV-1a (64 bits) over a canonical text of all its definitions, in which every name
// that Halide or the user could have made up otherwise (Funcs, Vars, parameters, buffers) is a number by order of
// appearance. Schedules, estimates and the contents of buffers are not part of it; the sizes of embedded buffers are,
// since expressions depend on them.

#include <cstdint>
#include <cstdio>

#include "dag/halide/exprs.h"
#include "dag/halide/order.h"
#include "dag/halide/stages.h"
#include "dag/read.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

class Fingerprint {
public:
    explicit Fingerprint(const PipelineOrder &order) : order_(order) {
        for (size_t i = 0; i < order.names.size(); i++) {
            funcs_[order.names[i]] = std::to_string(i);
        }
    }

    std::string of_pipeline() {
        for (const std::string &name : order_.names) {
            add_func(order_.env.at(name));
        }
        for (const Function &f : order_.outputs) {
            add("output " + funcs_[f.name()]);
        }
        char text[17];
        snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(hash_));
        return text;
    }

private:
    void add(const std::string &text) {
        for (const char c : text + "\n") {
            hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        }
    }

    void add_func(const Function &f) {
        add("func " + std::to_string(f.args().size()));
        for (const Type &t : f.output_types()) {
            add(std::to_string(t.code()) + "." + std::to_string(t.bits()));
        }
        if (f.has_extern_definition()) {
            add_extern(f);
        }
        for (const StageSource &stage : stages_of(f)) {
            add_stage(f, stage);
        }
    }

    void add_stage(const Function &f, const StageSource &stage) {
        vars_.clear();
        for (size_t d = 0; d < f.args().size(); d++) {
            vars_[f.args()[d]] = "v" + std::to_string(d);
        }
        for (size_t r = 0; r < stage.rvars.size(); r++) {
            vars_[stage.rvars[r].var] = "r" + std::to_string(r);
        }
        ExprTable table([this](const Expr &e) { return canonical(e); });
        std::string roots = "stage";
        for (const Expr &e : stage.expressions()) {
            roots += " " + std::to_string(table.add(e));
        }
        for (const ReductionVariable &r : stage.rvars) {
            roots += " " + std::to_string(table.add(r.min)) + "+" + std::to_string(table.add(r.extent));
        }
        for (const ExprTable::Record &record : table.records()) {
            add(record.key);
        }
        add(roots);
    }

    void add_extern(const Function &f) {
        add("extern " + f.extern_function_name());
        ExprTable table([this](const Expr &e) { return canonical(e); });
        for (const ExternFuncArgument &a : f.extern_arguments()) {
            if (a.is_func()) {
                add("func " + funcs_[Function(a.func).name()]);
            } else if (a.is_expr()) {
                table.add(a.expr);
            } else {
                add("buffer " + numbered(a.is_image_param() ? a.image_param.name() : a.buffer.name()));
            }
        }
        for (const ExprTable::Record &record : table.records()) {
            add(record.key);
        }
    }

    // Parameters and buffers by order of appearance.
    std::string numbered(const std::string &name) {
        return "p" + std::to_string(parameters_.emplace(name, parameters_.size()).first->second);
    }

    std::string canonical(const Expr &e) {
        if (const Variable *v = e.as<Variable>()) {
            const auto var = vars_.find(v->name);
            if (var != vars_.end()) {
                return var->second;
            }
            const std::string base = v->param.defined() ? v->param.name() : v->image.defined() ? v->image.name() : "";
            const bool prefixed = !base.empty() && v->name.compare(0, base.size(), base) == 0;
            return prefixed ? numbered(base) + v->name.substr(base.size()) : numbered(v->name);
        }
        const Call *call = e.as<Call>();
        if (call->call_type == Call::Halide) {
            const auto func = funcs_.find(call->name);
            return "f" + (func == funcs_.end() ? numbered(call->name) : func->second);
        }
        if (call->call_type == Call::Image) {
            std::string name = numbered(call->name);
            for (int d = 0; call->image.defined() && d < call->image.dimensions(); d++) {
                name +=
                    "," + std::to_string(call->image.dim(d).min()) + "+" + std::to_string(call->image.dim(d).extent());
            }
            return name;
        }
        return call->name;
    }

    const PipelineOrder &order_;
    uint64_t hash_ = 0xcbf29ce484222325;
    std::map<std::string, std::string> funcs_, vars_;
    std::map<std::string, size_t> parameters_;
};

}  // namespace

std::string fingerprint(const std::vector<Func> &outputs) { return Fingerprint(pipeline_order(outputs)).of_pipeline(); }

}  // namespace warptile

// What CUDA code cannot do: see device.h. Each definition is looked at as a table of its distinct
// subexpressions, so that an expression of any shape costs no more than its nodes.

#include "dag/halide/device.h"

#include <algorithm>
#include <set>

#include "dag/halide/exprs.h"
#include "dag/halide/stages.h"
#include "dag/halide/user_name.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/// Halide's functions of floating-point numbers that its device library or its code generator has. Those of 16 bits are
/// made of those of 32.
bool is_device_function(const std::string &name) {
    static const std::set<std::string> of_any_float = {
        "acos", "acosh", "asin",      "asinh",  "atan",   "atan2", "atanh", "ceil", "cos", "cosh", "exp",  "floor",
        "log",  "pow",   "is_finite", "is_inf", "is_nan", "sin",   "sinh",  "sqrt", "tan", "tanh", "trunc"};
    static const std::set<std::string> others = {"abs_f32", "abs_f64",     "fast_inverse_f32", "fast_inverse_sqrt_f32",
                                                 "inf_f32", "neg_inf_f32", "nan_f32"};
    const size_t end = name.rfind('_');
    const std::string type = end == std::string::npos ? "" : name.substr(end + 1);
    const bool any = (type == "f16" || type == "f32" || type == "f64") && of_any_float.count(name.substr(0, end));
    return any || others.count(name);
}

/// Of a Func that others read: their loads of it are traced.
bool loads_are_traced(const Call *load) {
    if (load->call_type == Call::Halide) {
        return load->func.defined() && Function(load->func).is_tracing_loads();
    }
    return load->param.defined() && load->param.is_tracing_loads();
}

std::string why_not(const Call *call) {
    if (as_load(call) && loads_are_traced(call)) {
        return "reads '" + user_name(call->name) + "', of which each load is traced, which a kernel cannot";
    }
    if (call->is_extern() && !is_device_function(call->name)) {
        return call->name == "halide_print" ? "prints, which a kernel cannot"
                                            : "calls the C function '" + call->name + "', which a kernel cannot";
    }
    if (call->is_intrinsic(Call::require)) {
        return "checks a requirement (`require`), which a kernel cannot report";
    }
    return "";
}

std::string why_not(const Type &type) {
    if (type.is_bfloat()) {
        return "has values of type bfloat16, of which Halide makes no CUDA code";
    }
    return type.is_handle() ? "has values that are addresses of the host's" : "";
}

/// Calls before types: the arguments of a call that prints are addresses too.
std::string why_not(const ExprTable &table) {
    for (const ExprTable::Record &record : table.records()) {
        const Call *call = record.expr.as<Call>();
        const std::string why = call ? why_not(call) : "";
        if (!why.empty()) {
            return why;
        }
    }
    for (const ExprTable::Record &record : table.records()) {
        const std::string why = record.expr.as<StringImm>() ? "" : why_not(record.expr.type());
        if (!why.empty()) {
            return why;
        }
    }
    return "";
}

}  // namespace

std::string why_only_on_host(const Function &f) {
    if (f.has_extern_definition()) {
        // Halide copies nothing for it: it is handed buffers, of which the device may have the newer half.
        return "is computed by the C function '" + f.extern_function_name() +
               "' (which itself has to copy to the host, by halide_copy_to_host, what a kernel has written)";
    }
    if (f.is_tracing_stores() || f.is_tracing_realizations()) {
        return "is traced, which a kernel cannot";
    }
    for (const Type &type : f.output_types()) {
        const std::string why = why_not(type);
        if (!why.empty()) {
            return why;
        }
    }
    ExprTable table;
    for (const StageSource &stage : stages_of(f)) {
        for (const Expr &e : stage.expressions()) {
            table.add(e);
        }
        for (const ReductionVariable &r : stage.rvars) {
            table.add(r.min);
            table.add(r.extent);
        }
    }
    return why_not(table);
}

}  // namespace warptile

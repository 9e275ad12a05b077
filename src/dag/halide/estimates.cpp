// Estimates of parameters, inputs and outputs: see estimates.h.

#include "dag/halide/estimates.h"

#include "dag/halide/exprs.h"
#include "dag/halide/user_name.h"
#include "machine/error.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

enum class Field { None, Min, Extent };

// Halide names the size of a buffer by variables such as `input.extent.0`.
Field parse_field(const std::string &variable, int &dim) {
    const size_t last = variable.rfind('.');
    const size_t first = last == std::string::npos || last == 0 ? last : variable.rfind('.', last - 1);
    if (first == std::string::npos) {
        return Field::None;
    }
    const std::string field = variable.substr(first + 1, last - first - 1);
    const std::string digits = variable.substr(last + 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos || digits.size() > 4) {
        return Field::None;
    }
    dim = std::stoi(digits);
    return field == "min" ? Field::Min : field == "extent" ? Field::Extent : Field::None;
}

Expr number(int64_t value) { return IntImm::make(Int(32), value); }

Expr scalar_estimate(const Parameter &param) {
    if (param.estimate().defined()) {
        return param.estimate();
    }
    if (param.default_value().defined()) {
        return param.default_value();
    }
    return param.has_scalar_value() ? param.scalar_expr() : Expr();
}

class Substitution : public IRGraphMutator {
public:
    Substitution(const Estimates &estimates, const std::map<std::string, Region> &outputs, const Target &target)
        : estimates_(estimates), outputs_(outputs), target_(target) {}

private:
    using IRGraphMutator::visit;

    Expr visit(const Variable *op) override {
        if (op->param.defined() && !op->param.is_buffer()) {
            const Expr value = estimates_.scalar(op->param);
            return value.defined() ? cast(op->type, value) : Expr(op);
        }
        int dim = 0;
        const Field field = parse_field(op->name, dim);
        if (field == Field::None) {
            return op;
        }
        if (op->image.defined() && dim < op->image.dimensions()) {
            const auto d = op->image.dim(dim);
            return number(field == Field::Min ? d.min() : d.extent());
        }
        if (op->param.defined()) {
            const auto output = outputs_.find(op->param.name());
            if (output != outputs_.end()) {
                const Interval &known = output->second[static_cast<size_t>(dim)];
                return number(field == Field::Min ? known.min : known.extent());
            }
            const auto end = field == Field::Min ? Estimates::End::Min : Estimates::End::Extent;
            if (const auto value = estimates_.input_end(op->param, dim, end)) {
                return number(*value);
            }
        }
        return op;
    }

    Expr visit(const Call *op) override {
        const auto argument = [&]() { return static_cast<int>(as_const_int(op->args[0]).value_or(0)); };
        if (op->is_intrinsic(Call::target_arch_is)) {
            return make_bool(target_.arch == static_cast<Target::Arch>(argument()));
        }
        if (op->is_intrinsic(Call::target_os_is)) {
            return make_bool(target_.os == static_cast<Target::OS>(argument()));
        }
        if (op->is_intrinsic(Call::target_has_feature)) {
            return make_bool(target_.has_feature(static_cast<Target::Feature>(argument())));
        }
        if (op->is_intrinsic(Call::target_bits)) {
            return target_.bits;
        }
        if (op->is_intrinsic(Call::target_natural_vector_size)) {
            return target_.natural_vector_size(op->args[0].type());
        }
        // What may not be reassociated is no number to Halide's simplifier, even of numbers. As Halide does where it
        // looks for bounds, the same without that is taken.
        if (op->is_strict_float_intrinsic()) {
            return mutate(unstrictify_float(op));
        }
        return IRGraphMutator::visit(op);
    }

    const Estimates &estimates_;
    const std::map<std::string, Region> &outputs_;
    const Target target_;
};

class FindParameter : public IRGraphVisitor {
public:
    std::string message;

private:
    using IRGraphVisitor::visit;

    void visit(const Variable *op) override {
        if (!message.empty() || !op->param.defined()) {
            return;
        }
        const std::string &name = op->param.name();
        if (op->param.is_buffer()) {
            int dim = 0;
            parse_field(op->name, dim);
            message = "Input '" + name + "' has no estimate in dimension " + std::to_string(dim) + ": call " + name +
                      ".set_estimates({{min, extent}, ...}), one pair a dimension.";
        } else {
            message = "Param '" + name + "' has no estimate: call " + name + ".set_estimate(value).";
        }
    }
};

}  // namespace

Estimates::Estimates(const PipelineOrder &order, const Target &target) : target_(target) {
    std::map<std::string, Region> regions;
    for (const Function &f : order.outputs) {
        const Region region = output(f);
        for (const Parameter &buffer : f.output_buffers()) {
            regions[buffer.name()] = region;
        }
    }
    output_buffers_ = std::move(regions);
    found_ = {};  // while sizes of outputs were not known
}

Expr Estimates::substitute(const Expr &e) const {
    return e.defined() ? Substitution(*this, output_buffers_, target_).mutate(substitute_in_all_lets(e)) : e;
}

std::optional<int64_t> Estimates::constant(const Expr &e) const {
    if (!e.defined()) {
        return {};
    }
    const Expr known = Substitution(*this, output_buffers_, target_).mutate(e);
    if (tree_size(known) > kLargestTree) {
        return {};
    }
    const Expr value = simplify(known);
    if (const auto i = as_const_int(value)) {
        return *i;
    }
    if (const auto u = as_const_uint(value)) {
        return static_cast<int64_t>(*u);
    }
    return {};
}

std::string Estimates::missing(const Expr &e) const {
    FindParameter find;
    if (e.defined()) {
        substitute(e).accept(&find);
    }
    return find.message;
}

std::optional<Interval> Estimates::input(const Parameter &param, int dim) const {
    const auto min = input_end(param, dim, End::Min), extent = input_end(param, dim, End::Extent);
    return min && extent ? std::optional<Interval>({*min, *min + *extent - 1}) : std::nullopt;
}

std::optional<int64_t> Estimates::input_end(const Parameter &param, int dim, End end) const {
    if (dim < 0 || dim >= param.dimensions()) {
        return {};
    }
    const std::string key = param.name() + (end == End::Min ? ".min." : ".extent.") + std::to_string(dim);
    if (found_.ends.emplace(key, std::nullopt).second) {
        const std::optional<int64_t> value = find_end(param, dim, end);
        found_.ends[key] = value;
    }
    return found_.ends[key];
}

std::optional<int64_t> Estimates::find_end(const Parameter &param, int dim, End end) const {
    const bool is_min = end == End::Min;
    if (const auto value = constant(is_min ? param.min_constraint(dim) : param.extent_constraint(dim))) {
        return value;
    }
    if (const auto value =
            constant(is_min ? param.min_constraint_estimate(dim) : param.extent_constraint_estimate(dim))) {
        return value;
    }
    if (!param.buffer().defined()) {
        return {};
    }
    const auto d = param.buffer().dim(dim);
    return is_min ? d.min() : d.extent();
}

Expr Estimates::scalar(const Parameter &param) const {
    if (found_.scalars.emplace(param.name(), Expr()).second) {
        const Expr value = substitute(scalar_estimate(param));
        found_.scalars[param.name()] = value;
    }
    return found_.scalars[param.name()];
}

Region Estimates::output(const Function &f) const {
    Region region;
    for (size_t d = 0; d < f.args().size(); d++) {
        std::optional<int64_t> min, extent;
        const auto take = [&](const Expr &m, const Expr &e) {
            min = min ? min : constant(m);
            extent = extent ? extent : constant(e);
        };
        for (const Bound &b : f.schedule().bounds()) {
            if (b.var == f.args()[d]) {
                take(b.min, b.extent);
            }
        }
        const int dim = static_cast<int>(d);
        for (const Parameter &buffer : f.output_buffers()) {  // what is promised holds whatever is estimated
            take(buffer.min_constraint(dim), buffer.extent_constraint(dim));
        }
        const std::vector<Bound> &estimates = f.schedule().estimates();
        for (auto b = estimates.rbegin(); b != estimates.rend(); ++b) {  // the last one given counts
            if (b->var == f.args()[d]) {
                take(b->min, b->extent);
            }
        }
        if (!f.output_buffers().empty()) {
            const Parameter &buffer = f.output_buffers()[0];
            take(buffer.min_constraint_estimate(dim), buffer.extent_constraint_estimate(dim));
        }
        if (!min || !extent) {
            throw Error("Output '" + user_name(f.name()) + "' has no estimate in dimension '" + user_name(f.args()[d]) +
                        "': call " + user_name(f.name()) +
                        ".set_estimates({{min, extent}, ...}), one pair a dimension.");
        }
        if (*extent < 1) {
            throw Error("Output '" + user_name(f.name()) + "' has an estimate of extent " + std::to_string(*extent) +
                        " in dimension '" + user_name(f.args()[d]) + "': give it an extent of at least 1.");
        }
        region.push_back({*min, *min + *extent - 1});
    }
    return region;
}

}  // namespace warptile

// Operation counts: see count_ops.h. The unit is an instruction of a GPU thread, roughly: an add or a fused
// multiply-add is one, a cast between integer types none (registers have 32 bits), a division by a constant a
// multiplication, any other division or transcendental function one `special` operation, and 64-bit integers twice what
// 32-bit ones are.

#include "dag/halide/count_ops.h"

#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

void add_plain(OpCounts &ops, const Type &type, int count = 1) {
    if (type.is_float() || type.is_bfloat()) {
        ops.float_ops += count;
    } else {
        ops.int_ops += count * (type.bits() > 32 ? 2 : 1);
    }
}

void add_cast(OpCounts &ops, const Type &from, const Type &to) {
    const bool both_integers = !from.is_float() && !from.is_bfloat() && !to.is_float() && !to.is_bfloat();
    ops.int_ops += both_integers && from.bits() <= 32 && to.bits() <= 32 ? 0 : from == to ? 0 : 1;
}

void add_division(OpCounts &ops, const Type &type, const Expr &divisor) {
    if (!is_const(divisor)) {
        ops.special_ops++;
    } else if (type.is_float() || type.is_bfloat()) {
        ops.float_ops++;
    } else {
        add_plain(ops, type, is_const_power_of_two_integer(divisor) ? 1 : 3);
    }
}

// Functions and intrinsics by what they become on a GPU.
void add_call(OpCounts &ops, const Call *call) {
    if (as_load(call)) {
        ops.loads++;
    } else if (call->is_extern()) {
        const bool is_power = call->name.compare(0, 3, "pow") == 0;
        const bool is_rounding = call->name.compare(0, 5, "floor") == 0 || call->name.compare(0, 4, "ceil") == 0 ||
                                 call->name.compare(0, 5, "trunc") == 0;
        if (is_rounding) {
            add_plain(ops, call->type);
        } else {
            ops.special_ops += is_power ? 3 : 1;
        }
    } else if (call->is_intrinsic({Call::likely, Call::likely_if_innermost, Call::promise_clamped,
                                   Call::unsafe_promise_clamped, Call::undef, Call::return_second, Call::bundle,
                                   Call::require, Call::memoize_expr, Call::stringify})) {
        return;
    } else if (call->is_intrinsic(Call::mux)) {
        const int choices =
            static_cast<int>(call->args.size()) - 2;  // of the values behind the index, all but the last
        ops.choices += 2 * choices;
        ops.int_ops += choices;
        add_plain(ops, call->type, choices);
    } else if (call->is_intrinsic({Call::div_round_to_zero, Call::mod_round_to_zero})) {
        add_division(ops, call->type, call->args[1]);
    } else if (call->is_intrinsic({Call::lerp, Call::rounding_mul_shift_right, Call::mul_shift_right})) {
        add_plain(ops, call->type, 3);
    } else if (call->is_intrinsic(Call::random)) {
        ops.int_ops += 20;  // a hash of the coordinates
    } else {
        add_plain(ops, call->type);
    }
}

void add_node(OpCounts &ops, const Expr &e) {
    switch (e->node_type) {
    case IRNodeType::Cast:
        return add_cast(ops, e.as<Cast>()->value.type(), e.type());
    case IRNodeType::Min:
    case IRNodeType::Max:
    case IRNodeType::Select:
        ops.choices++;
        return add_plain(ops, e.type());
    case IRNodeType::Add:
    case IRNodeType::Sub:
    case IRNodeType::Mul:
    case IRNodeType::And:
    case IRNodeType::Or:
    case IRNodeType::Not:
        return add_plain(ops, e.type());
    case IRNodeType::EQ:
    case IRNodeType::NE:
    case IRNodeType::LT:
    case IRNodeType::LE:
    case IRNodeType::GT:
    case IRNodeType::GE:
        ops.choices++;
        return add_plain(ops, operands(e)[0].type());
    case IRNodeType::Div:
        return add_division(ops, e.type(), e.as<Div>()->b);
    case IRNodeType::Mod:
        return add_division(ops, e.type(), e.as<Mod>()->b);
    case IRNodeType::Call:
        return add_call(ops, e.as<Call>());
    default:
        return;
    }
}

/// Walks the table from the values of a stage, and through the index of a load only where data go into it.
class ValueWalk {
public:
    explicit ValueWalk(const ExprTable &table) : table_(table), seen_(table.records().size()) {
        for (const ExprTable::Record &record : table.records()) {
            bool loads = as_load(record.expr) != nullptr;
            for (const int child : record.children) {
                loads = loads || has_load_[static_cast<size_t>(child)];
            }
            has_load_.push_back(loads);
        }
    }

    void visit(int number, bool is_index) {
        const size_t i = static_cast<size_t>(number);
        if (seen_[i] || (is_index && !has_load_[i])) {
            return;
        }
        seen_[i] = true;
        const ExprTable::Record &record = table_.records()[i];
        add_node(ops, record.expr);
        const bool is_load = as_load(record.expr) != nullptr;
        for (const int child : record.children) {
            visit(child, is_load || is_index);
        }
    }

    OpCounts ops;

private:
    const ExprTable &table_;
    std::vector<bool> has_load_, seen_;
};

}  // namespace

OpCounts count_ops(const StageSource &stage) {
    ExprTable table;
    for (const Expr &e : stage.expressions()) {
        table.add(e);
    }
    OpCounts all;
    for (const ExprTable::Record &record : table.records()) {
        add_node(all, record.expr);
    }
    OpCounts ops = count_value_ops(stage);
    ops.index_ops = all.total() - ops.total();
    return ops;
}

OpCounts count_value_ops(const StageSource &stage) {
    ExprTable table;
    std::vector<int> values, indices;
    for (const Expr &value : stage.values) {
        values.push_back(table.add(value));
    }
    if (stage.predicate.defined()) {
        values.push_back(table.add(stage.predicate));
    }
    for (const Expr &arg : stage.args) {
        indices.push_back(table.add(arg));
    }
    ValueWalk walk(table);
    for (const int value : values) {
        walk.visit(value, false);
    }
    for (const int index : indices) {
        walk.visit(index, true);
    }
    return walk.ops;
}

}  // namespace warptile

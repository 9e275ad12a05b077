// Value numbering of Halide's expressions: see exprs.h.

#include "dag/halide/exprs.h"

namespace warptile {

using namespace Halide;
using namespace Halide::Internal;

namespace {

template<typename Op>
std::vector<Expr> both(const Expr &e) {
    return {e.as<Op>()->a, e.as<Op>()->b};
}

// What distinguishes a node beside its kind, its type, its name and its operands.
std::string payload(const Expr &e) {
    switch (e->node_type) {
    case IRNodeType::IntImm:
        return std::to_string(e.as<IntImm>()->value);
    case IRNodeType::UIntImm:
        return std::to_string(e.as<UIntImm>()->value);
    case IRNodeType::FloatImm: {
        char text[64];
        snprintf(text, sizeof(text), "%a", e.as<FloatImm>()->value);
        return text;
    }
    case IRNodeType::StringImm:
        return e.as<StringImm>()->value;
    case IRNodeType::Broadcast:
        return std::to_string(e.as<Broadcast>()->lanes);
    case IRNodeType::Call:
        return std::to_string(e.as<Call>()->call_type) + "." + std::to_string(e.as<Call>()->value_index);
    case IRNodeType::Shuffle: {
        std::string lanes;
        for (const int i : e.as<Shuffle>()->indices) {
            lanes += std::to_string(i) + ",";
        }
        return lanes;
    }
    case IRNodeType::VectorReduce:
        return std::to_string(static_cast<int>(e.as<VectorReduce>()->op));
    default:
        return "";
    }
}

}  // namespace

std::vector<Expr> operands(const Expr &e) {
    switch (e->node_type) {
    case IRNodeType::Cast:
        return {e.as<Cast>()->value};
    case IRNodeType::Reinterpret:
        return {e.as<Reinterpret>()->value};
    case IRNodeType::Broadcast:
        return {e.as<Broadcast>()->value};
    case IRNodeType::Not:
        return {e.as<Not>()->a};
    case IRNodeType::VectorReduce:
        return {e.as<VectorReduce>()->value};
    case IRNodeType::Add:
        return both<Add>(e);
    case IRNodeType::Sub:
        return both<Sub>(e);
    case IRNodeType::Mod:
        return both<Mod>(e);
    case IRNodeType::Mul:
        return both<Mul>(e);
    case IRNodeType::Div:
        return both<Div>(e);
    case IRNodeType::Min:
        return both<Min>(e);
    case IRNodeType::Max:
        return both<Max>(e);
    case IRNodeType::EQ:
        return both<EQ>(e);
    case IRNodeType::NE:
        return both<NE>(e);
    case IRNodeType::LT:
        return both<LT>(e);
    case IRNodeType::LE:
        return both<LE>(e);
    case IRNodeType::GT:
        return both<GT>(e);
    case IRNodeType::GE:
        return both<GE>(e);
    case IRNodeType::And:
        return both<And>(e);
    case IRNodeType::Or:
        return both<Or>(e);
    case IRNodeType::Select:
        return {e.as<Select>()->condition, e.as<Select>()->true_value, e.as<Select>()->false_value};
    case IRNodeType::Load:
        return {e.as<Load>()->predicate, e.as<Load>()->index};
    case IRNodeType::Ramp:
        return {e.as<Ramp>()->base, e.as<Ramp>()->stride};
    case IRNodeType::Call:
        return e.as<Call>()->args;
    case IRNodeType::Let:
        return {e.as<Let>()->value, e.as<Let>()->body};
    case IRNodeType::Shuffle:
        return e.as<Shuffle>()->vectors;
    default:
        return {};
    }
}

const Call *as_load(const Expr &e) {
    const Call *call = e.as<Call>();
    return call && (call->call_type == Call::Halide || call->call_type == Call::Image) ? call : nullptr;
}

std::vector<Expr> distinct_loads(const std::vector<Expr> &exprs) {
    ExprTable table;
    for (const Expr &e : exprs) {
        table.add(e);
    }
    std::vector<Expr> loads;
    for (const ExprTable::Record &record : table.records()) {
        if (as_load(record.expr)) {
            loads.push_back(record.expr);
        }
    }
    return loads;
}

double tree_size(const Expr &e, TreeSizes &known) {
    if (!e.defined()) {
        return 0;
    }
    const auto found = known.find(e);
    if (found != known.end()) {
        return found->second;
    }
    double size = 1;
    for (const Expr &operand : operands(e)) {
        size += tree_size(operand, known);
    }
    known.emplace(e, size);
    return size;
}

double tree_size(const Expr &e) {
    TreeSizes known;
    return tree_size(e, known);
}

Expr strip_likely(const Expr &e) {
    const Call *call = Call::as_tag(e);
    return call ? strip_likely(call->args[0]) : e;
}

std::string ExprTable::name_of(const Expr &e) const {
    if (e.as<Variable>() || e.as<Call>()) {
        return naming_ ? naming_(e) : e.as<Variable>() ? e.as<Variable>()->name : e.as<Call>()->name;
    }
    if (const Load *load = e.as<Load>()) {
        return load->name;
    }
    return e.as<Let>() ? e.as<Let>()->name : "";
}

int ExprTable::number(const Expr &e) {
    if (!e.defined()) {
        return -1;
    }
    const auto seen = by_node_.find(e.get());
    if (seen != by_node_.end()) {
        return seen->second;
    }
    std::vector<int> children;
    for (const Expr &operand : operands(e)) {
        children.push_back(number(operand));
    }
    const Type type = e.type();
    std::string key = std::to_string(static_cast<int>(e->node_type)) + ":" + std::to_string(type.code()) + "." +
                      std::to_string(type.bits()) + "." + std::to_string(type.lanes()) + ":" + name_of(e) + ":" +
                      payload(e);
    for (const int child : children) {
        key += " " + std::to_string(child);
    }
    const auto inserted = by_key_.emplace(key, static_cast<int>(records_.size()));
    if (inserted.second) {
        records_.push_back({e, std::move(children), std::move(key)});
    }
    by_node_.emplace(e.get(), inserted.first->second);
    return inserted.first->second;
}

int ExprTable::add(const Expr &e) {
    if (!e.defined()) {
        return -1;
    }
    roots_.push_back(e);
    roots_.push_back(substitute_in_all_lets(e));
    return number(roots_.back());
}

}  // namespace warptile

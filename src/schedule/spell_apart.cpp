#include "schedule/spell_apart.h"

namespace warptile {

namespace {

using Halide::Expr;
using Halide::Internal::Definition;
using Halide::Internal::IRMutator;
using Halide::Internal::Variable;

/// Lets are put in first, so that an expression is as large as the tree of it.
constexpr int kMostExprs = 20000;

class SpellApart : public IRMutator {
public:
    using IRMutator::mutate;

    Expr mutate(const Expr &e) override { return ++exprs_ > kMostExprs ? e : IRMutator::mutate(e); }

private:
    using IRMutator::visit;

    Expr visit(const Variable *v) override {
        if (!v->type.is_scalar() || !v->type.is_int() || v->type.bits() < 32) {
            return v;
        }
        const Expr n = Halide::Internal::make_const(v->type, ++uses_);
        return Halide::Internal::Add::make(v, Halide::Internal::Sub::make(n, n));
    }

    int exprs_ = 0, uses_ = 0;
};

void spell(Definition &definition, SpellApart &apart) {
    for (std::vector<Expr> *exprs : {&definition.args(), &definition.values()}) {
        for (Expr &e : *exprs) {
            e = apart.mutate(Halide::Internal::substitute_in_all_lets(e));
        }
    }
    for (Halide::Internal::Specialization &s : definition.specializations()) {
        spell(s.definition, apart);
    }
}

}  // namespace

void spell_apart(const Halide::Func &f, int stage) {
    SpellApart apart;
    Halide::Internal::Function function = f.function();
    spell(stage == 0 ? function.definition() : function.update(stage - 1), apart);
}

const char *const kSpellApart =
    R"(// Halide would lift what the places and the values of an update share out of the values alone, and then no longer see
// that an atomic addition adds to what it reads. So each use of a variable is spelled in its own way until it simplifies.
const auto spell_apart = [](const Func &f, int update) {
    struct Apart : public ::Halide::Internal::IRMutator {
        using IRMutator::mutate;
        using IRMutator::visit;
        int exprs = 0, uses = 0;
        ::Halide::Expr mutate(const ::Halide::Expr &e) override { return ++exprs > 20000 ? e : IRMutator::mutate(e); }
        ::Halide::Expr visit(const ::Halide::Internal::Variable *v) override {
            if (!v->type.is_scalar() || !v->type.is_int() || v->type.bits() < 32) {
                return v;
            }
            const ::Halide::Expr n = ::Halide::Internal::make_const(v->type, ++uses);
            return ::Halide::Internal::Add::make(v, ::Halide::Internal::Sub::make(n, n));
        }
        void spell(::Halide::Internal::Definition &d) {
            for (auto *exprs : {&d.args(), &d.values()}) {
                for (::Halide::Expr &e : *exprs) {
                    e = mutate(::Halide::Internal::substitute_in_all_lets(e));
                }
            }
            for (auto &s : d.specializations()) {
                spell(s.definition);
            }
        }
    } apart;
    ::Halide::Internal::Function function = f.function();
    apart.spell(function.update(update));
};
)";

}  // namespace warptile

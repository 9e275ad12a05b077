#include "dag/halide/index_variables.h"

#include <algorithm>

namespace warptile {

using namespace Halide::Internal;

namespace {

class FindVariables : public IRGraphVisitor {
public:
    explicit FindVariables(const IndexLoops &loops) : loops_(loops) {}

    IndexVariables found;

private:
    using IRGraphVisitor::visit;

    void visit(const Call *op) override {
        found.loads |= op->call_type == Call::Halide || op->call_type == Call::Image;
        IRGraphVisitor::visit(op);
    }

    void visit(const Variable *op) override {
        found.parameters |= op->param.defined();
        const bool seen = std::find(found.loops.begin(), found.loops.end(), op->name) != found.loops.end();
        if (!seen && loops_.count(op->name) > 0) {
            found.loops.push_back(op->name);
        }
    }

    const IndexLoops &loops_;
};

}  // namespace

IndexVariables index_variables(const Halide::Expr &index, const IndexLoops &loops) {
    FindVariables find(loops);
    index.accept(&find);
    return find.found;
}

}  // namespace warptile

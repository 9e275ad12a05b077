#include "schedule/launch_in_parts.h"

#include <string>
#include <utility>
#include <vector>

namespace warptile {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

class LaunchInParts : public IRMutator {
    using IRMutator::visit;

    /// A loop over blocks is the outermost of a kernel, or inside another one.
    Stmt visit(const For *op) override {
        if (op->for_type != ForType::GPUBlock) {
            return IRMutator::visit(op);
        }
        if (in_kernel_) {
            return take_part(op);
        }
        in_kernel_ = true;
        Stmt stmt = take_part(op);
        in_kernel_ = false;
        Expr fits;
        for (const auto &[name, extent] : std::exchange(high_, {})) {
            const std::string launch = name + ".launch";
            stmt = LetStmt::make(launch + ".begin", Variable::make(Halide::Int(32), launch) * kGridYZ, stmt);
            stmt = For::make(launch, 0, (extent - 1) / kGridYZ + 1, ForType::Serial, Halide::Partition::Auto,
                             Halide::DeviceAPI::None, stmt);
            fits = fits.defined() ? fits && extent <= kGridYZ : extent <= kGridYZ;
        }
        stmt = fits.defined() ? IfThenElse::make(fits, op, stmt) : stmt;
        const Expr some = std::exchange(some_, Expr());
        return some.defined() ? IfThenElse::make(some, stmt) : stmt;
    }

    /// What stands between the loops over blocks may be in their extents, which the host has to know.
    Stmt visit(const LetStmt *op) override {
        if (!in_kernel_) {
            return IRMutator::visit(op);
        }
        lets_.emplace_back(op->name, op->value);
        const Stmt stmt = IRMutator::visit(op);
        lets_.pop_back();
        return stmt;
    }

    /// The loop with the blocks of one launch.
    Stmt take_part(const For *op) {
        Expr extent = op->extent;
        for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
            extent = substitute(let->first, let->second, extent);
        }
        Expr part = op->extent;
        Stmt body = mutate(op->body);
        const auto constant = as_const_int(simplify(extent));
        if (!constant) {
            some_ = some_.defined() ? some_ && extent > 0 : extent > 0;
        }
        if (!ends_with(op->name, "block_id_x") && (!constant || *constant > kGridYZ)) {
            high_.emplace_back(op->name, extent);
            const Expr begin = Variable::make(Halide::Int(32), op->name + ".launch.begin");
            part = min(op->extent - begin, kGridYZ);
            body = substitute(op->name, Variable::make(Halide::Int(32), op->name) + begin, body);
        }
        return For::make(op->name, op->min, part, op->for_type, op->partition_policy, op->device_api, body);
    }

    bool in_kernel_ = false;
    std::vector<std::pair<std::string, Expr>> lets_;  ///< of the kernel, innermost last
    std::vector<std::pair<std::string, Expr>> high_;  ///< its loops that may be too high, and their extents
    Expr some_;                                       ///< whether the kernel has any blocks
};

}  // namespace

Stmt launch_in_parts(const Stmt &lowered) { return LaunchInParts().mutate(lowered); }

const char *const kLaunchInParts =
    R"(// A card launches at most 65,535 blocks in y and z of a grid. When all is lowered, each kernel is put beside loops of the
// host that launch it in such parts, for sizes at which its grid is higher.
struct LaunchInParts : public ::Halide::Internal::IRMutator {
    using Expr = ::Halide::Expr;
    using For = ::Halide::Internal::For;
    using LetStmt = ::Halide::Internal::LetStmt;
    using Stmt = ::Halide::Internal::Stmt;
    using Variable = ::Halide::Internal::Variable;
    using IRMutator::visit;
    Stmt visit(const For *op) override {
        if (op->for_type != ::Halide::Internal::ForType::GPUBlock) {
            return IRMutator::visit(op);
        }
        if (in_kernel) {
            return take_part(op);
        }
        in_kernel = true;
        Stmt stmt = take_part(op);
        in_kernel = false;
        Expr fits;
        for (const auto &h : high) {
            const std::string launch = h.first + ".launch";
            stmt = LetStmt::make(launch + ".begin", Variable::make(::Halide::Int(32), launch) * 65535, stmt);
            stmt = For::make(launch, 0, (h.second - 1) / 65535 + 1, ::Halide::Internal::ForType::Serial,
                             ::Halide::Partition::Auto, ::Halide::DeviceAPI::None, stmt);
            fits = fits.defined() ? fits && h.second <= 65535 : h.second <= 65535;
        }
        high.clear();
        stmt = fits.defined() ? ::Halide::Internal::IfThenElse::make(fits, op, stmt) : stmt;
        const Expr any = some;
        some = Expr();
        return any.defined() ? ::Halide::Internal::IfThenElse::make(any, stmt) : stmt;
    }
    Stmt visit(const LetStmt *op) override {
        if (!in_kernel) {
            return IRMutator::visit(op);
        }
        lets.emplace_back(op->name, op->value);
        const Stmt stmt = IRMutator::visit(op);
        lets.pop_back();
        return stmt;
    }
    Stmt take_part(const For *op) {
        Expr extent = op->extent;
        for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
            extent = ::Halide::Internal::substitute(let->first, let->second, extent);
        }
        Expr part = op->extent;
        Stmt body = mutate(op->body);
        const auto constant = ::Halide::Internal::as_const_int(::Halide::Internal::simplify(extent));
        if (!constant) {
            some = some.defined() ? some && extent > 0 : extent > 0;
        }
        if (!::Halide::Internal::ends_with(op->name, "block_id_x") && (!constant || *constant > 65535)) {
            high.emplace_back(op->name, extent);
            const Expr begin = Variable::make(::Halide::Int(32), op->name + ".launch.begin");
            part = min(op->extent - begin, 65535);
            body = ::Halide::Internal::substitute(op->name, Variable::make(::Halide::Int(32), op->name) + begin, body);
        }
        return For::make(op->name, op->min, part, op->for_type, op->partition_policy, op->device_api, body);
    }
    bool in_kernel = false;
    std::vector<std::pair<std::string, Expr>> lets, high;
    Expr some;
};
)";

}  // namespace warptile

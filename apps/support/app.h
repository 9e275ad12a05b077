// What every app's generator has in common: the size its estimates speak of, and the choice of a schedule.
//
// An app derives from `App`, states its algorithm and its estimates in `generate()`, and gives two methods more:
// `outputs()`, its output Funcs, and `expert_schedule()`, a GPU schedule by hand. What is then applied depends on
// how the generator is called: nothing under an autoscheduler, the expert schedule on a GPU target, and the plain
// reference otherwise (or wherever `schedule=none` asks for it): every Func at root, loops as they come.
#pragma once

#include "Halide.h"

#include <vector>

namespace warptile::apps {

/// Which schedule an app gets when no autoscheduler runs.
enum class ScheduleKind { expert, none };

/// Puts every Func that `outputs` need at root and leaves its loops alone: the pipeline as the algorithm says it.
inline void schedule_plainly(const std::vector<Halide::Func> &outputs) {
    std::vector<Halide::Internal::Function> functions;
    for (const Halide::Func &output : outputs) {
        functions.push_back(output.function());
    }
    for (const auto &[name, function] : Halide::Internal::build_environment(functions)) {
        Halide::Func(function).compute_root();
    }
}

template<typename Derived>
class App : public Halide::Generator<Derived> {
public:
    using Expr = Halide::Expr;
    using Func = Halide::Func;
    using RDom = Halide::RDom;
    using RVar = Halide::RVar;
    using Stage = Halide::Stage;
    using TailStrategy = Halide::TailStrategy;
    using Var = Halide::Var;

    /// Pixels of the image that the estimates speak of; the compiled pipeline takes any size.
    Halide::GeneratorParam<int> width;
    Halide::GeneratorParam<int> height;
    Halide::GeneratorParam<ScheduleKind> schedule_kind{
        "schedule", ScheduleKind::expert, {{"expert", ScheduleKind::expert}, {"none", ScheduleKind::none}}};

    /// Halide calls this after `generate()`.
    void schedule() {
        Derived &self = static_cast<Derived &>(*this);
        if (this->using_autoscheduler()) {
            return;
        }
        if (schedule_kind == ScheduleKind::expert && this->get_target().has_gpu_feature()) {
            self.expert_schedule();
        } else {
            schedule_plainly(self.outputs());
        }
    }

protected:
    /// Tiles `func` so that it is right at every size of the pipeline's `output`, and fast at large ones: where the
    /// output holds a tile of `w` by `h`, `loops` gets a tail that shifts the last tiles inwards, and where it does
    /// not, one that guards each store. `loops(stage, tail)` must name its loops alike in both.
    template<typename Loops>
    void tile_at_any_size(Func func, const Expr &holds_a_tile, const Loops &loops) {
        loops(Stage(func.specialize(holds_a_tile)), TailStrategy::ShiftInwards);
        loops(Stage(func), TailStrategy::GuardWithIf);
    }

    App(int default_width, int default_height)
        : width("width", default_width, 1, 1 << 28), height("height", default_height, 1, 1 << 28) {}
};

}  // namespace warptile::apps

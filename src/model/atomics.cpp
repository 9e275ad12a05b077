#include "model/atomics.h"

#include <algorithm>
#include <cmath>

#include "dag/dependences.h"

namespace warptile {

bool runs_atomically(const Stage &update) {
    return update.adds && update.commutative && any_loop(update, Dependence::Scatter);
}

double atomics_us(const Machine &machine, double additions, double bytes) {
    const double lines = std::clamp(std::ceil(bytes / kL2LineBytes), 1.0, static_cast<double>(machine.gpu.sms));
    const double a_clock = lines * machine.weights.roofline.atomics_per_line_clock;
    return additions / (a_clock * machine.gpu.clock_ghz * 1e3);
}

double shared_atomics_us(const Machine &machine, double additions) {
    const double a_clock = machine.gpu.sms * machine.weights.roofline.shared_atomics_per_clock;
    return additions / (a_clock * machine.gpu.clock_ghz * 1e3);
}

}  // namespace warptile

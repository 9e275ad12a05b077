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
    // A kernel that counted 3.93 million pixels in 256 cells took 10.4 us on an H200, loads and all.
    constexpr double kPerClock = 2;
    return additions / (machine.gpu.sms * kPerClock * machine.gpu.clock_ghz * 1e3);
}

}  // namespace warptile

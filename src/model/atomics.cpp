#include "model/atomics.h"

#include <algorithm>
#include <cmath>

namespace warptile {

bool runs_atomically(const Stage &update) {
    const bool keeps_none =
        std::all_of(update.pure_of_dim.begin(), update.pure_of_dim.end(), [](int l) { return l < 0; });
    return update.scatters && keeps_none && update.commutative && update.counts;
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

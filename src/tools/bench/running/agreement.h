// Whether an output is what it should be: integers equal, floats within a share of the reference's largest magnitude.
#pragma once

#include "tools/bench/running/arguments.h"

#include <string>

namespace warptile::bench {

struct Tolerance {
    double relative = 1e-5;   // of the reference's largest magnitude, for floats; of 16 bits a unit of theirs at least
    double integer_step = 0;  // for integers: 0, or 1 where the pipeline truncates a float to an integer
};

/// How far two sums of `terms` floats of 32 bits may lie apart that were added up in different orders, as a share of
/// them: four times what that many roundings make where each falls by chance. All of them one way would be `terms` /
/// 2^24.
double rounding_of_sums(double terms);

struct Agreement {
    bool agrees = false;
    double largest_difference = 0;  // infinite where a value is not a number on one side only
    double largest_magnitude = 0;   // of the reference
    int64_t values_off = 0;         // beyond the tolerance
    int64_t not_numbers = 0;        // of these, those that are not a number and should be
    std::string where;              // the first place that is off, empty where all agree
};

/// What is wrong, in a few words; empty where nothing is.
std::string to_string(const Agreement &agreement);

/// Compares `output` with `reference`, of the same type and shape, on the host.
Agreement compare(const AnyBuffer &output, const AnyBuffer &reference, const Tolerance &tolerance);

}  // namespace warptile::bench

// A test whether a buffer has just the size that the estimates speak of, with its values one after the other in memory.
// Inside a `specialize` for it, extents and strides are numbers: loops unroll, and loads are known to be aligned.
#pragma once

#include "Halide.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace warptile::apps {

/// Whether `buffer` has these extents and is dense. Halide's strides are of 32 bits; such as are not are not asked for.
template<typename Buffer>
Halide::Expr has_size(Buffer &buffer, const std::vector<int> &extents) {
    Halide::Expr result;
    int64_t stride = 1;
    for (int d = 0; d < int(extents.size()); d++) {
        Halide::Expr fits = buffer.dim(d).extent() == extents[d];
        if (stride <= std::numeric_limits<int>::max()) {
            fits = fits && buffer.dim(d).stride() == int(stride);
        }
        result = result.defined() ? result && fits : fits;
        stride *= extents[d];
    }
    return result;
}

}  // namespace warptile::apps

// The matrix product of mat_mul_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::mat_mul {

constexpr double relative_tolerance = 1e-3;  // float sums as long as the matrices are deep, in any order
constexpr double integer_step = 0;

inline void reference(const Image<float> &left, const Image<float> &right, Image<float> output) {
    std::vector<double> row(size_t(output.width()));
    for (int y = 0; y < output.height(); y++) {
        std::fill(row.begin(), row.end(), 0.0);
        for (int k = 0; k < left.width(); k++) {
            for (int x = 0; x < output.width(); x++) {
                row[size_t(x)] += double(left(k, y)) * right(x, k);
            }
        }
        for (int x = 0; x < output.width(); x++) {
            output(x, y) = float(row[size_t(x)]);
        }
    }
}

}  // namespace warptile::apps::mat_mul

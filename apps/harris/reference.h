// The corner response of harris_generator.cpp in plain C++.
#pragma once

#include "../support/reference.h"

namespace warptile::apps::harris {

constexpr double relative_tolerance = 1e-5;
constexpr double integer_step = 0;

inline void reference(const Image<float> &input, Image<float> output) {
    const int x0 = output.dim(0).min(), y0 = output.dim(1).min();
    Plane grey(x0 - 2, y0 - 2, output.width() + 4, output.height() + 4);
    grey.fill([&](int x, int y) { return 0.299 * input(x, y, 0) + 0.587 * input(x, y, 1) + 0.114 * input(x, y, 2); });
    Plane dx(x0 - 1, y0 - 1, output.width() + 2, output.height() + 2), dy = dx;
    dx.fill([&](int x, int y) {
        double sum = 0;
        for (int i = -1; i <= 1; i++) {
            sum += (2 - i * i) * (grey(x + 1, y + i) - grey(x - 1, y + i)) / 12;
        }
        return sum;
    });
    dy.fill([&](int x, int y) {
        double sum = 0;
        for (int i = -1; i <= 1; i++) {
            sum += (2 - i * i) * (grey(x + i, y + 1) - grey(x + i, y - 1)) / 12;
        }
        return sum;
    });
    output.for_each_element([&](int x, int y) {
        double xx = 0, xy = 0, yy = 0;
        for (int j = y - 1; j <= y + 1; j++) {
            for (int i = x - 1; i <= x + 1; i++) {
                xx += dx(i, j) * dx(i, j);
                xy += dx(i, j) * dy(i, j);
                yy += dy(i, j) * dy(i, j);
            }
        }
        output(x, y) = float(xx * yy - xy * xy - 0.04 * (xx + yy) * (xx + yy));
    });
}

}  // namespace warptile::apps::harris

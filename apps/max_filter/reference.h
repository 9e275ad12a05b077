// The largest value within a disk of max_filter_generator.cpp in plain C++, at its default radius. A column at distance
// d reaches as many rows up and down as there are rows y >= 0 with d^2 + y^2 < (radius + 1/4)^2; the maxima over all
// columns of a height are made at once.
#pragma once

#include "../support/reference.h"

#include <vector>

namespace warptile::apps::max_filter {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;
constexpr int radius = 26;

/// The largest of the `2 * reach + 1` values around each one of a line, which goes on as its ends. The line is cut into
/// pieces of that length: any window is the end of one piece and the beginning of the next.
inline std::vector<float> window_maxima(const std::vector<float> &line, int reach) {
    const int window = 2 * reach + 1;
    std::vector<float> padded(reach, line.front());
    padded.insert(padded.end(), line.begin(), line.end());
    padded.insert(padded.end(), reach, line.back());
    std::vector<float> from_begin = padded, to_end = padded, result(line.size());
    for (size_t i = 1; i < padded.size(); i++) {
        from_begin[i] = i % window == 0 ? padded[i] : std::max(from_begin[i - 1], padded[i]);
    }
    for (size_t i = padded.size() - 1; i-- > 0;) {
        to_end[i] = i % window == size_t(window) - 1 ? padded[i] : std::max(to_end[i + 1], padded[i]);
    }
    for (size_t i = 0; i < line.size(); i++) {
        result[i] = std::max(to_end[i], from_begin[i + window - 1]);
    }
    return result;
}

/// How many rows y >= 0 lie within the disk at `distance` columns from its centre.
inline int reach_at(int distance) {
    int reach = 0;
    while (16 * (distance * distance + reach * reach) < (4 * radius + 1) * (4 * radius + 1)) {
        reach++;
    }
    return reach;
}

inline void reference(const Image<float> &input, Image<float> output) {
    const int x0 = input.dim(0).min(), y0 = input.dim(1).min(), last = input.width() - 1;
    using Columns = std::vector<std::vector<float>>;
    for (int c = output.dim(2).min(); c <= output.dim(2).max(); c++) {
        Columns columns(input.width(), std::vector<float>(input.height()));
        for (int y = 0; y < input.height(); y++) {
            for (int x = 0; x <= last; x++) {
                columns[x][y] = input(x0 + x, y0 + y, c);
            }
        }
        Columns result = columns;
        for (int distance = 0; distance <= radius; distance++) {
            Columns maxima;
            for (const std::vector<float> &column : columns) {
                maxima.push_back(window_maxima(column, reach_at(distance)));
            }
            for (int x = 0; x <= last; x++) {
                const std::vector<float> &left = maxima[std::max(x - distance, 0)];
                const std::vector<float> &right = maxima[std::min(x + distance, last)];
                for (int y = 0; y < input.height(); y++) {
                    result[x][y] = std::max(result[x][y], std::max(left[y], right[y]));
                }
            }
        }
        for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
            for (int x = output.dim(0).min(); x <= output.dim(0).max(); x++) {
                output(x, y, c) = result[x - x0][y - y0];
            }
        }
    }
}

}  // namespace warptile::apps::max_filter

// The camera pipeline of camera_pipe_generator.cpp in plain C++. Its output is exact: all that is not an integer is
// rounded in double precision, in the table and in the matrix.
#pragma once

#include "../support/reference.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace warptile::apps::camera_pipe {

constexpr double relative_tolerance = 0;
constexpr double integer_step = 0;

constexpr int margin_x = 16, margin_y = 12, max_raw = 1023;

inline int mean(int a, int b) { return floor_div(a + b + 1, 2); }

/// Raw pixels at the output's places, and what stands at those where a colour was not measured. A pixel of even column
/// and even row is green, the one on its right red, the one below it blue.
class Mosaic {
public:
    explicit Mosaic(const Image<uint16_t> &input) : input_(input) {}

    /// One of the three colours, 0 to 2, at a pixel.
    int color(int x, int y, int c) const {
        if (c == 1) {
            return green(x, y);
        }
        // Where the colour's own pixels are: red has odd columns and even rows, blue even columns and odd rows.
        const int own_x = c == 0 ? 1 : 0, own_y = c == 0 ? 0 : 1;
        const bool in_column = floor_mod(x, 2) == own_x, in_row = floor_mod(y, 2) == own_y;
        if (in_column && in_row) {
            return raw(x, y);
        }
        if (in_column || in_row) {
            const int dx = in_row ? 1 : 0, dy = 1 - dx;
            return green(x, y) - mean(green(x - dx, y - dy), green(x + dx, y + dy)) +
                   mean(raw(x - dx, y - dy), raw(x + dx, y + dy));
        }
        // The falling diagonal is chosen where the two differ by as much.
        const int rising = std::abs(raw(x + 1, y - 1) - raw(x - 1, y + 1));
        const int falling = std::abs(raw(x - 1, y - 1) - raw(x + 1, y + 1));
        const int d = rising < falling ? -1 : 1;
        return green(x, y) - mean(green(x - 1, y - d), green(x + 1, y + d)) +
               mean(raw(x - 1, y - d), raw(x + 1, y + d));
    }

private:
    const Image<uint16_t> &input_;

    int unguarded(int x, int y) const { return input_(x + margin_x, y + margin_y); }

    int raw(int x, int y) const {
        return std::min(unguarded(x, y),
                        std::max({unguarded(x - 2, y), unguarded(x + 2, y), unguarded(x, y - 2), unguarded(x, y + 2)}));
    }

    int green(int x, int y) const {
        if (floor_mod(x + y, 2) == 0) {
            return raw(x, y);
        }
        const int left = raw(x - 1, y), right = raw(x + 1, y), above = raw(x, y - 1), below = raw(x, y + 1);
        return std::abs(left - right) < std::abs(above - below) ? mean(left, right) : mean(above, below);
    }
};

inline std::vector<uint8_t> tone_curve(double gamma, double contrast, int black, int white) {
    std::vector<uint8_t> curve;
    for (int i = 0; i <= max_raw; i++) {
        const double power = std::pow(std::clamp(double(i - black) / (white - black), 0.0, 1.0), 1 / gamma);
        const double slope = 2 - std::pow(2.0, contrast / 100), bend = 2 - 2 * slope;
        const double rest = 1 - power;
        const double tone =
            power > 0.5 ? 1 - (bend * rest * rest + slope * rest) : bend * power * power + slope * power;
        const int byte = int(std::clamp(tone * 255 + 0.5, 0.0, 255.0));
        curve.push_back(uint8_t(i <= black ? 0 : i > white ? 255 : byte));
    }
    return curve;
}

inline int blur(int before, int here, int after) { return mean(mean(before, after), here); }

inline void reference(const Image<uint16_t> &input, const Image<float> &matrix_3200, const Image<float> &matrix_7000,
                      float color_temp, float gamma, float contrast, float sharpen_strength, int black_level,
                      int white_level, Image<uint8_t> output) {
    const std::vector<uint8_t> curve = tone_curve(gamma, contrast, black_level, white_level);
    const double part = (1.0 / color_temp - 1.0 / 3200) / (1.0 / 7000 - 1.0 / 3200);
    const int strength = int(std::clamp(sharpen_strength * 32, 0.0f, 255.0f));
    const Mosaic mosaic(input);
    for (int c = 0; c < 3; c++) {
        int row[4];
        for (int i = 0; i < 4; i++) {
            row[i] = int16_t((matrix_3200(i, c) * (1 - part) + matrix_7000(i, c) * part) * 256);
        }
        Plane curved(output.dim(0).min() - 1, output.dim(1).min() - 1, output.width() + 2, output.height() + 2);
        curved.fill([&](int x, int y) {
            int sum = row[3];
            for (int i = 0; i < 3; i++) {
                sum += row[i] * int16_t(mosaic.color(x, y, i));
            }
            return curve[std::clamp<int>(int16_t(floor_div(sum, 256)), 0, max_raw)];
        });
        for (int y = output.dim(1).min(); y <= output.dim(1).max(); y++) {
            for (int x = output.dim(0).min(); x <= output.dim(0).max(); x++) {
                const auto at = [&](int dx, int dy) { return int(curved(x + dx, y + dy)); };
                const auto column = [&](int dx) { return blur(at(dx, -1), at(dx, 0), at(dx, 1)); };
                const int detail = at(0, 0) - blur(column(-1), column(0), column(1));
                output(x, y, c) = uint8_t(std::clamp(at(0, 0) + floor_div(detail * strength, 32), 0, 255));
            }
        }
    }
}

}  // namespace warptile::apps::camera_pipe

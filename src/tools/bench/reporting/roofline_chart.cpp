// The roofline. Upwards the bandwidth that a pipeline achieves (compulsory bytes over time), to the right its
// operations a byte; the roof is what the card copies, or, to the right of the ridge, what it computes. All variants of
// an app lie above one another, joined by a line.
#include "tools/bench/reporting/charts.h"

#include "tools/bench/reporting/svg.h"
#include "tools/bench/text.h"

#include <algorithm>
#include <cmath>

namespace warptile::bench {
namespace {

constexpr double kWidth = 960, kHeight = 620, kLeft = 70, kRight = 24, kTop = 22, kBottom = 52;

double intensity(const AppResult &app) {
    return std::max(1e-3, app.counters.operations / app.counters.compulsory_bytes);
}

double bandwidth(const AppResult &app, const Row &row) { return app.counters.compulsory_bytes / (row.time() / 1000); }

struct Box {
    double left, top, right, bottom;

    bool meets(const Box &other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

/// The points of one app.
struct Column {
    const AppResult *app;
    double x;
    std::vector<std::pair<const Row *, double>> points;  // with their y
};

class Chart {
public:
    Chart(const Results &results, const std::vector<const AppResult *> &apps, const std::vector<std::string> &drawn,
          const std::vector<std::string> &palette)
        : ceilings_(results.ceilings), results_(results), drawn_(drawn), palette_(palette) {
        for (const AppResult *const app : apps) {
            for (const std::string &variant : drawn) {
                const Row *const row = app->row(variant);
                if (row && row->counts() && app->counters.known()) {
                    include(intensity(*app), bandwidth(*app, *row));
                }
            }
        }
        include(0, ceilings_.fastest_bytes_per_second());
        for (const AppResult *const app : apps) {
            add_column(*app);
        }
    }

    std::string draw() {
        Svg svg(kWidth, kHeight, "Roofline: achieved bandwidth against operations a byte");
        draw_grid(svg);
        draw_roof(svg, ceilings_.fastest_bytes_per_second(), "roof dashed", "copy at the best size (cache) ");
        draw_roof(svg, ceilings_.memory_bytes_per_second(), "roof", "copy from memory ");
        label_peak(svg);
        for (const Column &column : columns_) {
            draw_column(svg, column);
        }
        for (const Column &column : columns_) {
            draw_label(svg, column);
        }
        return svg.str();
    }

private:
    const Ceilings &ceilings_;
    const Results &results_;
    const std::vector<std::string> &drawn_, &palette_;
    double low_x_ = 0.5, high_x_ = 100, low_y_ = 1e11, high_y_ = 1e12;
    std::vector<Column> columns_;
    std::vector<Box> taken_;

    void include(double x, double y) {
        if (x > 0) {
            low_x_ = std::min(low_x_, x / 1.5);
            high_x_ = std::max(high_x_, x * 2.5);
        }
        low_y_ = std::min(low_y_, y / 1.6);
        high_y_ = std::max(high_y_, y * 1.5);
    }

    double x_of(double value) const { return LogAxis(low_x_, high_x_, kLeft, kWidth - kRight)(value); }

    double y_of(double value) const { return LogAxis(low_y_, high_y_, kHeight - kBottom, kTop)(value); }

    void add_column(const AppResult &app) {
        Column column{&app, 0, {}};
        for (const std::string &variant : drawn_) {
            const Row *const row = app.row(variant);
            if (row && row->counts() && app.counters.known()) {
                column.x = x_of(intensity(app));
                column.points.emplace_back(row, y_of(bandwidth(app, *row)));
                taken_.push_back(
                    {column.x - 6, column.points.back().second - 6, column.x + 6, column.points.back().second + 6});
            }
        }
        if (!column.points.empty()) {
            const auto by_y = [](const auto &a, const auto &b) { return a.second < b.second; };
            const auto [top, bottom] = std::minmax_element(column.points.begin(), column.points.end(), by_y);
            taken_.push_back({column.x - 2, top->second, column.x + 2, bottom->second});
            columns_.push_back(column);
        }
    }

    void draw_grid(Svg &svg) const {
        for (const double tick : LogAxis(low_x_, high_x_, 0, 1).ticks()) {
            svg.line(x_of(tick), kTop, x_of(tick), kHeight - kBottom, "grid");
            svg.text(x_of(tick), kHeight - kBottom + 16, formatted("%g", tick), Svg::Anchor::middle, "tick");
        }
        for (const double tick : LogAxis(low_y_, high_y_, 0, 1).ticks()) {
            svg.line(kLeft, y_of(tick), kWidth - kRight, y_of(tick), "grid");
            svg.text(kLeft - 6, y_of(tick) + 4, formatted("%g", tick / 1e9), Svg::Anchor::end, "tick");
        }
        svg.text((kLeft + kWidth - kRight) / 2, kHeight - 12, "operations ÷ compulsory bytes (op/B)",
                 Svg::Anchor::middle, "axis");
        svg.vertical_text(16, (kTop + kHeight - kBottom) / 2, "compulsory bytes ÷ time (GB/s)", "axis");
    }

    void draw_roof(Svg &svg, double bytes_per_second, const std::string &classes, const std::string &name) {
        const double peak = ceilings_.operations_per_second, ridge = peak / bytes_per_second;
        std::vector<std::pair<double, double>> points{{kLeft, y_of(bytes_per_second)}};
        points.emplace_back(x_of(std::min(ridge, high_x_)), y_of(bytes_per_second));
        if (ridge < high_x_) {
            const double end = std::min(high_x_, peak / low_y_);
            points.emplace_back(x_of(end), y_of(peak / end));
        }
        svg.polyline(points, classes);
        keep_free_along(points);
        const std::string label = name + with_unit(bytes_per_second, "B/s");
        const double y = y_of(bytes_per_second) - 5;
        svg.text(kLeft + 6, y, label, Svg::Anchor::start, "small muted");
        taken_.push_back({kLeft, y - 12, kLeft + 10 + text_width(label), y + 3});
    }

    /// No label may lie on these lines.
    void keep_free_along(const std::vector<std::pair<double, double>> &points) {
        constexpr int steps = 60;
        for (size_t i = 1; i < points.size(); i++) {
            const auto &[x1, y1] = points[i - 1];
            const auto &[x2, y2] = points[i];
            for (int step = 0; step <= steps; step++) {
                const double x = x1 + (x2 - x1) * step / steps, y = y1 + (y2 - y1) * step / steps;
                taken_.push_back({x - 6, y - 4, x + 6, y + 4});
            }
        }
    }

    /// Names the slope, where there is room to the right of it.
    void label_peak(Svg &svg) {
        const double peak = ceilings_.operations_per_second, at = 1.5 * peak / ceilings_.memory_bytes_per_second();
        const std::string label = "multiply-add " + with_unit(peak, "op/s");
        const double x = x_of(at) + 8, y = y_of(peak / at);
        if (x + text_width(label) < kWidth - kRight) {
            svg.text(x, y, label, Svg::Anchor::start, "small muted");
            taken_.push_back({x, y - 12, x + text_width(label), y + 3});
        }
    }

    void draw_column(Svg &svg, const Column &column) const {
        for (size_t i = 1; i < column.points.size(); i++) {
            svg.line(column.x, column.points[i - 1].second, column.x, column.points[i].second, "joint");
        }
        for (const auto &[row, y] : column.points) {
            const std::optional<double> share = results_.share(*column.app, *row);
            svg.circle(column.x, y, 4.5, colour_of(palette_, row->variant) + " point",
                       column.app->title() + ", " + row->variant + ": " +
                           with_unit(bandwidth(*column.app, *row), "B/s") + ", " + optional_number("%.2f", share) +
                           " of the roofline");
        }
    }

    /// Puts the app's name at the free place nearest to its topmost point, with a line to it where that is not beside
    /// it.
    void draw_label(Svg &svg, const Column &column) {
        double y = column.points[0].second;
        for (const auto &point : column.points) {
            y = std::min(y, point.second);
        }
        const std::string text = column.app->name;
        const double width = text_width(text) * 0.92, height = 13;
        for (int ring = 0; ring < 56; ring++) {
            const double distance = 9 + 7 * ring;
            for (int turn = 0; turn < 16; turn++) {
                // Right, then left, then around.
                const int eighths = (turn % 2 ? 1 : -1) * ((turn + 1) / 2);
                const double angle = eighths * 3.14159265 / 8;
                const double cx = column.x + std::cos(angle) * distance, cy = y + std::sin(angle) * distance;
                const double left = std::cos(angle) > 0.3 ? cx : std::cos(angle) < -0.3 ? cx - width : cx - width / 2;
                const Box box{left, cy - height / 2, left + width, cy + height / 2};
                const bool inside =
                    box.left > kLeft && box.right < kWidth && box.top > kTop - 8 && box.bottom < kHeight - kBottom;
                const bool free =
                    std::none_of(taken_.begin(), taken_.end(), [&](const Box &b) { return b.meets(box); });
                if (inside && free) {
                    taken_.push_back(box);
                    if (distance > 12) {
                        svg.line(column.x, y, cx, cy, "leader");
                    }
                    svg.text(left, box.bottom - 3, text, Svg::Anchor::start, "small");
                    return;
                }
            }
        }
    }
};

}  // namespace

std::string roofline_chart(const Results &results, const std::vector<const AppResult *> &apps,
                           const std::vector<std::string> &drawn, const std::vector<std::string> &palette) {
    return Chart(results, apps, drawn, palette).draw();
}

}  // namespace warptile::bench

// How long each scheduler takes, one line an app, one point a scheduler; a cross where it failed, at the time at which
// it did.
#include "tools/bench/reporting/charts.h"

#include "tools/bench/reporting/svg.h"
#include "tools/bench/text.h"

#include <algorithm>

namespace warptile::bench {
namespace {

constexpr double kRow = 18, kTop = 30, kBottom = 44, kWidth = 960, kRight = 40, kLeast = 0.01;

/// Seconds of scheduling; of the whole build where they could not be told apart, as after a failure.
double seconds_of(const Row &row) { return std::max(kLeast, row.schedule_seconds.value_or(row.build_seconds)); }

bool failed(const Row &row) { return row.failed_at == "build"; }

}  // namespace

std::string schedule_chart(const std::vector<const AppResult *> &apps, const std::vector<std::string> &drawn,
                           const std::vector<std::string> &palette) {
    double left = 0, most = 10;
    for (const AppResult *const app : apps) {
        left = std::max(left, text_width(app->name) + 16);
        for (const Row &row : app->rows) {
            most = std::max(most, 1.3 * seconds_of(row));
        }
    }
    const double bottom = kTop + kRow * double(apps.size());
    const LogAxis axis(kLeast, most, left, kWidth - kRight);
    Svg svg(kWidth, bottom + kBottom, "Seconds to schedule each app");
    for (const double tick : axis.ticks()) {
        svg.line(axis(tick), kTop - 6, axis(tick), bottom, "grid");
        for (const double y : {kTop - 10, bottom + 14}) {
            svg.text(axis(tick), y, formatted("%g", tick), Svg::Anchor::middle, "tick");
        }
    }
    svg.text((left + kWidth) / 2, bottom + 32, "seconds to schedule (logarithmic)", Svg::Anchor::middle, "axis");
    for (size_t i = 0; i < apps.size(); i++) {
        const double y = kTop + kRow * (double(i) + 0.5);
        svg.text(left - 8, y + 4, apps[i]->name, Svg::Anchor::end);
        svg.line(left, y, kWidth - kRight, y, "grid");
        for (const std::string &variant : drawn) {
            const Row *const row = apps[i]->row(variant);
            if (!row) {
                continue;
            }
            const std::string tip = apps[i]->title() + ", " + variant + ": " + formatted("%.2f s", seconds_of(*row)) +
                                    (failed(*row) ? ", then " + row->error : "");
            const std::string colour = colour_of(palette, variant);
            if (failed(*row)) {
                svg.cross(axis.clamped(seconds_of(*row)), y, 4, colour + " mark", tip);
            } else {
                svg.circle(axis.clamped(seconds_of(*row)), y, 5, colour + " point", tip);
            }
        }
    }
    return svg.str();
}

}  // namespace warptile::bench

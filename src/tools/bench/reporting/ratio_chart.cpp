// The bars of each app against its expert schedule. The axis is logarithmic, so that twice as fast and twice as slow
// are equally long, and bars start at 1, where a variant is as fast as the expert.
#include "tools/bench/reporting/charts.h"

#include "tools/bench/reporting/svg.h"
#include "tools/bench/text.h"

#include <algorithm>

namespace warptile::bench {
namespace {

constexpr double kBar = 12, kBetweenApps = 10, kTop = 60, kBottom = 44, kWidth = 960, kRight = 60;

struct Frame {
    double left, low, high;
};

Frame frame_of(const std::vector<const AppResult *> &apps, const std::vector<std::string> &variants) {
    Frame frame{0, 0.7, 2};
    for (const AppResult *const app : apps) {
        frame.left = std::max(frame.left, text_width(app->name) + 16);
        for (const std::string &variant : variants) {
            const double ratio = app->ratio(variant, "expert").value_or(1);
            frame.low = std::min(frame.low, ratio / 1.2);
            frame.high = std::max(frame.high, ratio * 1.15);
        }
    }
    return frame;
}

void draw_grid(Svg &svg, const LogAxis &axis, double bottom) {
    for (const double tick : axis.ticks()) {
        svg.line(axis(tick), kTop - 6, axis(tick), bottom, tick == 1 ? "one" : "grid");
        for (const double y : {kTop - 10, bottom + 14}) {
            svg.text(axis(tick), y, formatted("%g", tick), Svg::Anchor::middle, "tick");
        }
    }
    svg.text(axis(1), bottom + 32, "time ÷ time of the expert schedule (logarithmic; left of 1 is faster)",
             Svg::Anchor::start, "axis");
}

void draw_legend(Svg &svg, const std::vector<std::string> &drawn, const std::vector<std::string> &palette) {
    double x = 10;
    for (const std::string &variant : drawn) {
        svg.rectangle(x, 8, 11, 11, colour_of(palette, variant));
        svg.text(x + 17, 18, variant, Svg::Anchor::start);
        x += 17 + text_width(variant) + 22;
    }
}

void draw_bar(Svg &svg, const LogAxis &axis, double y, const AppResult &app, const Row &row,
              const std::string &colour) {
    const std::optional<double> ratio = app.ratio(row.variant, "expert");
    if (!ratio) {
        const std::string why = note(row).empty() ? "the expert schedule has no time" : note(row);
        svg.cross(axis(1) + 7, y + kBar / 2, 3, colour + " mark", app.title() + ", " + row.variant + ": " + why);
        svg.text(axis(1) + 15, y + kBar - 1, row.variant + " " + shortened(why, 88), Svg::Anchor::start, "small muted");
        return;
    }
    const double from = axis(1), to = axis(*ratio), begin = std::min(from, to);
    svg.rectangle(begin, y, std::max(1.0, std::abs(to - from)), kBar - 1.5, colour,
                  app.title() + ", " + row.variant + ": " + milliseconds(row.time()) + " ms, " +
                      formatted("%.3f", *ratio) + " of the expert's time");
    svg.text(std::max(from, to) + 4, y + kBar - 1.5, formatted("%.2f", *ratio), Svg::Anchor::start, "small");
}

}  // namespace

std::string colour_of(const std::vector<std::string> &palette, const std::string &variant) {
    if (variant == "expert") {
        return "c7";  // grey: what the others are held against
    }
    const auto found = std::find(palette.begin(), palette.end(), variant);
    return "c" + std::to_string((found - palette.begin()) % 7);
}

std::string ratio_chart(const std::vector<const AppResult *> &apps, const std::vector<std::string> &drawn,
                        const std::vector<std::string> &palette) {
    double height = kTop + kBottom;
    for (const AppResult *const app : apps) {
        height += kBetweenApps;
        for (const std::string &variant : drawn) {
            height += app->row(variant) ? kBar : 0;
        }
    }
    const Frame frame = frame_of(apps, drawn);
    const LogAxis axis(frame.low, frame.high, frame.left, kWidth - kRight);
    Svg svg(kWidth, height, "Time of each app over its expert schedule's");
    draw_legend(svg, drawn, palette);
    draw_grid(svg, axis, height - kBottom);
    double y = kTop;
    for (const AppResult *const app : apps) {
        const double top = y;
        for (const std::string &variant : drawn) {
            if (const Row *const row = app->row(variant)) {
                draw_bar(svg, axis, y, *app, *row, colour_of(palette, variant));
                y += kBar;
            }
        }
        svg.text(frame.left - 8, (top + y) / 2 + 4, app->name, Svg::Anchor::end);
        y += kBetweenApps;
    }
    return svg.str();
}

}  // namespace warptile::bench

// A picture in SVG, drawn by a few primitives. Colours are classes, which the page's style sheet gives a light and a
// dark value.
#pragma once

#include <string>
#include <vector>

namespace warptile::bench {

/// Text with what HTML and XML reserve replaced.
std::string escaped(const std::string &text);

class Svg {
public:
    enum class Anchor { start, middle, end };

    /// `label` is what a screen reader says.
    Svg(double width, double height, const std::string &label);

    void line(double x1, double y1, double x2, double y2, const std::string &classes);
    void polyline(const std::vector<std::pair<double, double>> &points, const std::string &classes);
    void rectangle(double x, double y, double width, double height, const std::string &classes,
                   const std::string &tip = "");
    void circle(double x, double y, double radius, const std::string &classes, const std::string &tip = "");
    void cross(double x, double y, double radius, const std::string &classes, const std::string &tip = "");
    void text(double x, double y, const std::string &text, Anchor anchor, const std::string &classes = "");
    /// Reads upwards.
    void vertical_text(double x, double y, const std::string &text, const std::string &classes = "");

    std::string str() const { return body_ + "</svg>\n"; }

private:
    std::string body_;
};

/// How wide a text of the pictures' 12-pixel letters is, roughly.
double text_width(const std::string &text);

/// A logarithmic axis from the value `low` at `begin` to `high` at `end`, in pixels.
class LogAxis {
public:
    LogAxis(double low, double high, double begin, double end);

    double operator()(double value) const;
    /// Within the axis.
    double clamped(double value) const;
    /// 1, 2 and 5 times powers of ten, or only the powers where the axis is long.
    std::vector<double> ticks() const;

private:
    double low_, high_, begin_, end_;
};

}  // namespace warptile::bench

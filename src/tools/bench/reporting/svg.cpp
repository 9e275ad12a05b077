#include "tools/bench/reporting/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warptile::bench {
namespace {

std::string pixels(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string attribute(const char *name, double value) { return std::string(" ") + name + "=\"" + pixels(value) + "\""; }

std::string classes_of(const std::string &classes) { return classes.empty() ? "" : " class=\"" + classes + "\""; }

/// The end of an element, with the text that shows when the pointer rests on it.
std::string closed(const char *element, const std::string &tip) {
    return tip.empty() ? "/>\n" : "><title>" + escaped(tip) + "</title></" + element + ">\n";
}

}  // namespace

std::string escaped(const std::string &text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

Svg::Svg(double width, double height, const std::string &label) {
    body_ = "<svg viewBox=\"0 0 " + pixels(width) + " " + pixels(height) + "\"" + attribute("width", width) +
            " role=\"img\" aria-label=\"" + escaped(label) + "\" xmlns=\"http://www.w3.org/2000/svg\">\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string &classes) {
    body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
             classes_of(classes) + "/>\n";
}

void Svg::polyline(const std::vector<std::pair<double, double>> &points, const std::string &classes) {
    body_ += "<polyline points=\"";
    for (const auto &[x, y] : points) {
        body_ += pixels(x) + "," + pixels(y) + " ";
    }
    body_ += "\"" + classes_of(classes) + "/>\n";
}

void Svg::rectangle(double x, double y, double width, double height, const std::string &classes,
                    const std::string &tip) {
    body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
             classes_of(classes) + closed("rect", tip);
}

void Svg::circle(double x, double y, double radius, const std::string &classes, const std::string &tip) {
    body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) + classes_of(classes) +
             closed("circle", tip);
}

void Svg::cross(double x, double y, double r, const std::string &classes, const std::string &tip) {
    body_ += "<path d=\"M" + pixels(x - r) + " " + pixels(y - r) + "L" + pixels(x + r) + " " + pixels(y + r) + "M" +
             pixels(x - r) + " " + pixels(y + r) + "L" + pixels(x + r) + " " + pixels(y - r) + "\"" +
             classes_of(classes) + closed("path", tip);
}

void Svg::text(double x, double y, const std::string &text, Anchor anchor, const std::string &classes) {
    const char *const name = anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
    body_ += "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + name + "\"" + classes_of(classes) +
             ">" + escaped(text) + "</text>\n";
}

void Svg::vertical_text(double x, double y, const std::string &text, const std::string &classes) {
    body_ += "<text transform=\"translate(" + pixels(x) + " " + pixels(y) + ") rotate(-90)\" text-anchor=\"middle\"" +
             classes_of(classes) + ">" + escaped(text) + "</text>\n";
}

double text_width(const std::string &text) {
    const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return 6.9 * double(std::count_if(text.begin(), text.end(), begins_character));
}

LogAxis::LogAxis(double low, double high, double begin, double end)
    : low_(std::log10(low)), high_(std::log10(high)), begin_(begin), end_(end) {}

double LogAxis::operator()(double value) const {
    return begin_ + (std::log10(value) - low_) / (high_ - low_) * (end_ - begin_);
}

double LogAxis::clamped(double value) const {
    return (*this)(std::clamp(value, std::pow(10, low_), std::pow(10, high_)));
}

std::vector<double> LogAxis::ticks() const {
    const bool only_powers = high_ - low_ > 3;
    std::vector<double> ticks;
    for (int power = int(std::floor(low_)); power <= int(std::ceil(high_)); power++) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double value = digit * std::pow(10, power);
            const bool inside = std::log10(value) > low_ - 1e-9 && std::log10(value) < high_ + 1e-9;
            if (inside && (digit == 1 || !only_powers)) {
                ticks.push_back(value);
            }
        }
    }
    return ticks;
}

}  // namespace warptile::bench

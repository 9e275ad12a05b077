// Numbers made of a run's results.
#include "tools/bench/results.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warptile::bench {

double Row::best() const { return *std::min_element(milliseconds.begin(), milliseconds.end()); }

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double median_error(const std::vector<double> &values) {
    constexpr double kOverMean = 1.25;  // standard errors, of values that are spread normally
    const double n = double(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return kOverMean * std::sqrt(squares / (n - 1) / n) / median(values);
}

double Row::time() const { return median(milliseconds); }

double Row::spread() const { return (*std::max_element(milliseconds.begin(), milliseconds.end()) - best()) / time(); }

const Row *AppResult::row(const std::string &variant) const {
    for (const Row &row : rows) {
        if (row.variant == variant) {
            return &row;
        }
    }
    return nullptr;
}

std::optional<double> AppResult::ratio(const std::string &variant, const std::string &to) const {
    const Row *const over = row(variant), *const under = row(to);
    return over && under && over->counts() && under->counts() ? std::optional<double>(over->time() / under->time())
                                                              : std::nullopt;
}

std::vector<std::string> Results::variants() const {
    std::vector<std::string> names;
    for (const AppResult &app : apps) {
        for (const Row &row : app.rows) {
            if (std::find(names.begin(), names.end(), row.variant) == names.end()) {
                names.push_back(row.variant);
            }
        }
    }
    return names;
}

double Results::mean_ratio(const std::string &variant, const std::string &to, int &count) const {
    double sum = 0;
    count = 0;
    for (const AppResult &app : apps) {
        if (const std::optional<double> ratio = app.ratio(variant, to)) {
            sum += std::log(*ratio);
            count++;
        }
    }
    return count ? std::exp(sum / count) : 0;
}

std::optional<double> Results::share(const AppResult &app, const Row &row) const {
    if (!row.counts() || !app.counters.known() || !ceilings.measured()) {
        return std::nullopt;
    }
    return ceilings.seconds(app.counters) / (row.time() / 1000);
}

std::string to_string(const MachineInfo &machine) {
    std::string text = machine.card.empty() ? "no NVIDIA GPU" : machine.card;
    if (!machine.driver.empty()) {
        text += ", driver " + machine.driver;
    }
    if (machine.highest_clock_mhz > 0) {
        text += ", SM clock up to " + std::to_string(machine.highest_clock_mhz) + " MHz";
    }
    if (machine.memory_clock_mhz > 0) {
        text += ", memory " + std::to_string(machine.memory_clock_mhz) + " MHz";
    }
    return text + ", at most " + std::to_string(machine.max_registers) + " registers a thread";
}

}  // namespace warptile::bench

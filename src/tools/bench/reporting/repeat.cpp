#include "tools/bench/reporting/repeat.h"

#include "tools/bench/text.h"

#include <algorithm>

namespace warptile::bench {

double Repeated::change() const { return std::max(first, second) / std::min(first, second) - 1; }

std::vector<Repeated> repeated(const Results &first, const Results &second, double least_ms) {
    const auto long_enough = [&](const AppResult &app) {
        const Row *const expert = app.row("expert");
        return expert && expert->counts() && expert->time() > least_ms;
    };
    std::vector<Repeated> ratios;
    for (const AppResult &app : first.apps) {
        for (const AppResult &again : second.apps) {
            if (again.title() != app.title() || !long_enough(app) || !long_enough(again)) {
                continue;
            }
            for (const Row &row : app.rows) {
                const std::optional<double> one = app.ratio(row.variant, "expert");
                const std::optional<double> two = again.ratio(row.variant, "expert");
                if (row.variant != "expert" && one && two) {
                    ratios.push_back({app.title(), row.variant, *one, *two});
                }
            }
        }
    }
    std::stable_sort(ratios.begin(), ratios.end(),
                     [](const Repeated &a, const Repeated &b) { return a.change() > b.change(); });
    return ratios;
}

std::string to_string(const std::vector<Repeated> &ratios, double within) {
    std::string text;
    size_t beyond = 0;
    for (const Repeated &ratio : ratios) {
        if (ratio.change() > within) {
            beyond++;
            text += ratio.app + ", " + ratio.variant + ": " + formatted("%.3f", ratio.first) + " and " +
                    formatted("%.3f", ratio.second) + " of the expert's time, " +
                    formatted("%.1f %%", 100 * ratio.change()) + " apart\n";
        }
    }
    const double largest = ratios.empty() ? 0 : ratios.front().change();
    return text + std::to_string(ratios.size() - beyond) + " of " + std::to_string(ratios.size()) +
           " ratios repeat within " + formatted("%g %%", 100 * within) + "; the largest change is " +
           formatted("%.1f %%", 100 * largest) + "\n";
}

}  // namespace warptile::bench

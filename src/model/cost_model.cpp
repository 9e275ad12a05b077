#include "model/cost_model.h"

#include <cstdio>

#include "model/jangda2020.h"
#include "model/roofline.h"

namespace warptile {

Cost infeasible(const std::string &reason) {
    Cost cost;
    cost.feasible = false;
    cost.reason = reason;
    cost.total = 1e12;
    return cost;
}

std::string to_string(const Cost &cost) {
    if (!cost.feasible) {
        return "not possible: " + cost.reason;
    }
    char text[64];
    std::snprintf(text, sizeof(text), "%.2f%s:", cost.total, cost.unit);
    std::string line = text;
    for (const auto &[name, value] : cost.terms) {
        std::snprintf(text, sizeof(text), " %.2f", value);
        line += (line.back() == ':' ? " " : ", ") + name + text;
    }
    return line;
}

std::unique_ptr<CostModel> make_cost_model(ModelName name, const Machine &machine, int max_registers) {
    if (name == ModelName::Jangda2020) {
        return std::make_unique<Jangda2020>(machine, max_registers);
    }
    return std::make_unique<Roofline>(machine, max_registers);
}

}  // namespace warptile

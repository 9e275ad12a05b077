#pragma once

// The interface of cost models: the predicted time of one kernel as a sum that can be printed term by term.
// `roofline.h` is the one there is.

#include <string>
#include <utility>
#include <vector>

#include "model/kernel.h"

namespace warptile {

/// A prediction. Terms are in microseconds unless their name says otherwise ("registers").
struct Cost {
    bool feasible = true;
    std::string reason;    ///< why not
    double us = 0;         ///< the prediction
    double registers = 0;  ///< a thread, estimated; above the cap it spills
    double code = 0;       ///< instructions that the kernel is long
    std::vector<std::pair<std::string, double>> terms;
};

/// One line: "31.2 us: launch 4.0, dram 22.1, …".
std::string to_string(const Cost &cost);

class CostModel {
public:
    virtual ~CostModel() = default;
    virtual Cost cost(const GroupView &view, const Kernel &kernel) const = 0;
};

}  // namespace warptile

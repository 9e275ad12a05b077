#pragma once

// The interface of cost models: what one kernel costs, as a sum that can be printed term by term. All that the search
// compares is priced through it, whatever a kernel is made of, so that one search goes by any of them.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "model/kernel.h"
#include "model/sweep.h"

namespace warptile {

/// What a kernel costs. Terms are in the unit of the total unless their name says otherwise ("registers").
struct Cost {
    bool feasible = true;
    std::string reason;        ///< why not
    double total = 0;          ///< less is better; costs of several kernels are added up
    const char *unit = " us";  ///< of the total, as it is printed; "" where it is no time
    double registers = 0;      ///< a thread, estimated; above the cap it spills
    double code = 0;           ///< instructions that the kernel is long
    std::vector<std::pair<std::string, double>> terms;
};

Cost infeasible(const std::string &reason);

/// One line: "31.2 us: launch 4.0, dram 22.1, …".
std::string to_string(const Cost &cost);

class CostModel {
public:
    virtual ~CostModel() = default;
    virtual Cost cost(const GroupView &view, const Kernel &kernel) const = 0;
    virtual Cost cost(const Sweep &sweep) const = 0;
};

/// The cost models there are; docs/parameters.md says what each is for.
enum class ModelName {
    Roofline,    ///< `model/roofline.h`
    Jangda2020,  ///< `model/jangda2020.h`
};

/// `max_registers`: what the runtime lets a thread have.
std::unique_ptr<CostModel> make_cost_model(ModelName name, const Machine &machine, int max_registers);

}  // namespace warptile

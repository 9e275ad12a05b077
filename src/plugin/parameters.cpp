#include "plugin/parameters.h"

#include "machine/error.h"
#include "machine/nearest_name.h"

#include <charconv>
#include <functional>
#include <vector>

namespace warptile {

namespace {

[[noreturn]] void fail(const std::string &name, const std::string &value, const std::string &wanted) {
    throw Error("autoscheduler." + name + "=" + value + ": " + wanted + ".");
}

int whole(const std::string &name, const std::string &value, int low, int high) {
    int number = 0;
    const char *end = value.data() + value.size();
    const auto result = std::from_chars(value.data(), end, number);
    if (result.ec != std::errc() || result.ptr != end || number < low || number > high) {
        fail(name, value,
             "the value must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return number;
}

bool truth(const std::string &name, const std::string &value) {
    if (value != "true" && value != "false") {
        fail(name, value, "the value must be true or false");
    }
    return value == "true";
}

const std::string &path(const std::string &name, const std::string &value) {
    if (value.empty()) {
        fail(name, value, "give the path of a file after the '=', or leave the parameter out");
    }
    return value;
}

// One parameter: its name, and how its value is taken.
struct Known {
    std::string name;
    std::function<void(Parameters &, const std::string &value)> take;
};

std::vector<Known> known_parameters() {
    return {
        {"gpu",
         [](Parameters &to, const std::string &value) {
             if (value.empty()) {
                 fail("gpu", value, "give the name of a card after the '=', or leave the parameter out");
             }
             to.gpu = value;
         }},
        {"max_registers",
         [](Parameters &to, const std::string &value) { to.max_registers = whole("max_registers", value, 16, 255); }},
        // Other autoschedulers have it, and scripts that try several give it to all. A GPU's parallelism is the card's.
        {"parallelism", [](Parameters &, const std::string &value) { whole("parallelism", value, 1, 1 << 30); }},
        {"plan_in", [](Parameters &to, const std::string &value) { to.plan_in = path("plan_in", value); }},
        {"plan_out", [](Parameters &to, const std::string &value) { to.plan_out = path("plan_out", value); }},
        {"reassociate", [](Parameters &to, const std::string &value) { to.reassociate = truth("reassociate", value); }},
        {"report", [](Parameters &to, const std::string &value) { to.report = path("report", value); }},
        {"weights_path",
         [](Parameters &to, const std::string &value) { to.weights_path = path("weights_path", value); }},
    };
}

}  // namespace

Parameters parse_parameters(const std::map<std::string, std::string> &given) {
    const std::vector<Known> all = known_parameters();
    std::vector<std::string> names;
    for (const Known &known : all) {
        names.push_back(known.name);
    }
    Parameters parameters;
    for (const auto &[name, value] : given) {
        const Known *found = nullptr;
        for (const Known &known : all) {
            if (known.name == name) {
                found = &known;
            }
        }
        if (!found) {
            fail(name, value,
                 "WarpTile has no such parameter" + did_you_mean(name, names) + ". It has " + comma_list(names));
        }
        found->take(parameters, value);
    }
    return parameters;
}

}  // namespace warptile

#include "plugin/parameters.h"

#include "machine/error.h"
#include "machine/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <vector>

namespace warptile {

namespace {

const char *const kVariable = "WARPTILE_PARAMETERS";

/// A parameter as the user wrote it.
struct Written {
    std::string name, value;
    bool in_environment = false;

    [[noreturn]] void fail(const std::string &wanted) const {
        throw Error((in_environment ? std::string(kVariable) + ": " : "autoscheduler.") + name + "=" + value + ": " +
                    wanted + ".");
    }
};

int whole(const Written &given, int low, int high) {
    int number = 0;
    const std::string &value = given.value;
    const char *end = value.data() + value.size();
    const auto result = std::from_chars(value.data(), end, number);
    if (result.ec != std::errc() || result.ptr != end || number < low || number > high) {
        given.fail("the value must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return number;
}

bool one_of_two(const Written &given, const std::string &yes, const std::string &no) {
    if (given.value != yes && given.value != no) {
        given.fail("the value must be " + yes + " or " + no);
    }
    return given.value == yes;
}

/// A list of names with + between them, each a part of the space that is left out.
Space without(const Written &given) {
    Space space;
    std::vector<std::string> names;
    for (const SpacePart &part : space_parts()) {
        names.push_back(part.name);
    }
    std::istringstream list(given.value);
    for (std::string name; std::getline(list, name, '+');) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            given.fail("'" + name + "' is no part of the search" + did_you_mean(name, names) + ". Give some of " +
                       comma_list(names) + ", with a + between them");
        }
        space.*space_parts()[static_cast<size_t>(found - names.begin())].part = false;
    }
    return space;
}

const std::string &text(const Written &given, const char *what) {
    if (given.value.empty()) {
        given.fail("give " + std::string(what) + " after the '=', or leave the parameter out");
    }
    return given.value;
}

const std::string &path(const Written &given) { return text(given, "the path of a file"); }

// One parameter: its name, and how its value is taken.
struct Known {
    std::string name;
    std::function<void(Parameters &, const Written &)> take;
};

std::vector<Known> known_parameters() {
    return {
        {"cost_model",
         [](Parameters &to, const Written &given) {
             to.cost_model = one_of_two(given, "jangda2020", "roofline") ? ModelName::Jangda2020 : ModelName::Roofline;
         }},
        {"fallback",
         [](Parameters &to, const Written &given) {
             to.fallback = one_of_two(given, "error", "warn") ? Fallback::Error : Fallback::Warn;
         }},
        {"gpu", [](Parameters &to, const Written &given) { to.gpu = text(given, "the name of a card"); }},
        {"max_registers", [](Parameters &to, const Written &given) { to.max_registers = whole(given, 16, 255); }},
        // Other autoschedulers have it, and scripts that try several give it to all. A GPU's parallelism is the card's.
        {"parallelism", [](Parameters &, const Written &given) { whole(given, 1, 1 << 30); }},
        {"plan_in", [](Parameters &to, const Written &given) { to.plan_in = path(given); }},
        {"plan_out", [](Parameters &to, const Written &given) { to.plan_out = path(given); }},
        {"reassociate",
         [](Parameters &to, const Written &given) { to.reassociate = one_of_two(given, "true", "false"); }},
        {"report", [](Parameters &to, const Written &given) { to.report = path(given); }},
        {"weights_path", [](Parameters &to, const Written &given) { to.weights_path = path(given); }},
        {"without",
         [](Parameters &to, const Written &given) {
             text(given, "what is left out of the search");
             to.space = without(given);
         }},
    };
}

void take(const Written &given, Parameters &parameters) {
    const std::vector<Known> all = known_parameters();
    std::vector<std::string> names;
    for (const Known &known : all) {
        names.push_back(known.name);
        if (known.name == given.name) {
            known.take(parameters, given);
            return;
        }
    }
    given.fail("WarpTile has no such parameter" + did_you_mean(given.name, names) + ". It has " + comma_list(names));
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The words between white space, quotes taken away.
std::vector<std::string> words_of(const std::string &text) {
    std::vector<std::string> words;
    char quote = 0;
    bool in_word = false;
    for (const char c : text) {
        if (quote == 0 && is_space(c)) {
            in_word = false;
            continue;
        }
        if (!in_word) {
            words.emplace_back();
            in_word = true;
        }
        if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) {
        throw Error(std::string(kVariable) + ": the quote " + quote + " is not closed; close it, or put it into the " +
                    "other kind of quotes");
    }
    return words;
}

/// What the environment says, by name.
std::map<std::string, std::string> read_environment(const std::string &text) {
    static const std::string prefix = "autoscheduler.";
    std::map<std::string, std::string> parameters;
    for (const std::string &word : words_of(text)) {
        const size_t equals = word.find('=');
        if (equals == std::string::npos) {
            throw Error(std::string(kVariable) + ": '" + word + "' is no parameter; write NAME=VALUE, with a space " +
                        "between two of them and quotes around a value that holds one");
        }
        const size_t begin = word.rfind(prefix, 0) == 0 ? prefix.size() : 0;
        const std::string name = word.substr(begin, equals - begin);
        if (!parameters.emplace(name, word.substr(equals + 1)).second) {
            throw Error(std::string(kVariable) + ": " + name + " stands there twice; leave one of them out");
        }
    }
    return parameters;
}

/// Both choose the card, and whoever names one of them on the command line has chosen.
bool overridden(const std::string &name, const std::map<std::string, std::string> &given) {
    const bool card = name == "gpu" || name == "weights_path";
    return given.count(name) || (card && (given.count("gpu") || given.count("weights_path")));
}

}  // namespace

Parameters parse_parameters(const std::map<std::string, std::string> &given, const std::string &environment) {
    Parameters parameters;
    for (const auto &[name, value] : read_environment(environment)) {
        Parameters ignored;
        take({name, value, true}, overridden(name, given) ? ignored : parameters);
    }
    for (const auto &[name, value] : given) {
        take({name, value, false}, parameters);
    }
    return parameters;
}

std::string parameters_of_environment() {
    const char *const text = std::getenv(kVariable);
    return text ? text : "";
}

}  // namespace warptile

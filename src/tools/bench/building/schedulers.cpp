#include "tools/bench/building/schedulers.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace warptile::bench {
namespace {

/// A scheduler's plugin by the ecosystem's rule: libautoschedule_NAME.so, in lower case.
std::string plugin_of(const std::string &scheduler, const SchedulerOptions &options) {
    std::string name = scheduler;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const std::string file = "libautoschedule_" + name + ".so";
    for (const fs::path &folder : options.plugin_folders) {
        if (fs::exists(folder / file)) {
            return fs::canonical(folder / file);
        }
    }
    throw std::invalid_argument("no plugin " + file + " for the scheduler '" + scheduler +
                                "'; give its folder with --plugins, or the plugin's own path");
}

/// A number of the card that is scheduled for; 0 where its file is not there.
int number_of(const std::string &gpu, const fs::path &weights, const char *name) {
    std::ifstream file(weights / (gpu + ".json"));
    return file ? nlohmann::json::parse(file).at("card").at(name).at("value").get<int>() : 0;
}

/// What a scheduler must be told to be at its best for the GPU.
std::vector<std::string> parameters_of(const std::string &scheduler, const SchedulerOptions &options) {
    if (scheduler == "WarpTile") {
        return {"autoscheduler.gpu=" + options.gpu};
    }
    if (scheduler == "Mullapudi2016") {
        return {"autoscheduler.experimental_gpu_schedule=1"};
    }
    const int sms = number_of(options.gpu, options.weights, "sms");
    if ((scheduler == "Anderson2021" || scheduler == "Li2018") && sms > 0) {
        return {"autoscheduler.parallelism=" + std::to_string(sms)};
    }
    return {};
}

bool is_identifier(const std::string &name) {
    return !name.empty() &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

std::vector<std::string> words_of(const std::string &text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

/// "FILE.so KEY=VALUE ...".
VariantSpec plugin_spec(const std::vector<std::string> &words, const SchedulerOptions &options) {
    const fs::path plugin = words[0];
    if (!fs::exists(plugin)) {
        throw std::invalid_argument("there is no plugin '" + plugin.string() + "'");
    }
    const std::string scheduler = scheduler_in(fs::canonical(plugin), options.any_generator);
    VariantSpec spec{scheduler, {"-p", fs::canonical(plugin), "autoscheduler=" + scheduler}, false};
    for (char &c : spec.name) {
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    }
    for (size_t i = 1; i < words.size(); i++) {
        spec.arguments.push_back("autoscheduler." + words[i]);
    }
    return spec;
}

}  // namespace

std::string architecture_of(const std::string &gpu, const fs::path &weights) {
    const int capability = number_of(gpu, weights, "capability");
    return "sm_" + std::to_string(capability ? capability : 80);
}

VariantSpec variant_spec(const std::string &text, const SchedulerOptions &options) {
    const std::vector<std::string> words = words_of(text);
    if (!words.empty() && fs::path(words[0]).extension() == ".so") {
        return plugin_spec(words, options);
    }
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (!is_identifier(name) || name == "reference") {
        throw std::invalid_argument("'" + name + "' cannot name a variant: use letters, digits and underscores");
    }
    if (equals != std::string::npos) {
        return {name, words_of(text.substr(equals + 1)), false};
    }
    if (name == "expert") {
        return {name, {}, false};
    }
    const std::string scheduler = name == "none" ? "Plain" : name;
    VariantSpec spec{name, {"-p", plugin_of(scheduler, options), "autoscheduler=" + scheduler}, name == "none"};
    for (const std::string &parameter : parameters_of(name, options)) {
        spec.arguments.push_back(parameter);
    }
    return spec;
}

}  // namespace warptile::bench

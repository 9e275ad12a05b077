#include "tools/bench/building/inspection.h"

#include "tools/bench/text.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace warptile::bench {
namespace {

constexpr size_t kShown = 160;  // characters of an error

const BuiltVariant *variant_of(const BuiltApp &app, const std::string &name) {
    for (const BuiltVariant &variant : app.variants) {
        if (variant.name == name) {
            return &variant;
        }
    }
    return nullptr;
}

/// The Funcs of the kernels that one thread computes, "sum, sum.update(0)".
std::string alone(const BuiltVariant &variant) {
    std::string names;
    for (const PlannedKernel &kernel : variant.kernels) {
        if (kernel.threads == 1) {
            const std::string stage = kernel.stage ? ".update(" + std::to_string(kernel.stage - 1) + ")" : "";
            names += (names.empty() ? "" : ", ") + kernel.writes + stage;
        }
    }
    return names;
}

double predicted_us(const BuiltVariant &variant) {
    double us = 0;
    for (const PlannedKernel &kernel : variant.kernels) {
        us += kernel.predicted_us;
    }
    return us;
}

std::string found(const BuiltVariant &variant) {
    std::string text = variant.error.empty() ? variant.remark : variant.error;
    const auto add = [&](const std::string &more) { text += (text.empty() ? "" : "; ") + more; };
    if (variant.code_kernels == 0) {
        add("no kernel in its code");
    }
    if (!variant.code_error.empty()) {
        add("its code does not assemble: " + variant.code_error);
    }
    for (const std::string &warning : variant.warnings) {
        add(warning);
    }
    text = shortened(text, kShown);
    std::replace(text.begin(), text.end(), '|', '/');
    return text;
}

/// What an app counts as in the sum.
std::string kind_of(const BuiltVariant &variant) {
    const auto says = [&](const char *words) { return variant.error.find(words) != std::string::npos; };
    if (says("no end after")) {
        return "hang";
    }
    if (says("signal") || says("SIG")) {
        return "crash";
    }
    if (!variant.error.empty()) {
        return "refuse";
    }
    if (!variant.code_error.empty()) {
        return "broken";
    }
    return !variant.remark.empty() || variant.code_kernels == 0 ? "fall back" : "schedule";
}

std::string line_of(const BuiltApp &app, const BuiltVariant &variant) {
    const auto number = [](const std::optional<int> &value) {
        return value ? std::to_string(*value) : std::string("–");
    };
    const double us = predicted_us(variant);
    std::string line = "| " + app.title();
    for (const std::string &cell :
         {kind_of(variant), number(variant.code_kernels), alone(variant), number(variant.spilled_bytes),
          us > 0 ? formatted("%.1f", us) : "–", optional_number("%.1f", variant.schedule_seconds), found(variant)}) {
        line += " | " + cell;
    }
    return line + " |\n";
}

std::string failures_of_others(const Manifest &manifest, const std::string &variant) {
    std::map<std::string, std::string> lines;
    for (const BuiltApp &app : manifest.apps) {
        for (const BuiltVariant &other : app.variants) {
            if (other.name != variant && !other.error.empty()) {
                lines[other.name] += "    - " + app.title() + ": " + shortened(other.error, kShown) + "\n";
            }
        }
    }
    std::string text;
    for (const auto &[name, apps] : lines) {
        text += "- " + name + " was not built of\n" + apps;
    }
    return text;
}

}  // namespace

std::string inspection(const Manifest &manifest, const std::string &variant) {
    std::string lines;
    std::map<std::string, int> kinds;
    int spilling = 0, of_one_thread = 0;
    for (const BuiltApp &app : manifest.apps) {
        if (const BuiltVariant *const built = variant_of(app, variant)) {
            lines += line_of(app, *built);
            kinds[kind_of(*built)]++;
            spilling += built->spilled_bytes.value_or(0) > 0;
            of_one_thread += !alone(*built).empty();
        }
    }
    if (lines.empty()) {
        throw std::invalid_argument("no app has a variant '" + variant + "'");
    }
    std::string text = "| app | " + variant +
                       " | kernels in its code | of one thread | bytes spilled | predicted (us) | " +
                       "to schedule (s) | found |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n" + lines +
                       "\n- " + variant + ":";
    for (const auto &[kind, count] : kinds) {
        text += " " + kind + " " + std::to_string(count) + ",";
    }
    return text + " spill " + std::to_string(spilling) + ", one thread alone " + std::to_string(of_one_thread) + "\n" +
           failures_of_others(manifest, variant);
}

}  // namespace warptile::bench

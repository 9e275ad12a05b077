#include "tools/bench/building/generators.h"

#include "tools/bench/process.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warptile::bench {
namespace {

constexpr double kTimeoutS = 60;

/// The programs that `path` stands for.
std::vector<fs::path> programs_at(const fs::path &path) {
    if (!fs::exists(path)) {
        throw std::runtime_error("there is no generator '" + path.string() + "'");
    }
    if (!fs::is_directory(path)) {
        return {fs::absolute(path)};
    }
    std::vector<fs::path> programs;
    for (const fs::directory_entry &file : fs::directory_iterator(path)) {
        if (file.path().extension() == ".generator") {
            programs.push_back(fs::absolute(file.path()));
        }
    }
    if (programs.empty()) {
        throw std::runtime_error("no *.generator in '" + path.string() + "'; name the programs themselves");
    }
    std::sort(programs.begin(), programs.end());
    return programs;
}

/// The generators of a program, those of them that are chosen.
std::vector<GeneratorSource> generators_of(const fs::path &program, const std::vector<std::string> &chosen) {
    const auto is_chosen = [&](const std::string &name) {
        return chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    };
    // An app's program is named as its generator: where it is not wanted it need not be asked.
    if (program.extension() == ".generator" && chosen.size() > 0 && !is_chosen(program.stem())) {
        const bool named_otherwise = std::any_of(chosen.begin(), chosen.end(), [&](const std::string &name) {
            return !fs::exists(program.parent_path() / (name + ".generator"));
        });
        if (!named_otherwise) {
            return {};
        }
    }
    const CommandResult asked = run_command({program}, kTimeoutS);
    const std::vector<std::string> names = names_listed(asked.error_text, "available Generators are:");
    if (names.empty()) {
        throw std::runtime_error("'" + program.string() + "' is no generator: called with nothing, it does not list " +
                                 "any" + (asked.error.empty() ? "" : " (" + asked.error + ")"));
    }
    std::vector<GeneratorSource> found;
    for (const std::string &name : names) {
        if (is_chosen(name) || is_chosen(program.stem()) || is_chosen(program.filename())) {
            found.push_back({name, program, name, {}, {}});
        }
    }
    return found;
}

/// A list's line, of which `number` is the last.
GeneratorSource listed(const std::string &line, const fs::path &list, int number) {
    std::istringstream words(line);
    GeneratorSource source{{}, {}, {}, {}, {}};
    std::string program;
    if (!(words >> source.name >> program >> source.generator)) {
        throw std::runtime_error(list.string() + ":" + std::to_string(number) +
                                 ": write NAME PROGRAM GENERATOR [ARGUMENT ...]");
    }
    source.program = fs::absolute(list).parent_path() / program;
    for (std::string word; words >> word;) {
        if (word[0] == '+') {
            source.features += "-" + word.substr(1);
        } else {
            source.arguments.push_back(word);
        }
    }
    return source;
}

/// Those of `sources` that are chosen.
std::vector<GeneratorSource> chosen_of(std::vector<GeneratorSource> sources, const std::vector<std::string> &chosen) {
    sources.erase(std::remove_if(sources.begin(), sources.end(),
                                 [&](const GeneratorSource &source) {
                                     return !chosen.empty() &&
                                            std::find(chosen.begin(), chosen.end(), source.name) == chosen.end();
                                 }),
                  sources.end());
    return sources;
}

void check_names(const std::vector<GeneratorSource> &sorted, const std::vector<std::string> &chosen) {
    for (size_t i = 1; i < sorted.size(); i++) {
        if (sorted[i].name == sorted[i - 1].name) {
            throw std::runtime_error("two generators are called '" + sorted[i].name +
                                     "': " + sorted[i - 1].program.string() + " and " + sorted[i].program.string() +
                                     "; bench them in bundles of their own");
        }
    }
    for (const std::string &name : chosen) {
        const bool found = std::any_of(sorted.begin(), sorted.end(), [&](const GeneratorSource &source) {
            return source.name == name || source.program.stem() == name || source.program.filename() == name;
        });
        if (!found) {
            throw std::runtime_error("no generator is called '" + name + "'");
        }
    }
}

}  // namespace

std::vector<std::string> names_listed(const std::string &error_text, const std::string &mark) {
    const size_t found = error_text.find(mark);
    if (found == std::string::npos) {
        return {};
    }
    std::vector<std::string> names;
    std::istringstream lines(error_text.substr(found + mark.size()));
    std::string line;
    for (bool first = true; std::getline(lines, line) && (first || line.rfind("    ", 0) == 0); first = false) {
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            if (word != "<none>") {
                names.push_back(word);
            }
        }
    }
    return names;
}

std::vector<GeneratorSource> read_list(const fs::path &list) {
    std::ifstream file(list);
    std::vector<GeneratorSource> sources;
    std::string app;  // the line, and those that go on with it
    int number = 0;
    const auto add = [&] {
        if (!app.empty()) {
            sources.push_back(listed(app, list, number));
        }
    };
    for (std::string line; std::getline(file, line); number++) {
        const bool is_blank = line.find_first_not_of(" \t") == std::string::npos || line[0] == '#';
        const bool goes_on = !is_blank && (line[0] == ' ' || line[0] == '\t');
        if (!is_blank && !goes_on) {
            add();
            app.clear();
        }
        app += is_blank ? "" : line;
    }
    add();
    if (sources.empty()) {
        throw std::runtime_error("no generators in the list '" + list.string() + "'");
    }
    return sources;
}

std::vector<GeneratorSource> find_generators(const std::vector<fs::path> &paths,
                                             const std::vector<std::string> &chosen) {
    std::vector<GeneratorSource> found;
    for (const fs::path &path : paths) {
        if (path.extension() == ".list" && fs::exists(path)) {
            for (const GeneratorSource &source : chosen_of(read_list(path), chosen)) {
                found.push_back(source);
            }
            continue;
        }
        for (const fs::path &program : programs_at(path)) {
            for (const GeneratorSource &source : generators_of(program, chosen)) {
                found.push_back(source);
            }
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const GeneratorSource &a, const GeneratorSource &b) { return a.name < b.name; });
    check_names(found, chosen);
    return found;
}

std::string scheduler_in(const fs::path &plugin, const GeneratorSource &source) {
    // A name that no scheduler has makes Halide list those that it knows.
    const CommandResult asked = run_command({source.program, "-g", source.generator, "-o", fs::temp_directory_path(),
                                             "-e", "c_header", "-p", plugin, "autoscheduler=?", "target=host"},
                                            kTimeoutS);
    const std::vector<std::string> names = names_listed(asked.error_text, "known names are:");
    if (names.size() != 1) {
        throw std::runtime_error("the plugin '" + plugin.string() + "' registers " +
                                 (names.empty() ? "no autoscheduler: " + asked.error
                                                : "several autoschedulers; write NAME=-p FILE autoscheduler=NAME"));
    }
    return names[0];
}

}  // namespace warptile::bench

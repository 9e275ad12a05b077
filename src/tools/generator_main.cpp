// The main program of a generator, in place of the one that Halide ships. It differs in five ways, all at the rim;
// the work is Halide's own `generate_filter_main`, which gets every other argument untouched.
//  - `-s NAME` chooses an autoscheduler, as `autoscheduler=NAME` does. Halide 21 refuses it.
//  - `--estimate NAME=VALUES` gives an input or an output an estimate that the generator lacks, and
//    `--schedule forget` undoes the generator's own scheduling calls for an autoscheduler (prepared_generator.h).
//  - A command line that Halide would answer with a failed assertion or a page of usage is told what is wrong with it.
//  - Halide prints an error over many lines. Here it is one line, which a build log shows whole; the status is 1.
// Linked as the library `warptile_generator_main`, or with no generator at all as the program `gengen`, which makes
// standalone runtimes.
#include "Halide.h"
#include "tools/error_report.h"
#include "tools/prepared_generator.h"

#include <cstdlib>
#include <errno.h>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace warptile {
namespace {

using Arguments = std::vector<std::string>;

/// What follows `prefix` in the first argument that starts with it; empty where none does.
std::string value_of(const Arguments &arguments, const std::string &prefix) {
    for (const std::string &argument : arguments) {
        if (argument.compare(0, prefix.size(), prefix) == 0) {
            return argument.substr(prefix.size());
        }
    }
    return {};
}

/// What follows the flag `flag`; empty where it is not given.
std::string value_of_flag(const Arguments &arguments, const std::string &flag) {
    for (size_t i = 1; i + 1 < arguments.size(); i++) {
        if (arguments[i] == flag) {
            return arguments[i + 1];
        }
    }
    return {};
}

void check_parameter(const std::string &argument) {
    const size_t equals = argument.find('=');
    const bool well_formed = equals != std::string::npos && equals != 0 && equals + 1 < argument.size() &&
                             argument.find('=', equals + 1) == std::string::npos;
    if (!well_formed) {
        throw std::invalid_argument("cannot read the argument '" + argument +
                                    "': a parameter is NAME=VALUE, with one '=' and neither side empty");
    }
}

void choose_scheduler(Arguments &arguments, const std::string &scheduler) {
    const std::string other = value_of(arguments, "autoscheduler=");
    if (other.empty()) {
        arguments.push_back("autoscheduler=" + scheduler);
    } else if (other != scheduler) {
        throw std::invalid_argument("two autoschedulers, '-s " + scheduler + "' and 'autoscheduler=" + other +
                                    "': keep one");
    }
}

/// Whether `--schedule VALUE` asks for the generator's own scheduling calls to be undone.
bool is_forget(const std::string &value) {
    if (value != "forget" && value != "keep") {
        throw std::invalid_argument("'--schedule " + value + "': write forget, or keep, which is the default");
    }
    return value == "forget";
}

/// The command line as Halide takes it, `-s NAME` as `autoscheduler=NAME`, and what only this program understands.
struct CommandLine {
    Arguments arguments;
    Preparation preparation;
};

/// Throws `std::invalid_argument` for what Halide could not read.
CommandLine translated(int argc, char **argv) {
    CommandLine line{{argv[0]}, {}};
    Arguments &arguments = line.arguments;
    std::string scheduler;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        if (argument.empty() || argument[0] != '-') {
            check_parameter(argument);
            arguments.push_back(argument);
        } else if (i + 1 == argc) {
            throw std::invalid_argument("nothing follows '" + argument + "'; every flag takes a value");
        } else if (argument == "-s") {
            scheduler = argv[++i];
        } else if (argument == "--estimate") {
            line.preparation.estimates.push_back(parse_estimate(argv[++i]));
        } else if (argument == "--schedule") {
            line.preparation.forget_schedules = is_forget(argv[++i]);
        } else {
            arguments.insert(arguments.end(), {argument, argv[++i]});
        }
    }
    if (!scheduler.empty()) {
        choose_scheduler(arguments, scheduler);
    }
    // Without an autoscheduler the generator's own schedule is the one that was asked for.
    line.preparation.forget_schedules &= !value_of(arguments, "autoscheduler=").empty();
    return line;
}

/// Halide asserts where an output folder or a target is wanting, and names neither.
void check_complete(const Arguments &arguments) {
    const bool makes_something = !value_of_flag(arguments, "-g").empty() || !value_of_flag(arguments, "-r").empty();
    if (makes_something && value_of_flag(arguments, "-o").empty()) {
        throw std::invalid_argument("no folder to write to: give one with -o FOLDER");
    }
    const bool needs_target = value_of_flag(arguments, "-e") != "cpp_stub";
    if (makes_something && needs_target && value_of(arguments, "target=").empty()) {
        throw std::invalid_argument("no target: give one, as in target=host-cuda-cuda_capability_80");
    }
}

/// `line` with what Halide leaves unsaid about the mend.
std::string with_remedy(const std::string &line) {
    const std::string none_known = "known names are:";
    if (line.size() > none_known.size() && line.substr(line.size() - none_known.size()) == none_known) {
        return line + " none; load the plugin that has it with -p FILE";
    }
    return line == "(unknown)" ? "the generator threw something that is not a std::exception" : line;
}

/// Runs Halide's main. Returns its error in one line, or nothing where it succeeded.
std::string run_halide(CommandLine line) {
    std::vector<char *> argv;
    for (std::string &argument : line.arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    const ErrorReport report;
    const int status = Halide::Internal::generate_filter_main(int(line.arguments.size()), argv.data(),
                                                              PreparedGenerators(line.preparation));
    if (status == 0) {
        return {};
    }
    const std::string error = report.line();
    return error.empty() ? "the generator failed with status " + std::to_string(status) : with_remedy(error);
}

void print_error(const std::string &error) {
    std::cerr << program_invocation_name << ": error: " << error << std::endl;
}

/// An error thrown where C++ lets none pass: Halide's own parser of autoscheduler parameters throws in its destructor.
[[noreturn]] void report_and_exit() {
    std::string error = "an exception that nothing could catch";
    try {
        std::rethrow_exception(std::current_exception());
    } catch (const Halide::Error &wrong) {
        error = one_line(wrong.what());
    } catch (const std::exception &wrong) {
        error = one_line(wrong.what());
    } catch (...) {
    }
    print_error(error);
    std::_Exit(1);
}

int generate(int argc, char **argv) {
    std::set_terminate(report_and_exit);
    std::string error;
    try {
        const CommandLine line = translated(argc, argv);
        check_complete(line.arguments);
        error = run_halide(line);
    } catch (const std::exception &wrong) {
        error = wrong.what();
    }
    if (!error.empty()) {
        print_error(error);
    }
    return error.empty() ? 0 : 1;
}

}  // namespace
}  // namespace warptile

int main(int argc, char **argv) { return warptile::generate(argc, argv); }

// warptile-bench: builds pipelines under several schedulers into a bundle, runs a bundle, and shows what a run found.
//
//     warptile-bench build BUNDLE                               here; Halide and the schedulers are needed
//     make -C BUNDLE -j && BUNDLE/warptile-bench run BUNDLE --json results.json      there; g++ and a driver are
//     warptile-bench report results.json --html results.html
//
// docs/bench.md describes it.
#include "tools/bench/commands.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <vector>

namespace warptile::bench {
namespace {

int bench(int argc, char **argv) {
    CLI::App program("Builds pipelines under several schedulers, runs them side by side, and reports.");
    program.require_subcommand(1);
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(add_build(program));
    commands.push_back(add_inspect(program));
    commands.push_back(add_run(program));
    commands.push_back(add_report(program));
    try {
        program.parse(argc, argv);
        for (const std::unique_ptr<Command> &command : commands) {
            if (command->parsed->parsed()) {
                return command->run();
            }
        }
    } catch (const CLI::ParseError &error) {
        return program.exit(error);
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": error: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace warptile::bench

int main(int argc, char **argv) { return warptile::bench::bench(argc, argv); }

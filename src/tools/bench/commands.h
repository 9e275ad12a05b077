// The program's subcommands, each declared in a file of its own.
#pragma once

#include <memory>

namespace CLI {
class App;
}

namespace warptile::bench {

/// A subcommand: `run` does it, once the command line has been read, and returns the exit status.
class Command {
public:
    virtual ~Command() = default;
    virtual int run() = 0;

    CLI::App *parsed = nullptr;  // says whether this is the one that was asked for
};

std::unique_ptr<Command> add_build(CLI::App &program);
std::unique_ptr<Command> add_inspect(CLI::App &program);
std::unique_ptr<Command> add_run(CLI::App &program);
std::unique_ptr<Command> add_report(CLI::App &program);

}  // namespace warptile::bench

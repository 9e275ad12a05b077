// warptile-bench inspect: what building a bundle found, as Markdown.
#include "tools/bench/building/inspection.h"
#include "tools/bench/commands.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace warptile::bench {
namespace {

class InspectCommand : public Command {
public:
    explicit InspectCommand(CLI::App &program) {
        CLI::App &inspect = *program.add_subcommand(
            "inspect", "Show what building found: crashes, hangs, fallbacks, spills, kernels of one thread");
        parsed = &inspect;
        inspect.add_option("bundle", bundle_, "The bundle")->required();
        inspect.add_option("--variant", variant_, "Of this variant")->capture_default_str();
    }

    int run() override {
        std::printf("%s", inspection(read_manifest(bundle_), variant_).c_str());
        return 0;
    }

private:
    std::string bundle_, variant_ = "WarpTile";
};

}  // namespace

std::unique_ptr<Command> add_inspect(CLI::App &program) { return std::make_unique<InspectCommand>(program); }

}  // namespace warptile::bench

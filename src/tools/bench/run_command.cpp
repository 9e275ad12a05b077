// warptile-bench run: runs a bundle, prints its table and writes its files, each app as soon as it is measured.
#include "tools/bench/commands.h"
#include "tools/bench/reporting/outputs.h"
#include "tools/bench/reporting/table.h"
#include "tools/bench/running/runner.h"
#include "tools/bench/text.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>

namespace warptile::bench {
namespace {

class RunCommand : public Command {
public:
    explicit RunCommand(CLI::App &program) {
        CLI::App &run = *program.add_subcommand("run", "Run a bundle's pipelines: compare their results and time them");
        parsed = &run;
        run.add_option("bundle", options_.bundle, "The bundle, after make")->required();
        run.add_option("--apps", options_.apps, "Apps (default: all)")->delimiter(',');
        run.add_option("--variants,--schedulers", options_.variants, "Variants (default: all)")->delimiter(',');
        run.add_option("--size", options_.size, "The output's size, WIDTHxHEIGHT (default: the estimates)");
        run.add_option("--picture", options_.picture, "A picture for the inputs (default: a made-up one)");
        run.add_option("--tolerance", options_.tolerance.relative,
                       "Of floats, as a share of the reference's largest magnitude, where the app does not say")
            ->capture_default_str();
        run.add_option("--integer-tolerance", options_.tolerance.integer_step, "Of integers, likewise")
            ->capture_default_str();
        run.add_option("--rounds", options_.rounds, "Timed batches of each variant; 0 compares only")
            ->capture_default_str();
        run.add_option("--processes", options_.processes, "Processes of a variant, which share its rounds")
            ->capture_default_str();
        run.add_option("--most-processes", options_.most_processes,
                       "Processes where those before differ too much for the time to be known")
            ->capture_default_str();
        run.add_option("--batch", options_.batch_milliseconds, "Milliseconds of a batch")->capture_default_str();
        run.add_option("--timeout", options_.timeout, "Seconds for each step of a variant")->capture_default_str();
        run.add_flag("!--no-ceilings", options_.ceilings, "Do not measure what the card can copy and compute");
        run.add_flag("!--runtime-memory", options_.keeps_memory,
                     "Leave device memory to Halide's runtime, which keeps some thirty buffers from call to call");
        outputs_.emplace(run);
    }

    int run() override {
        outputs_->check_bars();
        bool first = true;
        const Results results = run_bundle(options_, [&](const Results &so_far, const AppResult &app) {
            if (first) {
                std::printf("%s\n%s\n\n%s", to_string(so_far.machine).c_str(), ceilings_text(so_far.ceilings).c_str(),
                            table_head().c_str());
            }
            first = false;
            std::printf("%s", table_lines(so_far, app).c_str());
            std::fflush(stdout);
            outputs_->write_files(so_far);  // a run that is stopped keeps what it has
        });
        std::printf("\n");
        for (const std::string &line : summary(results)) {
            std::printf("%s\n", line.c_str());
        }
        return outputs_->write(results);
    }

private:
    RunOptions options_;
    std::optional<Outputs> outputs_;
};

}  // namespace

std::unique_ptr<Command> add_run(CLI::App &program) { return std::make_unique<RunCommand>(program); }

}  // namespace warptile::bench

// Each variant runs in a process of its own and leaves its results in a file; one more process compares the files.
#include "tools/bench/running/consensus.h"

#include "tools/bench/process.h"
#include "tools/bench/running/measurement.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warptile::bench {
namespace {

/// The results of the variants that ran, in files that are gone with this.
class ResultFiles {
public:
    ResultFiles(const RunOptions &options, const BuiltApp &app, const std::vector<std::string> &variants,
                const fs::path &prefix) {
        for (const std::string &variant : variants) {
            const Job job{options, app, variant, prefix.string() + "__" + variant};
            Worker worker([&job](const NextRequest &, const Reply &reply) { write_results(job, reply); });
            const bool ran = worker.reply(options.timeout).has_value();
            files_.push_back(job.reference);
            if (ran) {
                variants_.push_back(variant);
                written_.push_back(job.reference);
            }
        }
    }

    ResultFiles(const ResultFiles &) = delete;
    ResultFiles &operator=(const ResultFiles &) = delete;

    ~ResultFiles() {
        for (const fs::path &file : files_) {
            std::error_code ignored;
            fs::remove(file, ignored);
        }
    }

    const std::vector<std::string> &variants() const { return variants_; }

    const std::vector<fs::path> &files() const { return written_; }  // of the variants, in their order

private:
    std::vector<fs::path> files_, written_;
    std::vector<std::string> variants_;
};

/// For each file how many of them agree with it.
std::vector<int> count_agreeing(const Job &job, const std::vector<fs::path> &files, const Tolerance &tolerance) {
    Worker worker([&](const NextRequest &, const Reply &reply) {
        reply(nlohmann::json(agreeing_results(job, files, tolerance)).dump());
    });
    const std::optional<std::string> counts = worker.reply(job.options.timeout);
    return counts ? nlohmann::json::parse(*counts).get<std::vector<int>>() : std::vector<int>(files.size(), 0);
}

}  // namespace

std::optional<Consensus> find_consensus(const RunOptions &options, const BuiltApp &app,
                                        const std::vector<std::string> &variants, double relative,
                                        const fs::path &file) {
    const ResultFiles results(options, app, variants, file);
    if (results.variants().size() < 2) {
        return std::nullopt;
    }
    Consensus consensus;
    consensus.ran = int(results.variants().size());
    consensus.tolerance = {relative, std::max(1.0, options.tolerance.integer_step)};
    const Job job{options, app, results.variants()[0], {}};
    const std::vector<int> agreeing = count_agreeing(job, results.files(), consensus.tolerance);
    const auto most = std::max_element(agreeing.begin(), agreeing.end());
    consensus.agreeing = *most;
    if (consensus.agreeing < 2) {
        return std::nullopt;
    }
    const size_t chosen = size_t(most - agreeing.begin());
    consensus.variant = results.variants()[chosen];
    fs::copy_file(results.files()[chosen], file, fs::copy_options::overwrite_existing);
    return consensus;
}

}  // namespace warptile::bench

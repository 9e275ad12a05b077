// Where results go, for the commands that have some: JSON, Markdown and HTML files, and bars to be judged.
#pragma once

#include "tools/bench/results.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warptile::bench {

class Outputs {
public:
    /// Adds --json, --markdown, --brief, --strangers, --ablation, --html, --chart and --check to `command`.
    explicit Outputs(CLI::App &command);

    /// Whether any file was asked for.
    bool any_file() const;

    /// Complains about a bar that is none, before a long run. Throws `std::invalid_argument`.
    void check_bars() const;

    /// Writes the files. Throws `std::runtime_error` that names the one that cannot be written.
    void write_files(const Results &results) const;

    /// Writes the files and prints the verdicts on the bars. Returns 1 where one is missed, else 0.
    int write(const Results &results) const;

private:
    std::string json_, markdown_, brief_, strangers_, ablation_, html_, chart_;
    std::vector<std::string> checks_;
};

}  // namespace warptile::bench

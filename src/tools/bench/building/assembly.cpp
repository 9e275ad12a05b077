#include "tools/bench/building/assembly.h"

#include "tools/bench/machine.h"
#include "tools/bench/process.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <vector>

namespace warptile::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kTimeoutS = 120;

int count(const std::string &text, const std::string &what) {
    int found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        found++;
    }
    return found;
}

}  // namespace

std::string find_assembler(const fs::path &source) {
    std::vector<fs::path> folders;
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');) {
        folders.emplace_back(folder);
    }
    folders.emplace_back("/usr/local/cuda/bin");
    if (fs::exists(source / ".venv/lib")) {
        for (const fs::directory_entry &python : fs::directory_iterator(source / ".venv/lib")) {
            folders.push_back(python.path() / "site-packages/nvidia/cuda_nvcc/bin");
        }
    }
    for (const fs::path &folder : folders) {
        if (fs::exists(folder / "ptxas")) {
            return folder / "ptxas";
        }
    }
    return {};
}

std::optional<Assembly> assemble(const std::string &assembler, const fs::path &code, const std::string &architecture) {
    if (assembler.empty()) {
        return std::nullopt;
    }
    std::ifstream file(code);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    Assembly assembly{count(text, ".visible .entry "), 0, {}};
    if (assembly.kernels == 0) {
        return assembly;
    }
    const CommandResult result =
        run_command({assembler, "--warn-on-spills", "--gpu-name", architecture, "--maxrregcount",
                     std::to_string(register_cap()), code, "-o", "/dev/null"},
                    kTimeoutS);
    assembly.error = result.error;
    static const std::regex spill(R"((\d+) bytes spill stores)");
    for (std::sregex_iterator found(result.error_text.begin(), result.error_text.end(), spill), end; found != end;
         ++found) {
        assembly.spilled_bytes += std::stoi((*found)[1]);
    }
    return assembly;
}

}  // namespace warptile::bench

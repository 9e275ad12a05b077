#include "test/kinds/emulated.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <dlfcn.h>

namespace warptile::kinds {

namespace {

/// Halide's runtime opens the same name.
template<class Function>
Function *symbol(const char *name) {
    void *const library = dlopen("libcuda.so", RTLD_LAZY);
    return library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
}

/// Removed with the process.
struct Folder {
    std::filesystem::path path;

    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "kinds_XXXXXX").string();
        path = mkdtemp(name.data());
    }

    ~Folder() { std::filesystem::remove_all(path); }
};

const std::filesystem::path &folder() {
    static const Folder made;
    return made.path;
}

}  // namespace

bool is_emulated() { return symbol<const char *()>("emulatorLaunches") != nullptr; }

OnlyLaunches::OnlyLaunches() { symbol<void(int)>("emulatorRuns")(0); }

OnlyLaunches::~OnlyLaunches() { symbol<void(int)>("emulatorRuns")(1); }

std::vector<Launched> OnlyLaunches::launched() {
    std::istringstream lines(symbol<const char *()>("emulatorLaunches")());
    std::vector<Launched> all;
    for (Launched one; lines >> one.kernel >> one.blocks >> one.threads;) {
        all.push_back(one);
    }
    return all;
}

std::string emulator_message() { return symbol<const char *()>("emulatorMessage")(); }

void dump_ptx() {
    setenv("WARPTILE_EMULATOR_DUMP", folder().c_str(), 1);
    for (const auto &file : std::filesystem::directory_iterator(folder())) {
        std::filesystem::remove(file.path());
    }
}

std::string dumped_ptx() {
    std::ostringstream all;
    for (const auto &file : std::filesystem::directory_iterator(folder())) {
        all << std::ifstream(file.path()).rdbuf() << "\n";
    }
    return all.str();
}

}  // namespace warptile::kinds

#include "verify/ptx/assembler.h"

#include "verify/processes/child.h"
#include "verify/ptx/ptx.h"
#include "verify/ptx/ptx_library.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warptile {

namespace {

using Source = KernelResources::Source;

// A kernel takes milliseconds; the limit is there for an assembler that hangs.
constexpr double time_limit_s = 120;

// The oldest card that the PTX compiler library knows.
constexpr int oldest_sm_of_library = 75;

// What the assembler's schedule needs beside the values that liveness counts, in registers: the mean over warp, block,
// hybrid and plain kernels on sm_90, which were between 3 and 22.
constexpr int registers_beside_live_values = 10;

std::vector<std::string> options(int sm, int max_registers) {
    return {"--gpu-name=sm_" + std::to_string(sm), "--maxrregcount=" + std::to_string(max_registers), "--verbose"};
}

std::vector<std::string> kernel_names(const std::string &ptx) {
    std::vector<std::string> names;
    for (const PtxKernel &k : read_ptx(ptx))
        names.push_back(k.name);
    return names;
}

Assembly failure(const std::string &error, bool unable) {
    Assembly a;
    a.error = error;
    a.unable = unable;
    return a;
}

// Where a program or the library gives up before it has read the PTX, another may still do it.
bool is_unable(const std::string &message) {
    return message.find("is not defined for option 'gpu-name'") != std::string::npos ||
           message.find("Unsupported .version") != std::string::npos;
}

Assembly understand(const ChildResult &result, const std::string &ptx, Source source) {
    if (result.ok())
        return parse_assembly_log(result.bytes, kernel_names(ptx), source);
    if (result.end != ChildResult::End::failed) {
        return failure("the assembler " + to_string(result.end) + ": " + result.message, false);
    }
    if (result.message.empty())
        return failure("the assembler cannot be run", true);
    return failure(result.message, is_unable(result.message));
}

Assembly by_library(const std::string &ptx, int sm, int max_registers) {
    if (!has_ptx_library())
        return failure("this build has no PTX compiler library", true);
    if (sm < oldest_sm_of_library)
        return failure("the PTX compiler library does not know sm_" + std::to_string(sm), true);
    const auto work = [&] { return compile_with_ptx_library(ptx, options(sm, max_registers)); };
    return understand(run_in_child(work, time_limit_s), ptx, Source::library);
}

Assembly by_program(const std::string &path, const std::string &ptx, int sm, int max_registers) {
    std::vector<std::string> argv = options(sm, max_registers);
    argv.insert(argv.begin(), path);
    argv.insert(argv.end(), {"--output-file", "/dev/null", program_input_path()});
    return understand(run_program(argv, ptx, time_limit_s), ptx, Source::ptxas);
}

// The first ptxas that can.
Assembly by_programs(const std::string &ptx, int sm, int max_registers) {
    for (const std::string &path : ptxas_candidates()) {
        const Assembly a = by_program(path, ptx, sm, max_registers);
        if (!a.unable)
            return a;
    }
    return failure("there is no ptxas for sm_" + std::to_string(sm), true);
}

Assembly by_estimate(const std::string &ptx, int max_registers) {
    Assembly a;
    for (const PtxKernel &k : read_ptx(ptx)) {
        KernelResources r;
        r.name = k.name;
        r.registers = std::min(k.registers + registers_beside_live_values, max_registers);
        const int too_many = std::max(k.registers - max_registers, 0);
        r.spill_store_bytes = r.spill_load_bytes = 4 * too_many;
        r.stack_bytes = k.local_bytes + 4 * too_many;
        r.shared_bytes = k.shared_bytes;
        a.kernels.push_back(r);
    }
    return a;
}

void add_folder(std::vector<std::string> &folders, const char *environment) {
    const char *value = std::getenv(environment);
    if (value && *value)
        folders.push_back(std::string(value) + "/bin");
}

}  // namespace

Assembly assemble(const std::string &ptx, int sm, int max_registers) {
    for (Source way : {Source::library, Source::ptxas}) {
        const Assembly a = assemble_by(way, ptx, sm, max_registers);
        if (!a.unable)
            return a;
    }
    return assemble_by(Source::estimate, ptx, sm, max_registers);
}

Assembly assemble_by(Source way, const std::string &ptx, int sm, int max_registers) {
    switch (way) {
    case Source::library:
        return by_library(ptx, sm, max_registers);
    case Source::ptxas:
        return by_programs(ptx, sm, max_registers);
    case Source::estimate:
        break;
    }
    return by_estimate(ptx, max_registers);
}

std::vector<std::string> ptxas_candidates() {
    std::vector<std::string> paths;
    const auto add = [&](const std::string &path) {
        const bool seen = std::find(paths.begin(), paths.end(), path) != paths.end();
        if (!seen && access(path.c_str(), X_OK) == 0)
            paths.push_back(path);
    };
    if (const char *named = std::getenv("WARPTILE_PTXAS"))
        add(named);
    std::vector<std::string> folders;
    if (const char *path = std::getenv("PATH")) {
        std::istringstream list(path);
        for (std::string folder; std::getline(list, folder, ':');)
            folders.push_back(folder);
    }
    add_folder(folders, "CUDA_HOME");
    add_folder(folders, "CUDA_PATH");
    folders.push_back("/usr/local/cuda/bin");
    for (const std::string &folder : folders) {
        if (!folder.empty())
            add(folder + "/ptxas");
    }
    return paths;
}

// The log says for each kernel, in an order of its own:
//   ptxas info    : Compiling entry function 'NAME' for 'sm_90'
//   ptxas info    : Function properties for NAME
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 38 registers, used 0 barriers, 512 bytes smem, 400 bytes cmem[0]
Assembly parse_assembly_log(const std::string &log, const std::vector<std::string> &names, Source source) {
    static const std::regex entry("Compiling entry function '([^']+)'");
    static const std::regex stack("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
    static const std::regex used("Used (\\d+) registers");
    static const std::regex shared("(\\d+) bytes smem");
    Assembly a;
    std::vector<bool> found(names.size(), false);
    for (const std::string &name : names) {
        a.kernels.emplace_back();
        a.kernels.back().name = name;
        a.kernels.back().source = source;
    }
    size_t current = names.size();  // the kernel that the log speaks of
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch m;
        if (std::regex_search(line, m, entry)) {
            current = size_t(std::find(names.begin(), names.end(), m[1].str()) - names.begin());
        }
        if (current == names.size())
            continue;
        KernelResources &k = a.kernels[current];
        if (std::regex_search(line, m, stack)) {
            k.stack_bytes = std::stoi(m[1]);
            k.spill_store_bytes = std::stoi(m[2]);
            k.spill_load_bytes = std::stoi(m[3]);
        }
        if (std::regex_search(line, m, used)) {
            k.registers = std::stoi(m[1]);
            found[current] = true;
        }
        if (std::regex_search(line, m, shared))
            k.shared_bytes = std::stoi(m[1]);
    }
    for (size_t i = 0; i < names.size(); i++) {
        if (!found[i])
            return failure("the assembler says nothing of the kernel " + names[i] + ":\n" + log, false);
    }
    return a;
}

std::string to_string(Source source) {
    switch (source) {
    case Source::library:
        return "library";
    case Source::ptxas:
        return "ptxas";
    case Source::estimate:
        return "estimate";
    }
    return "unknown";
}

}  // namespace warptile

#include "device.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace warptile::emulator {

Device &Device::get() {
    static Device *const device = new Device;
    return *device;
}

void Device::dump(const std::string &ptx) {
    if (!options.dump_folder.empty()) {
        std::ofstream(options.dump_folder + "/module-" + std::to_string(modules_++) + ".ptx") << ptx;
    }
}

uint64_t Device::place(const Variable &v, LoadedModule &module) {
    const uint64_t address = memory.allocate(v.bytes());
    if (!address) {
        throw PtxError(v.line, "the variable '" + v.name + "' has no size, or there is no memory for it");
    }
    module.variables.push_back(address);
    Allocation *const to = memory.find(address, v.bytes());
    std::memset(to->at(0), 0, v.bytes());
    for (size_t k = 0; k < v.values.size() && k < v.count; k++) {
        const size_t bytes = static_cast<size_t>(v.element_bytes);
        std::memcpy(to->at(k * bytes), &v.values[k], std::min<size_t>(bytes, sizeof v.values[k]));
    }
    return address;
}

LoadedModule *Device::load(const std::string &ptx) {
    dump(ptx);
    auto module = std::make_unique<LoadedModule>();
    try {
        module->program = decode(ptx, [&](const Variable &v) { return place(v, *module); });
    } catch (const PtxError &e) {
        for (const uint64_t address : module->variables) {
            memory.free(address);
        }
        throw LaunchError(InvalidPtx, std::string("a module cannot be loaded: ") + e.what());
    }
    if (module->program.target > 10 * options.major + options.minor) {
        throw LaunchError(NoBinaryForGpu, "a module for sm_" + std::to_string(module->program.target) +
                                              " on a card of compute capability " + std::to_string(options.major) +
                                              "." + std::to_string(options.minor));
    }
    for (const Kernel &k : module->program.kernels) {
        auto kernel = std::make_unique<LoadedKernel>();
        kernel->module = module.get();
        kernel->kernel = &k;
        module->kernels.push_back(std::move(kernel));
    }
    return module.release();
}

void Device::unload(LoadedModule *module) {
    const std::unique_ptr<LoadedModule> owned(module);
    for (const uint64_t address : owned->variables) {
        memory.free(address);
    }
}

void Device::launch(LoadedKernel &kernel, const Dim3 &grid, const Dim3 &block, uint64_t shared, void **parameters) {
    Launch l;
    l.program = &kernel.module->program;
    l.kernel = kernel.kernel;
    l.grid = grid;
    l.block = block;
    l.dynamic_shared = shared;
    l.most_shared = kernel.most_dynamic_shared;
    l.memory = &memory;
    l.checks = options.checks;
    l.parameters.resize(kernel.kernel->parameter_bytes);
    for (size_t k = 0; k < kernel.kernel->parameters.size(); k++) {
        const Parameter &p = kernel.kernel->parameters[k];
        std::memcpy(l.parameters.data() + p.offset, parameters[k], p.bytes);
    }
    launches += l.kernel->name + " " + std::to_string(grid.count()) + " " + std::to_string(block.count()) + "\n";
    if (!kernels_run) {
        check_limits(l);
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    const LaunchStatistics s = run(l);
    if (options.trace) {
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::fprintf(
            stderr,
            "emulator: %s, grid %u x %u x %u, block %u x %u x %u, %llu bytes shared: %llu instructions in %.3f s\n",
            l.kernel->name.c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z,
            static_cast<unsigned long long>(shared), static_cast<unsigned long long>(s.instructions), seconds);
    }
}

bool Device::copy_in(uint64_t to, const void *from, uint64_t bytes) {
    Allocation *const found = memory.find(to, bytes);
    if (found) {
        std::memcpy(found->at(to - found->address()), from, bytes);
    }
    return found;
}

bool Device::copy_out(void *to, uint64_t from, uint64_t bytes) {
    Allocation *const found = memory.find(from, bytes);
    if (found) {
        std::memcpy(to, found->at(from - found->address()), bytes);
    }
    return found;
}

int device_attribute(int attribute, const Options &options) {
    const bool before_volta = options.major < 7;
    switch (attribute) {
    case 1:
        return 1024;  // threads of a block
    case 2:
    case 3:
        return 1024;  // in x and y
    case 4:
        return 64;  // in z
    case 5:
        return 0x7fffffff;  // blocks in x
    case 6:
    case 7:
        return 65535;  // in y and z
    case 8:
        return 48 << 10;  // shared memory of a block
    case 9:
        return 64 << 10;  // constant memory
    case 10:
        return 32;  // lanes of a warp
    case 12:
    case 82:
        return 65536;  // registers of a block and of a multiprocessor
    case 16:
        return 1;  // multiprocessors
    case 39:
        return 2048;  // threads of a multiprocessor
    case 41:
        return 1;  // unified addresses
    case 75:
        return options.major;
    case 76:
        return options.minor;
    case 81:
        return (before_volta ? 96 : 164) << 10;  // shared memory of a multiprocessor
    case 97:
        return (before_volta ? 48 : 163) << 10;  // shared memory of a block that asks for more
    default:
        return -1;
    }
}

}  // namespace warptile::emulator

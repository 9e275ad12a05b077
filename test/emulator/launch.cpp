#include "launch.h"

#include "block.h"

namespace warptile::emulator {

void check_limits(const Launch &l) {
    const auto refuse = [&](const std::string &what) { throw LaunchError(InvalidValue, l.kernel->name + ": " + what); };
    const Dim3 &g = l.grid, &b = l.block;
    if (g.count() == 0 || b.count() == 0) {
        refuse("a launch without blocks or threads");
    }
    if (b.x > 1024 || b.y > 1024 || b.z > 64 || b.count() > 1024) {
        refuse("a block of " + std::to_string(b.x) + " x " + std::to_string(b.y) + " x " + std::to_string(b.z) +
               " threads; a card takes 1024 in all and 64 in z");
    }
    if (g.x > 0x7fffffff || g.y > 65535 || g.z > 65535) {
        refuse("a grid of " + std::to_string(g.x) + " x " + std::to_string(g.y) + " x " + std::to_string(g.z) +
               " blocks; a card takes 65535 in y and in z");
    }
    if (l.kernel->shared_bytes + l.dynamic_shared > l.most_shared) {
        refuse(std::to_string(l.kernel->shared_bytes + l.dynamic_shared) + " bytes of shared memory; a block has " +
               std::to_string(l.most_shared));
    }
}

LaunchStatistics run(const Launch &launch) {
    check_limits(launch);
    Block block(launch, launch.memory->number_blocks(launch.grid.count()));
    for (uint32_t z = 0; z < launch.grid.z; z++) {
        for (uint32_t y = 0; y < launch.grid.y; y++) {
            for (uint32_t x = 0; x < launch.grid.x; x++) {
                block.run({x, y, z});
            }
        }
    }
    LaunchStatistics statistics;
    statistics.instructions = block.instructions();
    return statistics;
}

}  // namespace warptile::emulator

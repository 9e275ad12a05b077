#include "search/space.h"

namespace warptile {

bool Space::allows(const GroupView &view, const Kernel &kernel) const {
    bool block = false, warp = false, thread = false, copies = false;
    for (const Part &part : kernel.parts) {
        if (part.role == Role::Copy || view.dag().node(part.node).wraps_input) {
            copies = true;
        } else if (part.role == Role::Func && part.node != view.output()) {
            block = block || part.placement == Placement::Block;
            warp = warp || part.placement == Placement::Warp;
            thread = thread || part.placement == Placement::Thread;
        }
    }
    return (block_tiles || !block) && (warp_tiles || !warp) && (thread_tiles || !thread) &&
           (nested || !thread || !(block || warp)) && (hybrid || !block || !warp) &&
           (streams || kernel.tile.stream < 0) && (staging || !copies);
}

std::vector<SpacePart> space_parts() {
    return {{"beam", &Space::beam},
            {"block_tiles", &Space::block_tiles},
            {"hybrid", &Space::hybrid},
            {"moves", &Space::moves},
            {"nested", &Space::nested},
            {"staging", &Space::staging},
            {"streams", &Space::streams},
            {"thread_tiles", &Space::thread_tiles},
            {"warp_tiles", &Space::warp_tiles}};
}

}  // namespace warptile

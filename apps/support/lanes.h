// A Func whose part of a tile is kept in the registers of a warp's lanes, where the taps of a stencil are shuffles.
//
// Halide stripes such a Func over the lanes by its storage, so every row has to begin at a lane and its bounds have to
// be stated: under an output whose stores are guarded Halide knows no extent, and would put the Func elsewhere.
#pragma once

#include "Halide.h"

#include <vector>

namespace warptile::apps {

/// A kernel that has a loop over lanes within the loop `warp`, and what of a row one lane of it holds: `columns`
/// adjacent points, of all whose taps along the row only those at the ends are shuffled.
struct LaneTile {
    Halide::Func kernel;
    Halide::Var warp;
    int columns;
};

/// Deals the rows of `member` to the lanes; they have at most 32 * `columns` points. The other dimensions are unrolled.
inline void deal_to_lanes(Halide::Func member, int columns) {
    const int width = 32 * columns;
    const std::vector<Halide::Var> args = member.args();
    const Halide::Var x = args[0], chunk("chunk"), lane("lane"), column("column");
    member.align_storage(x, width)
        .split(x, chunk, x, width, Halide::TailStrategy::GuardWithIf)
        .split(x, lane, column, columns);
    std::vector<Halide::VarOrRVar> loops = {column, chunk};
    loops.insert(loops.end(), args.begin() + 1, args.end());
    for (const Halide::VarOrRVar &loop : loops) {
        member.unroll(loop);
    }
    loops.push_back(lane);
    member.reorder(loops).gpu_lanes(lane);
}

/// Keeps what a warp's tile needs of `member` as a whole: along each dimension d after the first at most
/// `rows[d - 1]` points.
inline void keep_in_lanes(Halide::Func member, const LaneTile &tile, const std::vector<int> &rows) {
    member.compute_at(tile.kernel, tile.warp).bound_storage(member.args()[0], 32 * tile.columns);
    for (size_t d = 0; d < rows.size(); d++) {
        member.bound_storage(member.args()[d + 1], rows[d]);
    }
    deal_to_lanes(member, tile.columns);
}

/// Keeps only what one step of the loop `row` needs of `member`, and passes it on to the next in registers. That loop
/// goes along the last dimension and lies between `warp` and the lanes; where it is unrolled nothing is moved. The tile
/// may then be as high as one likes, and computes hardly any row twice. Of the dimensions between the first and the
/// last at most `between[d - 1]` points are needed.
inline void stream_through_lanes(Halide::Func member, const LaneTile &tile, const Halide::Var &row,
                                 const std::vector<int> &between = {}) {
    // The bounds are ones on the storage alone, since the Func is stored further out than computed. Halide reckons the
    // columns of the last lanes in full, so it is twice the row's; what is never written takes no register.
    member.store_at(tile.kernel, tile.warp)
        .compute_at(tile.kernel, row)
        .store_in(Halide::MemoryType::Register)
        .bound_extent(member.args()[0], 2 * 32 * tile.columns);
    for (size_t d = 0; d < between.size(); d++) {
        member.bound_extent(member.args()[d + 1], between[d]);
    }
    deal_to_lanes(member, tile.columns);
}

}  // namespace warptile::apps

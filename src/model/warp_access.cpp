#include "model/warp_access.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/kernel.h"

namespace warptile {
namespace {

constexpr int64_t kLine = 128, kWord = 4;  // bytes
constexpr int64_t kBanks = 32;
// Whole lines, and so far apart that nothing is shared, however large the estimates are.
constexpr double kFarthest = 1LL << 60;  // bytes

/// A number of at most 32, ascending and each once.
struct Places {
    std::array<int64_t, kLanes> at = {};
    size_t count = 0;

    void add(int64_t place) { at[count++] = place; }

    void sort() {
        std::sort(at.begin(), at.begin() + count);
        count = static_cast<size_t>(std::unique(at.begin(), at.begin() + count) - at.begin());
    }

    /// Different pieces of `bytes` among places in bytes, which ascend.
    double pieces(int64_t bytes) const {
        double n = 0;
        for (size_t i = 0; i < count; i++) {
            n += i == 0 || at[i] / bytes != at[i - 1] / bytes ? 1 : 0;
        }
        return n;
    }
};

/// The place of each lane in bytes, from the first one's. Rows that are walked by fractions are whole rows.
Places places_of(const ExpandedLoad &load, const std::vector<LaneWalk> &lanes, const Layout &layout) {
    std::array<int, 8> index = {};
    Places places;
    int total = 1;
    for (const LaneWalk &walk : lanes) {
        total *= walk.count;
    }
    for (int lane = 0; lane < std::min(total, kLanes); lane++) {
        double place = 0;
        for (size_t d = 0; d < load.axes.size(); d++) {
            double along = 0;
            for (size_t w = 0; w < lanes.size(); w++) {
                const int loop = lanes[w].loop;
                if (loop >= 0 && static_cast<size_t>(loop) < load.axes[d].slope.size()) {
                    along += load.axes[d].slope[static_cast<size_t>(loop)] * lanes[w].step * index[w];
                }
            }
            place += std::floor(along) * layout.strides[d];
        }
        places.add(static_cast<int64_t>(std::clamp(place * layout.element_bytes, -kFarthest, kFarthest)));
        for (size_t w = 0; w < lanes.size() && ++index[w] == lanes[w].count; w++) {
            index[w] = 0;
        }
    }
    places.sort();
    if (places.count > 0 && places.at[0] < 0) {  // mirrored: from a whole line, as the others
        const int64_t up = (-places.at[0] + kLine - 1) / kLine * kLine;
        for (size_t i = 0; i < places.count; i++) {
            places.at[i] += up;
        }
    }
    return places;
}

/// How many different words the bank has to give that has most of them.
double turns_of(const Places &places, double element_bytes) {
    const int64_t words = std::max<int64_t>(1, static_cast<int64_t>(element_bytes) / kWord);
    std::array<int, kBanks> of_bank = {};
    int64_t last = -1;
    for (size_t i = 0; i < places.count; i++) {
        for (int64_t w = places.at[i] / kWord; w < places.at[i] / kWord + words; w++) {
            if (w > last) {
                of_bank[static_cast<size_t>(w % kBanks)]++;
                last = w;
            }
        }
    }
    return std::max(1, *std::max_element(of_bank.begin(), of_bank.end()));
}

}  // namespace

Layout dense_layout(const std::vector<int64_t> &extents, double element_bytes) {
    Layout layout;
    layout.element_bytes = element_bytes;
    double stride = 1;
    for (const int64_t extent : extents) {
        layout.strides.push_back(stride);
        stride *= static_cast<double>(std::max<int64_t>(1, extent));
    }
    return layout;
}

WarpAccess access_of(const ExpandedLoad &load, const std::vector<LaneWalk> &lanes, const Layout &layout, double piece) {
    WarpAccess access;
    if (load.axes.empty() || lanes.empty()) {
        return access;
    }
    for (size_t d = 0; d < load.axes.size(); d++) {
        if (!load.axes[d].has_way()) {  // where data choose, some lanes meet by chance, and more in a row than in a box
            access.pieces = kLanes / (d == 0 ? 2.0 : 4.0);
            access.lines = access.pieces;
            access.turns = access.pieces / 4;
            return access;
        }
    }
    const Places places = places_of(load, lanes, layout);
    access.pieces = places.pieces(static_cast<int64_t>(piece));
    access.lines = places.pieces(kLine);
    access.turns = turns_of(places, layout.element_bytes);
    return access;
}

}  // namespace warptile

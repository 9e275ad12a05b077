#include "search/placing/moves.h"

#include <algorithm>
#include <vector>

namespace warptile {
namespace {

// What a move has to gain: less is within what the model can tell.
constexpr double kWorthMoving = 0.99;

class Mover {
public:
    Mover(const Arrange &arrange, int most_tries) : arrange_(arrange), left_(most_tries) {}

    std::optional<Moved> run() {
        const std::optional<Tried> start = arrange_({});
        if (!start) {
            return std::nullopt;
        }
        best_.kernel = *start;
        bool moved = false;
        while (left_ > 0 && make_best_move()) {
            moved = true;
        }
        return moved ? std::optional<Moved>(best_) : std::nullopt;
    }

private:
    const Arrange &arrange_;
    int left_;
    Moved best_, next_;

    /// Of all single moves that which gains most, so that none is made which only another, larger one makes up for;
    /// false where none gains.
    bool make_best_move() {
        next_ = best_;
        for (size_t i = 0; i < best_.kernel.kernel.parts.size(); i++) {
            const Part part = best_.kernel.kernel.parts[i];
            if (part.role == Role::Partial || (best_.kernel.kernel.wrapped && i == 0)) {
                continue;
            }
            for (const Place &place : other_places(i)) {
                Wishes wishes = best_.wishes;
                wishes.places[part.node] = place;
                try_move(wishes, part.node, &place);
            }
            if (part.role == Role::Copy) {
                Wishes wishes = best_.wishes;
                wishes.unstaged.insert(part.node);
                try_move(wishes, part.node, nullptr);
            }
        }
        const bool gains = next_.kernel.cost < best_.kernel.cost;
        best_ = next_;
        return gains;
    }

    Place place_of(const Part &part) const {
        return {part.placement, part.each_step ? best_.kernel.kernel.parts[static_cast<size_t>(part.at)].node : -1};
    }

    std::vector<Place> other_places(size_t i) const {
        const Kernel &kernel = best_.kernel.kernel;
        const Part &part = kernel.parts[i];
        std::vector<Place> all = {{Placement::Block, -1}};
        if (kernel.tile.lane_axis >= 0) {
            all.push_back({Placement::Warp, -1});
        }
        if (part.role != Role::Copy) {  // those of a thread's own are added afterwards (own_copies.h)
            all.push_back({Placement::Thread, -1});
            for (size_t host = 0; host < i; host++) {
                if (kernel.parts[host].role == Role::Func) {
                    all.push_back({Placement::Thread, kernel.parts[host].node});
                }
            }
        }
        std::vector<Place> others;
        for (const Place &place : all) {
            if (part.role == Role::Total || !(place == place_of(part))) {
                others.push_back(place);
            }
        }
        return others;
    }

    /// Whether it is where it was wished to be; no place: not in the kernel.
    static bool granted(const Kernel &kernel, int node, const Place *place) {
        const int at = part_of(kernel, node);
        if (!place || at < 0) {
            return !place && at < 0;
        }
        const Part &part = kernel.parts[static_cast<size_t>(at)];
        const int step_of = part.each_step ? kernel.parts[static_cast<size_t>(part.at)].node : -1;
        return part.placement == place->placement && step_of == place->step_of;
    }

    void try_move(const Wishes &wishes, int node, const Place *place) {
        if (left_-- <= 0) {
            return;
        }
        const std::optional<Tried> tried = arrange_(wishes);
        const double worth = best_.kernel.cost * kWorthMoving;
        if (tried && granted(tried->kernel, node, place) && tried->cost < std::min(worth, next_.kernel.cost)) {
            next_ = {*tried, wishes};
        }
    }
};

}  // namespace

std::optional<Moved> move_members(const Arrange &arrange, int most_tries) { return Mover(arrange, most_tries).run(); }

}  // namespace warptile

// An app's generator in which the texts of schedules stand in place of the autoscheduler that wrote them. Compiled with
// APP_GENERATOR (the app's source) and REPLAYS (a file that includes the `.schedule.h` files and names their functions,
// one a card, in the list `replays`); run with autoscheduler=Replay_CARD.
#include APP_GENERATOR
#include REPLAYS

namespace {

struct Replays {
    Replays() {
        for (const auto &[card, apply] : replays) {
            Halide::Pipeline::add_autoscheduler(
                std::string("Replay_") + card,
                [apply = apply](const Halide::Pipeline &pipeline, const Halide::Target &target,
                                const Halide::AutoschedulerParams &,
                                Halide::AutoSchedulerResults *) { apply(pipeline, target); });
        }
    }
};

const Replays all_replays;

}  // namespace

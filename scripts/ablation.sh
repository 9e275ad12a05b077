#!/usr/bin/env bash
# What each idea of the search is worth: a bundle of pipelines scheduled by the whole search, by the search without one
# part of its space, and by the other cost model, to be timed side by side on a machine with a GPU.
#
#     scripts/ablation.sh BUNDLE [OPTION ...]
#     scripts/ablation.sh --variants
#
# Options go to `warptile-bench build`: --apps blur,unsharp for some of the project's apps, --generators for others',
# --gpu for the card. What is scheduled alike is built once. On the machine with the GPU:
#
#     make -C BUNDLE -j && BUNDLE/warptile-bench run BUNDLE --json FILE --ablation TABLE.md
#
# docs/results.md has such a table. With --variants it prints the variants alone, for another command that builds bundles:
#
#     scripts/strangers.sh HALIDE BUNDLE --variants "$(scripts/ablation.sh --variants)"
#
# Environment:
#   GPU=h100    the card to schedule for, where no --gpu is given
#   PLUGIN=…    the plugin (default: build/lib/libautoschedule_warptile.so)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -ge 1 ] || { sed -n '2,21s/^# \{0,1\}//p' "$0" >&2; exit 2; }
gpu=${GPU:-h100} previous=
options=("${@:2}" --gpu "$gpu")
for argument in "${@:2}"; do
    case $argument in --gpu=*) gpu=${argument#*=} options=("${@:2}") ;; esac
    [ "$previous" = --gpu ] && gpu=$argument options=("${@:2}")
    previous=$argument
done

plugin=$(realpath "${PLUGIN:-build/lib/libautoschedule_warptile.so}")
whole="-p $plugin autoscheduler=WarpTile autoscheduler.gpu=$gpu"
variants="WarpTile=$whole"
add() { variants+=",$1=$whole autoscheduler.$2"; }
add block_tiles_only without=warp_tiles+nested+streams
add warp_tiles_only without=block_tiles+nested+streams
add no_hybrid without=hybrid
add no_nested without=nested
add no_streams without=streams
add no_staging without=staging
add no_moves without=moves
add no_fusion without=block_tiles+warp_tiles+thread_tiles
add beam_of_one without=beam
add jangda2020 cost_model=jangda2020

if [ "$1" = --variants ]; then
    echo "$variants"
    exit 0
fi
bench=build/bin/warptile-bench
[ -x "$bench" ] || { echo "ablation: build the project first (README.md)" >&2; exit 2; }
exec "$bench" build "$1" --once --variants "$variants" "${options[@]}"

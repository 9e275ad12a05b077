#!/usr/bin/env bash
# Shows what WarpTile does: sets up, builds, schedules the Harris corner detector, and prints the schedule. The library,
# its header and the schedule are left in build/demo. Where there is an NVIDIA GPU the pipeline also runs on a photograph,
# is compared with a plain C++ reference and is timed beside the expert schedule and the other autoschedulers.
#
# Environment:
#   WARPTILE_GPU=h100   the card to schedule for where this machine has none
#   what scripts/setup.sh reads
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { echo; echo "demo: $*"; }

# The card of this machine: its name as weights/ has it, and its compute capability without the dot.
find_gpu() {
    gpu=${WARPTILE_GPU:-h100} capability=80 on_gpu=false
    command -v nvidia-smi >/dev/null && nvidia-smi >/dev/null 2>&1 || return 0
    on_gpu=true
    local name file
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr 'A-Z' 'a-z' | tr -d ' -')
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '.')
    gpu=
    for file in weights/*.json; do
        file=$(basename "$file" .json)
        [[ $name == *"${file//-/}"* ]] && gpu=$file
    done
    # Halide names capabilities up to 8.6; a card runs code for any that is not newer than itself.
    local known
    for known in 30 35 50 61 70 75 80 86; do
        (( known <= capability )) && target_capability=$known
    done
    capability=$target_capability
}

scripts/setup.sh
export PATH="$PWD/.venv/bin:$PATH"
find_gpu

say "building the plugin and the app"
cmake --preset release
cmake --build --preset release --target autoschedule_warptile gengen harris.generator warptile-bench

target=host-cuda-cuda_capability_$capability
say "scheduling harris for ${gpu:-a card of this capability}, target $target"
mkdir -p build/demo
rm -rf build/demo/*
options=()
[ -z "$gpu" ] || options+=("autoscheduler.gpu=$gpu")
set -x
build/bin/harris.generator -g harris -f harris -o build/demo -e static_library,c_header,schedule,registration \
    -p build/lib/libautoschedule_warptile.so -s WarpTile "target=$target" "${options[@]}"
{ set +x; } 2>/dev/null

say "build/demo/harris.schedule.h:"
cat build/demo/harris.schedule.h

if ! $on_gpu; then
    say "no NVIDIA GPU here, so nothing was run; the library and its header are in build/demo"
    exit 0
fi

say "running on a photograph"
.venv/bin/python -m pip install --quiet --no-deps matplotlib==3.10.0
.venv/bin/python - build/demo/photo.ppm <<'END'
import pathlib, sys, importlib.util
from PIL import Image
package = pathlib.Path(importlib.util.find_spec("matplotlib").origin).parent
Image.open(package / "mpl-data/sample_data/grace_hopper.jpg").convert("RGB").save(sys.argv[1])
END
build/bin/warptile-bench build build/demo/bundle --apps harris --variants expert,WarpTile,Li2018,Anderson2021 \
    --target "$target" --gpu "${gpu:-h100}"
make --silent -j "$(nproc)" -C build/demo/bundle
build/demo/bundle/warptile-bench run build/demo/bundle --picture build/demo/photo.ppm

#!/usr/bin/env bash
# Tries random pipelines under random plans: scripts/fuzz.sh N [FIRST] runs the seeds FIRST (0) to FIRST + N - 1 and prints
# the seed, the program and the plan of every failure, and how often each part of the space of plans occurred. Where there
# is no NVIDIA GPU, every sixth seed runs on the emulated one, which takes longer than all else.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: scripts/fuzz.sh N [FIRST]" >&2
    exit 2
fi
program=build/bin/warptile-fuzz
emulator=build/test/emulator
if [ ! -x "$program" ] || [ ! -e "$emulator/libcuda.so.1" ]; then
    scripts/setup.sh
    export PATH="$PWD/.venv/bin:$PATH"
    cmake --preset release
    cmake --build build --target warptile-fuzz emulated_cuda
fi
if nvidia-smi -L >/dev/null 2>&1; then
    exec "$program" "$@"
fi
LD_LIBRARY_PATH="$emulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$program" --gpu-every 6 "$@"

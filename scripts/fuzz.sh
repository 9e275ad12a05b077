#!/usr/bin/env bash
# Tries random pipelines under random plans: scripts/fuzz.sh N [FIRST] runs the seeds FIRST (0) to FIRST + N - 1 and prints
# the seed, the program and the plan of every failure, and how often each part of the space of plans occurred.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: scripts/fuzz.sh N [FIRST]" >&2
    exit 2
fi
program=build/bin/warptile-fuzz
if [ ! -x "$program" ]; then
    scripts/setup.sh
    export PATH="$PWD/.venv/bin:$PATH"
    cmake --preset release
    cmake --build build --target warptile-fuzz
fi
exec "$program" "$@"

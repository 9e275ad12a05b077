#!/usr/bin/env bash
# Sets up, builds and tests everything, from a fresh clone or any later state; ends with ctest's summary.
# Arguments go to ctest: scripts/test.sh -R Weights
#
# Environment:
#   WARPTILE_PRESET=release   the preset of CMakePresets.json: release, debug or clang
#   what scripts/setup.sh reads
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
# The wheels' cmake and ninja stand in where the system's are missing or too old; where not, .venv has none.
export PATH="$PWD/.venv/bin:$PATH"
preset=${WARPTILE_PRESET:-release}
cmake --preset "$preset"
cmake --build --preset "$preset"
ctest --preset "$preset" --output-on-failure --parallel "$(nproc)" "$@"

#!/usr/bin/env bash
# A user's generator through all of warptile-bench: built under its own schedule and two schedulers, run (the kernels in
# the emulator), reported, and held to bars, one met and one missed.
#
#     run.sh BENCH GENERATOR SOURCE HALIDE PLUGINS WORK EMULATOR
set -euo pipefail
bench=$1 generator=$2 source=$3 halide=$4 plugins=$5 work=$6 emulator=$7

fail() { echo "outside: $*" >&2; exit 1; }
expect() { grep -qF -- "$1" "$2" || { cat "$2" >&2; fail "'$1' is not in $2"; }; }

rm -rf "$work" && mkdir -p "$work" && cd "$work"
"$bench" build bundle --generators "$generator" --source "$source" --halide "$halide" --plugins "$plugins" \
    --variants "expert,WarpTile,$halide/lib64/libautoschedule_li2018.so parallelism=132" --jobs 2 >build.txt
cat build.txt
expect "bundle: 3 pipelines, 0 of them failed" build.txt

make --silent -C bundle -j2 pipelines
LD_LIBRARY_PATH=$emulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$bench" run bundle --rounds 2 --batch 1 --no-ceilings \
    --json results.json --html results.html --check "WarpTile agrees" --check "Li2018 agrees" >run.txt
cat run.txt
expect "expert: agrees on 1 of 1" run.txt
expect "met: WarpTile agrees" run.txt
expect '"compulsory_bytes": 24801.0' results.json
expect '"predicted_us"' results.json
expect "brighten" results.html

"$bench" report results.json >report.md
expect "| brighten | WarpTile |" report.md
if "$bench" report results.json --check "WarpTile ms <= 0" >missed.txt; then
    fail "a bar that no run can clear was met"
fi
expect "MISSED: WarpTile ms <= 0" missed.txt
if "$bench" report results.json --check "quick enough" >/dev/null 2>wrong.txt; then
    fail "words that are no bar were taken for one"
fi
expect "is no bar" wrong.txt

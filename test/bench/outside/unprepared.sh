#!/usr/bin/env bash
# A generator without estimates and with a schedule that it does not give up, through warptile-bench: what is missing is
# given on the command line; what cannot be meant is refused with the names that could be.
#
#     unprepared.sh BENCH GENERATOR OUTSIDE SOURCE HALIDE PLUGINS WORK EMULATOR
set -euo pipefail
bench=$1 generator=$2 outside=$3 source=$4 halide=$5 plugins=$6 work=$7 emulator=$8

fail() { echo "unprepared: $*" >&2; exit 1; }
expect() { grep -qF -- "$1" "$2" || { cat "$2" >&2; fail "'$1' is not in $2"; }; }
build() { "$bench" build "$1" --generators "$2" --source "$source" --halide "$halide" --plugins "$plugins" \
    --variants WarpTile --jobs 2 "${@:3}" >build.txt 2>&1; }
refused() { if build refused "$@"; then fail "built with ${*:2}"; fi; }

rm -rf "$work" && mkdir -p "$work" && cd "$work"
sizes=(--estimate input=131,98 --estimate weights=130 --estimate "row_sums: gain=0.25"
       --estimate output=0,130,0,97 --estimate sums=97)

refused "$generator" "${sizes[@]}" --estimate inptu=131,98
expect "an estimate was given of 'inptu', but the arguments of 'row_sums' are 'input', 'weights_0', 'weights_1', 'gain'," build.txt
refused "$generator" "${sizes[@]}" --estimate input=131
expect "the estimate of 'input' has 1 numbers; it has 2 dimensions" build.txt
refused "$generator" "${sizes[@]}" --estimate gain=1,2
expect "the estimate of 'gain' has 2 numbers; it is a scalar" build.txt
refused "$generator" "${sizes[@]}" --estimate "blur: gain=1"
expect "an estimate is for 'blur', which is not built here" build.txt
refused "$outside" --estimate gain=1
expect "Halide's own generator main" build.txt

build scheduled "$generator" "${sizes[@]}" || fail "a generator with a schedule of its own ended the build"
expect "has a schedule already" build.txt

printf 'row_sums %s row_sums\n    --schedule forget\n' "$generator" >apps.list
build bundle apps.list "${sizes[@]}"
cat build.txt
expect "bundle: 1 pipelines, 0 of them failed" build.txt
make --silent -C bundle -j2 pipelines
LD_LIBRARY_PATH=$emulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$bench" run bundle --rounds 2 --batch 1 --no-ceilings \
    --json results.json --check "WarpTile agrees" >run.txt
cat run.txt
expect "met: WarpTile agrees" run.txt

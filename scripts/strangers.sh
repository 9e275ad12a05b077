#!/usr/bin/env bash
# Generators of the Halide repository, unchanged, under their own schedules, WarpTile and the other autoschedulers:
# compiles them, makes a bundle for a machine with a GPU, and prints what was found without one.
#
#     scripts/strangers.sh HALIDE BUNDLE [OPTION ...]
#
# HALIDE is a checkout of the repository (v21.0.0 fits Halide 21); nothing of it is changed or kept. Options go to
# `warptile-bench build`: --apps blur,hist for some of them, --variants expert,WarpTile for fewer schedulers. Which
# generators, and the estimates of those that have none: scripts/strangers.txt.
#
# Environment:
#   JOBS=2   programs compiled, and pipelines built, at once (default: the cores)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ -d "$1/apps" ] || { echo "strangers: '$1' is no checkout of the Halide repository: it has no apps/" >&2; exit 2; }
halide=$(cd "$1" && pwd) bundle=$2
shift 2
work=build/strangers
bench=build/bin/warptile-bench
main=build/lib/libwarptile_generator_main.a
[ -x "$bench" ] && [ -f "$main" ] || { echo "strangers: build the project first (README.md)" >&2; exit 2; }
prefix=$(find .venv/lib/python*/site-packages/halide /usr/local /usr -maxdepth 0 2>/dev/null | while read -r folder; do
    [ -f "$folder/include/Halide.h" ] && echo "$folder" && break; done || true)
[ -n "$prefix" ] || { echo "strangers: Halide 21 was not found; scripts/setup.sh installs it" >&2; exit 2; }
library=$(dirname "$(find "$prefix" -name 'libHalide.so*' | head -n 1)")
export halide work main prefix library
mkdir -p "$work"

# given OPTION: its value among the options; fails where it is not there.
given() {
    local option=$1
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        "$option") echo "${2:-}"; return 0 ;;
        "$option="*) echo "${1#*=}"; return 0 ;;
        esac
        shift
    done
    return 1
}
apps=$(given --apps "$@" || true)
defaults=()
given --variants "$@" >/dev/null || given --schedulers "$@" >/dev/null ||
    defaults+=(--variants expert,WarpTile,Li2018,Anderson2021)
given --timeout "$@" >/dev/null || defaults+=(--timeout 60)
given --jobs "$@" >/dev/null || defaults+=(--jobs "${JOBS:-$(nproc)}")
given --limit "$@" >/dev/null || defaults+=(--limit 60)

# One line an app: NAME SOURCES GENERATOR ARGUMENTS.
joined() { sed -e '/^#/d' -e '/^[[:space:]]*$/d' scripts/strangers.txt | sed -e ':a' -e 'N' -e '$!ba' -e 's/\n[[:space:]]\+/ /g' |
    awk -v apps="$apps" 'BEGIN { n = split(apps, names, ","); for (i = 1; i <= n; i++) chosen[names[i]] }
                         !n || $1 in chosen'; }
program_of() { echo "${1%%,*}" | sed -e 's/\.cpp$//' -e 's/[^A-Za-z0-9]/_/g'; }
export -f program_of

# compile SOURCES: a program of them, unless it is newer than they are.
compile() {
    local program=$work/$(program_of "$1") source sources=()
    for source in ${1//,/ }; do
        [ -f "$halide/$source" ] || { echo "strangers: $source is not there, left out" >&2; return 0; }
        sources+=("$halide/$source")
    done
    [ "$program" -nt "${sources[0]}" ] && [ "$program" -nt "$main" ] && return 0
    echo "compiling $1" >&2
    "${CXX:-g++}" -std=c++17 -O0 -w -I"$work" -include Halide.h -I"$prefix/include" -I"$halide" -I"$halide/apps" \
        -I"$halide/apps/hannk" -I"$halide/tools" "${sources[@]}" "$main" -rdynamic -L"$library" -lHalide \
        "-Wl,-rpath,$(cd "$library" && pwd)" -ldl -lpthread -o "$program" ||
        echo "strangers: $1 does not compile, left out" >&2
}
export -f compile

# Halide.h is compiled once: a generator takes less time than it.
if [ ! "$work/Halide.h.gch" -nt "$prefix/include/Halide.h" ]; then
    cp "$prefix/include/Halide.h" "$work/Halide.h"
    "${CXX:-g++}" -std=c++17 -O0 -x c++-header "$work/Halide.h" -o "$work/Halide.h.gch"
fi
joined | awk '{print $2}' | sort -u | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile {}'
joined | while read -r name sources rest; do
    program=$(program_of "$sources")
    [ ! -x "$work/$program" ] || echo "$name $program $rest"
done >"$work/strangers.list"

"$bench" build "$bundle" --generators "$work/strangers.list" "${defaults[@]}" "$@"
"$bench" inspect "$bundle"

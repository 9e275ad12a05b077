#!/usr/bin/env bash
# Formats the C++ sources with clang-format; with --check changes nothing and fails where it would; with --tidy runs
# clang-tidy instead, on the sources named after it or on all, after a build in build/ (for its compile commands).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources() { git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h'; }

case ${1:-} in
--check) sources | xargs clang-format --dry-run --Werror ;;
--tidy)
    shift
    if [ $# = 0 ]; then mapfile -t files < <(sources | grep '^src/.*\.cpp$'); else files=("$@"); fi
    clang-tidy -p build --quiet "${files[@]}"
    ;;
"") sources | xargs clang-format -i ;;
*) echo "usage: scripts/format.sh [--check | --tidy [FILE...]]" >&2; exit 2 ;;
esac

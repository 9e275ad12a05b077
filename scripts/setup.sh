#!/usr/bin/env bash
# Brings what a build of WarpTile needs onto this machine, and says what it does: Debian packages that are missing
# (with sudo where you are not root) and, in .venv at the root of the repository, the pinned Python wheels of
# scripts/requirements.txt. Where everything is there already it changes nothing and needs no network.
#
# Environment:
#   PYTHON=python3       the Python (3.10 or later) that makes .venv
#   WARPTILE_NO_APT=1    install no Debian packages: only tell which are missing
#   WARPTILE_NO_WHEELS=1 make no .venv: for a Halide 21 and a CUDA Toolkit of your own (CMAKE_PREFIX_PATH, CUDA_PATH)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What .venv brings must not pass for the system's own, or a second run in an activated .venv would decide otherwise.
PATH=${PATH//"$PWD/.venv/bin:"/}

say() { echo "setup: $*"; }
fail() { echo "setup: error: $*" >&2; exit 1; }

# ---- Debian packages ---------------------------------------------------------------------------------------------

# Each line is a package and what proves that it, or an equal of it, is there: a program, or a file under the usual
# prefixes.
packages() {
    cat <<'END'
g++ program:c++
git program:git
make program:make
ca-certificates file:/etc/ssl/certs/ca-certificates.crt
nlohmann-json3-dev file:include/nlohmann/json.hpp
libcli11-dev file:include/CLI/CLI.hpp
libgtest-dev file:include/gtest/gtest.h
ocl-icd-opencl-dev file:include/CL/cl.h
ocl-icd-libopencl1 library:libOpenCL.so.1
pocl-opencl-icd file:/etc/OpenCL/vendors/pocl.icd
END
}

is_there() {
    local name=${1#*:} prefix
    case $1 in
    program:*) command -v "$name" >/dev/null ;;
    library:*) /sbin/ldconfig -p 2>/dev/null | grep -q "$name" ;;
    file:/*) [ -e "$name" ] ;;
    file:*)
        for prefix in /usr/local /usr; do
            if [ -e "$prefix/$name" ]; then return 0; fi
        done
        return 1
        ;;
    esac
}

# python3 -m venv needs ensurepip, which Debian ships apart.
python=${PYTHON:-python3}
python_can_make_venv() {
    command -v "$python" >/dev/null && "$python" -c 'import ensurepip, venv' 2>/dev/null
}

missing=()
while read -r package proof; do
    is_there "$proof" || missing+=("$package")
done < <(packages)
if [ -z "${WARPTILE_NO_WHEELS:-}" ] && [ ! -x .venv/bin/pip ] && ! python_can_make_venv; then
    missing+=(python3 python3-venv)
fi

install_packages() {
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo)
        command -v sudo >/dev/null || return 1
    fi
    command -v apt-get >/dev/null || return 1
    "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

if [ ${#missing[@]} -gt 0 ]; then
    by_hand="install these packages, or what your system calls them, and run this script again: ${missing[*]}"
    if [ -n "${WARPTILE_NO_APT:-}" ]; then fail "WARPTILE_NO_APT is set; $by_hand"; fi
    say "installing Debian packages: ${missing[*]}"
    install_packages "${missing[@]}" || fail "could not install them (no apt-get, no root or sudo, or no network); $by_hand"
fi

# ---- Wheels ------------------------------------------------------------------------------------------------------

# The wheels of requirements.txt, and the build tools that the system lacks or has too old.
wheels() {
    cat scripts/requirements.txt
    build_tools
}

build_tools() {
    if ! cmake_is_new_enough; then echo "cmake==3.31.10"; fi
    if ! command -v ninja >/dev/null; then echo "ninja==1.13.0"; fi
}

cmake_is_new_enough() {
    local found
    found=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p')
    [ -n "$found" ] && printf '3.28\n%s\n' "$found" | sort -VC
}

if [ -z "${WARPTILE_NO_WHEELS:-}" ]; then
    if [ ! -x .venv/bin/pip ]; then
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
            fail "$python is $("$python" --version 2>&1), too old for the halide wheel: set PYTHON to 3.10 or later"
        say "making .venv with $("$python" --version)"
        "$python" -m venv .venv
    fi
    # The stamp is the list that was installed: another list, or no stamp, means pip has to look.
    stamp=.venv/warptile-wheels.txt
    if [ "$(wheels)" != "$(cat "$stamp" 2>/dev/null)" ]; then
        say "installing into .venv what scripts/requirements.txt lists$(build_tools | sed 's/==.*//; s/^/ and /' | tr -d '\n')"
        wheels >"$stamp.wanted"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$stamp.wanted" ||
            fail "pip could not install them (no network?); with a Halide 21 of your own set WARPTILE_NO_WHEELS=1"
        mv "$stamp.wanted" "$stamp"
    fi
fi

say "everything is in place"

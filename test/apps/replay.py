"""The text of a schedule is the schedule: for one pipeline and three cards, the `.schedule.h` that WarpTile writes, compiled
into the generator in place of the autoscheduler, lowers to the same statement byte for byte.

usage: replay.py NAME --generator PROGRAM --algorithm ITS_SOURCE --plugin PLUGIN --source SOURCE
                      --include HALIDE_HEADERS --libhalide LIBRARY --generator-main LIBRARY --cxx COMPILER
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

CARDS = [("h100", 80), ("v100", 70), ("gtx1080ti", 61)]


def run(*command):
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")


def generate(generator, app, card, capability, folder, outputs, *scheduler):
    """The files of one run. The name of the pipeline stands in the statement, so it is the same in every run."""
    folder.mkdir(parents=True)
    target = f"x86-64-linux-cuda-cuda_capability_{capability}"
    run(generator, "-g", app, "-f", f"{app}_{card}", "-o", folder, "-e", outputs, *scheduler, f"target={target}")
    return folder / f"{app}_{card}"


def compile_replay(args, schedule, name, binary):
    run(args.cxx, "-std=c++17", "-O0", "-fno-rtti", f"-I{args.source}/src", f"-I{args.source}/apps", f"-I{args.source}",
        f"-isystem{args.include}",
        f'-DAPP_GENERATOR="{args.algorithm}"', f'-DSCHEDULE="{schedule}"',
        f"-DAPPLY=apply_schedule_{name}", pathlib.Path(args.source) / "test" / "apps" / "replay.cpp",
        args.generator_main, args.libhalide, f"-Wl,-rpath,{pathlib.Path(args.libhalide).parent}", "-ldl", "-lpthread",
        "-o", binary)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("app")
    for option in ("generator", "algorithm", "plugin", "source", "include", "libhalide", "generator-main", "cxx"):
        parser.add_argument(f"--{option}", required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for card, capability in CARDS:
            name = f"{args.app}_{card}"
            first = generate(args.generator, args.app, card, capability, folder / card / "made", "schedule,stmt",
                             "-p", args.plugin, "-s", "WarpTile", f"autoscheduler.gpu={card}")
            binary = folder / card / "replay"
            compile_replay(args, f"{first}.schedule.h", name, binary)
            again = generate(binary, args.app, card, capability, folder / card / "replayed", "stmt",
                             "autoscheduler=Replay")
            if pathlib.Path(f"{first}.stmt").read_bytes() != pathlib.Path(f"{again}.stmt").read_bytes():
                sys.exit(f"{name}: the replayed schedule lowers to another statement")
            print(f"{name}: the same statement, {pathlib.Path(f'{first}.stmt').stat().st_size} bytes")


if __name__ == "__main__":
    main()

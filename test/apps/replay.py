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


def compile_replays(args, schedules, folder):
    """One program with the schedules of all cards: {card: what its files begin with}."""
    lines = [f'#include "{files}.schedule.h"' for files in schedules.values()]
    lines.append("const std::pair<const char *, void (*)(Halide::Pipeline, Halide::Target)> replays[] = {")
    lines += [f'    {{"{card}", apply_schedule_{files.name}}},' for card, files in schedules.items()]
    (folder / "replays.h").write_text("\n".join(lines + ["};", ""]))
    binary = folder / "replay"
    run(args.cxx, "-std=c++17", "-O0", "-fno-rtti", f"-I{args.source}/src", f"-I{args.source}/apps", f"-I{args.source}",
        f"-isystem{args.include}",
        f'-DAPP_GENERATOR="{args.algorithm}"', f'-DREPLAYS="{folder}/replays.h"',
        pathlib.Path(args.source) / "test" / "apps" / "replay.cpp",
        args.generator_main, args.libhalide, f"-Wl,-rpath,{pathlib.Path(args.libhalide).parent}", "-ldl", "-lpthread",
        "-o", binary)
    return binary


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("app")
    for option in ("generator", "algorithm", "plugin", "source", "include", "libhalide", "generator-main", "cxx"):
        parser.add_argument(f"--{option}", required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        made = {}
        for card, capability in CARDS:
            made[card] = generate(args.generator, args.app, card, capability, folder / card / "made", "schedule,stmt",
                                  "-p", args.plugin, "-s", "WarpTile", f"autoscheduler.gpu={card}")
        binary = compile_replays(args, made, folder)
        for card, capability in CARDS:
            again = generate(binary, args.app, card, capability, folder / card / "replayed", "stmt",
                             f"autoscheduler=Replay_{card}")
            first = pathlib.Path(f"{made[card]}.stmt")
            if first.read_bytes() != pathlib.Path(f"{again}.stmt").read_bytes():
                sys.exit(f"{first.stem}: the replayed schedule lowers to another statement")
            print(f"{first.stem}: the same statement, {first.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""From Python the schedule is the one that the C++ generator of the same pipeline gets, and a mistake is one clear error.

usage: python.py --generator blur.generator --plugin PLUGIN --example blur.py
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def python(example, plugin, *parameters):
    return subprocess.run([sys.executable, example, plugin, *parameters], capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    for option in ("generator", "plugin", "example"):
        parser.add_argument(f"--{option}", required=True)
    args = parser.parse_args()

    ours = python(args.example, args.plugin, "gpu=h100")
    assert ours.returncode == 0, ours.stderr
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([args.generator, "-g", "blur", "-f", "blur", "-o", folder, "-e", "schedule", "-p", args.plugin,
                        "-s", "WarpTile", "target=x86-64-linux-cuda-cuda_capability_80", "autoscheduler.gpu=h100"],
                       check=True)
        generated = (pathlib.Path(folder) / "blur.schedule.h").read_text()
    # The file indents the body and wraps it in a function; the statements are the same.
    lines = [line.strip() for line in ours.stdout.splitlines()]
    theirs = [line.strip() for line in generated.splitlines()]
    assert any("gpu_blocks" in line for line in lines), ours.stdout
    start = theirs.index(lines[0])
    assert theirs[start:start + len(lines)] == lines, f"{ours.stdout}\n---\n{generated}"

    wrong = python(args.example, args.plugin, "gpu=h1000")
    assert wrong.returncode != 0 and "h1000" in wrong.stderr and "h100" in wrong.stderr, wrong.stderr
    unknown = python(args.example, args.plugin, "gpus=h100")
    assert unknown.returncode != 0 and "autoscheduler.gpus" in unknown.stderr, unknown.stderr
    print("the same schedule from Python and C++")


if __name__ == "__main__":
    main()

"""From Python the schedule is the one that the C++ generator of the same pipeline gets, and a mistake is one clear error.

usage: python.py --generator blur.generator --plugin PLUGIN --example blur.py --python-generator soften_generator.py
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def python(example, plugin, *parameters):
    return subprocess.run([sys.executable, example, plugin, *parameters], capture_output=True, text=True)


def soften(generator, plugin, folder, parameters):
    """Runs a generator of Python's, with these parameters in the environment."""
    return subprocess.run([sys.executable, generator, "-g", "soften", "-f", "soften", "-o", folder, "-e", "schedule",
                           "-p", plugin, "target=x86-64-linux-cuda-cuda_capability_80", "autoscheduler=WarpTile"],
                          capture_output=True, text=True, env={**os.environ, "WARPTILE_PARAMETERS": parameters})


def check_environment(generator, plugin):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "the report.json"
        done = soften(generator, plugin, folder, f"gpu=H100 report='{report}'")
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(report.read_text())["gpu"] == "h100"
        assert "WarpTile for h100" in (pathlib.Path(folder) / "soften.schedule.h").read_text()
        unknown = soften(generator, plugin, folder, "gpus=h100")
        said = unknown.stdout + unknown.stderr
        assert unknown.returncode != 0 and "WARPTILE_PARAMETERS: gpus=h100" in said and "'gpu'" in said, said


def main():
    parser = argparse.ArgumentParser()
    for option in ("generator", "plugin", "example", "python-generator"):
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
    check_environment(args.python_generator, args.plugin)
    print("the same schedule from Python and C++")


if __name__ == "__main__":
    main()

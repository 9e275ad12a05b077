"""The pipeline of blur_generator.cpp in Python, scheduled by WarpTile: prints the schedule.

usage: blur.py build/lib/libautoschedule_warptile.so [name=value ...]      parameters of the autoscheduler
"""

import sys

import halide as hl


def blur(width=4256, height=2832):
    """The pipeline's output: a 3x3 box blur of 16-bit pixels."""
    x, y = hl.Var("x"), hl.Var("y")
    image = hl.ImageParam(hl.UInt(16), 2, "input")
    rows, output = hl.Func("rows"), hl.Func("output")
    three = hl.u16(3)
    rows[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / three
    output[x, y] = (rows[x, y] + rows[x, y + 1] + rows[x, y + 2]) / three
    image.set_estimates([hl.Range(0, width + 2), hl.Range(0, height + 2)])
    output.set_estimates([hl.Range(0, width), hl.Range(0, height)])
    return output


def main():
    plugin, *parameters = sys.argv[1:]
    hl.load_plugin(plugin)
    params = hl.AutoschedulerParams("WarpTile", dict(p.split("=", 1) for p in parameters))
    target = hl.Target("x86-64-linux-cuda-cuda_capability_80")
    print(hl.Pipeline(blur()).apply_autoscheduler(target, params).schedule_source, end="")


if __name__ == "__main__":
    main()

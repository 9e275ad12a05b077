#!/usr/bin/env python3
"""Times PyTorch's own kernels for the reductions among WarpTile's apps, at the apps' default sizes.

    scripts/pytorch_reductions.py [--json FILE] [--cases softmax,sum] [--dry]

Prints one JSON object a line, and with --json appends them to FILE too. Of each case, in milliseconds a call:

  eager_ms   median of 7 batches of back-to-back calls from Python, one synchronisation at a batch's end. Where the
             kernel is short this is the time of the host, not of the GPU.
  graph_ms   the same of replays of a CUDA graph that holds 20 calls: the launches cost what a graph's launches cost.
  kernel_ms  the sum of the durations of all the call's kernels, copies and memsets, by torch.profiler (no gaps).

What one call leaves in the L2 cache the next one finds there, as in warptile-bench. --dry runs on the host, to see that
the script works.
"""

import argparse
import json
import statistics
import sys
import time
import traceback

import torch
import torch.nn.functional as F

BATCHES = 7
BATCH_SECONDS = 0.04
CALLS_PER_GRAPH = 20
WARM_UP_SECONDS = 0.3
PROFILED_CALLS = 50


def cases(device):
    """Name -> (what it is, a function that makes the inputs and gives back the call)."""

    def rand(*shape):
        return torch.rand(*shape, device=device, dtype=torch.float32)

    def softmax():
        x = rand(4096, 1024)
        return lambda: torch.softmax(x, dim=1)

    def layer_norm():
        x, weight, bias = rand(4096, 1024), rand(1024), rand(1024)
        return lambda: F.layer_norm(x, (1024,), weight, bias, 1e-5)

    def argmax():
        x = rand(2048, 1000)
        return lambda: torch.argmax(x, dim=1)

    def max_with_index():
        x = rand(2048, 1000)
        return lambda: torch.max(x, dim=1)

    def batch_norm(running):
        def make():
            x, weight, bias = rand(16, 64, 56, 56), rand(64), rand(64)
            mean = torch.zeros(64, device=device) if running else None
            variance = torch.ones(64, device=device) if running else None
            return lambda: F.batch_norm(x, mean, variance, weight, bias, training=True, momentum=0.1, eps=1e-5)

        return make

    def native_batch_norm():
        x, weight, bias = rand(16, 64, 56, 56), rand(64), rand(64)
        mean, variance = torch.zeros(64, device=device), torch.ones(64, device=device)
        return lambda: torch.native_batch_norm(x, weight, bias, mean, variance, True, 0.1, 1e-5)

    def mean():
        x = rand(4096, 1024)  # the app: 1024 wide, 4096 high, a mean for each column
        return lambda: torch.mean(x, dim=0)

    def total():
        x = rand(2048, 2048)
        return lambda: torch.sum(x)

    def mat_mul():
        a, b, out = rand(1024, 1024), rand(1024, 1024), rand(1024, 1024)
        return lambda: torch.mm(a, b, out=out)

    return {
        "softmax": ("softmax of 4096 rows of 1024", softmax),
        "layer_norm": ("F.layer_norm of 4096 rows of 1024, weight and bias", layer_norm),
        "argmax": ("argmax of 2048 rows of 1000; an int64 index", argmax),
        "argmax_by_max": ("torch.max(dim=1) of 2048 rows of 1000: value and int64 index", max_with_index),
        "batch_norm": ("F.batch_norm training, 16x64x56x56, running statistics None, cuDNN allowed",
                       batch_norm(False)),
        "batch_norm_running": ("F.batch_norm training, 16x64x56x56, running statistics updated (as the app does), "
                               "cuDNN allowed", batch_norm(True)),
        "batch_norm_native": ("torch.native_batch_norm training, 16x64x56x56, running statistics updated: PyTorch's "
                              "own kernels", native_batch_norm),
        "mean": ("mean over the 4096 rows of 4096x1024 (dim 0): one number a column", mean),
        "sum": ("sum of 2048x2048 to one number", total),
        "mat_mul": ("torch.mm of 1024x1024 by 1024x1024, float32, TF32 off", mat_mul),
    }


class Timer:
    def __init__(self, dry):
        self.dry = dry

    def synchronise(self):
        if not self.dry:
            torch.cuda.synchronize()

    def seconds(self, call, count):
        self.synchronise()
        start = time.perf_counter()
        for _ in range(count):
            call()
        self.synchronise()
        return time.perf_counter() - start

    def warm_up(self, call):
        call()
        self.synchronise()
        end = time.perf_counter() + (0.02 if self.dry else WARM_UP_SECONDS)
        while time.perf_counter() < end:
            for _ in range(10):
                call()
            self.synchronise()

    def batches(self, call, calls_in_one=1):
        """Milliseconds a call, one number a batch, and how many calls a batch has."""
        self.warm_up(call)
        one = self.seconds(call, 5) / 5
        count = int(max(3, min(20000, BATCH_SECONDS / max(one, 1e-7))))
        self.seconds(call, min(count, 3))
        times = [1e3 * self.seconds(call, count) / (count * calls_in_one) for _ in range(BATCHES)]
        return times, count * calls_in_one


def summary(prefix, times, calls):
    median = statistics.median(times)
    return {prefix + "_ms": round(median, 6), prefix + "_spread": round((max(times) - min(times)) / median, 4),
            prefix + "_calls_a_batch": calls}


def eager(timer, call):
    return summary("eager", *timer.batches(call))


def graphed(timer, call):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(5):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS_PER_GRAPH):
            call()
    return summary("graph", *timer.batches(graph.replay, CALLS_PER_GRAPH))


def profiled(timer, call):
    from torch.autograd import DeviceType
    from torch.profiler import ProfilerActivity, profile

    activities = [ProfilerActivity.CPU] if timer.dry else [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    timer.warm_up(call)
    with profile(activities=activities):  # the first profile of a process starts CUPTI
        call()
        timer.synchronise()
    with profile(activities=activities) as prof:
        for _ in range(PROFILED_CALLS):
            call()
        timer.synchronise()
    wanted = DeviceType.CPU if timer.dry else DeviceType.CUDA
    kernels = {}
    for event in prof.events():
        if event.device_type != wanted:
            continue
        microseconds = event.time_range.end - event.time_range.start
        count, total = kernels.get(event.name, (0, 0.0))
        kernels[event.name] = (count + 1, total + microseconds)
    if not kernels:  # the same, from what the tracer itself has
        for event in prof.profiler.kineto_results.events():
            if event.device_type() == wanted:
                count, total = kernels.get(event.name(), (0, 0.0))
                kernels[event.name()] = (count + 1, total + event.duration_ns() / 1e3)
    if not kernels:
        raise RuntimeError("the profiler saw no kernel (CUPTI not permitted here?)")
    shown = sorted(kernels.items(), key=lambda item: -item[1][1])
    return {"kernel_ms": round(sum(total for _, (_, total) in shown) / PROFILED_CALLS / 1e3, 6),
            "kernels": [{"name": name[:120], "a_call": round(count / PROFILED_CALLS, 3), "us": round(total / count, 3)}
                        for name, (count, total) in shown]}


def machine(dry):
    about = {"case": "machine", "torch": torch.__version__, "cuda": torch.version.cuda}
    try:
        about["cudnn"] = torch.backends.cudnn.version()
    except Exception as error:
        about["cudnn"] = repr(error)
    if not dry:
        about["card"] = torch.cuda.get_device_name(0)
        about["sms"] = torch.cuda.get_device_properties(0).multi_processor_count
    return about


def no_tf32():
    for set_it in (lambda: torch.set_float32_matmul_precision("highest"),
                   lambda: setattr(torch.backends.cuda.matmul, "allow_tf32", False),
                   lambda: setattr(torch.backends.cudnn, "allow_tf32", False)):
        try:
            set_it()
        except Exception as error:
            print("TF32:", repr(error), file=sys.stderr)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--json")
    arguments.add_argument("--cases", default="")
    arguments.add_argument("--dry", action="store_true")
    options = arguments.parse_args()
    if not options.dry and not torch.cuda.is_available():
        sys.exit("PyTorch sees no GPU")
    device = "cpu" if options.dry else "cuda"
    no_tf32()

    def say(row):
        line = json.dumps(row)
        print(line, flush=True)
        if options.json:
            with open(options.json, "a") as file:
                file.write(line + "\n")

    try:
        say(machine(options.dry))
    except Exception as error:
        say({"case": "machine", "error": repr(error)})
    timer = Timer(options.dry)
    chosen = [name for name in options.cases.split(",") if name]
    table = []
    with torch.inference_mode():
        for name, (what, make) in cases(device).items():
            if chosen and name not in chosen:
                continue
            row = {"case": name, "what": what}
            try:
                call = make()
                # The profiler is last: once CUPTI is on, every later launch is slower.
                for key, measure in (("eager", eager), ("graph", graphed)):
                    if key == "graph" and options.dry:
                        continue
                    try:
                        row.update(measure(timer, call))
                    except Exception as error:
                        row[key + "_error"] = repr(error)[:500]
                        traceback.print_exc()
                table.append((row, call))
            except Exception as error:
                row["error"] = repr(error)[:500]
                traceback.print_exc()
                say(row)
        for row, call in table:
            try:
                row.update(profiled(timer, call))
            except Exception as error:
                row["kernel_error"] = repr(error)[:500]
                traceback.print_exc()
            say(row)
    print("%-28s %12s %12s %12s" % ("ms a call", "eager", "CUDA graph", "kernels"), file=sys.stderr)
    for row, _ in table:
        cell = lambda key: "%.5f" % row[key] if key in row else "-"
        print("%-28s %12s %12s %12s" % (row["case"], cell("eager_ms"), cell("graph_ms"), cell("kernel_ms")),
              file=sys.stderr)


if __name__ == "__main__":
    main()

// The pipelines of the measured tables, by hand: a copy, a sharpening mask, Harris corners, rows of a softmax.
#pragma once

#include "hand_dag.h"

namespace warptile {

inline Region box(int64_t width, int64_t height) { return {{0, width - 1}, {0, height - 1}}; }

/// out(x, y) = in(x, y) in `bytes` a pixel.
struct CopyDag {
    int in, out;
    FunctionDag dag;

    CopyDag(int64_t width, int64_t height, int bytes) {
        HandDag b;
        in = b.input("in", box(width, height), bytes);
        out = b.func("out", box(width, height), 0, bytes);
        b.reads_point(out, in);
        dag = b.done({out});
    }
};

/// A 5 x 5 separable blur with a boundary condition, and the mask: 4096 x 3072 floats.
struct SharpenDag {
    int in, src, by, bx, out;
    FunctionDag dag;

    SharpenDag() {
        HandDag b;
        const Region r = box(4096, 3072);
        in = b.input("in", r);
        src = b.func("src", r, 0);
        by = b.func("by", r, 7);
        bx = b.func("bx", r, 7);
        out = b.func("out", r, 2);
        b.reads_point(src, in);
        b.node(src).wraps_input = true;
        b.reads(by, src, {HandDag::along(0), HandDag::along(1, -2, 2)}, 5);
        b.reads(bx, by, {HandDag::along(0, -2, 2), HandDag::along(1)}, 5);
        b.reads_point(out, src);
        b.reads_point(out, bx);
        dag = b.done({out});
    }
};

/// Harris corners: 4256 x 2832, three channels in.
struct HarrisDag {
    int in, gray, gx, gy, xx, xy, yy, sxx, sxy, syy, out;
    FunctionDag dag;

    HarrisDag() {
        HandDag b;
        const Region r = box(4256, 2832);
        in = b.input("in", {{-3, 4258}, {-3, 2834}, {0, 2}});
        gray = b.func("gray", {{-2, 4257}, {-2, 2833}}, 5);
        gx = b.func("gx", {{-1, 4256}, {-1, 2832}}, 8);
        gy = b.func("gy", {{-1, 4256}, {-1, 2832}}, 8);
        b.reads(gray, in, {HandDag::along(0), HandDag::along(1), HandDag::at(0, 2)}, 3);
        for (const int g : {gx, gy}) {
            b.reads(g, gray, {HandDag::along(0, -1, 1), HandDag::along(1, -1, 1)}, 6);
        }
        const auto product = [&](const char *name, int f, int g) {
            const int p = b.func(name, {{-1, 4256}, {-1, 2832}}, 1);
            b.reads_point(p, f);
            if (f != g) {
                b.reads_point(p, g);
            }
            return p;
        };
        const auto sum = [&](const char *name, int f) {
            const int s = b.func(name, r, 8);
            b.reads(s, f, {HandDag::along(0, -1, 1), HandDag::along(1, -1, 1)}, 9);
            return s;
        };
        xx = product("xx", gx, gx), xy = product("xy", gx, gy), yy = product("yy", gy, gy);
        sxx = sum("sxx", xx), sxy = sum("sxy", xy), syy = sum("syy", yy);
        out = b.func("out", r, 8);
        for (const int s : {sxx, sxy, syy}) {
            b.reads_point(out, s);
        }
        b.node(out).reads_raw_input = true;
        dag = b.done({out});
    }
};

/// out(x, y) = in(x, y) / sum over r of in(r, y): rows of 1024, 4096 of them.
struct NormalizeDag {
    int in, sum, out;
    FunctionDag dag;

    NormalizeDag() {
        HandDag b;
        in = b.input("in", box(1024, 4096));
        sum = b.func("sum", {{0, 4095}}, 0);
        b.reduce(sum, 1024, 1);
        out = b.func("out", box(1024, 4096), 1);
        b.reads(sum, in, {HandDag::along(1), HandDag::along(0)}, 1, 1);
        b.reads_point(out, in);
        b.reads(out, sum, {HandDag::along(1)}, 1);
        dag = b.done({out});
    }
};

/// `length` Funcs in a row, each a sum of three neighbours of the one before.
struct ChainDag {
    std::vector<int> funcs;
    FunctionDag dag;

    explicit ChainDag(int length) {
        HandDag b;
        const Region r = box(2048, 2048);
        int last = b.input("in", r);
        for (int i = 0; i < length; i++) {
            const int f = b.func("f" + std::to_string(i), r, 4);
            b.reads(f, last, {HandDag::along(0, -1, 1), HandDag::along(1)}, 3);
            funcs.push_back(last = f);
        }
        dag = b.done({last});
    }
};

}  // namespace warptile

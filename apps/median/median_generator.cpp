// The median of the 5x5 pixels around each pixel, by sorting networks; at `radius=1` that of 3x3. Bound by comparisons:
// what is to be won is that a row of the window, once sorted, serves as many pixels as the window is high.
//
// A window whose rows are sorted has its columns sorted next, which leaves the rows so. The k-th value along one side
// and the l-th along the other then has so many values below it and above it that most cannot be the median; as many
// drop out below as above, and the middle one of the rest is found by one more network, of which only what leads to
// that one wire is made.
#include "../support/app.h"

#include <algorithm>
#include <vector>

namespace warptile::apps {

/// Sorts by Batcher's odd-even merging, which takes any number of wires.
inline std::vector<Halide::Expr> sorted(std::vector<Halide::Expr> wires) {
    const int n = int(wires.size());
    const auto compare = [&](int low, int high) {
        const Halide::Expr a = wires[low], b = wires[high];
        wires[low] = min(a, b), wires[high] = max(a, b);
    };
    for (int run = 1; run < n; run *= 2) {
        for (int stride = run; stride > 0; stride /= 2) {
            for (int begin = stride % run; begin + stride < n; begin += 2 * stride) {
                for (int i = begin; i < std::min(begin + stride, n - stride); i++) {
                    if (i / (2 * run) == (i + stride) / (2 * run)) {
                        compare(i, i + stride);
                    }
                }
            }
        }
    }
    return wires;
}

class Median : public App<Median> {
public:
    Halide::GeneratorParam<int> radius{"radius", 2, 1, 3};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    Median() : App(1536, 2560) {}

    void generate() {
        Func bounded("bounded");
        bounded = Halide::BoundaryConditions::repeat_edge(input);
        std::vector<Expr> row;
        for (int dx = -int(radius); dx <= int(radius); dx++) {
            row.push_back(bounded(x + dx, y));
        }
        sorted_row(x, y) = Halide::Tuple(sorted(row));
        output(x, y) = median_of_sorted_rows();

        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}});
    }

    std::vector<Func> outputs() { return {output}; }

    /// One kernel. A thread goes down eight pixels of a column and sorts each row that it meets once; of the sorted
    /// rows it keeps those of one window in registers. The loop down the column is not unrolled: the networks of two
    /// pixels at once are more than the registers hold.
    void expert_schedule() {
        const int w = 32, warps = 4, rows = 8;
        const Expr holds_a_tile = output.width() >= w && output.height() >= warps * rows;
        tile_at_any_size(output, holds_a_tile, [&](Stage stage, TailStrategy tail) {
            const int rows_a_thread = tail == TailStrategy::ShiftInwards ? rows : 1;
            stage.never_partition_all()
                .tile(x, y, xo, yo, xi, yi, w, warps * rows_a_thread, tail)
                .split(yi, yi, row, rows_a_thread)
                .reorder(row, xi, yi, xo, yo)
                .gpu_blocks(xo, yo)
                .gpu_threads(xi, yi);
        });
        sorted_row.store_at(output, xi).compute_at(output, row).store_in(Halide::MemoryType::Register).unroll(y);
    }

private:
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, row{"row"};
    Var x{"x"}, y{"y"};
    Func sorted_row{"sorted_row"};

    Expr median_of_sorted_rows() const {
        const int n = 2 * radius + 1, rank = (n * n + 1) / 2;  // the median's, from either end
        std::vector<Expr> candidates;
        for (int k = 0; k < n; k++) {
            std::vector<Expr> column;
            for (int dy = -int(radius); dy <= int(radius); dy++) {
                column.push_back(sorted_row(x, y + dy)[k]);
            }
            column = sorted(column);
            for (int l = 0; l < n; l++) {
                if ((k + 1) * (l + 1) <= rank && (n - k) * (n - l) <= rank) {
                    candidates.push_back(column[l]);
                }
            }
        }
        return sorted(candidates)[candidates.size() / 2];
    }
};

}  // namespace warptile::apps

HALIDE_REGISTER_GENERATOR(warptile::apps::Median, median)

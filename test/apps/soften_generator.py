"""A generator in Python, whose command line (`hl.main`) gives the autoscheduler no parameters: Halide 21 drops them."""
import halide as hl

x, y = hl.Var("x"), hl.Var("y")


@hl.generator(name="soften")
class Soften:
    src = hl.InputBuffer(hl.Float(32), 2)
    dst = hl.OutputBuffer(hl.Float(32), 2)

    def generate(self):
        g = self
        g.dst[x, y] = g.src[x, y] * 0.5 + 1.0
        g.src.dim(0).set_estimate(0, 640)
        g.src.dim(1).set_estimate(0, 480)
        g.dst.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])


if __name__ == "__main__":
    hl.main()

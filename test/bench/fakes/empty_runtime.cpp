// In the place of Halide's runtime: the fakes need nothing of it.
extern "C" const int warptile_no_runtime = 0;

// Links both libraries, and asks each what it is: running them takes a GPU.
#include "scale.h"
#include "scale_stock.h"

#include <HalideRuntime.h>

#include <cstdio>
#include <cstring>

int main() {
    for (const halide_filter_metadata_t *metadata : {scale_metadata(), scale_stock_metadata()}) {
        std::printf("%s for %s\n", metadata->name, metadata->target);
        if (metadata->num_arguments != 2 || !std::strstr(metadata->target, "cuda_capability_80")) {
            return 1;
        }
    }
    return 0;
}

// Recording realizations by Halide's own tracing: see realizations.h.

#include "realizations.h"

#include <set>

#include "dag/halide/estimates.h"

namespace warptile::test {

using namespace Halide;

namespace {

struct Recorder : JITUserContext {
    Realizations regions;
};

int on_event(JITUserContext *context, const halide_trace_event_t *event) {
    if (event->event == halide_trace_begin_realization) {
        Region region;
        for (int i = 0; i + 1 < event->dimensions; i += 2) {
            const int64_t min = event->coordinates[i], extent = event->coordinates[i + 1];
            region.push_back({min, min + extent - 1});
        }
        static_cast<Recorder *>(context)->regions[event->func].push_back(region);
    }
    return 0;
}

std::vector<Buffer<>> output_buffers(const Example &example) {
    const PipelineOrder order = pipeline_order(example.outputs);
    const Estimates estimates(order, get_host_target());
    std::vector<Buffer<>> buffers;
    for (const Func &f : example.outputs) {
        const Region region = estimates.output(f.function());
        std::vector<int> sizes, mins;
        for (const Interval &i : region) {
            sizes.push_back(static_cast<int>(i.extent()));
            mins.push_back(static_cast<int>(i.min));
        }
        for (const Type &t : f.types()) {
            buffers.emplace_back(t, sizes);
            buffers.back().set_min(mins);
        }
    }
    return buffers;
}

// Inputs whose size the pipeline asks for must have it before Halide infers anything.
void bind_sizes(const Example &example) {
    for (ImageParam in : example.inputs) {
        if (example.input_sizes_matter) {
            std::vector<int> sizes;
            for (int d = 0; d < in.dimensions(); d++) {
                sizes.push_back(
                    static_cast<int>(*Internal::as_const_int(in.parameter().extent_constraint_estimate(d))));
            }
            Buffer<> buffer(in.type(), sizes);
            memset(buffer.data(), 0, buffer.size_in_bytes());
            in.set(buffer);
        } else {
            in.reset();
        }
    }
}

void infer(const Example &example, Pipeline &pipeline) {
    const std::vector<Buffer<>> outputs = output_buffers(example);
    pipeline.infer_input_bounds(Realization(outputs));
    for (ImageParam in : example.inputs) {
        memset(in.get().data(), 0, in.get().size_in_bytes());
    }
}

}  // namespace

std::map<std::string, Func> inner_funcs(const Example &example) {
    std::map<std::string, Func> funcs;
    std::set<std::string> outputs;
    for (const Func &f : example.outputs) {
        outputs.insert(f.name());
    }
    for (const Internal::Function &f : pipeline_order(example.outputs).funcs) {
        if (!outputs.count(f.name())) {
            funcs[f.name()] = Func(f);
        }
    }
    return funcs;
}

Recording record(const Example &example) {
    bind_sizes(example);
    for (auto &f : inner_funcs(example)) {
        f.second.trace_realizations();
    }
    Pipeline pipeline(example.outputs);
    infer(example, pipeline);
    Recording recording;
    for (ImageParam in : example.inputs) {
        for (int d = 0; d < in.dimensions() && !example.input_sizes_matter; d++) {
            const auto dim = in.get().dim(d);
            recording.inputs[in.name()].push_back({dim.min(), dim.max()});
        }
    }
    Recorder recorder;
    recorder.handlers.custom_trace = on_event;
    pipeline.realize(&recorder, Realization(output_buffers(example)));
    recording.realized = std::move(recorder.regions);
    return recording;
}

bool contains(const Region &outer, const Region &inner) {
    for (size_t d = 0; d < inner.size(); d++) {
        if (d >= outer.size() || (!inner[d].empty() && (outer[d].min > inner[d].min || outer[d].max < inner[d].max))) {
            return false;
        }
    }
    return outer.size() == inner.size();
}

}  // namespace warptile::test

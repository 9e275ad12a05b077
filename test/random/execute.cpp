#include "execute.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "dag/read.h"
#include "prng.h"
#include "schedule/passes/last_passes.h"

namespace warptile::fuzz {

using Halide::Buffer;
using Halide::Func;
using Halide::Type;

namespace {

/// Neither zero nor a small number in any type.
constexpr int poison = 0x7f;

void *poisoned_malloc(Halide::JITUserContext *, size_t bytes) {
    void *p = std::aligned_alloc(128, (bytes + 255) / 128 * 128);
    std::memset(p, poison, (bytes + 255) / 128 * 128);
    return p;
}

void freed(Halide::JITUserContext *, void *p) { std::free(p); }

void store(void *at, Type t, double value) {
    const int64_t whole = static_cast<int64_t>(value);
    if (t.is_float() && t.bits() == 16) {
        const uint16_t bits = Halide::float16_t(value).to_bits();
        std::memcpy(at, &bits, 2);
    } else if (t.is_float() && t.bits() == 32) {
        const float f = static_cast<float>(value);
        std::memcpy(at, &f, 4);
    } else if (t.is_float()) {
        std::memcpy(at, &value, 8);
    } else {
        std::memcpy(at, &whole, static_cast<size_t>(t.bytes()));  // little-endian, as every target of Halide's JIT
    }
}

double load(const void *at, Type t) {
    if (t.is_float() && t.bits() == 16) {
        uint16_t bits = 0;
        std::memcpy(&bits, at, 2);
        return static_cast<double>(Halide::float16_t::make_from_bits(bits));
    }
    if (t.is_float() && t.bits() == 32) {
        float f = 0;
        std::memcpy(&f, at, 4);
        return f;
    }
    double d = 0;
    std::memcpy(&d, at, 8);
    return d;
}

void fill(Buffer<> &buffer, const InputBuffer &input, uint64_t seed) {
    Prng prng(seed);
    char *at = static_cast<char *>(buffer.data());
    const Type t = buffer.type();
    for (size_t i = 0; i < buffer.number_of_elements(); i++, at += t.bytes()) {
        store(at, t, prng.between(static_cast<int>(input.lo), static_cast<int>(input.hi)));
    }
}

void set_scalars(RandomPipeline &pipeline) {
    for (InputScalar &s : pipeline.scalars) {
        if (s.param.type().is_float()) {
            s.param.set_scalar<float>(static_cast<float>(s.value));
        } else {
            s.param.set_scalar<int32_t>(static_cast<int32_t>(s.value));
        }
    }
}

std::vector<std::vector<Buffer<>>> allocate_outputs(const RandomPipeline &pipeline, const OutputSizes &sizes) {
    std::vector<std::vector<Buffer<>>> outputs;
    for (size_t o = 0; o < pipeline.outputs.size(); o++) {
        std::vector<Buffer<>> elements;
        for (const Type &t : pipeline.outputs[o].types()) {
            elements.emplace_back(t, sizes[o]);
            std::memset(elements.back().data(), poison, elements.back().size_in_bytes());
        }
        outputs.push_back(elements);
    }
    return outputs;
}

Halide::Realization flat(const std::vector<std::vector<Buffer<>>> &outputs) {
    std::vector<Buffer<>> all;
    for (const auto &elements : outputs) {
        all.insert(all.end(), elements.begin(), elements.end());
    }
    return Halide::Realization(all);
}

/// Splitting loops around boundary conditions makes code faster, never different, and much longer to compile.
void keep_loops_whole(const std::vector<Func> &outputs) {
    std::map<std::string, Halide::Internal::Function> env;
    for (const Func &f : outputs) {
        const auto calls = Halide::Internal::find_transitive_calls(f.function());
        env.insert(calls.begin(), calls.end());
    }
    for (const auto &[name, function] : env) {
        Func f(function);
        f.never_partition_all();
        for (int u = 0; u < f.num_update_definitions(); u++) {
            f.update(u).never_partition_all();
        }
    }
}

/// Loads of a point of the outputs with all inlined that can be, beyond which the unscheduled pipeline is not compiled.
constexpr int64_t most_loads_inlined = 1500;

class CountLoads : public Halide::Internal::IRVisitor {
public:
    explicit CountLoads(const std::map<std::string, int64_t> &inlined) : inlined_(inlined) {}

    int64_t count = 0;

private:
    using IRVisitor::visit;

    void visit(const Halide::Internal::Call *op) override {
        const auto known = inlined_.find(op->name);
        const bool load =
            op->call_type == Halide::Internal::Call::Halide || op->call_type == Halide::Internal::Call::Image;
        count += known != inlined_.end() ? known->second : load;
        IRVisitor::visit(op);
    }

    const std::map<std::string, int64_t> &inlined_;
};

int64_t loads_inlined(const RandomPipeline &pipeline) {
    std::map<std::string, Halide::Internal::Function> env;
    std::vector<Halide::Internal::Function> outputs;
    for (const Func &f : pipeline.outputs) {
        outputs.push_back(f.function());
        const auto calls = Halide::Internal::find_transitive_calls(f.function());
        env.insert(calls.begin(), calls.end());
    }
    std::map<std::string, int64_t> inlined;
    int64_t all = 0;
    for (const std::string &name : Halide::Internal::topological_order(outputs, env)) {
        CountLoads loads(inlined);
        env.at(name).accept(&loads);
        all = std::min<int64_t>(all + loads.count, int64_t{1} << 40);
        if (env.at(name).can_be_inlined()) {
            inlined[name] = std::min<int64_t>(loads.count, int64_t{1} << 20);
        }
    }
    return all;
}

/// Leaves of what was lowered only what tells how much is asked of each input: the rest need not become machine code.
class WithoutComputation : public Halide::Internal::IRMutator {
public:
    bool reads_data = false;  ///< what is left reads an input, as where one element says which other is read

private:
    using IRMutator::visit;

    Halide::Internal::Stmt visit(const Halide::Internal::ProducerConsumer *op) override {
        return op->is_producer ? Halide::Internal::Evaluate::make(0) : IRMutator::visit(op);
    }

    Halide::Expr visit(const Halide::Internal::Load *op) override {
        reads_data = true;
        return IRMutator::visit(op);
    }
};

/// Whether Halide's own code tells how much of an input is needed before there is one. It may read the input for that;
/// and of a few pipelines it takes only what is scheduled.
bool can_be_asked(const RandomPipeline &pipeline) {
    const RandomPipeline again = make_pipeline(pipeline.seed);
    keep_loops_whole(again.outputs);
    Halide::Pipeline compiled(again.outputs);
    WithoutComputation pass;
    compiled.add_custom_lowering_pass(&pass, nullptr);
    try {
        compiled.compile_to_module(compiled.infer_arguments(), "asked", host_target(again));
    } catch (const Halide::CompileError &) {
        return false;
    }
    return !pass.reads_data;
}

/// The values of `inner`, and around them, as far as `all` reaches, what would show in any result.
Buffer<> surrounded(const Buffer<> &inner, const Buffer<> &all) {
    std::vector<int> sizes, mins;
    for (int d = 0; d < all.dimensions(); d++) {
        const int min = std::min(inner.dim(d).min(), all.dim(d).min());
        const int end = std::max(inner.dim(d).max(), all.dim(d).max());
        mins.push_back(min);
        sizes.push_back(end - min + 1);
    }
    Buffer<> outer(all.type(), sizes);
    outer.set_min(mins);
    std::memset(outer.data(), poison, outer.size_in_bytes());
    outer.copy_from(inner);
    return outer;
}

std::string place(const Buffer<> &buffer, size_t element) {
    std::ostringstream out;
    out << "(";
    for (int d = 0; d < buffer.dimensions(); d++) {
        const size_t extent = static_cast<size_t>(buffer.dim(d).extent());
        out << (d ? ", " : "") << element % extent;
        element /= extent;
    }
    out << ")";
    return out.str();
}

std::string difference(const Buffer<> &want, const Buffer<> &got, double tolerance) {
    const Type t = want.type();
    const size_t n = want.number_of_elements(), bytes = static_cast<size_t>(t.bytes());
    const char *w = static_cast<const char *>(want.data()), *g = static_cast<const char *>(got.data());
    double largest = 0;
    for (size_t i = 0; t.is_float() && i < n; i++) {
        largest = std::max(largest, std::abs(load(w + i * bytes, t)));
    }
    for (size_t i = 0; i < n; i++) {
        if (std::memcmp(w + i * bytes, g + i * bytes, bytes) == 0) {
            continue;
        }
        std::ostringstream out;
        out << place(want, i) << " is ";
        if (!t.is_float()) {
            int64_t a = 0, b = 0;
            std::memcpy(&a, g + i * bytes, bytes);
            std::memcpy(&b, w + i * bytes, bytes);
            out << a << " instead of " << b << " (bits of a " << t << ")";
            return out.str();
        }
        const double a = load(g + i * bytes, t), b = load(w + i * bytes, t);
        if (!(std::abs(a - b) <= tolerance * largest)) {
            out << a << " instead of " << b << ", at a largest magnitude of " << largest;
            return out.str();
        }
    }
    return "";
}

}  // namespace

uint64_t fill_seed(const RandomPipeline &pipeline, size_t index, int which) {
    return pipeline.seed * 64 + index * 8 + static_cast<uint64_t>(which);
}

Halide::Target host_target(const RandomPipeline &pipeline) {
    const bool updates_tuples = std::any_of(pipeline.stages.begin(), pipeline.stages.end(), [](const Func &f) {
        return f.has_update_definition() && f.types().size() > 1;
    });
    const Halide::Target host = Halide::get_host_target();
    return updates_tuples ? host : host.with_feature(Halide::Target::StrictFloat);
}

bool asked_without_schedule(const RandomPipeline &pipeline) {
    return loads_inlined(pipeline) <= most_loads_inlined && can_be_asked(pipeline);
}

/// What a user is told that it asks for more when it is stored, which it has to be.
void store_what_is_told_of(RandomPipeline &pipeline) {
    const FunctionDag dag = read_function_dag(pipeline.outputs, host_target(pipeline));
    for (const Node &node : dag.nodes) {
        for (Func &f : pipeline.stages) {
            if (!node.unseen_where.empty() && f.name() == node.name) {
                f.compute_root();
            }
        }
    }
}

Reference::Reference(RandomPipeline pipeline) : pipeline_(std::move(pipeline)), compiled_(pipeline_.outputs) {
    for (Func &f : pipeline_.stages) {
        f.compute_root();
    }
    keep_loops_whole(pipeline_.outputs);
    set_scalars(pipeline_);
    RandomPipeline again = make_pipeline(pipeline_.seed);
    store_what_is_told_of(again);
    if (asked_without_schedule(again)) {
        keep_loops_whole(again.outputs);
        set_scalars(again);
        unscheduled_compiled_ = Halide::Pipeline(again.outputs);
        unscheduled_compiled_.add_custom_lowering_pass(new WithoutComputation);
        unscheduled_ = std::move(again);
    }
}

/// Nothing, or less.
bool is_empty(const Halide::Buffer<> &input) {
    for (int d = 0; input.defined() && d < input.dimensions(); d++) {
        if (input.dim(d).extent() <= 0) {
            return true;
        }
    }
    return false;
}

/// Sets the inputs of the pipeline to what it asks for at these outputs.
void ask_for_inputs(RandomPipeline &pipeline, Halide::Pipeline &compiled, Halide::Realization &outputs, int which) {
    for (InputBuffer &in : pipeline.inputs) {
        in.param.reset();
        if (!in.raw) {
            in.param.set(Buffer<>(in.param.type(), in.extents[static_cast<size_t>(which)]));
        }
    }
    compiled.infer_input_bounds(outputs, host_target(pipeline));
}

Buffers Reference::run(int which) {
    Buffers buffers;
    buffers.outputs = allocate_outputs(pipeline_, pipeline_.sizes[static_cast<size_t>(which)]);
    Halide::Realization outputs = flat(buffers.outputs);
    ask_for_inputs(pipeline_, compiled_, outputs, which);
    if (unscheduled_) {
        ask_for_inputs(*unscheduled_, unscheduled_compiled_, outputs, which);
    }
    for (size_t i = 0; i < pipeline_.inputs.size(); i++) {
        const InputBuffer &input = pipeline_.inputs[i];
        Buffer<> all = input.param.get();
        Buffer<> b = unscheduled_ && input.raw ? unscheduled_->inputs[i].param.get() : all;
        if (is_empty(all) || is_empty(b)) {
            buffers.has_meaning = false;
            return buffers;
        }
        if (all.defined() && b.defined()) {  // an input that no output reads has none
            fill(b, input, fill_seed(pipeline_, i, which));
            b.set_host_dirty();
            pipeline_.inputs[i].param.set(surrounded(b, all));
        }
        buffers.inputs.push_back(all.defined() ? b : all);
    }
    try {
        compiled_.realize(outputs, host_target(pipeline_));
    } catch (const Halide::RuntimeError &e) {
        if (std::string(e.what()).find(too_large_for_halide) == std::string::npos) {
            throw;
        }
        buffers.has_meaning = false;
    }
    return buffers;
}

Scheduled::Scheduled(const RandomPipeline &pipeline, const Halide::Target &target)
    : pipeline_(pipeline), compiled_(pipeline.outputs), target_(target) {
    if (target.has_gpu_feature()) {
        add_last_passes(compiled_);
    } else {
        keep_loops_whole(pipeline_.outputs);
    }
    // Memory that is used again is larger than asked for, and an access behind its end would not show.
    Halide::Internal::JITSharedRuntime::reuse_device_allocations(false);
    compiled_.jit_handlers().custom_malloc = poisoned_malloc;
    compiled_.jit_handlers().custom_free = freed;
    set_scalars(pipeline_);
}

std::vector<std::vector<Buffer<>>> Scheduled::run(const Buffers &reference) {
    for (size_t i = 0; i < pipeline_.inputs.size(); i++) {
        pipeline_.inputs[i].param.reset();
        if (reference.inputs[i].defined()) {
            pipeline_.inputs[i].param.set(reference.inputs[i]);
        }
    }
    std::vector<std::vector<Buffer<>>> outputs;
    for (const auto &elements : reference.outputs) {
        std::vector<Buffer<>> own;
        for (const Buffer<> &e : elements) {
            own.push_back(e.copy());
            std::memset(own.back().data(), poison, own.back().size_in_bytes());
        }
        outputs.push_back(own);
    }
    Halide::Realization all = flat(outputs);
    compiled_.realize(all, target_);
    for (size_t i = 0; i < all.size(); i++) {
        all[i].copy_to_host();
    }
    return outputs;
}

std::string difference(const std::vector<std::vector<Buffer<>>> &reference,
                       const std::vector<std::vector<Buffer<>>> &result, const std::vector<bool> &exact,
                       double tolerance) {
    for (size_t o = 0; o < reference.size(); o++) {
        for (size_t e = 0; e < reference[o].size(); e++) {
            const std::string d = difference(reference[o][e], result[o][e], exact[o] ? 0 : tolerance);
            if (!d.empty()) {
                return "output " + std::to_string(o) + (reference[o].size() > 1 ? "[" + std::to_string(e) + "]" : "") +
                       " at " + d;
            }
        }
    }
    return "";
}

}  // namespace warptile::fuzz

// Reads a weights file: parse_machine of machine.h. The file has the same names as the structs GpuSpec and Weights, and
// each number carries its source: "sms": {"value": 132, "source": "..."}. A person writes these files by hand, so every
// slip gets an error that names the file, the key and the mend.
#include "machine/error.h"
#include "machine/machine.h"
#include "machine/nearest_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace warptile {

namespace {

using Json = nlohmann::json;

std::string plain(double number) {
    std::ostringstream text;
    text.precision(12);
    text << number;
    return text.str();
}

// One object of the file, from which values are taken by name. What nobody took by the end is an unknown key.
class Section {
public:
    Section(const Json &json, std::string file, std::string path)
        : json(json), file(std::move(file)), path(std::move(path)) {
        if (!json.is_object()) {
            fail("must be an object, but it is " + std::string(json.type_name()));
        }
    }

    // A whole number from `low` to `high`, with its source.
    template<typename T = int>
    T whole(const std::string &key, double low, double high = std::numeric_limits<int>::max()) {
        const double number = real(key, low, high);
        if (number != std::floor(number)) {
            fail_at(key, "must be a whole number, but it is " + plain(number));
        }
        return static_cast<T>(number);
    }

    // A number from `low` to `high`, with its source.
    double real(const std::string &key, double low, double high) {
        const Section entry(take(key, R"({"value": a number, "source": "where it comes from"})"), file, path_of(key));
        entry.check_keys({"source", "value"});
        const Json &source = entry.at("source");
        if (!source.is_string() || source.get<std::string>().empty()) {
            fail_at(key + ".source", "must be a text that says where the number comes from");
        }
        const Json &value = entry.at("value");
        if (!value.is_number()) {
            fail_at(key + ".value", "must be a number, but it is " + std::string(value.type_name()));
        }
        const double number = value.get<double>();
        if (!(number >= low && number <= high)) {
            fail_at(key, "must be from " + plain(low) + " to " + plain(high) + ", but it is " + plain(number));
        }
        return number;
    }

    std::string text(const std::string &key) {
        const Json &value = take(key, "a text");
        if (!value.is_string() || value.get<std::string>().empty()) {
            fail_at(key, "must be a text that is not empty");
        }
        return value.get<std::string>();
    }

    Section section(const std::string &key) { return Section(take(key, "an object"), file, path_of(key)); }

    void check_all_taken() const { check_keys(taken); }

    [[noreturn]] void fail_at(const std::string &key, const std::string &what) const {
        throw Error(file + ": " + path_of(key) + " " + what + ". docs/weights.md describes the file.");
    }

private:
    const Json &json;
    std::string file;
    std::string path;  // of this object in the file; empty at the top
    std::vector<std::string> taken;

    std::string path_of(const std::string &key) const { return path.empty() ? key : path + "." + key; }

    const Json &take(const std::string &key, const std::string &wanted) {
        taken.push_back(key);
        if (!json.contains(key)) {
            fail_at(key, "is missing: add it, as " + wanted);
        }
        return json.at(key);
    }

    const Json &at(const std::string &key) const {
        if (!json.contains(key)) {
            fail_at(key, "is missing");
        }
        return json.at(key);
    }

    void check_keys(const std::vector<std::string> &known) const {
        for (const auto &item : json.items()) {
            if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
                fail_at(item.key(), "is not a known key" + did_you_mean(item.key(), known) +
                                        ": remove or rename it; known here are " + comma_list(known));
            }
        }
    }

    [[noreturn]] void fail(const std::string &what) const {
        throw Error(file + ": " + (path.empty() ? "the file" : path) + " " + what +
                    ". docs/weights.md describes the file.");
    }
};

constexpr double kilobyte = 1024;
constexpr double gigabyte = kilobyte * kilobyte * kilobyte;

void read_rates(Section &card, GpuSpec &gpu) {
    gpu.sms = card.whole("sms", 1, 4096);
    gpu.cores_per_sm = card.whole("cores_per_sm", 1, 4096);
    gpu.int_cores_per_sm = card.whole("int_cores_per_sm", 1, 4096);
    gpu.double_cores_per_sm = card.whole("double_cores_per_sm", 1, 4096);
    gpu.special_per_sm = card.whole("special_per_sm", 1, 4096);
    gpu.conversions_per_sm = card.whole("conversions_per_sm", 1, 4096);
    gpu.shuffles_per_sm = card.whole("shuffles_per_sm", 1, 4096);
    gpu.clock_ghz = card.real("clock_ghz", 0.01, 100);
    gpu.dram_gb_per_s = card.real("dram_gb_per_s", 0.1, 1e6);
}

void read_memory(Section &card, GpuSpec &gpu) {
    gpu.l2_bytes = card.whole<std::int64_t>("l2_bytes", kilobyte, 1024 * gigabyte);
    gpu.l1_transaction_bytes = card.whole("l1_transaction_bytes", 1, 4096);
    gpu.l2_transaction_bytes = card.whole("l2_transaction_bytes", 1, 4096);
    gpu.shared_per_sm = card.whole("shared_per_sm", kilobyte, gigabyte);
    gpu.shared_per_block = card.whole("shared_per_block", kilobyte, gigabyte);
    gpu.shared_per_block_opt_in = card.whole("shared_per_block_opt_in", kilobyte, gigabyte);
    gpu.shared_reserved_per_block = card.whole("shared_reserved_per_block", 0, gigabyte);
    gpu.shared_allocation_unit = card.whole("shared_allocation_unit", 1, 65536);
    if (gpu.shared_per_block > gpu.shared_per_block_opt_in) {
        card.fail_at("shared_per_block", "must not be more than shared_per_block_opt_in");
    }
    if (gpu.shared_per_block_opt_in + gpu.shared_reserved_per_block > gpu.shared_per_sm) {
        card.fail_at("shared_per_block_opt_in", "and shared_reserved_per_block must fit into shared_per_sm together");
    }
}

void read_limits(Section &card, GpuSpec &gpu) {
    // Halide's lanes, and the shuffles between them, are made for 32.
    gpu.warp_size = card.whole("warp_size", 32, 32);
    gpu.threads_per_block = card.whole("threads_per_block", 32, 65536);
    gpu.warps_per_sm = card.whole("warps_per_sm", 1, 4096);
    gpu.blocks_per_sm = card.whole("blocks_per_sm", 1, 4096);
    gpu.registers_per_sm = card.whole("registers_per_sm", 1024);
    gpu.registers_per_block = card.whole("registers_per_block", 1024);
    gpu.registers_per_thread = card.whole("registers_per_thread", 16, 4096);
    gpu.register_allocation_unit = card.whole("register_allocation_unit", 1, 65536);
    gpu.schedulers_per_sm = card.whole("schedulers_per_sm", 1, 64);
}

Jangda2020Weights read_jangda2020(Section section) {
    Jangda2020Weights weights;
    for (size_t i = 0; i < weights.w.size(); i++) {
        weights.w[i] = section.real("w" + std::to_string(i + 1), 0, 1e9);
    }
    weights.transaction_bytes = section.whole("transaction_bytes", 1, 4096);
    weights.shared_per_block = section.whole("shared_per_block", kilobyte, gigabyte);
    weights.blocks_per_sm = section.whole("blocks_per_sm", 1, 4096);
    weights.registers_per_thread = section.whole("registers_per_thread", 16, 4096);
    section.check_all_taken();
    return weights;
}

RooflineWeights read_roofline(Section section) {
    RooflineWeights weights;
    weights.launch_us = section.real("launch_us", 0, 1e6);
    weights.dram_efficiency = section.real("dram_efficiency", 0.01, 1);
    weights.l2_gb_per_s = section.real("l2_gb_per_s", 0.1, 1e6);
    weights.l2_share = section.real("l2_share", 0, 1);
    weights.shared_bytes_per_clock = section.real("shared_bytes_per_clock", 1, 65536);
    weights.l1_lines_per_clock = section.real("l1_lines_per_clock", 0.01, 64);
    weights.issue_per_clock = section.real("issue_per_clock", 0.01, 64);
    weights.cycles_per_instruction = section.real("cycles_per_instruction", 0.01, 1000);
    weights.dram_latency_cycles = section.real("dram_latency_cycles", 1, 1e6);
    weights.l2_latency_cycles = section.real("l2_latency_cycles", 1, 1e6);
    weights.loaded_latency = section.real("loaded_latency", 1, 100);
    weights.shared_latency_cycles = section.real("shared_latency_cycles", 1, 1e6);
    weights.arithmetic_latency_cycles = section.real("arithmetic_latency_cycles", 1, 1e6);
    weights.barrier_cycles = section.real("barrier_cycles", 0, 1e6);
    weights.atomics_per_line_clock = section.real("atomics_per_line_clock", 1e-6, 1e6);
    weights.shared_atomics_per_clock = section.real("shared_atomics_per_clock", 1e-6, 1e6);
    weights.spill_price = section.real("spill_price", 0, 1e6);
    section.check_all_taken();
    return weights;
}

Json parse_json(const std::string &text, const std::string &file) {
    try {
        return Json::parse(text);
    } catch (const Json::parse_error &error) {
        // The library's text ends in what it expected, and begins with a tag of its own: "[json.exception...] ".
        const std::string what = error.what();
        const size_t tag_end = what.find("] ");
        throw Error(file + " is not valid JSON: " + (tag_end == std::string::npos ? what : what.substr(tag_end + 2)));
    }
}

}  // namespace

Machine parse_machine(const std::string &text, const std::string &file) {
    const Json json = parse_json(text, file);
    Section top(json, file, "");
    Machine machine;
    machine.gpu.name = top.text("name");
    machine.gpu.product = top.text("product");
    Section card = top.section("card");
    machine.gpu.capability = card.whole("capability", 30, 999);
    read_rates(card, machine.gpu);
    read_memory(card, machine.gpu);
    read_limits(card, machine.gpu);
    card.check_all_taken();
    machine.weights.jangda2020 = read_jangda2020(top.section("jangda2020"));
    machine.weights.roofline = read_roofline(top.section("roofline"));
    top.check_all_taken();
    return machine;
}

}  // namespace warptile

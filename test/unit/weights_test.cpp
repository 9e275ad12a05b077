// The shipped weights files say what their sources say, and each way to get a weights file or the choice of a card
// wrong has an error that names the thing.
#include "machine/builtin_weights.h"
#include "machine/machine.h"
#include "test/support/words.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace warptile {
namespace {

std::string shipped_text(const std::string &gpu) {
    for (const BuiltinWeights &file : builtin_weights()) {
        if (file.name == gpu) {
            return file.json;
        }
    }
    throw std::logic_error("no such card: " + gpu);
}

// The v100's file as JSON, for a test to spoil.
nlohmann::json v100_json() { return nlohmann::json::parse(shipped_text("v100")); }

std::string parse_error(const std::string &text) {
    return error_of([&] { parse_machine(text, "mine.json"); });
}

std::string choose_error(const std::string &gpu, const std::string &path, int capability) {
    return error_of([&] { choose_machine(gpu, path, capability); });
}

// A file in the folder for temporary files, gone at the end of the test.
class TemporaryFile {
public:
    TemporaryFile(const std::string &name, const std::string &text)
        : path_((std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "-" + name)).string()) {
        std::ofstream(path_) << text;
    }

    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    ~TemporaryFile() { std::filesystem::remove(path_); }

    const std::string &path() const { return path_; }

private:
    std::string path_;
};

TEST(Weights, ShipsTheCards) {
    const std::vector<std::string> cards = {"a100", "agx-xavier", "gtx1080ti", "h100",    "h200",
                                            "l4",   "rtx2080ti",  "rtx3090",   "rtx4090", "v100"};
    EXPECT_EQ(known_gpus(), cards);
    for (const std::string &card : cards) {
        EXPECT_EQ(choose_machine(card, "", 0).gpu.name, card);
    }
}

TEST(Weights, ACardHasItsNameInAnySpelling) {
    for (const char *name : {"H100", "h100", "H 100", "h-100"}) {
        EXPECT_EQ(choose_machine(name, "", 0).gpu.name, "h100") << name;
    }
    EXPECT_EQ(choose_machine("RTX 4090", "", 0).gpu.name, "rtx4090");
    EXPECT_EQ(choose_machine("AGX Xavier", "", 0).gpu.name, "agx-xavier");
    expect_words(error_of([] { choose_machine("RTX 4091", "", 0); }), {"'RTX 4091'", "did you mean 'rtx4090'"});
    expect_words(error_of([] { choose_machine("-", "", 0); }), {"no card named '-'"});
}

TEST(Weights, HaveThePapersHardware) {
    const GpuSpec pascal = choose_machine("gtx1080ti", "", 0).gpu;
    EXPECT_EQ(pascal.sms, 28);
    EXPECT_EQ(pascal.cores_per_sm, 128);
    EXPECT_EQ(pascal.dram_gb_per_s, 484);
    const GpuSpec volta = choose_machine("v100", "", 0).gpu;
    EXPECT_EQ(volta.sms, 80);
    EXPECT_EQ(volta.cores_per_sm, 64);
    EXPECT_EQ(volta.dram_gb_per_s, 898);
    for (const GpuSpec &gpu : {pascal, volta}) {
        EXPECT_EQ(gpu.shared_per_sm, 96 * 1024);
        EXPECT_EQ(gpu.warps_per_sm, 64);
        EXPECT_EQ(gpu.registers_per_sm, 65536);
        EXPECT_EQ(gpu.l1_transaction_bytes, 128);
        EXPECT_EQ(gpu.l2_transaction_bytes, 32);
    }
    const GpuSpec turing = choose_machine("rtx2080ti", "", 0).gpu;
    EXPECT_EQ(turing.capability, 75);
    EXPECT_EQ(turing.sms, 68);
    EXPECT_EQ(turing.shared_per_block_opt_in, 64 * 1024);
    const GpuSpec xavier = choose_machine("agx-xavier", "", 0).gpu;
    EXPECT_EQ(xavier.capability, 72);
    EXPECT_EQ(xavier.sms, 8);
    EXPECT_EQ(xavier.shared_per_block_opt_in, 48 * 1024);
}

TEST(Weights, KeepThePapersLimitsForItsModelOnly) {
    const Machine pascal = choose_machine("gtx1080ti", "", 0);
    EXPECT_EQ(pascal.weights.jangda2020.blocks_per_sm, 16);
    EXPECT_EQ(pascal.gpu.blocks_per_sm, 32);
    EXPECT_EQ(pascal.weights.jangda2020.registers_per_thread, 256);
    EXPECT_EQ(pascal.gpu.registers_per_thread, 255);
    EXPECT_EQ(pascal.weights.jangda2020.w, (std::array<double, 7>{50, 0.5, 45, 20, 2, 100, 1}));
    const Machine volta = choose_machine("v100", "", 0);
    EXPECT_EQ(volta.weights.jangda2020.shared_per_block, 96 * 1024);
    EXPECT_EQ(volta.gpu.shared_per_block, 48 * 1024);
    EXPECT_EQ(volta.weights.jangda2020.w, (std::array<double, 7>{50, 0.5, 60, 10, 2, 100, 1}));
}

TEST(Weights, ACardStandsForEachCapability) {
    const std::vector<std::pair<int, std::string>> expected = {
        {0, "gtx1080ti"},  {30, "gtx1080ti"}, {50, "gtx1080ti"}, {61, "gtx1080ti"}, {70, "v100"},
        {75, "rtx2080ti"}, {80, "a100"},      {86, "rtx3090"},   {89, "rtx4090"},   {90, "h100"}};
    for (const auto &[capability, gpu] : expected) {
        EXPECT_EQ(choose_machine("", "", capability).gpu.name, gpu) << capability;
    }
    expect_words(choose_error("", "", 120), {"12.0", "weights_path="});
}

TEST(Weights, ACardMustRunTheTargetsCode) {
    EXPECT_EQ(choose_machine("h100", "", 80).gpu.name, "h100");
    EXPECT_EQ(choose_machine("v100", "", 70).gpu.name, "v100");
    expect_words(choose_error("v100", "", 80), {"v100", "7.0", "8.0", "cuda_capability_70"});
}

TEST(Weights, AnUnknownCardIsNamedWithTheNearest) {
    expect_words(choose_error("h10", "", 80), {"'h10'", "did you mean 'h100'", "rtx4090", "weights_path="});
    expect_words(choose_error("h100", "mine.json", 80), {"gpu=h100", "weights_path=mine.json"});
}

TEST(Weights, AreReadFromTheUsersFile) {
    nlohmann::json json = v100_json();
    json["name"] = "mine";
    json["card"]["sms"]["value"] = 72;
    const TemporaryFile file("mine.json", json.dump());
    const Machine machine = choose_machine("", file.path(), 70);
    EXPECT_EQ(machine.gpu.name, "mine");
    EXPECT_EQ(machine.gpu.sms, 72);
    expect_words(choose_error("", file.path(), 80), {"mine", "7.0", "8.0"});
}

TEST(Weights, AFileThatCannotBeReadIsNamed) {
    expect_words(choose_error("", "/nowhere/mine.json", 80), {"'/nowhere/mine.json'", "cannot be read"});
    expect_words(choose_error("", "/", 80), {"'/'", "cannot be read"});
    const TemporaryFile empty("empty.json", "");
    expect_words(choose_error("", empty.path(), 80), {empty.path(), "is empty"});
}

TEST(Weights, MalformedJsonIsReportedWithItsLine) {
    expect_words(parse_error("{\n  \"name\": \"x\",\n  oops\n}"), {"mine.json is not valid JSON", "line 3"});
    expect_words(parse_error("[]"), {"mine.json", "must be an object", "array"});
}

TEST(Weights, AMissingKeyIsNamed) {
    nlohmann::json json = v100_json();
    json["card"].erase("sms");
    expect_words(parse_error(json.dump()), {"mine.json", "card.sms", "missing", "\"source\""});
    json = v100_json();
    json.erase("roofline");
    expect_words(parse_error(json.dump()), {"mine.json", "roofline", "missing"});
}

TEST(Weights, AnUnknownKeyIsNamedWithTheNearest) {
    nlohmann::json json = v100_json();
    json["jangda2020"]["transaction_byte"] = json["jangda2020"]["w1"];
    expect_words(parse_error(json.dump()),
                 {"jangda2020.transaction_byte", "not a known key", "did you mean 'transaction_bytes'"});
    json = v100_json();
    json["card"]["sms"]["note"] = "";
    expect_words(parse_error(json.dump()), {"card.sms.note", "not a known key"});
}

TEST(Weights, AWrongTypeIsNamed) {
    nlohmann::json json = v100_json();
    json["card"]["sms"] = 80;
    expect_words(parse_error(json.dump()), {"card.sms", "must be an object", "number"});
    json = v100_json();
    json["card"]["sms"]["value"] = "80";
    expect_words(parse_error(json.dump()), {"card.sms.value", "must be a number", "string"});
    json = v100_json();
    json["card"]["sms"]["value"] = 80.5;
    expect_words(parse_error(json.dump()), {"card.sms", "whole number", "80.5"});
    json = v100_json();
    json["card"]["sms"]["source"] = "";
    expect_words(parse_error(json.dump()), {"card.sms.source", "where the number comes from"});
}

TEST(Weights, ANumberOutOfRangeIsNamed) {
    nlohmann::json json = v100_json();
    json["card"]["sms"]["value"] = 0;
    expect_words(parse_error(json.dump()), {"card.sms", "from 1 to 4096", "it is 0"});
    json = v100_json();
    json["roofline"]["dram_efficiency"]["value"] = 1.5;
    expect_words(parse_error(json.dump()), {"roofline.dram_efficiency", "0.01 to 1", "1.5"});
    json = v100_json();
    json["card"]["shared_per_block"]["value"] = 128 * 1024;
    expect_words(parse_error(json.dump()), {"card.shared_per_block", "shared_per_block_opt_in"});
}

}  // namespace
}  // namespace warptile

#include "tools/bench/manifest.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warptile::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const BuiltVariant &variant) {
    Json json{{"name", variant.name}, {"target", variant.target}, {"build_seconds", variant.build_seconds}};
    json["schedule_seconds"] = variant.schedule_seconds ? Json(*variant.schedule_seconds) : Json(nullptr);
    json["error"] = variant.error;
    json["remark"] = variant.remark;
    json["kernels"] = bench::to_json(variant.kernels);
    json["warnings"] = variant.warnings;
    json["code_error"] = variant.code_error;
    json["code_kernels"] = variant.code_kernels ? Json(*variant.code_kernels) : Json(nullptr);
    json["spilled_bytes"] = variant.spilled_bytes ? Json(*variant.spilled_bytes) : Json(nullptr);
    return json;
}

BuiltVariant variant_from_json(const Json &json) {
    BuiltVariant variant;
    json.at("name").get_to(variant.name);
    json.at("target").get_to(variant.target);
    json.at("build_seconds").get_to(variant.build_seconds);
    if (!json.at("schedule_seconds").is_null()) {
        variant.schedule_seconds = json.at("schedule_seconds").get<double>();
    }
    json.at("error").get_to(variant.error);
    json.at("remark").get_to(variant.remark);
    variant.kernels = kernels_from_json(json.at("kernels"));
    variant.warnings = json.value("warnings", std::vector<std::string>());
    variant.code_error = json.value("code_error", std::string());
    const auto optional = [&](const char *key) {
        return json.contains(key) && !json.at(key).is_null() ? std::optional<int>(json.at(key)) : std::nullopt;
    };
    variant.code_kernels = optional("code_kernels");
    variant.spilled_bytes = optional("spilled_bytes");
    return variant;
}

BuiltApp app_from_json(const Json &json) {
    BuiltApp app;
    json.at("name").get_to(app.name);
    json.at("size").get_to(app.size);
    json.at("has_reference").get_to(app.has_reference);
    if (!json.at("plain").is_null()) {
        app.plain = variant_from_json(json.at("plain"));
    }
    app.counters = counters_from_json(json.at("counters"));
    for (const Json &variant : json.at("variants")) {
        app.variants.push_back(variant_from_json(variant));
    }
    return app;
}

fs::path manifest_file(const fs::path &bundle) { return bundle / "manifest.json"; }

}  // namespace

BuiltApp &Manifest::app(const std::string &name, const std::string &size) {
    for (BuiltApp &app : apps) {
        if (app.name == name && app.size == size) {
            return app;
        }
    }
    apps.emplace_back();
    apps.back().name = name;
    apps.back().size = size;
    return apps.back();
}

nlohmann::ordered_json to_json(const Manifest &manifest) {
    Json apps = Json::array();
    for (const BuiltApp &app : manifest.apps) {
        Json variants = Json::array();
        for (const BuiltVariant &variant : app.variants) {
            variants.push_back(to_json(variant));
        }
        apps.push_back({{"name", app.name},
                        {"size", app.size},
                        {"has_reference", app.has_reference},
                        {"plain", app.plain ? to_json(*app.plain) : Json(nullptr)},
                        {"counters", to_json(app.counters)},
                        {"variants", variants}});
    }
    return {{"format", 1}, {"apps", apps}};
}

bool has_manifest(const fs::path &bundle) { return fs::exists(manifest_file(bundle)); }

Manifest read_manifest(const fs::path &bundle) {
    std::ifstream file(manifest_file(bundle));
    if (!file) {
        throw std::runtime_error("'" + bundle.string() + "' is not a bundle: it has no manifest.json");
    }
    try {
        const Json json = Json::parse(file);
        Manifest manifest;
        for (const Json &app : json.at("apps")) {
            manifest.apps.push_back(app_from_json(app));
        }
        return manifest;
    } catch (const nlohmann::json::exception &error) {
        throw std::runtime_error("cannot read '" + manifest_file(bundle).string() + "': " + error.what());
    }
}

void write_manifest(const Manifest &manifest, const fs::path &bundle) {
    std::ofstream file(manifest_file(bundle));
    file << to_json(manifest).dump(1) << "\n";
    if (!file.flush()) {
        throw std::runtime_error("cannot write '" + manifest_file(bundle).string() + "'");
    }
}

fs::path shared_object(const fs::path &bundle, const BuiltApp &app, const std::string &variant) {
    return fs::absolute(bundle) / "pipelines" / (app.symbol() + "__" + variant + ".so");
}

fs::path reference_object(const fs::path &bundle, const BuiltApp &app) {
    return fs::absolute(bundle) / "pipelines" / (app.name + "__reference.so");
}

}  // namespace warptile::bench

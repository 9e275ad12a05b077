#include "schedule/plan_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "machine/error.h"

namespace warptile {

namespace {

using Json = nlohmann::ordered_json;

template<typename E, size_t N>
using EnumNames = std::array<std::pair<E, const char *>, N>;

constexpr EnumNames<Placement, 3> kPlacements = {
    {{Placement::Thread, "thread"}, {Placement::Warp, "warp"}, {Placement::Block, "block"}}};
constexpr EnumNames<LaneLayout, 2> kLayouts = {{{LaneLayout::Chunked, "chunked"}, {LaneLayout::Adjacent, "adjacent"}}};
constexpr EnumNames<Tail, 3> kTails = {{{Tail::RoundUp, "round_up"}, {Tail::Guard, "guard"}, {Tail::Both, "both"}}};
constexpr EnumNames<Derived::Kind, 2> kKinds = {
    {{Derived::Kind::Staged, "staged"}, {Derived::Kind::Partial, "partial"}}};

template<typename E, size_t N>
const char *name_of(const EnumNames<E, N> &names, E value) {
    return std::find_if(names.begin(), names.end(), [&](const auto &n) { return n.first == value; })->second;
}

// ---- Writing -------------------------------------------------------------------------------------------------------

Json to(const AxisTile &a) { return {{"dim", a.dim}, {"width", a.width}, {"threads", a.threads}}; }

Json to(const KernelTile &t);
Json to(const SizeCondition &c);
Json to(const Steps &s);
Json to(const Member &m);
Json to(const Group &g);
Json to(const Derived &d);

template<typename T>
Json list(const std::vector<T> &items) {
    Json result = Json::array();
    for (const T &item : items) {
        result.push_back(to(item));
    }
    return result;
}

Json to(const KernelTile &t) {
    Json json = {{"axes", list(t.axes)},   {"lane_axis", t.lane_axis}, {"layout", name_of(kLayouts, t.layout)},
                 {"adjacent", t.adjacent}, {"unroll", t.unroll},       {"steps", to(t.steps)}};
    if (t.stream >= 0) {
        json["stream"] = t.stream;
    }
    if (t.host_loops > 0) {
        json["host_loops"] = t.host_loops;
    }
    if (t.turns > 0) {
        json["turns"] = t.turns;
    }
    return json;
}

Json to(const SizeCondition &c) { return {{"output", c.output}, {"dim", c.dim}, {"extent", c.extent}}; }

Json to(const Steps &s) { return {{"counts", s.counts}, {"whole_tiles", s.whole_tiles}}; }

Json to(const Member &m) {
    return {{"func", m.func},
            {"placement", name_of(kPlacements, m.placement)},
            {"at", m.at},
            {"each_step", m.each_step},
            {"axes", list(m.axes)},
            {"atomic", list(m.atomic)},
            {"storage", m.storage},
            {"unroll", m.unroll},
            {"steps", to(m.steps)},
            {"full", m.full},
            {"row_multiple", m.row_multiple}};
}

Json to(const Group &g) {
    return {{"output", g.output},
            {"tile", to(g.tile)},
            {"tail", name_of(kTails, g.tail)},
            {"conditions", list(g.conditions)},
            {"members", list(g.members)},
            {"updates", list(g.updates)},
            {"atomic", g.atomic},
            {"full", g.full},
            {"on_host", g.on_host}};
}

Json to(const Derived &d) {
    return {{"kind", name_of(kKinds, d.kind)},
            {"source", d.source},
            {"consumers", d.consumers},
            {"update", d.update},
            {"rvar", d.rvar},
            {"factor", d.factor},
            {"usual_extent", d.usual_extent}};
}

// ---- Reading -------------------------------------------------------------------------------------------------------

/// An object of the file and where it stands, so that every message can say so.
class Reader {
public:
    Reader(const Json &json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json_.is_object()) {
            throw Error(where_ + ": expected an object");
        }
    }

    /// Every key of the object must have been asked for.
    void finish() const {
        for (const auto &[key, value] : json_.items()) {
            if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
                throw Error(where_ + ": unknown key '" + key + "'; remove it");
            }
        }
    }

    /// For what few plans have: it is written where it says something only.
    bool has(const char *key) const { return json_.contains(key); }

    template<typename T>
    void read(const char *key, T &value) {
        const Json &j = at(key);
        try {
            value = j.get<T>();
        } catch (const Json::exception &) {
            throw Error(where_ + "." + key + ": a value of the wrong type (" + std::string(j.type_name()) + ")");
        }
    }

    template<typename E, size_t N>
    void read(const char *key, const EnumNames<E, N> &names, E &value) {
        std::string text, known;
        read(key, text);
        for (const auto &[e, name] : names) {
            if (text == name) {
                value = e;
                return;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        throw Error(where_ + "." + key + ": '" + text + "' is none of: " + known);
    }

    template<typename T>
    void read_list(const char *key, std::vector<T> &items) {
        const Json &array = at(key);
        if (!array.is_array()) {
            throw Error(where_ + "." + key + ": expected a list");
        }
        for (size_t i = 0; i < array.size(); i++) {
            Reader item(array[i], where_ + "." + key + "[" + std::to_string(i) + "]");
            items.emplace_back();
            from(item, items.back());
            item.finish();
        }
    }

    template<typename T>
    void read_object(const char *key, T &value) {
        Reader object(at(key), where_ + "." + key);
        from(object, value);
        object.finish();
    }

private:
    const Json &at(const char *key) {
        asked_.emplace_back(key);
        const auto it = json_.find(key);
        if (it == json_.end()) {
            throw Error(where_ + ": the key '" + std::string(key) + "' is missing");
        }
        return *it;
    }

    static void from(Reader &r, AxisTile &a) {
        r.read("dim", a.dim), r.read("width", a.width), r.read("threads", a.threads);
    }

    static void from(Reader &r, KernelTile &t) {
        r.read_list("axes", t.axes);
        r.read("lane_axis", t.lane_axis);
        r.read("layout", kLayouts, t.layout);
        r.read("adjacent", t.adjacent);
        r.read("unroll", t.unroll);
        r.read_object("steps", t.steps);
        if (r.has("stream")) {
            r.read("stream", t.stream);
        }
        if (r.has("host_loops")) {
            r.read("host_loops", t.host_loops);
        }
        if (r.has("turns")) {
            r.read("turns", t.turns);
        }
    }

    static void from(Reader &r, SizeCondition &c) {
        r.read("output", c.output), r.read("dim", c.dim), r.read("extent", c.extent);
    }

    static void from(Reader &r, Steps &s) {
        r.read("counts", s.counts);
        r.read("whole_tiles", s.whole_tiles);
    }

    static void from(Reader &r, Member &m) {
        r.read("func", m.func);
        r.read("placement", kPlacements, m.placement);
        r.read("at", m.at);
        r.read("each_step", m.each_step);
        r.read_list("axes", m.axes);
        r.read_list("atomic", m.atomic);
        r.read("storage", m.storage);
        r.read("unroll", m.unroll);
        r.read_object("steps", m.steps);
        r.read("full", m.full);
        r.read("row_multiple", m.row_multiple);
    }

    static void from(Reader &r, Group &g) {
        r.read("output", g.output);
        r.read_object("tile", g.tile);
        r.read("tail", kTails, g.tail);
        r.read_list("conditions", g.conditions);
        r.read_list("members", g.members);
        r.read_list("updates", g.updates);
        r.read("atomic", g.atomic);
        r.read("full", g.full);
        r.read("on_host", g.on_host);
    }

    static void from(Reader &r, Derived &d) {
        r.read("kind", kKinds, d.kind);
        r.read("source", d.source);
        r.read("consumers", d.consumers);
        r.read("update", d.update);
        r.read("rvar", d.rvar);
        r.read("factor", d.factor);
        r.read("usual_extent", d.usual_extent);
    }

    const Json &json_;
    std::string where_;
    std::vector<std::string> asked_;
};

}  // namespace

std::string to_json(const Plan &plan) {
    const Json json = {{"fingerprint", plan.fingerprint},
                       {"gpu", plan.gpu},
                       {"funcs", plan.names},
                       {"derived", list(plan.derived)},
                       {"groups", list(plan.groups)}};
    return json.dump(2) + "\n";
}

Plan plan_from_json(const std::string &text, const std::string &source) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error &e) {
        throw Error(source + " is not JSON: " + e.what());
    }
    Plan plan;
    Reader reader(json, source);
    reader.read("fingerprint", plan.fingerprint);
    reader.read("gpu", plan.gpu);
    reader.read("funcs", plan.names);
    reader.read_list("derived", plan.derived);
    reader.read_list("groups", plan.groups);
    reader.finish();
    plan.funcs = static_cast<int>(plan.names.size());
    return plan;
}

}  // namespace warptile

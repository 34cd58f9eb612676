// Trace files and results that somebody changed: each is refused with its place, or read as what it says and
// then not confirmed. The honest run is made by hand: two pings sent, the first received.
#include "verdict/trace_file.hpp"

#include <gmock/gmock.h>

#include "semantics/hand_made.hpp"
#include "verdict/json.hpp"
#include "verdict/replay.hpp"

namespace parley::verdict {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class TraceFile : public ::testing::Test {
 protected:
  TraceFile() {
    system::Property p;
    p.kind = system::PropertyKind::NoDeadlock;
    p.name = "no deadlock";
    deadlock_ = made_.s.add(p);
    p.kind = system::PropertyKind::Always;
    p.name = "always (b.got < 0)";
    p.expression = made_.s.exprs.binary(expr::Op::Lt, made_.s.read(made_.got), made_.s.exprs.constant(0));
    always_ = made_.s.add(p);
    p.kind = system::PropertyKind::Reachable;
    p.name = "reachable (b.got < 0)";
    reachable_ = made_.s.add(p);
    trace_.steps = {{made_.send_ping, {}}, {made_.send_ping, {}}, {made_.receive_ping, {}}};
  }

  json trace_file() const {
    return json::parse(dump(to_json(made_.s, {trace_, always_, std::vector<std::uint32_t>{2}})));
  }
  json result_file() const {
    PropertyResult r;
    r.property = always_;
    r.engine = EngineKind::BreadthFirst;
    r.verdict = Violated{trace_, "b.got < 0 is false", {}, {}, {}, {}};
    json result = json::parse(dump(to_json(made_.s, {}, in_, r, nullptr)));
    return {{"format", "parley-result"},
            {"version", 1},
            {"model", "pingpong"},
            {"command", "parley check"},
            {"seconds", 0.5},
            {"cells", {"a.count", "b.got"}},
            {"queues", {{{"name", "b"}, {"capacity", 2}}}},
            {"results", {result}}};
  }
  std::string refusal(const json& file) const {
    try {
      read_claimed_trace(made_.s, parse_strictly(file.dump()));
    } catch (const Malformed& e) {
      return e.why;
    }
    return "accepted: " + file.dump();
  }
  // Read without complaint, and then not confirmed.
  std::string doubt(const json& file) const {
    const ClaimedTrace claimed = read_claimed_trace(made_.s, parse_strictly(file.dump()));
    const Confirmation c = confirm({made_.s, claimed.capacities.value_or(semantics::capacities(made_.s))},
                                   claimed.shows.value(), claimed.trace);
    return c.confirmed ? "confirmed: " + file.dump() : c.why;
  }

  testing::PingPong made_;
  system::PropertyId deadlock_, always_, reachable_;
  semantics::Interpreter in_{made_.s};
  Trace trace_;
};

TEST_F(TraceFile, AnHonestOneIsReadAndConfirmed) {
  for (const json& file : {trace_file(), result_file()}) {
    const ClaimedTrace claimed = read_claimed_trace(made_.s, parse_strictly(file.dump()));
    EXPECT_EQ(claimed.trace, trace_);
    EXPECT_EQ(claimed.shows, always_);
    EXPECT_EQ(claimed.capacities, std::vector<std::uint32_t>{2});
    EXPECT_TRUE(confirm(in_, *claimed.shows, claimed.trace).confirmed);
  }
  json bare = trace_file();
  bare.erase("shows");
  bare.erase("capacities");
  EXPECT_EQ(read_claimed_trace(made_.s, parse_strictly(bare.dump())).shows, std::nullopt);
  EXPECT_EQ(read_claimed_trace(made_.s, parse_strictly(bare.dump()), "no deadlock").shows, deadlock_);
  EXPECT_EQ(read_claimed_trace(made_.s, parse_strictly(bare.dump()), "3").shows, reachable_);
  EXPECT_THROW(read_claimed_trace(made_.s, parse_strictly(bare.dump()), "no such thing"), Malformed);
}

// A JSON pointer, what to put there (null: take it away), and what is said about it.
struct Forgery {
  const char* place;
  json value;
  const char* message;
};

TEST_F(TraceFile, ForgedFieldsOfATraceAreRefusedWithTheirPlace) {
  const json wide = 4294967297;  // 2^32 + 1, which is 1 in 32 bits
  const std::vector<Forgery> forgeries = {
      {"/format", "parley-trail", "`format` is neither that of a trace nor that of a result"},
      {"/format", 1, "`format` must be a text"},
      {"/format", nullptr, "lacks the field `format`"},
      {"/version", 2, "`version` must be 1"},
      {"/version", 1.0, "`version` must be 1"},
      {"/version", nullptr, "lacks the field `version`"},
      {"/model", nullptr, "lacks the field `model`"},
      {"/model", json::array(), "`model` must be a text"},
      {"/steps", json::object(), "`steps` must be a list"},
      {"/steps", nullptr, "lacks the field `steps`"},
      {"/steps", "none", "`steps` must be a list"},
      {"/steps/1", 1, "`steps[1]` must be an object"},
      {"/steps/1", json::object(), "`steps[1]` lacks the field `action`"},
      {"/steps/0/action", 1.5, "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", 0.0, "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", wide, "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", -1, "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", "0", "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", true, "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", 2, "`steps[0].action` must be a whole number from 0 to 1"},
      {"/steps/0/action", 1, "`steps[0]` says that action 1 is `send` of a; it is `receive` of b"},
      {"/steps/0/name", "receive", "`steps[0]` says that action 0 is `receive` of a; it is `send` of a"},
      {"/steps/0/owner", "b", "`steps[0]` says that action 0 is `send` of b; it is `send` of a"},
      {"/steps/0/name", nullptr, "`steps[0]` lacks the field `name`"},
      {"/steps/0/owner", nullptr, "`steps[0]` lacks the field `owner`"},
      {"/steps/0/choices", json::object(), "`steps[0].choices` must be a list"},
      {"/steps/0/choices", {0, 1.5}, "`steps[0].choices[1]` must be a whole number"},
      {"/steps/0/choices", {-1}, "`steps[0].choices[0]` must be a whole number"},
      {"/steps/0/choices", {1e300}, "`steps[0].choices[0]` must be a whole number"},
      {"/steps/0/comment", "", "`steps[0]` has a field `comment`, which means nothing there"},
      {"/initial_choices", 0, "`initial_choices` must be a list"},
      {"/initial_choices", {"0"}, "`initial_choices[0]` must be a whole number"},
      // Three steps; at 3 the run ends.
      {"/loop_start", 1.5, "`loop_start` must be a whole number from 0 to 3"},
      {"/loop_start", 4, "`loop_start` must be a whole number from 0 to 3"},
      {"/loop_start", -1, "`loop_start` must be a whole number from 0 to 3"},
      {"/shows", "no deadlocks", "`shows` names no property of the model"},
      {"/shows", 1, "`shows` must be a text"},
      {"/capacities", json::array(), "`capacities` must have one entry for each of the model's 1 queues"},
      {"/capacities", {3}, "`capacities[0]` must be 2, the declared capacity of b"},
      {"/capacities", {2.5}, "`capacities[0]` must be a whole number"},
      {"/capacities", {wide}, "`capacities[0]` must be a whole number"},
      {"/verdict", "violated", "has a field `verdict`, which means nothing there"}};
  EXPECT_GE(forgeries.size(), 30u);
  for (const Forgery& f : forgeries) {
    json file = trace_file();
    file[json::json_pointer(f.place)] = f.value;
    if (f.value.is_null()) file = file.patch({{{"op", "remove"}, {"path", f.place}}});
    EXPECT_THAT(refusal(file), HasSubstr(f.message)) << f.place;
  }
  EXPECT_THAT(refusal(json::array()), HasSubstr("lacks the field `format`"));
}

TEST_F(TraceFile, ForgedFieldsOfAResultAreRefusedWithTheirPlace) {
  const std::vector<Forgery> forgeries = {
      {"/results", json::object(), "`results` must be a list"},
      {"/results", json::array(), "`results` has no trace"},
      {"/queues", json::array(), "`queues` must have one entry"},
      {"/queues/0/name", "c", "`queues[0].name` must be \"b\""},
      {"/queues/0/capacity", 3, "`queues[0].capacity` must be 2"},
      {"/queues/0/capacity", 2.0, "`queues[0].capacity` must be a whole number"},
      {"/seconds", -1, "`seconds` must be a number that is not negative"},
      {"/cells", {1}, "`cells[0]` must be a text"},
      {"/extra", 1, "has a field `extra`"},
      {"/results/0/verdict", "fine", "`results[0].verdict` must be \"holds\", \"violated\" or \"unknown\""},
      {"/results/0/verdict", "holds", "`results[0].verdict` cannot be \"holds\": a run violates it"},
      {"/results/0/verdict", "unknown", "`results[0].verdict` cannot be \"unknown\": a run violates it"},
      {"/results/0/property", "always", "`results[0].property` names no property of the model"},
      {"/results/0/property", "no deadlock", "`results[0].kind` must be \"no deadlock\""},
      {"/results/0/kind", "never", "`results[0].kind` must be \"always\""},
      {"/results/0/assumptions",
       {{{"code", "hope"}, {"text", ""}}},
       "`results[0].assumptions[0].code` is no code of an assumption"},
      {"/results/0/coverage", nullptr, "`results[0]` lacks the field `coverage`"},
      {"/results/0/proof", 1, "`results[0]` has a field `proof`"},
      {"/results/0/trace/steps", json::object(), "`results[0].trace.steps` must be a list"},
      {"/results/0/trace/steps/0/action", 1.5, "`results[0].trace.steps[0].action` must be a whole number"}};
  for (const Forgery& f : forgeries) {
    json file = result_file();
    file[json::json_pointer(f.place)] = f.value;
    if (f.value.is_null()) file = file.patch({{{"op", "remove"}, {"path", f.place}}});
    EXPECT_THAT(refusal(file), HasSubstr(f.message)) << f.place;
  }
}

TEST_F(TraceFile, AFalseClaimIsReadAndNotConfirmed) {
  json file = trace_file();
  file["shows"] = "no deadlock";  // everybody may rest: there is none
  EXPECT_THAT(doubt(file), HasSubstr("no deadlock"));
  file["shows"] = "reachable (b.got < 0)";
  EXPECT_THAT(doubt(file), HasSubstr("does not show it"));
  file = result_file();
  file["results"][0]["property"] = "no deadlock";
  file["results"][0]["kind"] = "no deadlock";
  EXPECT_THAT(doubt(file), HasSubstr("no deadlock"));
  file = trace_file();
  file["steps"].erase(2);  // the step that breaks it
  EXPECT_THAT(doubt(file), HasSubstr("does not show it"));
  file["steps"] = json::array();
  EXPECT_THAT(doubt(file), HasSubstr("does not show it"));
  file = trace_file();
  std::swap(file["steps"][0], file["steps"][2]);  // received before it is sent
  EXPECT_THAT(doubt(file), HasSubstr("step 1 (receive) is disabled there"));
  file = trace_file();
  file["steps"].insert(file["steps"].begin(), file["steps"][0]);  // a third ping does not fit in
  EXPECT_THAT(doubt(file), HasSubstr("step 3 (send) is blocked there"));
  file = trace_file();
  file["steps"][1]["choices"] = {1};  // nothing is chosen there
  EXPECT_THAT(doubt(file), HasSubstr("step 2 (send) is disabled there"));
  file = trace_file();
  file["initial_choices"] = {7};
  EXPECT_THAT(doubt(file), HasSubstr("initial choices"));
}

TEST(StrictJson, RefusesWhatIsThereTwiceTooDeepOrNoJson) {
  const auto refusal = [](const std::string& text) {
    try {
      parse_strictly(text);
    } catch (const Malformed& e) {
      return e.why;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal(R"({"a": {"b": 1}, "b": [{"a": 1}, {"a": 2}]})"), "accepted");
  EXPECT_EQ(refusal(R"({"a": {"b": 1, "c": 2, "b": 1}})"), "the field `b` is there twice");
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("nested more than"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  EXPECT_THAT(refusal(deep), HasSubstr("nested more than"));
  for (const char* text :
       {"", "[1, 2", "{\"a\": 01}", "{'a': 1}", "[1] 2", "nul", "{\"a\": NaN}", "\"\xff\""})
    EXPECT_THAT(refusal(text), HasSubstr("no JSON")) << text;
}

}  // namespace
}  // namespace parley::verdict

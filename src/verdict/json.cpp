#include "verdict/json.hpp"

#include "diag/hidden.hpp"
#include "verdict/checked.hpp"
#include "verdict/formula_rows.hpp"

namespace parley::verdict {

using json = nlohmann::ordered_json;

json to_json(const system::System& s, const Trace& trace) {
  json steps = json::array();
  for (const Step& step : trace.steps) {
    json j = {{"action", step.action.value},
              {"owner", s.owner(s.action(step.action).owner).name},
              {"name", s.action(step.action).name}};
    if (!step.choices.empty()) j["choices"] = step.choices;
    steps.push_back(std::move(j));
  }
  json result = {{"format", "parley-trace"}, {"version", kTraceFormat}, {"model", s.name}};
  if (!trace.initial_choices.empty()) result["initial_choices"] = trace.initial_choices;
  if (trace.loop_start) result["loop_start"] = *trace.loop_start;
  result["steps"] = std::move(steps);
  return result;
}

std::string dump(const json& j, int indent) {
  return diag::visible_json(j.dump(indent, ' ', false, json::error_handler_t::replace));
}

json place_json(const diag::SourceMap& sources, const system::Origin& origin) {
  json j = json::object();
  if (origin.span.valid()) {
    const diag::Position p = sources.position(origin.span);
    j["file"] = sources.name(origin.span.file);
    j["line"] = p.line;
    j["column"] = p.column;
    j["begin"] = origin.span.begin;
    j["end"] = origin.span.end;
  }
  if (!origin.element.empty()) j["element"] = origin.element;
  return j;
}

namespace {

json state_json(const system::System& s, const semantics::State& state,
                const std::vector<std::vector<std::uint32_t>>& q) {
  json values = json::array();
  for (std::size_t i = 0; i < s.cells.size(); ++i)
    values.push_back(system::show_value(s, s.cells[i].type, state.cells[i]));
  return {{"values", std::move(values)}, {"queues", q}};
}

std::string owner_name(const system::System& s, system::OwnerId id) {
  return id.valid() ? s.owner(id).name : "";
}

json coverage_json(const system::System& s, const Coverage& c) {
  json j = json::object();
  const auto put = [&](const char* key, const auto& value) {
    if (value) j[key] = *value;
  };
  put("states", c.states);
  put("transitions", c.transitions);
  put("depth", c.depth);
  put("bound", c.bound);
  put("memory_bytes", c.memory_bytes);
  put("bytes_per_state", c.bytes_per_state);
  j["seconds"] = c.seconds;
  j["complete"] = c.complete;
  json unreached = json::array();
  for (ElementId e : c.unreached) unreached.push_back(s.element(e).name);
  j["unreached"] = std::move(unreached);
  if (!c.max_queue_length.empty()) {
    json q = json::object();
    for (std::size_t i = 0; i < c.max_queue_length.size() && i < s.queues.size(); ++i)
      q[s.queues[i].name] = c.max_queue_length[i];
    j["max_queue_length"] = std::move(q);
  }
  return j;
}

// A character for each position: '1' where it is true.
json rows_json(const std::vector<FormulaRow>& rows) {
  json list = json::array();
  for (const FormulaRow& r : rows) {
    std::string at;
    for (const bool truth : r.truth) at += truth ? '1' : '0';
    list.push_back({{"text", r.text}, {"at", std::move(at)}});
  }
  return list;
}

json truth_json(const FormulaRows& rows) {
  json j = {{"positions", rows.positions}, {"loop_from", rows.loop_from}, {"ends", rows.ends}};
  j["propositions"] = rows_json(rows.propositions);
  j["subformulas"] = rows_json(rows.subformulas);
  if (rows.left_out > 0) j["left_out"] = rows.left_out;
  return j;
}

}  // namespace

json to_json(const system::System& s, const diag::SourceMap& sources, const Narration& n) {
  json messages = json::array();
  for (const NarratedMessage& m : n.messages) {
    json j = {{"number", m.number},
              {"text", m.text},
              {"signal", m.signal},
              {"queue", s.queue(m.queue).name},
              {"sender", owner_name(s, m.sender)},
              {"receiver", owner_name(s, m.receiver)},
              {"sent_at", m.sent_at},
              {"taken_at", m.taken_at}};
    if (m.discarded) j["discarded"] = true;
    if (m.lost) j["lost"] = true;
    if (m.deferred_over) j["deferred"] = true;
    messages.push_back(std::move(j));
  }
  json steps = json::array();
  for (const NarratedStep& st : n.steps) {
    json changes = json::array();
    for (const NarratedChange& c : st.changes)
      changes.push_back({{"cell", c.cell.value}, {"name", c.name}, {"before", c.before}, {"after", c.after}});
    json noted = json::array();
    for (ElementId e : st.noted) noted.push_back(e.value);
    json j = {{"owner", owner_name(s, st.owner)}, {"action", st.title}, {"kind", system::describe(st.kind)}};
    if (st.partner.valid()) j["partner"] = owner_name(s, st.partner);
    j["place"] = place_json(sources, s.action(st.action).origin);
    j["received"] = st.received;
    j["sent"] = st.sent;
    j["changes"] = std::move(changes);
    j["elements"] = std::move(noted);
    if (!st.printed.empty()) j["printed"] = st.printed;
    if (st.inside_stretch) j["inside_stretch"] = true;
    if (st.outcome != semantics::Outcome::Done) {
      j["outcome"] = semantics::describe(st.outcome);
      j["failure"] = {{"message", st.failure.message}, {"place", place_json(sources, st.failure.origin)}};
    }
    steps.push_back(std::move(j));
  }
  json states = json::array();
  for (std::size_t i = 0; i < n.states.size(); ++i) states.push_back(state_json(s, n.states[i], n.queues[i]));
  json noted = json::array();
  for (ElementId e : n.noted_at_start) noted.push_back(e.value);
  json result = {{"messages", std::move(messages)},
                 {"sent_at_start", n.sent_at_start},
                 {"elements_at_start", std::move(noted)},
                 {"steps", std::move(steps)},
                 {"states", std::move(states)}};
  if (n.loop_start) result["loop_start"] = *n.loop_start;
  return result;
}

json to_json(const system::System& s, const diag::SourceMap& sources,
             const semantics::Interpreter& interpreter, const PropertyResult& r, const json& story) {
  const system::Property& p = s.property(r.property);
  json j = {{"property", p.name},
            {"kind", system::describe(p.kind)},
            {"verdict", word(r.verdict)},
            {"engine", r.engine_name()}};
  if (r.implicit) j["implicit"] = true;
  j["place"] = place_json(sources, p.origin);
  json assumptions = json::array();
  for (const Assumption& a : r.assumptions)
    assumptions.push_back({{"code", name_of(a.code)}, {"text", a.text}});
  j["assumptions"] = std::move(assumptions);
  if (!r.lemmas.empty()) j["lemmas"] = r.lemmas;
  if (!r.notes.empty()) j["notes"] = r.notes;
  if (const std::optional<CheckedBy> by = checked_by(r)) j["checked"] = name_of(*by);
  const Trace* trace = nullptr;
  if (const auto* h = std::get_if<Holds>(&r.verdict)) {
    j["certificate"] = name_of(h->certificate.kind);
    if (h->witness) trace = &*h->witness;
  } else if (const auto* v = std::get_if<Violated>(&r.verdict)) {
    j["reason"] = v->reason;
    j["reason_place"] = place_json(sources, v->origin);
    if (!v->unreached.empty()) {
      json list = json::array();
      for (ElementId e : v->unreached)
        list.push_back({{"name", s.element(e).name}, {"place", place_json(sources, s.element(e).origin)}});
      j["unreached"] = std::move(list);
    }
    if (v->found_in_steps) j["found_in_steps"] = *v->found_in_steps;
    if (v->trace) trace = &*v->trace;
  } else if (const auto* u = std::get_if<Unknown>(&r.verdict)) {
    j["reason"] = u->reason;
  }
  j["coverage"] = coverage_json(s, r.coverage);
  if (!story.is_null()) j["story"] = story;
  if (trace != nullptr) {
    if (const auto rows = formula_rows(interpreter, r.property, *trace)) j["truth"] = truth_json(*rows);
    j["trace"] = to_json(s, *trace);
    j["narration"] = to_json(s, sources, narrate(interpreter, r.property, *trace));
  }
  return j;
}

}  // namespace parley::verdict

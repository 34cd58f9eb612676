#include "front/diagram/diagram.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "front/diagram/pieces.hpp"
#include "front/diagram/to_uml.hpp"
#include "front/diagram/xstate.hpp"
#include "front/uml/names.hpp"

namespace parley::front::diagram {
namespace {

constexpr std::size_t kMaxTextBytes = 8u << 20;

const char* tool_of(Notation notation) {
  switch (notation) {
    case Notation::PlantUml:
      return "PlantUML";
    case Notation::Mermaid:
      return "Mermaid";
    case Notation::Markdown:
      return "Markdown";
    case Notation::XState:
      return "XState";
  }
  return "";
}

std::vector<Chart> read_texts(const diag::SourceMap& sources, diag::FileId file, Notation notation,
                              diag::Diagnostics& diagnostics) {
  const std::string& text = sources.text(file);
  std::size_t others = 0;
  const std::vector<Piece> pieces = notation == Notation::PlantUml  ? plantuml_pieces(text, others)
                                    : notation == Notation::Mermaid ? mermaid_pieces(text)
                                                                    : markdown_pieces(text, others);
  std::vector<Chart> charts;
  for (const Piece& piece : pieces) {
    if (!is_state_diagram(std::string_view(text).substr(piece.begin, piece.end - piece.begin),
                          piece.dialect)) {
      ++others;
      continue;
    }
    auto chart = read_state_text(sources, file, piece, diagnostics);
    if (!chart) continue;
    if (chart->nodes.empty())
      ++others;
    else
      charts.push_back(std::move(*chart));
  }
  if (charts.empty() && !diagnostics.has_errors())
    diagnostics.error(
        "diagram-none", {file, 0, 0},
        others == 0 ? "the file holds no state diagram"
                    : fmt::format("none of the {} diagrams of the file is a state diagram", others),
        "a PlantUML state diagram has `[*]` or `state`, a Mermaid one starts with `stateDiagram-v2`");
  return charts;
}

void name_charts(std::vector<Chart>& charts, const std::string& path_name) {
  uml::Names names;
  std::string stem = std::filesystem::path(path_name).filename().string();
  stem = stem.substr(0, stem.find('.'));
  for (Chart& chart : charts) chart.name = names.unique(chart.name, stem.empty() ? "diagram" : stem);
}

// People draw an end as a state that nothing leaves: staying there is no deadlock.
void rest_where_nothing_leaves(model::Model& model) {
  std::string names;
  for (model::Class& c : model.classes) {
    if (!c.machine) continue;
    std::set<model::VertexId> left_states;
    for (const auto& t : c.machine->transitions)
      if (t.kind != model::TransitionKind::Internal) left_states.insert(t.source);
    for (std::size_t i = 0; i < c.machine->vertices.size(); ++i) {
      const model::VertexId id(i);
      if (c.machine->vertex(id).kind != model::VertexKind::State || !c.machine->vertex(id).regions.empty())
        continue;
      bool left = false;
      for (model::VertexId at = id; at.valid(); at = c.machine->enclosing_state(at))
        left |= left_states.contains(at);
      if (left) continue;
      c.machine->vertex(id).waiting = true;
      names += (names.empty() ? "`" : ", `") + c.machine->path(id) + "`";
    }
  }
  if (!names.empty())
    model.assumptions.push_back(
        {diag::AssumptionCode::Guessed,
         fmt::format("states that nothing leaves are ends, where staying is fine: {}", names)});
}

// What the diagram leaves open and the model does not.
void list_approximations(const std::vector<Chart>& charts, model::Model& model) {
  for (const Chart& chart : charts) {
    for (const std::string& text : chart.approximations)
      model.assumptions.push_back({diag::AssumptionCode::Approximated, text});
    std::map<int, int> starts;
    for (const Arrow& a : chart.arrows)
      if (chart.nodes[static_cast<std::size_t>(a.from)].kind == NodeKind::Initial && ++starts[a.from] == 2)
        model.assumptions.push_back(
            {diag::AssumptionCode::Approximated,
             fmt::format("`{}` has several arrows from one start: it starts with any of them", chart.name)});
  }
  std::string names;
  for (const model::Class& c : model.classes)
    for (const model::Attribute& a : c.attributes)
      if (a.type.name == "int" || a.type.name == "bool")
        names += (names.empty() ? "`" : ", `") + a.name + "`";
  if (!names.empty())
    model.assumptions.push_back(
        {diag::AssumptionCode::Guessed, fmt::format("variables start with 0 or false: {}", names)});
}

void list_remarks(const std::vector<Chart>& charts, model::Model& model, uml::ImportReport& report) {
  std::size_t count = 0;
  for (const Chart& chart : charts)
    for (const auto& [what, span] : chart.remarks) {
      report.add(uml::Treatment::Ignored, what, {"", "", span});
      count += what == "a line for PlantUML's preprocessor" ? 1 : 0;
    }
  if (count > 0)
    model.assumptions.push_back(
        {diag::AssumptionCode::Ignored,
         fmt::format("{} line(s) for PlantUML's preprocessor say nothing about the states", count)});
}

}  // namespace

std::optional<model::Model> load(diag::SourceMap& sources, const std::string& path_name, std::string bytes,
                                 Notation notation, diag::Diagnostics& diagnostics,
                                 const uml::Options& options, uml::ImportReport& report) {
  const bool too_large = bytes.size() > kMaxTextBytes;
  const std::size_t size = bytes.size();
  const auto file = sources.add(path_name, too_large ? std::string() : std::move(bytes));
  if (too_large) {
    diagnostics.error("file-too-large", {file, 0, 0},
                      fmt::format("the diagram has {} bytes; {} are read", size, kMaxTextBytes));
    return std::nullopt;
  }
  std::vector<Chart> charts = notation == Notation::XState ? read_xstate(sources, file, diagnostics)
                                                           : read_texts(sources, file, notation, diagnostics);
  if (charts.empty() && !diagnostics.has_errors())
    diagnostics.error("diagram-none", {file, 0, 0}, "the file holds no state diagram");
  if (charts.empty() || diagnostics.has_errors()) return std::nullopt;
  name_charts(charts, path_name);
  auto model = uml::load_tree(to_uml(charts, tool_of(notation)), diagnostics, options, report);
  if (!model) return std::nullopt;
  list_remarks(charts, *model, report);
  list_approximations(charts, *model);
  rest_where_nothing_leaves(*model);
  return model;
}

}  // namespace parley::front::diagram

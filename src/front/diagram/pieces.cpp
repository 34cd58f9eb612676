#include "front/diagram/pieces.hpp"

#include <algorithm>

#include "front/diagram/label.hpp"

namespace parley::front::diagram {
namespace {

struct Line {
  std::size_t begin, end;
  std::string text;  // trimmed
};

std::vector<Line> lines_of(const std::string& text, std::size_t begin, std::size_t end) {
  std::vector<Line> lines;
  while (begin < end) {
    const auto stop = std::min(text.find('\n', begin), end);
    lines.push_back({begin, stop, trimmed(std::string_view(text).substr(begin, stop - begin))});
    begin = stop + 1;
  }
  return lines;
}

Piece piece(TextDialect dialect, std::size_t begin, std::size_t end, std::string name) {
  return {dialect, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), std::move(name)};
}

void add(std::vector<Piece>& to, const std::string& text, Piece p, std::size_t& others) {
  if (is_state_diagram(std::string_view(text).substr(p.begin, p.end - p.begin), p.dialect))
    to.push_back(std::move(p));
  else
    ++others;
}

std::vector<Piece> plantuml_between(const std::string& text, std::size_t from, std::size_t to,
                                    std::size_t& others) {
  std::vector<Piece> result;
  bool any = false, open = false;
  std::size_t begin = from;
  std::string name;
  for (const Line& line : lines_of(text, from, to)) {
    if (line.text.starts_with("@startuml")) {
      any = open = true;
      begin = line.end;
      name = trimmed(std::string_view(line.text).substr(9));
      std::erase(name, '"');
      if (name.starts_with("(") || name.starts_with("{")) name.clear();
    } else if (line.text.starts_with("@enduml") && open) {
      open = false;
      add(result, text, piece(TextDialect::PlantUml, begin, line.begin, name), others);
    }
  }
  if (open) add(result, text, piece(TextDialect::PlantUml, begin, to, name), others);
  if (!any) add(result, text, piece(TextDialect::PlantUml, from, to, ""), others);
  return result;
}

}  // namespace

std::vector<Piece> plantuml_pieces(const std::string& text, std::size_t& others) {
  return plantuml_between(text, 0, text.size(), others);
}

std::vector<Piece> mermaid_pieces(const std::string& text) {
  static const char* const kinds[] = {"classDiagram", "sequenceDiagram", "flowchart",
                                      "graph ",       "erDiagram",       "gantt"};
  std::vector<Piece> result;
  std::size_t begin = 0;
  bool state = false, any = false;
  for (const Line& line : lines_of(text, 0, text.size())) {
    const bool starts = line.text.starts_with("stateDiagram");
    const bool other = std::any_of(std::begin(kinds), std::end(kinds),
                                   [&](const char* kind) { return line.text.starts_with(kind); });
    if (!starts && !other) continue;
    if (state) result.push_back(piece(TextDialect::Mermaid, begin, line.begin, ""));
    begin = any ? line.begin : starts ? 0 : line.end;  // what stands before the first is its title
    state = starts;
    any = true;
  }
  if (state) result.push_back(piece(TextDialect::Mermaid, begin, text.size(), ""));
  return result;
}

std::vector<Piece> markdown_pieces(const std::string& text, std::size_t& others) {
  std::vector<Piece> result;
  std::string heading, fence, kind;
  std::size_t begin = 0;
  for (const Line& line : lines_of(text, 0, text.size())) {
    const bool is_fence = line.text.starts_with("```") || line.text.starts_with("~~~");
    if (fence.empty()) {
      if (line.text.starts_with("#")) {
        const auto start = line.text.find_first_not_of("# ");
        heading = start == std::string::npos ? "" : line.text.substr(start);
      }
      if (!is_fence) continue;
      const auto mark = std::min(line.text.find_first_not_of(line.text[0]), line.text.size());
      fence = line.text.substr(0, mark);
      kind = trimmed(std::string_view(line.text).substr(mark));
      for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      begin = line.end;
    } else if (is_fence && line.text.starts_with(fence)) {
      if (kind.starts_with("mermaid"))
        add(result, text, piece(TextDialect::Mermaid, begin, line.begin, heading), others);
      if (kind.starts_with("plantuml") || kind.starts_with("puml") || kind.starts_with("uml"))
        for (Piece& p : plantuml_between(text, begin, line.begin, others)) {
          if (p.name.empty()) p.name = heading;
          result.push_back(std::move(p));
        }
      fence.clear();
    }
  }
  return result;
}

}  // namespace parley::front::diagram

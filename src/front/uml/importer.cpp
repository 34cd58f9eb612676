#include "front/uml/importer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::uml {

std::string Import::label(const Element& e) const {
  const std::string name = clean_name(document.name(e));
  if (name.empty()) return e.id.empty() ? std::string("without name") : fmt::format("[{}]", e.id);
  return e.id.empty() ? fmt::format("`{}`", name) : fmt::format("`{}` [{}]", name, e.id);
}

void Import::settle_fate(const Element& e, Treatment treatment) {
  auto& known = fate.emplace(&e, treatment).first->second;
  known = std::max(known, treatment);
}

void Import::ignore(const char* what, const Element& e, std::string detail) {
  settle_fate(e, Treatment::Ignored);
  report.add(Treatment::Ignored, what, {e.id, std::move(detail), e.span});
}

void Import::leave_out(const char* what, const Element& e, std::string detail, std::string assumption) {
  settle_fate(e, Treatment::Ignored);
  report.add(Treatment::Ignored, what, {e.id, std::move(detail), e.span});
  assume(diag::AssumptionCode::Ignored, what, std::move(assumption));
}

void Import::approximate(const char* what, const Element& e, std::string detail, std::string assumption) {
  settle_fate(e, Treatment::Approximated);
  report.add(Treatment::Approximated, what, {e.id, std::move(detail), e.span});
  assume(diag::AssumptionCode::Approximated, what, std::move(assumption));
}

void Import::guess(const char* what, const Element& e, std::string detail, std::string assumption) {
  settle_fate(e, Treatment::Approximated);
  report.add(Treatment::Approximated, what, {e.id, std::move(detail), e.span});
  assume(diag::AssumptionCode::Guessed, what, std::move(assumption));
}

void Import::assume(diag::AssumptionCode code, const std::string& what, std::string text) {
  auto it = std::find_if(assumed_.begin(), assumed_.end(),
                         [&](const Assumed& a) { return a.code == code && a.what == what; });
  if (it == assumed_.end()) it = assumed_.insert(it, {code, what, text, {}});
  it->texts.insert(std::move(text));
}

void Import::state_assumptions() {
  for (Assumed& a : assumed_) {
    const std::size_t more = a.texts.size() - 1;
    model.assumptions.push_back(
        {a.code, more == 0
                     ? std::move(a.first)
                     : fmt::format("{} (and {} more of this kind: {}; `parley import --report` lists them)",
                                   a.first, more, a.what)});
  }
  assumed_.clear();
}

void Import::reject(const char* what, const Element& e, std::string detail, const std::string& message) {
  settle_fate(e, Treatment::Rejected);
  report.add(Treatment::Rejected, what, {e.id, std::move(detail), e.span});
  diagnostics.error("uml-unsupported", e.span, message);
}

void Import::reject_control(const char* what, const Element& e, std::string detail,
                            const std::string& message) {
  reject(what, e, std::move(detail), message);
  report.lose_control_structure();
}

std::vector<std::size_t> lineage(const Import& import, std::size_t index) {
  std::vector<std::size_t> result;
  std::vector<std::size_t> open{index};
  while (!open.empty()) {
    const auto at = open.front();
    open.erase(open.begin());
    if (std::find(result.begin(), result.end(), at) != result.end()) continue;
    result.push_back(at);
    for (const auto base : import.classes[at].bases) open.push_back(base);
  }
  return result;
}

const Element* machine_of(const Import& import, std::size_t index) {
  for (const auto i : lineage(import, index)) {
    if (import.classes[i].machine != nullptr) return import.classes[i].machine;
  }
  return nullptr;
}

}  // namespace parley::front::uml

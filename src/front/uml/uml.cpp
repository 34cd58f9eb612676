#include "front/uml/uml.hpp"

#include <fmt/format.h>

#include "front/uml/archive.hpp"
#include "front/uml/files_beside.hpp"
#include "front/uml/importer.hpp"
#include "front/uml/staruml.hpp"
#include "front/uml/unfinished.hpp"
#include "model/resolve.hpp"

namespace parley::front::uml {
namespace {

void add_checks(model::Model& model, diag::Span span) {
  for (const auto kind : {model::CheckKind::NoDeadlock, model::CheckKind::NoAssertionFailures,
                          model::CheckKind::NoRuntimeErrors, model::CheckKind::NoUnreachableStates,
                          model::CheckKind::NoUnreachableTransitions}) {
    model::CheckDecl check;
    check.kind = kind;
    check.span = span;
    model.checks.push_back(std::move(check));
  }
}

// The wiring that the user gives in the text language takes the place of what the diagram says.
void take_system(Import& import, model::Model& given) {
  if (!given.classes.empty() || !given.signals.empty() || !given.enums.empty()) {
    const auto span = !given.classes.empty()   ? given.classes.front().span
                      : !given.signals.empty() ? given.signals.front().span
                                               : given.enums.front().span;
    import.diagnostics.error("system-file", span,
                             "a system file for a UML model declares constants, a system and checks; "
                             "classes, signals and enumerations come from the diagram");
    return;
  }
  import.model.constants = std::move(given.constants);
  import.model.system = std::move(given.system);
  import.model.checks = std::move(given.checks);
  import.model.fairness = std::move(given.fairness);
  import.model.comments = std::move(given.comments);
}

void set_order(model::Model& model) {
  const auto add = [&](char kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) model.order.emplace_back(kind, static_cast<std::uint32_t>(i));
  };
  add('c', model.constants.size());
  add('e', model.enums.size());
  add('s', model.signals.size());
  add('k', model.classes.size());
  add('y', model.system ? 1 : 0);
  add('f', model.fairness.size());
  add('q', model.checks.size());
}

}  // namespace

namespace {

std::optional<model::Model> import_document(const Document& document, const LeftOut& left_out,
                                            diag::Diagnostics& diagnostics, const Options& options,
                                            ImportReport& report) {
  const std::size_t errors_before = diagnostics.error_count();
  report.tool = document.tool();
  report.dialect = document.dialect() == Dialect::Uml1 ? "UML 1.x" : "UML 2";
  Import import(document, diagnostics, options, report);
  import.left_out = left_out;
  for (const HabitNote& note : document.habit_notes())
    import.guess(note.what, *note.element, document.name(*note.element), note.assumption);
  read_classes(import);
  if (report.machines == 0) {
    diagnostics.error(
        "uml-no-machine", document.root().span, "the file has no state machine",
        document.tool() == "Umbrello"
            ? "Umbrello keeps the states of its diagrams only as drawings (`statewidget`), not in "
              "the model; draw the machine in a tool that exports it, or write it as text"
            : "there is nothing to check in it");
    return std::nullopt;
  }
  read_signals(import);
  read_operations(import);
  read_machines(import);
  replace_unknown_guards(import);
  declare_signals(import);
  if (options.system != nullptr) {
    take_system(import, *options.system);
  }
  if (!import.model.system) {
    read_structure(import);
    declare_environment(import);
  }
  if (import.model.checks.empty()) add_checks(import.model, document.root().span);
  if (import.model.system->objects.empty()) {
    diagnostics.error("uml-no-machine", document.root().span,
                      "no class with a state machine can be instantiated",
                      "abstract classes and empty machines do not count");
  }
  drop_unread_choices(import);
  account_for_the_rest(import);
  import.state_assumptions();
  set_order(import.model);
  if (diagnostics.error_count() > errors_before) return std::nullopt;
  return std::move(import.model);
}

std::optional<model::Model> import_finished(const Document& document, diag::Diagnostics& diagnostics,
                                            const Options& options, ImportReport& report) {
  LeftOut left_out;
  if (!choose_machines(document, options.classes, left_out, diagnostics)) return std::nullopt;
  if (count_machines(document) - left_out.size() > 1) {
    // A first import, thrown away, shows which machines cannot be used, in the eyes of `resolve` too.
    diag::Diagnostics found;
    ImportReport ignored;
    Options alone = options;
    alone.system = nullptr;
    if (auto model = import_document(document, left_out, found, alone, ignored))
      model::resolve(*model, found, {});
    leave_out_unfinished(document, found, left_out);
  }
  return import_document(document, left_out, diagnostics, options, report);
}

}  // namespace

std::optional<model::Model> load_tree(std::unique_ptr<XmlTree> tree, diag::Diagnostics& diagnostics,
                                      const Options& options, ImportReport& report) {
  const auto document = Document::open(std::move(tree), diagnostics);
  return document == nullptr ? std::nullopt : import_finished(*document, diagnostics, options, report);
}

std::optional<model::Model> load(diag::SourceMap& sources, const std::string& path_name, std::string bytes,
                                 diag::Diagnostics& diagnostics, const Options& options,
                                 ImportReport& report) {
  std::string name = path_name;
  if (is_archive(bytes)) {
    const auto file = sources.add(path_name, "");
    auto member = unpack_model(bytes, options.limits.bytes, {file, 0, 0}, diagnostics);
    if (!member) return std::nullopt;
    name += "!" + member->name;
    bytes = std::move(member->bytes);
  }
  const bool readable = to_parsable_text(bytes);
  const auto file = sources.add(name, readable ? std::move(bytes) : std::string());
  if (!readable) {
    diagnostics.error("xml-syntax", {file, 0, 0}, "the file is UTF-16 text with broken characters");
    return std::nullopt;
  }
  if (is_staruml(sources.text(file))) {
    auto tree = parse_staruml(sources, file, diagnostics, options.limits);
    return tree == nullptr ? std::nullopt : load_tree(std::move(tree), diagnostics, options, report);
  }
  auto tree = parse_xml(sources, file, diagnostics, options.limits);
  if (tree == nullptr) return std::nullopt;
  report.missing_files = add_files_beside(*tree, path_name, sources, diagnostics, options.limits);
  return load_tree(std::move(tree), diagnostics, options, report);
}

bool looks_like_uml(const std::string& path_name, const std::string& bytes) {
  for (const char* ending : {".uml", ".xmi", ".zargo", ".mdxml", ".mdj"}) {
    if (path_name.ends_with(ending)) return true;
  }
  if (is_archive(bytes)) return true;
  if (!path_name.ends_with(".xml")) return false;
  const std::string head = bytes.substr(0, 4000);
  return head.find("XMI") != std::string::npos || head.find("/uml2/") != std::string::npos;
}

}  // namespace parley::front::uml

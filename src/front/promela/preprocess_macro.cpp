#include "front/promela/preprocess_macro.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace parley::front::promela {
namespace {

// Reads one definition from the tokens of its line.
class DefinitionReader {
 public:
  DefinitionReader(const std::vector<PpToken>& line, diag::Span directive, Spellings& spellings,
                   diag::Diagnostics& diagnostics)
      : line_(line), directive_(directive), spellings_(spellings), diagnostics_(diagnostics) {}

  std::optional<Macro> run() {
    if (line_.empty())
      return fail(directive_, "#define needs the name of a macro", "write #define NAME text");
    const PpToken& name = line_[at_++];
    if (name.kind != PpKind::Name)
      return fail(name.place, fmt::format("a macro cannot be called '{}'", shown(name)),
                  "its name has letters, digits and _, and starts with no digit");
    if (is(name, "defined"))
      return fail(name.place, "'defined' is an operator of #if and cannot be a macro", {});
    macro_.name = name.spelling;
    macro_.place = name.place;
    if (at_ < line_.size() && is(line_[at_], "(") && !line_[at_].after_space) {
      ++at_;
      macro_.takes_arguments = true;
      if (!read_parameters()) return std::nullopt;
    }
    if (!read_body()) return std::nullopt;
    return std::move(macro_);
  }

 private:
  bool is(const PpToken& t, std::string_view text) const { return spellings_.text(t.spelling) == text; }
  std::string shown(const PpToken& t) const { return diag::sanitise(spellings_.text(t.spelling)); }

  std::nullopt_t fail(diag::Span place, std::string message, std::string hint) {
    diagnostics_.error("bad-macro", place, std::move(message), std::move(hint));
    return std::nullopt;
  }

  bool bad_parameters(diag::Span place, std::string message) {
    fail(place, std::move(message),
         "write #define NAME(a, b) text, or a space before ( that belongs to the text");
    return false;
  }

  bool read_parameters() {
    if (at_ < line_.size() && is(line_[at_], ")")) return ++at_, true;
    while (at_ < line_.size()) {
      const PpToken& t = line_[at_++];
      if (is(t, "...")) {
        macro_.is_variadic = true;
        macro_.parameters.push_back(spellings_.intern("__VA_ARGS__"));
      } else if (t.kind == PpKind::Name) {
        if (std::find(macro_.parameters.begin(), macro_.parameters.end(), t.spelling) !=
            macro_.parameters.end())
          return bad_parameters(t.place, fmt::format("the macro has two parameters '{}'", shown(t)));
        macro_.parameters.push_back(t.spelling);
        if (at_ < line_.size() && is(line_[at_], "...")) macro_.is_variadic = true, ++at_;
      } else {
        return bad_parameters(t.place, fmt::format("expected the name of a parameter, found '{}'", shown(t)));
      }
      if (at_ == line_.size()) break;
      const PpToken& separator = line_[at_++];
      if (is(separator, ")")) return true;
      if (!is(separator, ",") || macro_.is_variadic)
        return bad_parameters(separator.place,
                              fmt::format("expected {} behind a parameter, found '{}'",
                                          macro_.is_variadic ? "')'" : "',' or ')'", shown(separator)));
    }
    return bad_parameters(line_.back().place, "the parameters of the macro are not closed with ')'");
  }

  std::optional<std::size_t> parameter_of(const PpToken& t) const {
    if (!macro_.takes_arguments || t.kind != PpKind::Name) return std::nullopt;
    const auto found = std::find(macro_.parameters.begin(), macro_.parameters.end(), t.spelling);
    if (found == macro_.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - macro_.parameters.begin());
  }

  bool read_body() {
    for (; at_ < line_.size(); ++at_) {
      BodyItem item{line_[at_], {}, false, false};
      if (is(item.token, "##")) {
        if (macro_.body.empty() || at_ + 1 == line_.size()) {
          fail(item.token.place, "## stands at an end of the macro and has nothing to paste there",
               "put a token on both sides of it");
          return false;
        }
        macro_.body.back().pasted_to_next = true;
        continue;
      }
      if (macro_.takes_arguments && is(item.token, "#")) {
        const bool before_parameter = at_ + 1 < line_.size() && parameter_of(line_[at_ + 1]);
        if (!before_parameter) {
          fail(item.token.place, "# makes a string of a parameter, and no parameter follows",
               "a macro cannot contain a directive");
          return false;
        }
        const bool after_space = item.token.after_space;
        item.token = line_[++at_];
        item.token.after_space = after_space;
        item.stringified = true;
      }
      item.parameter = parameter_of(item.token);
      macro_.body.push_back(item);
    }
    return true;
  }

  const std::vector<PpToken>& line_;
  diag::Span directive_;
  Spellings& spellings_;
  diag::Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  Macro macro_;
};

bool same_definition(const Macro& a, const Macro& b) {
  return a.builtin == b.builtin && a.takes_arguments == b.takes_arguments && a.is_variadic == b.is_variadic &&
         a.parameters == b.parameters && a.body == b.body;
}

}  // namespace

bool operator==(const BodyItem& a, const BodyItem& b) {
  return a.token.spelling == b.token.spelling && a.parameter == b.parameter &&
         a.stringified == b.stringified && a.pasted_to_next == b.pasted_to_next;
}

std::optional<Macro> read_definition(const std::vector<PpToken>& line, diag::Span directive,
                                     Spellings& spellings, diag::Diagnostics& diagnostics) {
  return DefinitionReader(line, directive, spellings, diagnostics).run();
}

MacroTable::MacroTable(Spellings& spellings) {
  define_builtin(spellings.intern("__LINE__"), Builtin::Line);
  define_builtin(spellings.intern("__FILE__"), Builtin::File);
}

void MacroTable::define_builtin(SpellingId name, Builtin builtin) {
  Macro& macro = all_.emplace_back();
  macro.name = name;
  macro.builtin = builtin;
  defined_[name] = &macro;
}

Macro* MacroTable::find(SpellingId name) const {
  const auto found = defined_.find(name);
  return found == defined_.end() ? nullptr : found->second;
}

void MacroTable::define(Macro macro, const Spellings& spellings, diag::Diagnostics& diagnostics) {
  Macro*& slot = defined_[macro.name];
  if (slot != nullptr) {
    if (same_definition(*slot, macro)) return;
    diag::Diagnostic& warning = diagnostics.warning(
        "macro-redefined", macro.place,
        fmt::format("macro '{}' is defined a second time, and differently", spellings.text(macro.name)),
        "this definition counts from here on; write #undef before it if that is meant");
    if (slot->place.valid()) warning.related.push_back({slot->place, "the first definition"});
  }
  slot = &all_.emplace_back(std::move(macro));
}

}  // namespace parley::front::promela

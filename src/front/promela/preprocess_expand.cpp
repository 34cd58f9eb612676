#include "front/promela/preprocess_expand.hpp"

#include <fmt/format.h>

#include <utility>

namespace parley::front::promela {

void Expander::pop() {
  if (Macro* macro = contexts_.back().macro) macro->in_replacement = false;
  contexts_.pop_back();
  apart_next_ = true;
}

// Nothing when no replacement has a token left; End where one that stands alone is at its end.
std::optional<PpToken> Expander::next_of_contexts() {
  while (!contexts_.empty()) {
    Context& context = contexts_.back();
    if (context.at < context.tokens.size()) {
      budget_.tick();
      return context.tokens[context.at++];
    }
    if (context.stands_alone) return PpToken{};
    pop();
  }
  if (!put_back_) return std::nullopt;
  return *std::exchange(put_back_, std::nullopt);
}

void Expander::paint(PpToken& token) const {
  if (token.kind != PpKind::Name) return;
  const Macro* macro = macros_.find(token.spelling);
  if (macro != nullptr && macro->in_replacement) token.painted = true;
}

PpToken Expander::next_plain() {
  std::optional<PpToken> token = next_of_contexts();
  if (!token) token = input_.next();
  paint(*token);
  return *token;
}

PpToken Expander::next_plain_in_call() {
  std::optional<PpToken> token = next_of_contexts();
  if (!token) token = input_.next_in_call();
  paint(*token);
  return *token;
}

PpToken Expander::next_expanded() {
  while (true) {
    PpToken token = next_plain();
    if (token.kind == PpKind::End) return token;
    if (token.kind == PpKind::Name && !token.painted) {
      if (in_condition_ && is(token, "defined")) return defined_operator(token);
      Macro* macro = macros_.find(token.spelling);
      if (macro != nullptr && enter(*macro, token)) continue;
    }
    token.apart = std::exchange(apart_next_, false) || token.apart;
    token.first_on_line = std::exchange(pending_line_, false) || token.first_on_line;
    token.after_space = std::exchange(pending_space_, false) || token.after_space;
    return token;
  }
}

std::vector<PpToken> Expander::expand_alone(std::vector<PpToken> tokens) {
  const bool apart = apart_next_, line = pending_line_, space = pending_space_;
  apart_next_ = pending_line_ = pending_space_ = false;
  contexts_.push_back({std::move(tokens), 0, nullptr, true});
  std::vector<PpToken> result;
  for (PpToken t = next_expanded(); t.kind != PpKind::End; t = next_expanded()) {
    budget_.copy_tokens(1);
    result.push_back(t);
  }
  contexts_.pop_back();
  apart_next_ = apart, pending_line_ = line, pending_space_ = space;
  return result;
}

std::vector<PpToken> Expander::expand_line(std::vector<PpToken> tokens) {
  const diag::Span call = call_;
  const std::size_t depth = std::exchange(call_depth_, 0);
  std::vector<PpToken> result = expand_alone(std::move(tokens));
  call_ = call;
  call_depth_ = depth;
  return result;
}

std::vector<PpToken> Expander::expand_condition(std::vector<PpToken> tokens) {
  in_condition_ = true;
  std::vector<PpToken> result = expand_line(std::move(tokens));
  in_condition_ = false;
  return result;
}

PpToken Expander::defined_operator(const PpToken& word) {
  PpToken name = next_plain();
  const bool in_parentheses = is(name, "(");
  if (in_parentheses) name = next_plain();
  if (name.kind != PpKind::Name || (in_parentheses && !is(next_plain(), ")")))
    diagnostics_.error("bad-condition", word.place, "'defined' asks about one name",
                       "write defined(NAME) or defined NAME");
  return made(PpKind::Number, macros_.find(name.spelling) != nullptr ? "1" : "0", word);
}

bool Expander::enter(Macro& macro, const PpToken& name) {
  if (!name.from_macro && call_depth_ == 0) call_ = name.place;
  std::vector<Argument> arguments;
  if (macro.takes_arguments) {
    if (!opens_call()) return false;
    std::optional<std::vector<Argument>> read = read_arguments(macro, name);
    if (!read) return false;
    arguments = std::move(*read);
  }
  budget_.expand();
  if (!name.from_macro && macro.place.valid())
    macro_uses_.try_emplace(name.place, MacroUse{spellings_.text(macro.name), macro.place});
  std::vector<PpToken> replacement = macro.builtin == Builtin::None
                                         ? substitute(macro, name, arguments)
                                         : std::vector<PpToken>{builtin_value(macro, name)};
  if (replacement.empty()) {
    pending_line_ = pending_line_ || name.first_on_line;
    pending_space_ = pending_space_ || name.after_space;
  } else {
    replacement.front().first_on_line = name.first_on_line;
    replacement.front().after_space = name.after_space;
    replacement.front().apart = true;
  }
  macro.in_replacement = true;
  contexts_.push_back({std::move(replacement), 0, &macro, false});
  return true;
}

// Does '(' come next? It may stand behind the end of the replacements under way, which then end here.
bool Expander::opens_call() {
  while (!contexts_.empty()) {
    const Context& context = contexts_.back();
    if (context.at < context.tokens.size()) return is(context.tokens[context.at], "(");
    if (context.stands_alone) return false;
    pop();
  }
  if (!put_back_) {
    const PpToken token = input_.next_in_call();
    if (token.kind == PpKind::End) return false;
    put_back_ = token;
  }
  return is(*put_back_, "(");
}

std::optional<std::vector<Expander::Argument>> Expander::read_arguments(const Macro& macro,
                                                                        const PpToken& name) {
  next_plain_in_call();  // the '('
  std::vector<Argument> arguments(1);
  for (std::size_t depth = 0;;) {
    PpToken token = next_plain_in_call();
    if (token.kind == PpKind::End) {
      diagnostics_.error(
          "macro-arguments", name.place,
          fmt::format("the arguments of macro '{}' are never closed", spellings_.text(macro.name)),
          "close them with )");
      return std::nullopt;
    }
    if (depth == 0 && is(token, ")")) break;
    if (is(token, "(")) ++depth;
    if (is(token, ")")) --depth;
    const bool in_rest = macro.is_variadic && arguments.size() == macro.parameters.size();
    if (depth == 0 && is(token, ",") && !in_rest) {
      arguments.emplace_back();
      continue;
    }
    token.after_space = token.after_space || token.first_on_line;
    token.first_on_line = false;
    budget_.copy_tokens(1);
    arguments.back().push_back(token);
  }
  if (!arguments_fit(macro, name, arguments)) return std::nullopt;
  return arguments;
}

bool Expander::arguments_fit(const Macro& macro, const PpToken& name, std::vector<Argument>& arguments) {
  const std::size_t wanted = macro.parameters.size();
  if (wanted == 0 && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (macro.is_variadic && arguments.size() + 1 == wanted) arguments.emplace_back();
  if (arguments.size() == wanted) return true;
  diag::Diagnostic& error =
      diagnostics_.error("macro-arguments", name.place,
                         fmt::format("macro '{}' takes {} argument{}, {} given", spellings_.text(macro.name),
                                     wanted, wanted == 1 ? "" : "s", arguments.size()));
  error.related.push_back({macro.place, "defined here"});
  return false;
}

PpToken Expander::builtin_value(const Macro& macro, const PpToken& name) {
  const diag::Span place = call_depth_ > 0 || name.from_macro ? call_ : name.place;
  if (macro.builtin == Builtin::Line)
    return made(PpKind::Number, std::to_string(input_.line_at(place)), name);
  std::string quoted = "\"";
  for (const char c : input_.file_at(place)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return made(PpKind::String, quoted + '"', name);
}

// A token that no text contains; it stands where `like` does.
PpToken Expander::made(PpKind kind, std::string_view text, const PpToken& like) {
  PpToken token = like;
  token.kind = kind;
  token.spelling = spellings_.intern(text);
  token.painted = false;
  token.apart = true;
  token.from_macro = true;
  return token;
}

}  // namespace parley::front::promela

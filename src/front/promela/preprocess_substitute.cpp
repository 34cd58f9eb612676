// The body of a macro with its arguments put in: C99, 6.10.3.1 to 6.10.3.3.
#include <fmt/format.h>

#include "front/promela/preprocess_expand.hpp"

namespace parley::front::promela {

// Operands of # and ## are the arguments as written, all others are expanded first. Behind a comma, ## before
// the rest of the arguments takes the comma away if there are none, as in gcc.
std::vector<PpToken> Expander::substitute(const Macro& macro, const PpToken& name,
                                          const std::vector<Argument>& arguments) {
  std::vector<std::optional<std::vector<PpToken>>> expanded(arguments.size());
  std::vector<PpToken> result;
  bool left_is_empty = false;  // the operand of ## before this item made no token
  bool apart = true;
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    const BodyItem& item = macro.body[i];
    const bool pasted = i > 0 && macro.body[i - 1].pasted_to_next;
    std::vector<PpToken> tokens;
    if (!item.parameter) {
      tokens = {item.token};
    } else if (const Argument& argument = arguments[*item.parameter]; item.stringified) {
      tokens = {stringified(argument, item.token)};
    } else if (pasted || item.pasted_to_next) {
      tokens = argument;
    } else {
      std::optional<std::vector<PpToken>>& whole = expanded[*item.parameter];
      if (!whole) {
        budget_.nest_calls(++call_depth_);
        whole = expand_alone(argument);
        --call_depth_;
      }
      tokens = *whole;
    }
    budget_.copy_tokens(tokens.size());
    for (PpToken& t : tokens) {
      if (!item.parameter || item.stringified) t.place = name.place;
      t.first_on_line = false;
      t.from_macro = true;
    }
    if (!tokens.empty()) {
      tokens.front().after_space = item.token.after_space;
      tokens.front().apart = tokens.front().apart || apart || item.parameter.has_value();
    }
    apart = item.parameter.has_value();
    const bool rest_behind_comma = pasted && macro.is_variadic && item.parameter &&
                                   *item.parameter + 1 == macro.parameters.size() && !item.stringified &&
                                   !left_is_empty && !result.empty() && is(result.back(), ",");
    auto first = tokens.begin();
    if (rest_behind_comma && tokens.empty()) {
      result.pop_back();
    } else if (pasted && !left_is_empty && !tokens.empty() && !rest_behind_comma) {
      PpToken left = result.back();
      result.pop_back();
      paste(left, *first++, result);
      apart = true;
    }
    left_is_empty = tokens.empty() && (!pasted || left_is_empty);
    result.insert(result.end(), first, tokens.end());
  }
  return result;
}

void Expander::paste(PpToken& left, const PpToken& right, std::vector<PpToken>& into) {
  const std::string text = spellings_.text(left.spelling) + spellings_.text(right.spelling);
  budget_.make_text(text.size());
  const Lexeme lexeme = first_lexeme(text);
  if (lexeme.length == text.size() && lexeme.kind != PpKind::Other) {
    into.push_back(made(lexeme.kind, text, left));
    return;
  }
  diagnostics_.error(
      "bad-paste", left.place,
      fmt::format("pasting '{}' and '{}' with ## makes no token",
                  diag::sanitise(spellings_.text(left.spelling)),
                  diag::sanitise(spellings_.text(right.spelling))),
      "## joins the parts of one name, number or operator; without it both stand side by side");
  into.push_back(left);
  into.push_back(right);
}

PpToken Expander::stringified(const Argument& argument, const PpToken& like) {
  std::string text = "\"";
  for (const PpToken& token : argument) {
    if (token.after_space && text.size() > 1) text += ' ';
    const bool is_quoted = token.kind == PpKind::String || token.kind == PpKind::Character;
    for (const char c : spellings_.text(token.spelling)) {
      if (is_quoted && (c == '"' || c == '\\')) text += '\\';
      text += c;
    }
  }
  // A lone backslash at the end would take the closing quote with it.
  const std::size_t last = text.find_last_not_of('\\');
  if ((text.size() - 1 - last) % 2 != 0) text.pop_back();
  text += '"';
  budget_.make_text(text.size());
  return made(PpKind::String, text, like);
}

}  // namespace parley::front::promela

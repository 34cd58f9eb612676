// Replaces macros: arguments, # and ##, and the rescanning of what comes out (C99, 6.10.3), in the way of gcc
// where the standard leaves it open. Replacements under way are a stack of token lists, so that a long chain
// of macros costs no call stack; only calls inside arguments recurse, to a limit.
#pragma once

#include <optional>
#include <vector>

#include "diag/diagnostic.hpp"
#include "front/promela/preprocess_limits.hpp"
#include "front/promela/preprocess_macro.hpp"
#include "front/promela/source_text.hpp"

namespace parley::front::promela {

// Where the expander gets the tokens of the text from: the preprocessor, which deals with directives
// meanwhile.
class TokenInput {
 public:
  virtual ~TokenInput() = default;
  virtual PpToken next() = 0;
  // The same inside a macro's call, which does not go on behind the end of a file: End, again and again.
  virtual PpToken next_in_call() = 0;
  // __LINE__ and __FILE__ at a place, after #line.
  virtual std::uint32_t line_at(diag::Span place) const = 0;
  virtual std::string file_at(diag::Span place) const = 0;
};

class Expander {
 public:
  Expander(TokenInput& input, MacroTable& macros, Spellings& spellings, PreprocessBudget& budget,
           diag::Diagnostics& diagnostics)
      : input_(input), macros_(macros), spellings_(spellings), budget_(budget), diagnostics_(diagnostics) {}

  // The next token of the text with every macro replaced; End at its end.
  PpToken next() { return next_expanded(); }
  // The place of the call in the text that made the last token, if a macro did.
  diag::Span call() const { return call_; }
  bool is_replacing() const { return !contexts_.empty(); }
  const std::map<diag::Span, MacroUse>& macro_uses() const { return macro_uses_; }

  // The tokens of a directive's line, replaced without looking beyond them.
  std::vector<PpToken> expand_line(std::vector<PpToken> tokens);
  // The same for #if: what `defined` is asked about is not replaced, and the answer is 1 or 0.
  std::vector<PpToken> expand_condition(std::vector<PpToken> tokens);

 private:
  // A list of tokens that is being read: a replacement, or tokens that are expanded on their own.
  struct Context {
    std::vector<PpToken> tokens;
    std::size_t at = 0;
    Macro* macro = nullptr;
    bool stands_alone = false;  // nothing behind its end is read before it is taken off
  };
  using Argument = std::vector<PpToken>;

  PpToken next_expanded();
  // The next token as it stands, painted if its macro is being replaced.
  PpToken next_plain();
  PpToken next_plain_in_call();
  std::optional<PpToken> next_of_contexts();
  void paint(PpToken& token) const;
  void pop();
  PpToken defined_operator(const PpToken& word);
  std::vector<PpToken> expand_alone(std::vector<PpToken> tokens);

  // Starts the replacement of the macro that `name` names; false: it is no call, or a wrong one.
  bool enter(Macro& macro, const PpToken& name);
  bool opens_call();
  std::optional<std::vector<Argument>> read_arguments(const Macro& macro, const PpToken& name);
  bool arguments_fit(const Macro& macro, const PpToken& name, std::vector<Argument>& arguments);
  std::vector<PpToken> substitute(const Macro& macro, const PpToken& name,
                                  const std::vector<Argument>& arguments);
  void paste(PpToken& left, const PpToken& right, std::vector<PpToken>& into);
  PpToken stringified(const Argument& argument, const PpToken& like);
  PpToken builtin_value(const Macro& macro, const PpToken& name);
  PpToken made(PpKind kind, std::string_view text, const PpToken& like);
  bool is(const PpToken& t, std::string_view text) const {
    return t.kind != PpKind::End && spellings_.text(t.spelling) == text;
  }

  TokenInput& input_;
  MacroTable& macros_;
  Spellings& spellings_;
  PreprocessBudget& budget_;
  diag::Diagnostics& diagnostics_;
  std::vector<Context> contexts_;
  std::optional<PpToken> put_back_;  // a token of the text that was looked at for '('
  std::size_t call_depth_ = 0;       // of arguments that are being expanded
  bool in_condition_ = false;
  diag::Span call_;
  bool apart_next_ = false;     // a replacement ended before the next token
  bool pending_line_ = false;   // an empty replacement began a line
  bool pending_space_ = false;  // or stood behind a space
  std::map<diag::Span, MacroUse> macro_uses_;
};

}  // namespace parley::front::promela

// Names, expressions and statements as the user would write them, in one line: what diagnostics, traces and
// the formatter print. Names that would not be read back as names get their backquotes here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace parley::model {

// Length in bytes of a letter outside ASCII at this place of a text, 0 if there is none. White space,
// punctuation and direction marks outside ASCII are no letters: a name must not look like something else.
std::size_t letter_length(std::string_view text, std::size_t at);
// True for what the language reads as a name without backquotes (reserved words are not).
bool is_plain_name(std::string_view name);
// The name, in backquotes if it needs them.
std::string quote_name(std::string_view name);
// A text in double quotes, escaped.
std::string quote_text(std::string_view text);
// Paths of states ("serving.`odd name`"): joined with quotes where needed, and taken apart again.
std::string join_path(const std::vector<std::string>& names);
std::vector<std::string> split_path(std::string_view path);

// How tightly the outermost operator binds.
Precedence level_of(const Expr& expression);
// In parentheses if it binds less than this.
std::string show(const Expr& expression, Precedence lowest = Precedence::None);
std::string show(const TypeRef& type);  // without the array size, which follows the declared name
std::string show(const ModelType& type, const Model& model);
std::string show(const Stmt& statement);  // in one line, with its semicolon; blocks as { a; b; }
std::string show(const Formula& formula);
std::string show(const EventAtom& event);  // "bank sends reply(x) to atm where x > 3"
// The same with names for the objects: in the body of a quantifier they are variables.
std::string show(const EventAtom& event, const std::string& who, const std::string& to_whom);
std::string show(const FairnessDecl& fairness);    // "strongly fair (channel takes deliver)"
std::string show(const Trigger& trigger);          // "card(pin)", "after 30", "when (x > 0)"
std::string show(const CheckDecl& check);          // "no deadlock", "always (atm.tries <= 3)": without label
std::string show(const PartitionDecl& partition);  // "Account.balance: ..-1 | 0 | 1.."
std::string show_word(VertexKind kind);            // "state", "choice", "deep history", …
std::string show_word(EventKind kind);
std::string show_word(Overflow overflow);

}  // namespace parley::model

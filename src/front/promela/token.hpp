// Tokens of Promela. The lexer makes them, the parser and the expansion of inlines read them. A token keeps
// the place where it stands in the user's file, not in the preprocessed text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/source.hpp"

namespace parley::front::promela {

enum class Tok : std::uint8_t {
  End,
  Name,
  Number,
  String,
  // punctuation
  LBrace,
  RBrace,
  LParen,
  RParen,
  LBracket,
  RBracket,
  Semi,
  Arrow,
  Comma,
  Colon,
  Sep,
  Dot,
  DotDot,
  At,
  Assign,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Amp,
  Pipe,
  Caret,
  Tilde,
  Bang,
  BangBang,
  Query,
  QueryQuery,
  Incr,
  Decr,
  EqEq,
  NotEq,
  Lt,
  Le,
  Gt,
  Ge,
  Shl,
  Shr,
  AndAnd,
  OrOr,
  Box,
  Diamond,
  Equiv,  // [] <> <-> of temporal formulas; only the parser of formulas makes them
  // keywords
  Active,
  Assert,
  Atomic,
  Bit,
  Bool,
  Break,
  Byte,
  Chan,
  CCode,
  CDecl,
  CExpr,
  CState,
  CTrack,
  DProctype,
  DStep,
  Do,
  Else,
  Empty,
  Enabled,
  Eval,
  False,
  Fi,
  For,
  Full,
  GetPriority,
  Goto,
  Hidden,
  If,
  Init,
  Inline,
  Int,
  Len,
  Local,
  Ltl,
  Mtype,
  Nempty,
  Never,
  Nfull,
  Notrace,
  Np,
  Od,
  Of,
  PcValue,
  Pid,
  Printf,
  Printm,
  Priority,
  Proctype,
  Provided,
  Run,
  Select,
  SetPriority,
  Short,
  Show,
  Skip,
  Timeout,
  Trace,
  True,
  Typedef,
  Unless,
  Unsigned,
  Xr,
  Xs
};

struct Token {
  Tok kind = Tok::End;
  std::string text;        // as written
  std::int32_t value = 0;  // Number
  diag::Span span;
  bool after_newline = false;   // the first token of its line
  std::uint32_t expansion = 0;  // number of the inline call this token comes from; 0: none
};

using Tokens = std::vector<Token>;

// How a kind of token is called in messages: "'->'", "a name".
std::string describe(Tok kind);
std::string describe(const Token& token);
bool is_keyword(Tok kind);

}  // namespace parley::front::promela

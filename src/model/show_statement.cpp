#include <fmt/format.h>

#include "model/show.hpp"

namespace parley::model {
namespace {

std::string block(const Stmt& s) {
  if (s.kind != StmtKind::Block) return "{ " + show(s) + " }";
  return show(s);
}

// A type at the start of a statement must not be read as another statement's first word.
std::string local_type(const TypeRef& t) {
  const bool clashes = t.name == "send" || t.name == "start" || t.name == "stop" || t.name == "havoc";
  return clashes ? '`' + t.name + '`' : show(t);
}

std::string arguments(const std::vector<ExprPtr>& args) {
  if (args.empty()) return {};
  std::string out = "(";
  for (std::size_t i = 0; i < args.size(); ++i) out += (i > 0 ? ", " : "") + show(*args[i]);
  return out + ')';
}

}  // namespace

std::string show(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::Block: {
      if (s.children.empty()) return "{ }";
      std::string out = "{";
      for (const StmtPtr& c : s.children) out += ' ' + show(*c);
      return out + " }";
    }
    case StmtKind::Local: {
      std::string out = local_type(s.type) + ' ' + quote_name(s.text);
      if (s.type.array_size) out += '[' + show(*s.type.array_size) + ']';
      if (s.value) out += " = " + show(*s.value);
      return out + ';';
    }
    case StmtKind::Assign:
      if (!s.value) return fmt::format("{0}{1}{1};", show(*s.target), spelling(s.op));
      return fmt::format("{} {}= {};", show(*s.target), spelling(s.op), show(*s.value));
    case StmtKind::Send:
      return fmt::format("send {}{}{};", quote_name(s.text), arguments(s.args),
                         s.target ? " to " + show(*s.target) : "");
    case StmtKind::Assert:
      return fmt::format("assert {}{};", show(*s.value), s.text.empty() ? "" : " : " + quote_text(s.text));
    case StmtKind::If: {
      std::string out = fmt::format("if ({}) {}", show(*s.value), block(*s.children[0]));
      if (s.children.size() > 1) {
        const Stmt& other = *s.children[1];
        const bool chain = other.kind == StmtKind::Block && other.children.size() == 1 &&
                           other.children[0]->kind == StmtKind::If;
        out += " else " + (chain ? show(*other.children[0]) : block(other));
      }
      return out;
    }
    case StmtKind::For:
      return fmt::format("for ({} in {}..{}) {}", quote_name(s.text), show(*s.value), show(*s.hi),
                         block(*s.children[0]));
    case StmtKind::While:
      return fmt::format("while ({}) limit {} {}", show(*s.value), show(*s.hi), block(*s.children[0]));
    case StmtKind::Either: {
      std::string out = "either " + block(*s.children[0]);
      for (std::size_t i = 1; i < s.children.size(); ++i) out += " or " + block(*s.children[i]);
      return out;
    }
    case StmtKind::Call:
      return show(*s.value) + ';';
    case StmtKind::Return:
      return s.value ? "return " + show(*s.value) + ';' : "return;";
    case StmtKind::StartTimer:
      return fmt::format("start {} = {};", show(*s.target), show(*s.value));
    case StmtKind::StopTimer:
      return fmt::format("stop {};", show(*s.target));
    case StmtKind::Havoc:
      return fmt::format("havoc {};", show(*s.target));
  }
  return {};
}

}  // namespace parley::model

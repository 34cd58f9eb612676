#include <fmt/format.h>

#include "front/uml/code_translator.hpp"

namespace parley::front::uml::code {

namespace {

bool is_send_word(std::string_view word) {
  return one_of(word,
                {"send", "GEN", "raise", "emit", "sendSignal", "sendEvent", "generate", "fire", "signal"});
}

}  // namespace

// --------------------------------------------------------------------------------------------

bool Translator::is_output(const Node& n) const {
  if (n.kind == NodeKind::Binary && n.text == "<<") return is_output(*n.children[0]);
  if (n.kind == NodeKind::Name)
    return one_of(n.text, {"std::cout", "cout", "std::cerr", "cerr", "std::clog", "clog"});
  if (n.kind != NodeKind::Call) return false;
  const Node& callee = *n.children[0];
  if (callee.kind == NodeKind::Name) {
    if (scope_.self->operations.contains(callee.text)) return false;
    return one_of(callee.text, {"printf", "puts", "print", "println", "WriteLine", "Serial.println", "alert",
                                "fflush", "std::printf", "LOG", "DEBUG"});
  }
  if (callee.kind != NodeKind::Member) return false;
  const Node* base = callee.children[0].get();
  if (const auto* port = port_of(*base); port != nullptr && port->kind == PortKind::Log) return true;
  std::string path = callee.text;
  while (base->kind == NodeKind::Member || base->kind == NodeKind::Call) {
    path = base->kind == NodeKind::Member ? base->text + "." + path : path;
    base = base->children[0].get();
  }
  if (base->kind != NodeKind::Name) return false;
  path = base->text + "." + path;
  if (path.starts_with("System.out.") || path.starts_with("System.err.") || path.starts_with("console."))
    return true;
  return one_of(base->text, {"log", "logger", "Log", "Logger", "LOGGER"}) &&
         !scope_.self->attributes.contains(base->text);
}

// `port` or `port()` as UML-RT code writes it; also this->port
const PortInfo* Translator::port_of(const Node& n) const {
  const Node* at = &n;
  if (at->kind == NodeKind::Call && at->children.size() == 1) at = at->children[0].get();
  if (at->kind == NodeKind::Index) at = at->children[0].get();
  if (at->kind == NodeKind::Member && at->children[0]->kind != NodeKind::This) return nullptr;
  if (at->kind != NodeKind::Name && at->kind != NodeKind::Member) return nullptr;
  if (locals_.contains(at->text)) return nullptr;
  const auto it = scope_.self->ports.find(at->text);
  return it == scope_.self->ports.end() ? nullptr : &it->second;
}

const SignalInfo* Translator::signal_of(const std::string& written, std::string& key) const {
  key = last_part(written);
  const auto it = scope_.library->signals.find(key);
  return it == scope_.library->signals.end() ? nullptr : &it->second;
}

StmtPtr Translator::send(const std::string& key, ExprPtr target, ExprPtr port,
                         const std::vector<const Node*>& arguments) {
  const SignalInfo& signal = scope_.library->signals.at(key);
  auto s = make(StmtKind::Send);
  s->text = signal.model_name;
  s->target = std::move(target);
  if (signal.carries_port) s->args.push_back(port == nullptr ? make_int(0, span_) : std::move(port));
  for (std::size_t i = 0; i < signal.parameters.size(); ++i) {
    const ValueType& type = signal.parameters[i];
    if (i >= arguments.size()) {  // not given: whatever the data is by default
      if (arguments.empty() && type.tag == Tag::Int)
        s->args.push_back(make_int(0, span_));
      else if (arguments.empty() && type.tag == Tag::Bool)
        s->args.push_back(make_bool(false, span_));
      else if (arguments.empty() && type.tag == Tag::Ref)
        s->args.push_back(make_expr(ExprKind::Null));
      else if (auto any = make_any(type, span_))
        s->args.push_back(std::move(any));
      else
        fail("a message without its values");
      continue;
    }
    try {
      s->args.push_back(coerce(expression(*arguments[i]), type));
    } catch (const NoMeaning& e) {
      auto any = make_any(type, span_);
      if (!scope_.havoc || any == nullptr) throw;
      result.problems.push_back({code_.excerpt(*arguments[i]), e.reason});
      s->args.push_back(std::move(any));
    }
  }
  if (arguments.size() > signal.parameters.size() && !signal.parameters.empty())
    fail("a message with more values than its signal has");
  result.sent.push_back(key);
  return s;
}

StmtPtr Translator::send_to_port(const PortInfo& port, const std::string& message,
                                 const std::vector<const Node*>& arguments, const Node* index) {
  if (port.kind == PortKind::Log) {
    result.output.push_back(message);
    return nullptr;
  }
  if (port.kind == PortKind::Timing) {
    result.timers.push_back(message);
    return nullptr;
  }
  const auto it = port.sends.find(message);
  if (it == port.sends.end()) fail(fmt::format("the port's protocol has no message `{}` to send", message));
  if (port.peer.empty()) {
    result.sent.push_back(it->second);
    result.problems.push_back(
        {message, "the port is not connected to anything in the model; the message goes nowhere"});
    return nullptr;
  }
  const auto place = [&](const std::string& attribute, ExprPtr at) {
    auto e = make_name(attribute, span_);
    if (at == nullptr) return e;
    auto element = make_expr(ExprKind::Index);
    element->operands.push_back(std::move(e));
    element->operands.push_back(std::move(at));
    return element;
  };
  const auto guarded = [&](auto make_index) {
    auto check = make(StmtKind::If);
    check->value =
        make_binary(model::Operator::Ne, place(port.peer, make_index()), make_expr(ExprKind::Null), span_);
    auto block = make(StmtKind::Block);
    block->children.push_back(send(it->second, place(port.peer, make_index()),
                                   port.peer_port.empty() ? nullptr : place(port.peer_port, make_index()),
                                   arguments));
    check->children.push_back(std::move(block));
    return check;
  };
  // Sending through a port that nothing is connected to loses the message (UML-RT); hence the test for null.
  if (port.replication == 0) return guarded([]() -> ExprPtr { return nullptr; });
  if (index != nullptr) return guarded([&] { return coerce(expression(*index), {Tag::Int, ""}); });
  std::vector<StmtPtr> all;  // send() on a replicated port is a broadcast
  for (std::uint32_t i = 0; i < port.replication; ++i)
    all.push_back(guarded([&] { return make_int(i, span_); }));
  return make_block(std::move(all), span_);
}

// port.message(args).send() or .sendAt(i): the value is whether it worked. Null if n is not of this form.
const Node* Translator::send_result(const Node& n) const {
  if (n.kind == NodeKind::Unary && n.text == "!") return send_result(*n.children[0]);
  if (n.kind == NodeKind::Binary && one_of(n.text, {"==", "!=", ">", ">="}))
    return send_result(*n.children[0]);
  if (n.kind != NodeKind::Call || n.children[0]->kind != NodeKind::Member) return nullptr;
  const Node& method = *n.children[0];
  if (!one_of(method.text, {"send", "sendAt", "invoke", "reply"})) return nullptr;
  const Node& message = *method.children[0];
  if (message.kind != NodeKind::Call || message.children[0]->kind != NodeKind::Member) return nullptr;
  return port_of(*message.children[0]->children[0]) == nullptr ? nullptr : &n;
}

StmtPtr Translator::send_chain(const Node& chain) {
  const Node& method = *chain.children[0];
  if (one_of(method.text, {"invoke", "reply"})) fail("a synchronous call");
  const Node& message = *method.children[0];
  const Node& port_node = *message.children[0]->children[0];
  const Node* index =
      method.text == "sendAt" && chain.children.size() > 1 ? chain.children[1].get() : nullptr;
  if (port_node.kind == NodeKind::Index) index = port_node.children[1].get();
  return send_to_port(*port_of(port_node), message.children[0]->text, arguments_of(message, 1), index);
}

// send(new Sig(args)), send(Sig, target), GEN(Sig(args)), target.send(new Sig()), target->GEN(Sig())
StmtPtr Translator::send_by_function(const Node& call_node, const Node* receiver) {
  if (call_node.children.size() < 2) return nullptr;
  std::size_t at = 1;
  std::string key;
  const auto read = [&](const Node& n, std::vector<const Node*>& arguments) -> bool {
    if (n.kind == NodeKind::New && signal_of(n.text, key) != nullptr) {
      arguments = arguments_of(n, 0);
      return true;
    }
    if (n.kind == NodeKind::Call && n.children[0]->kind == NodeKind::Name &&
        signal_of(n.children[0]->text, key) != nullptr) {
      arguments = arguments_of(n, 1);
      return true;
    }
    return (n.kind == NodeKind::Name || n.kind == NodeKind::String) && signal_of(n.text, key) != nullptr;
  };
  std::vector<const Node*> arguments;
  if (!read(*call_node.children[at], arguments)) {
    if (call_node.children.size() < 3 || !read(*call_node.children[2], arguments)) return nullptr;
    receiver = call_node.children[1].get();  // send(target, new Sig())
  } else if (receiver == nullptr && call_node.children.size() > 2) {
    receiver = call_node.children[2].get();
  }
  if (receiver == nullptr || receiver->kind == NodeKind::This) return send(key, nullptr, nullptr, arguments);
  if (const auto* port = port_of(*receiver)) return send_to_port(*port, key, arguments, nullptr);
  return send(key, expression(*receiver).expr, nullptr, arguments);
}

StmtPtr Translator::call_statement(const Node& n) {
  const Node& callee = *n.children[0];
  const bool own = callee.kind == NodeKind::Name ||
                   (callee.kind == NodeKind::Member && callee.children[0]->kind == NodeKind::This);
  if (callee.kind == NodeKind::Name && callee.text == "assert" && n.children.size() >= 2) {
    auto s = make(StmtKind::Assert);
    s->value = to_bool(expression(*n.children[1]));
    if (n.children.size() > 2 && n.children[2]->kind == NodeKind::String) s->text = n.children[2]->text;
    return s;
  }
  if (send_result(n) != nullptr) return send_chain(n);
  const std::string function = last_part(callee.text);
  if (own) {
    const auto it = scope_.self->operations.find(function);
    if (it != scope_.self->operations.end() && it->second.signal.empty()) {
      auto s = make(StmtKind::Call);
      s->value = operation_call(it->second, nullptr, n).expr;
      return s;
    }
    if (it != scope_.self->operations.end())
      return send(it->second.signal, nullptr, nullptr, arguments_of(n, 1));
    if (is_send_word(function)) {
      if (auto s = send_by_function(n, nullptr)) return s;
    }
    fail(fmt::format("`{}` is not an operation of the class", callee.text));
  }
  if (callee.kind == NodeKind::Member) {
    const Node& object = *callee.children[0];
    if (const auto* port = port_of(object)) {
      if (is_send_word(callee.text)) {
        if (auto s = send_by_function(n, &object)) return s;
      }
      const Node* index = object.kind == NodeKind::Index ? object.children[1].get() : nullptr;
      return send_to_port(*port, callee.text, arguments_of(n, 1), index);
    }
    if (is_send_word(callee.text)) {
      if (auto s = send_by_function(n, &object)) return s;
    }
    Typed target = expression(object);
    const auto& info = class_of(target.type);
    const auto it = info.operations.find(callee.text);
    if (it != info.operations.end() && it->second.signal.empty()) {
      auto s = make(StmtKind::Call);
      s->value = operation_call(it->second, std::move(target.expr), n).expr;
      return s;
    }
    if (it != info.operations.end())
      return send(it->second.signal, std::move(target.expr), nullptr, arguments_of(n, 1));
    std::string key;  // ALF: target.Signal(args)
    if (signal_of(callee.text, key) != nullptr)
      return send(key, std::move(target.expr), nullptr, arguments_of(n, 1));
    fail(fmt::format("`{}` is not an operation of the object", callee.text));
  }
  fail("a call of something that is no operation");
}

}  // namespace parley::front::uml::code

#include "front/promela/lower_messages.hpp"

#include <fmt/format.h>

namespace parley::front::promela {

void Messages::store(const Pattern& p, ExprId value, const Slot& slot, diag::Span span,
                     std::vector<StmtId>& body) {
  if (p.compare.valid() || !p.target) return;
  if (p.target->kind == ExprKind::Special) {
    // Spin overwrites the number of the process; only a value that changes nothing has a meaning here.
    system::Stmt st;
    st.kind = system::StmtKind::If;
    st.value = s_.exprs.binary(Op::Ne, terms_.as_integer(value), expressions_.integer(*p.target, &slot));
    st.children = {statements_.failure(system::RuntimeError::Other,
                                       fmt::format("a receive changes {}", p.target->name), span)};
    st.origin.span = span;
    body.push_back(s_.add(std::move(st)));
    return;
  }
  const Ref& ref = p.target->ref;
  const LeafCells* lc = variables_.find_leaf(ref, &slot, p.path);
  if (!lc) return;
  std::vector<ExprId> indices = expressions_.indices_of(ref, &slot);
  for (std::uint32_t x : p.fixed_element) indices.push_back(terms_.constant(static_cast<std::int32_t>(x)));
  body.push_back(statements_.assign(
      variables_.place_of(*lc, ref.parts[0].variable->name + path_of(ref) + p.path, indices),
      variables_.truncate(stored_type(*lc->leaf.variable), value), span));
}

std::vector<Alternative> Messages::send(const Stmt& s, const Slot& slot) {
  std::vector<Alternative> out;
  ExprId unknown;
  const std::vector<ExprId> values = expressions_.message_values(s.args, slot);
  for (const ChannelTarget& target : expressions_.targets(s.target->ref, &slot, &unknown)) {
    const Shape& shape = layout_.queue_shapes[target.queue.index()];
    Alternative a;
    a.guard = target.condition;
    a.queue = target.queue;
    if (values.size() != shape.fields.size()) {
      if (!layout_.rendezvous[target.queue.index()])
        a.guard = terms_.both(a.guard, s_.exprs.binary(Op::Lt, s_.exprs.queue_len(target.queue),
                                                       s_.exprs.queue_cap(target.queue)));
      a.body.push_back(statements_.failure(
          system::RuntimeError::Other,
          fmt::format("{} values are sent on a channel of {} fields", values.size(), shape.fields.size()),
          s.span));
      out.push_back(std::move(a));
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      a.args.push_back(variables_.truncate(shape.fields[i], values[i]));
    if (layout_.rendezvous[target.queue.index()]) {
      a.rendezvous_send = true;
      out.push_back(std::move(a));
      continue;
    }
    if (!options_.lose_messages)
      a.guard = terms_.both(a.guard, s_.exprs.binary(Op::Lt, s_.exprs.queue_len(target.queue),
                                                     s_.exprs.queue_cap(target.queue)));
    system::Stmt st;
    st.kind = system::StmtKind::Send;
    st.target = terms_.constant(0);
    st.routes = {{target.queue, shape.signal}};
    st.args = a.args;
    st.insertion = s.sorted ? system::Insertion::Sorted : system::Insertion::AtBack;
    st.origin.span = s.span;
    a.body.push_back(s_.add(std::move(st)));
    out.push_back(std::move(a));
  }
  if (s_.exprs.is_const(unknown, 0)) return out;
  Alternative a;
  a.guard = unknown;
  a.body.push_back(statements_.failure(system::RuntimeError::SendToNull,
                                       "a message is sent to a variable that holds no channel", s.span));
  out.push_back(std::move(a));
  return out;
}

std::vector<Alternative> Messages::receive(const Stmt& s, const Slot& slot) {
  std::vector<Alternative> out;
  ExprId unknown;
  const std::vector<Pattern> wanted = expressions_.patterns(s.args, slot);
  for (const ChannelTarget& target : expressions_.targets(s.target->ref, &slot, &unknown)) {
    const Shape& shape = layout_.queue_shapes[target.queue.index()];
    Alternative a;
    a.guard = target.condition;
    a.queue = target.queue;
    a.patterns = wanted;
    const bool meets = layout_.rendezvous[target.queue.index()];
    if (wanted.size() != shape.fields.size() && !meets) {
      a.guard =
          terms_.both(a.guard, s_.exprs.binary(Op::Gt, s_.exprs.queue_len(target.queue), terms_.constant(0)));
      a.body.push_back(statements_.failure(system::RuntimeError::Other,
                                           fmt::format("{} values are received from a channel of {} fields",
                                                       wanted.size(), shape.fields.size()),
                                           s.span));
      out.push_back(std::move(a));
      continue;
    }
    if (meets) {
      a.rendezvous_receive = true;
      out.push_back(std::move(a));
      continue;
    }
    std::vector<ExprId> fields;
    for (std::size_t i = 0; i < shape.fields.size(); ++i)
      fields.push_back(s_.exprs.param(static_cast<std::uint32_t>(i), layout_.value_type(shape.fields[i])));
    system::Trigger trigger;
    trigger.queue = target.queue;
    trigger.signal = shape.signal;
    trigger.selection = s.random ? system::Selection::FirstMatching : system::Selection::Selected;
    trigger.consume = !s.copy;
    a.trigger = trigger;
    a.guard = terms_.both(a.guard, expressions_.pattern_condition(wanted, fields));
    for (std::size_t i = 0; i < wanted.size(); ++i) store(wanted[i], fields[i], slot, s.span, a.body);
    out.push_back(std::move(a));
  }
  if (s_.exprs.is_const(unknown, 0)) return out;
  Alternative a;
  a.guard = unknown;
  a.body.push_back(statements_.failure(system::RuntimeError::NullDereference,
                                       "a message is received from a variable that holds no channel",
                                       s.span));
  out.push_back(std::move(a));
  return out;
}

}  // namespace parley::front::promela

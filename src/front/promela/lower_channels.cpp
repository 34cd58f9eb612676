// Channels in expressions: what a reference to a channel can mean, tests of channels, and messages as lists
// of values or patterns.
#include <set>

#include "front/promela/lower_expr.hpp"

namespace parley::front::promela {

ExprId Expressions::channel_value(const Expr& e, const Slot* slot) {
  DataType chan;
  chan.base = Base::Chan;
  return variables_.truncate(chan, build(e, slot));
}

std::vector<ChannelTarget> Expressions::targets(const Ref& ref, const Slot* slot, ExprId* unknown) {
  std::vector<ChannelTarget> result;
  const LeafCells* lc = variables_.find_leaf(ref, slot);
  if (unknown) *unknown = s_.exprs.boolean(false);
  if (!lc) return result;
  if (lc->fixed) {
    const ExprId flat = variables_.flat_index(lc->leaf.dims, indices_of(ref, slot));
    std::vector<ExprId> inside;
    for (std::size_t i = 0; i < lc->queues.size(); ++i) {
      const ExprId c = s_.exprs.binary(Op::Eq, flat, terms_.constant(static_cast<std::int32_t>(i)));
      inside.push_back(c);
      if (!s_.exprs.is_const(c, 0)) result.push_back({lc->queues[i], c});
    }
    if (unknown) *unknown = terms_.negate(terms_.any_of(inside));
    return result;
  }
  const ExprId value = read(ref, slot);
  std::vector<ExprId> known;
  std::set<QueueId> seen;
  const auto add = [&](QueueId q) {
    if (!seen.insert(q).second) return;
    const ExprId c = s_.exprs.binary(
        Op::Eq, value, s_.exprs.constant(static_cast<std::int32_t>(q.value) + 1, s_.exprs[value].type));
    known.push_back(c);
    result.push_back({q, c});
  };
  const bool is_channel = ref.leaf().type.base == Base::Chan;
  for (const DeclaredChannel& c : is_channel ? channels_.of(&ref.leaf()) : channels_.all()) {
    if (!c.root->proctype) {
      add(layout_.queues.at({0, c.number}));
      continue;
    }
    for (std::uint32_t k : layout_.procs[*c.root->proctype].slots) add(layout_.queues.at({k + 1, c.number}));
  }
  if (unknown) *unknown = terms_.negate(terms_.any_of(known));
  return result;
}

// Tests of channels. A rendezvous channel is always empty and never full between steps. `full` and `nfull`
// ask for the number that the channel declares, so that they keep their meaning where its capacity is taken
// away (passes/capacities.hpp); that a sender waits for room is QueueCap (lower_messages.cpp) and goes with
// it.
ExprId Expressions::poll(const Expr& e, const Slot* slot) {
  ExprId unknown;
  const std::vector<ChannelTarget> list = targets(e.ref, slot, &unknown);
  std::vector<ExprId> ways;
  ExprId length = terms_.constant(0);
  for (const ChannelTarget& t : list) {
    const ExprId len = layout_.rendezvous[t.queue.index()] ? terms_.constant(0) : s_.exprs.queue_len(t.queue);
    const std::uint32_t declared = s_.queue(t.queue).capacity.value_or(0);
    const ExprId cap = terms_.constant(declared == 0 ? 1 : static_cast<std::int32_t>(declared));
    ExprId test = s_.exprs.boolean(false);
    switch (e.kind) {
      case ExprKind::Len:
        length = s_.exprs.cond(t.condition, len, length);
        continue;
      case ExprKind::Full:
        test = s_.exprs.binary(Op::Ge, len, cap);
        break;
      case ExprKind::Nfull:
        test = s_.exprs.binary(Op::Lt, len, cap);
        break;
      case ExprKind::Empty:
        test = s_.exprs.binary(Op::Eq, len, terms_.constant(0));
        break;
      case ExprKind::Nempty:
        test = s_.exprs.binary(Op::Gt, len, terms_.constant(0));
        break;
      default: {
        const Shape& shape = layout_.queue_shapes[t.queue.index()];
        if (layout_.rendezvous[t.queue.index()] || !slot) break;
        const std::vector<Pattern> wanted = patterns(e.args, *slot);
        if (wanted.size() > shape.fields.size()) break;
        std::vector<ExprId> fields;
        bool compares = false;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          fields.push_back(
              s_.exprs.param(static_cast<std::uint32_t>(i), layout_.value_type(shape.fields[i])));
          compares = compares || wanted[i].compare.valid();
        }
        const ExprId match = pattern_condition(wanted, fields);
        test = e.value == 1 && compares ? s_.exprs.queue_has(t.queue, shape.signal, match)
                                        : s_.exprs.head_is(t.queue, shape.signal, match);
      }
    }
    ways.push_back(terms_.both(t.condition, test));
  }
  return e.kind == ExprKind::Len ? length : terms_.any_of(ways);
}

std::vector<ExprId> Expressions::message_values(const std::vector<ExprPtr>& args, const Slot& slot) {
  std::vector<ExprId> values;
  for (const ExprPtr& arg : args) {
    if (arg->kind != ExprKind::Var || arg->ref.leaf().type.base != Base::Struct) {
      values.push_back(build(*arg, &slot));
      continue;
    }
    for (const Leaf& leaf : message_leaves(program_, arg->ref)) {
      const LeafCells* lc = variables_.find_leaf(arg->ref, &slot, leaf.path);
      if (!lc) return values;
      for (std::uint32_t i = 0; i < leaf.elements(); ++i) {
        std::vector<ExprId> indices = indices_of(arg->ref, &slot);
        std::uint32_t rest = i;
        std::vector<std::uint32_t> inner;
        for (std::size_t d = leaf.dims.size(); d-- > 0; rest /= leaf.dims[d])
          inner.insert(inner.begin(), rest % leaf.dims[d]);
        for (std::uint32_t x : inner) indices.push_back(terms_.constant(static_cast<std::int32_t>(x)));
        values.push_back(variables_.read_leaf(*lc, arg->ref.leaf().name + leaf.path, indices));
      }
    }
  }
  return values;
}

std::vector<Pattern> Expressions::patterns(const std::vector<ExprPtr>& args, const Slot& slot) {
  std::vector<Pattern> result;
  for (const ExprPtr& arg : args) {
    Pattern p;
    if (arg->kind == ExprKind::Const || arg->kind == ExprKind::Eval) {
      p.compare = integer(arg->kind == ExprKind::Eval ? *arg->args[0] : *arg, &slot);
      result.push_back(p);
    } else if (arg->kind == ExprKind::Var && arg->ref.leaf().type.base == Base::Struct) {
      for (const Leaf& leaf : message_leaves(program_, arg->ref))
        for (std::uint32_t i = 0; i < leaf.elements(); ++i) {
          p.target = arg.get();
          p.path = leaf.path;
          p.spread = true;
          p.fixed_element.clear();
          std::uint32_t rest = i;
          for (std::size_t d = leaf.dims.size(); d-- > 0; rest /= leaf.dims[d])
            p.fixed_element.insert(p.fixed_element.begin(), rest % leaf.dims[d]);
          result.push_back(p);
        }
    } else {
      if (arg->kind == ExprKind::Var || arg->name != "_") p.target = arg.get();
      result.push_back(p);
    }
  }
  return result;
}

ExprId Expressions::pattern_condition(const std::vector<Pattern>& list, const std::vector<ExprId>& values) {
  std::vector<ExprId> tests;
  for (std::size_t i = 0; i < list.size() && i < values.size(); ++i)
    if (list[i].compare.valid())
      tests.push_back(s_.exprs.binary(Op::Eq, terms_.as_integer(values[i]), list[i].compare));
  return terms_.all_of(tests);
}

}  // namespace parley::front::promela

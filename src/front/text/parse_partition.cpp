// partition Account.balance: ..-1 | 0 | 1..;
#include "front/text/grammar.hpp"

namespace parley::front::text {

using model::PartitionDecl;

void Grammar::partition(model::Model& m, const Token& first) {
  take();
  PartitionDecl p;
  p.of = expect_name("the class, signal or object whose integer is partitioned", &p.of_span);
  expect(".", "and the attribute or parameter, as in 'partition Account.balance: sign;'");
  p.name = expect_name("the name of the attribute or parameter", &p.name_span);
  expect(":", "before the cells");
  if (at(";", 1) && (at_word("sign") || at_word("one") || at_word("exact"))) {
    const std::string word = name_text(take());
    p.kind = word == "sign"  ? PartitionDecl::Kind::Sign
             : word == "one" ? PartitionDecl::Kind::One
                             : PartitionDecl::Kind::Exact;
  } else {
    do {
      p.cells.push_back(partition_cell());
      if (at("+") && at(";", 1) && p.cells.size() == 1 && p.cells[0].single) {
        take();
        p.kind = PartitionDecl::Kind::UpTo;
        p.count = std::move(p.cells[0].lo);
        p.cells.clear();
        break;
      }
    } while (accept("|"));
  }
  if (!at(";"))
    fail("'|' and another cell, or ';'", "cells are values and ranges: ..-1 | 0 | 1..(N - 1) | N..");
  expect_semicolon("the partition");
  p.span = since(first);
  m.order.emplace_back('p', static_cast<std::uint32_t>(m.partitions.size()));
  m.partitions.push_back(std::move(p));
}

// 5   ..5   5..   5..9   ..
PartitionDecl::Cell Grammar::partition_cell() {
  const Token& first = peek();
  PartitionDecl::Cell c;
  const auto more = [this] { return !at("|") && !at(";") && !at("..") && !at("+"); };
  if (!at("..")) c.lo = unary();
  if (accept("..")) {
    if (more()) c.hi = unary();
  } else {
    c.single = true;
  }
  c.span = since(first);
  return c;
}

}  // namespace parley::front::text

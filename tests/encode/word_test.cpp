#include "encode/word.hpp"

#include <gtest/gtest.h>
#include <z3++.h>

#include <random>

#include "expr/all_operators.hpp"
#include "expr/operators.hpp"

namespace parley::encode {
namespace {

using expr::Op;

const std::vector<std::int32_t> kCorners = {0,
                                            1,
                                            -1,
                                            2,
                                            -2,
                                            3,
                                            5,
                                            7,
                                            -7,
                                            31,
                                            32,
                                            33,
                                            63,
                                            64,
                                            100,
                                            127,
                                            128,
                                            -128,
                                            1000,
                                            65535,
                                            -65536,
                                            0x12345678,
                                            expr::kIntMax,
                                            expr::kIntMax - 1,
                                            expr::kIntMin,
                                            expr::kIntMin + 1};

std::vector<bool> inputs_for(const Aig& g, const Word& x, std::int32_t vx, const Word& y, std::int32_t vy) {
  std::vector<bool> in(g.size(), false);
  for (std::size_t i = 0; i < x.width(); ++i) in[node_of(x.bits[i])] = ((vx >> i) & 1) != 0;
  for (std::size_t i = 0; i < y.width(); ++i) in[node_of(y.bits[i])] = ((vy >> i) & 1) != 0;
  return in;
}

std::int32_t number(const std::vector<bool>& values, const Word& w) {
  std::int64_t v = Aig::value(values, w.sign()) ? -1 : 0;
  for (std::size_t i = w.width(); i-- > 0;) v = v * 2 + (Aig::value(values, w.bits[i]) ? 1 : 0);
  return static_cast<std::int32_t>(v);
}

std::vector<std::pair<std::int32_t, std::int32_t>> samples(std::uint32_t seed) {
  std::vector<std::pair<std::int32_t, std::int32_t>> out;
  for (std::int32_t x : kCorners)
    for (std::int32_t y : kCorners) out.emplace_back(x, y);
  std::mt19937 random(seed);
  for (int i = 0; i < 200; ++i)
    out.emplace_back(static_cast<std::int32_t>(random()) >> (random() % 32),
                     static_cast<std::int32_t>(random()) >> (random() % 32));
  return out;
}

const std::vector<Op> kBinary = testing::binary_operators();

// Every operator on 32-bit words against expr::compute, which is the meaning.
TEST(Words, BinaryOperatorsAgreeWithTheirMeaning) {
  for (const Op op : kBinary) {
    Aig g;
    Arithmetic a(g, true);
    const Word x = a.free_word(32), y = a.free_word(32);
    const Result r = a.binary(op, x, y);
    for (const auto& [vx, vy] : samples(11)) {
      const auto values = g.evaluate(inputs_for(g, x, vx, y, vy));
      const expr::Computed c = expr::compute(op, vx, vy);
      const bool zero = c.error == expr::EvalError::DivisionByZero;
      ASSERT_EQ(Aig::value(values, r.division_by_zero), zero) << expr::spelling(op);
      if (zero) continue;
      ASSERT_EQ(number(values, r.value), c.value) << vx << ' ' << expr::spelling(op) << ' ' << vy;
      ASSERT_EQ(Aig::value(values, r.overflowed), c.overflowed)
          << vx << ' ' << expr::spelling(op) << ' ' << vy;
    }
  }
}

// Narrow operands take narrow circuits; all pairs of 4-bit values, with and without overflow tracking.
TEST(Words, NarrowOperandsAgreeOnAllValues) {
  for (const bool track : {false, true})
    for (const Op op : kBinary) {
      Aig g;
      Arithmetic a(g, track);
      const Word x = a.free_word(4), y = a.free_word(5);
      const Result r = a.binary(op, x, y);
      for (std::int32_t vx = -8; vx < 8; ++vx)
        for (std::int32_t vy = -16; vy < 16; ++vy) {
          const auto values = g.evaluate(inputs_for(g, x, vx, y, vy));
          const expr::Computed c = expr::compute(op, vx, vy);
          if (c.error != expr::EvalError::None) continue;
          ASSERT_EQ(number(values, r.value), c.value) << vx << ' ' << expr::spelling(op) << ' ' << vy;
          if (track) {
            ASSERT_EQ(Aig::value(values, r.overflowed), c.overflowed);
          }
        }
    }
}

TEST(Words, UnaryOperatorsAgreeWithTheirMeaning) {
  for (const Op op : testing::unary_operators())
    for (const std::uint32_t bits : {1u, 7u, 8u, 16u, 31u, 32u}) {
      Aig g;
      Arithmetic a(g, true);
      const Word x = a.free_word(32);
      const Result r = a.unary(op, x, bits);
      for (const auto& [vx, vy] : samples(3)) {
        const auto values = g.evaluate(inputs_for(g, x, vx, Word{}, 0));
        const expr::Computed c = expr::compute(op, vx, bits);
        ASSERT_EQ(number(values, r.value), c.value) << static_cast<int>(op) << ' ' << vx << ' ' << bits;
        ASSERT_EQ(Aig::value(values, r.overflowed), c.overflowed);
      }
    }
}

// A second opinion on the meaning itself: Z3's bit-vector operators on the same values.
TEST(Words, MeaningAgreesWithZ3) {
  z3::context z;
  const auto value = [&](std::int32_t v) { return z.bv_val(static_cast<std::int64_t>(v), 32); };
  for (const auto& [x, y] : samples(5)) {
    const auto check = [&, vx = x, vy = y](Op op, const z3::expr& e) {
      ASSERT_EQ(static_cast<std::int32_t>(static_cast<std::uint32_t>(e.simplify().get_numeral_uint64())),
                expr::compute(op, vx, vy).value)
          << vx << expr::spelling(op) << vy;
    };
    const z3::expr a = value(x), b = value(y), by = value(y & 31);
    check(Op::Add, a + b);
    check(Op::Sub, a - b);
    check(Op::Mul, a * b);
    if (y != 0) {
      check(Op::Div, a / b);
      check(Op::Rem, z3::srem(a, b));
    }
    check(Op::Shl, z3::shl(a, by));
    check(Op::Shr, z3::ashr(a, by));
    check(Op::Ushr, z3::lshr(a, by));
    check(Op::BitXor, a ^ b);
  }
}

// The graph's own simplifications: random formulas over four inputs keep their truth table.
TEST(Aig, RewritingKeepsTheFunction) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Aig g;
    std::vector<Lit> lits = {g.input(), g.input(), g.input(), g.input()};
    std::vector<unsigned> tables = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
    for (int i = 0; i < 40; ++i) {
      const std::size_t a = random() % lits.size(), b = random() % lits.size();
      const bool na = random() % 2 != 0, nb = random() % 2 != 0;
      lits.push_back(g.conj(na ? neg(lits[a]) : lits[a], nb ? neg(lits[b]) : lits[b]));
      tables.push_back((na ? ~tables[a] : tables[a]) & (nb ? ~tables[b] : tables[b]) & 0xffffu);
    }
    for (unsigned m = 0; m < 16; ++m) {
      std::vector<bool> in(g.size(), false);
      for (unsigned i = 0; i < 4; ++i) in[node_of(lits[i])] = ((m >> i) & 1) != 0;
      const auto values = g.evaluate(in);
      for (std::size_t i = 0; i < lits.size(); ++i)
        ASSERT_EQ(Aig::value(values, lits[i]), ((tables[i] >> m) & 1) != 0);
    }
  }
}

}  // namespace
}  // namespace parley::encode

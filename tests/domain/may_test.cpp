// Every abstract operator against its concrete twin. The twin here is written from the definition of two's
// complement arithmetic, not from the code under test; at 32 bits it is expr::compute itself.
#include "domain/may.hpp"

#include <gtest/gtest.h>

#include <random>

#include "expr/all_operators.hpp"

namespace parley::domain {
namespace {

using expr::Op;

const std::vector<Op> kBinary = testing::binary_operators();
const std::vector<Op> kUnary = testing::unary_operators();

struct Twin {
  bool defined = true;
  std::int64_t exact = 0;  // before wrapping
};

Twin twin(Op op, const Word& w, std::int64_t x, std::int64_t y) {
  const std::int64_t s = y & w.shift_mask();
  const std::int64_t u = x < 0 ? x + w.modulus() : x;
  switch (expr::binary_op(op)) {
    case expr::BinaryOp::Add:
      return {true, x + y};
    case expr::BinaryOp::Sub:
      return {true, x - y};
    case expr::BinaryOp::Mul:
      return {true, x * y};
    case expr::BinaryOp::Div:
      return y == 0 ? Twin{false, 0} : Twin{true, x / y};
    case expr::BinaryOp::Rem:
      return y == 0 ? Twin{false, 0} : Twin{true, x % y};
    case expr::BinaryOp::BitAnd:
      return {true, x & y};
    case expr::BinaryOp::BitOr:
      return {true, x | y};
    case expr::BinaryOp::BitXor:
      return {true, x ^ y};
    case expr::BinaryOp::Shl:
      return {true, x * (std::int64_t{1} << s)};
    case expr::BinaryOp::Shr:
      return {true, x >> s};
    case expr::BinaryOp::Ushr:
      return {true, s == 0 ? x : u >> s};
    case expr::BinaryOp::Eq:
      return {true, x == y};
    case expr::BinaryOp::Ne:
      return {true, x != y};
    case expr::BinaryOp::Lt:
      return {true, x < y};
    case expr::BinaryOp::Le:
      return {true, x <= y};
    case expr::BinaryOp::Gt:
      return {true, x > y};
    case expr::BinaryOp::Ge:
      return {true, x >= y};
  }
  return {};
}

// On 6 bits.
std::int64_t twin(Op op, std::uint32_t bits, std::int64_t x) {
  switch (expr::unary_op(op)) {
    case expr::UnaryOp::Not:
      return x == 0 ? 1 : 0;
    case expr::UnaryOp::Neg:
      return -x;
    case expr::UnaryOp::BitNot:
      return ~x;
    case expr::UnaryOp::TruncU:
      return bits >= 6 ? x : x & ((1 << bits) - 1);
    case expr::UnaryOp::TruncS:
      return bits >= 6 ? x : Word{bits}.wrap(x);
  }
  return 0;
}

// Result sets as bit masks: bit v - min. Exact mode: without the results that do not fit.
std::uint64_t bit(const Word& w, std::int64_t v) {
  return std::uint64_t{1} << (v - w.min());
}
std::uint64_t mask(const Word& w, Interval z) {
  std::uint64_t m = 0;
  for (std::int64_t v = z.lo; v <= z.hi; ++v) m |= bit(w, v);
  return m;
}

// All pairs of intervals; for each pair `z_per_pair` targets (all of them if 0).
void check_binary(Op op, const Word& w, Arithmetic a, int z_per_pair) {
  const auto n = static_cast<std::size_t>(w.modulus());
  std::mt19937 rng(static_cast<unsigned>(op) + 7);
  std::size_t wrong = 0;
  for (std::int64_t c = w.min(); c <= w.max(); ++c) {
    std::vector<std::uint64_t> row(n, 0);  // row[x]: results of x op [c, d]
    std::vector<bool> over(n, false);
    for (std::int64_t d = c; d <= w.max(); ++d) {
      for (std::size_t i = 0; i < n; ++i) {
        const Twin t = twin(op, w, w.min() + static_cast<std::int64_t>(i), d);
        if (!t.defined) continue;
        if (w.fits(t.exact) || a == Arithmetic::Wrapped) row[i] |= bit(w, w.wrap(t.exact));
        if (!w.fits(t.exact)) over[i] = true;
      }
      for (std::int64_t lo = w.min(); lo <= w.max(); ++lo) {
        std::uint64_t results = 0;
        bool overflow = false;
        for (std::int64_t hi = lo; hi <= w.max(); ++hi) {
          results |= row[static_cast<std::size_t>(hi - w.min())];
          overflow = overflow || over[static_cast<std::size_t>(hi - w.min())];
          const Interval x{lo, hi}, y{c, d};
          if (may_overflow(op, w, x, y) != overflow) ++wrong;
          if (a == Arithmetic::Wrapped && (results & ~mask(w, result_hull(op, w, x, y))) != 0) ++wrong;
          const auto target = [&](Interval z) {
            if (may_be(op, w, a, x, y, z) != ((results & mask(w, z)) != 0)) {
              if (++wrong < 5)
                ADD_FAILURE() << spelling(op) << " [" << lo << "," << hi << "] [" << c << "," << d << "] -> ["
                              << z.lo << "," << z.hi << "] mode " << int(a);
            }
          };
          if (z_per_pair == 0)
            for (std::int64_t e = w.min(); e <= w.max(); ++e)
              for (std::int64_t f = e; f <= w.max(); ++f) target({e, f});
          for (int k = 0; k < z_per_pair; ++k) {
            const std::int64_t e = w.min() + static_cast<std::int64_t>(rng() % n);
            target({e, k == 0 ? e : std::min(w.max(), e + static_cast<std::int64_t>(rng() % 8))});
          }
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0u) << spelling(op);
}

// Completely exhaustive on 4 bits: every pair of intervals with every target interval.
TEST(MayBe, BinaryOperatorsOn4BitsAllTargets) {
  for (Op op : kBinary)
    for (Arithmetic a : {Arithmetic::Wrapped, Arithmetic::Exact}) check_binary(op, Word{4}, a, 0);
}

// Every pair of intervals of 6-bit integers (4.3 million), with a single value and an interval as targets.
class MayBeOn6Bits : public ::testing::TestWithParam<Op> {};
TEST_P(MayBeOn6Bits, AllPairsOfIntervals) {
  check_binary(GetParam(), Word{6}, Arithmetic::Wrapped, 1);
  const Op op = GetParam();
  if (expr::info(op).may_overflow) check_binary(op, Word{6}, Arithmetic::Exact, 1);
}
INSTANTIATE_TEST_SUITE_P(Operators, MayBeOn6Bits, ::testing::ValuesIn(kBinary));

TEST(MayBe, UnaryOperatorsOn6BitsAllTargets) {
  const Word w{6};
  for (Op op : kUnary)
    for (std::uint32_t bits = 1; bits <= (op >= Op::TruncU ? 7u : 1u); ++bits)
      for (Arithmetic a : {Arithmetic::Wrapped, Arithmetic::Exact})
        for (std::int64_t lo = w.min(); lo <= w.max(); ++lo) {
          std::uint64_t results = 0;
          bool overflow = false;
          for (std::int64_t hi = lo; hi <= w.max(); ++hi) {
            const std::int64_t exact = twin(op, bits, hi);
            if (w.fits(exact) || a == Arithmetic::Wrapped) results |= bit(w, w.wrap(exact));
            overflow = overflow || !w.fits(exact);
            ASSERT_EQ(may_overflow(op, w, {lo, hi}), overflow);
            if (a == Arithmetic::Wrapped) {
              ASSERT_EQ(results & ~mask(w, result_hull(op, w, {lo, hi}, bits)), 0u) << int(op) << " " << bits;
            }
            for (std::int64_t e = w.min(); e <= w.max(); ++e)
              for (std::int64_t f = e; f <= w.max(); ++f)
                ASSERT_EQ(may_be(op, w, a, {lo, hi}, bits, {e, f}), (results & mask(w, {e, f})) != 0)
                    << int(op) << "/" << bits << " [" << lo << "," << hi << "] -> [" << e << "," << f << "]";
          }
        }
}

// 32 bits against the one definition of the operators: small windows placed anywhere, also at the borders of
// the word, all results computed one by one.
TEST(MayBe, ThirtyTwoBitsAgainstTheConcreteOperators) {
  const Word w{32};
  std::mt19937 rng(11);
  const std::int64_t anchors[] = {w.min(), w.min() + 3, -65536, -7,    -1,    0,
                                  1,       5,           31,     46340, 65535, w.max() - 6};
  const auto pick = [&] {
    const std::int64_t lo = rng() % 4 == 0 ? w.wrap(static_cast<std::int64_t>(rng())) : anchors[rng() % 12];
    return Interval{lo, std::min(w.max(), lo + static_cast<std::int64_t>(rng() % 6))};
  };
  for (Op op : kBinary)
    for (int round = 0; round < 1500; ++round) {
      const Interval x = pick(), y = pick();
      std::vector<std::int32_t> results;
      bool overflow = false;
      for (std::int64_t a = x.lo; a <= x.hi; ++a)
        for (std::int64_t b = y.lo; b <= y.hi; ++b) {
          const auto c = expr::compute(op, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
          if (c.error == expr::EvalError::None) results.push_back(c.value);
          overflow = overflow || c.overflowed;
        }
      ASSERT_EQ(may_overflow(op, w, x, y), overflow) << spelling(op);
      Interval z = pick();
      if (!results.empty() && rng() % 2 == 0) {
        z.lo = results[rng() % results.size()] - static_cast<std::int64_t>(rng() % 3);
        z.lo = std::max(z.lo, w.min());
        z.hi = std::min(w.max(), z.lo + static_cast<std::int64_t>(rng() % 2));
      }
      const bool expected =
          std::any_of(results.begin(), results.end(), [&](std::int32_t r) { return z.contains(r); });
      ASSERT_EQ(may_be(op, w, Arithmetic::Wrapped, x, y, z), expected)
          << spelling(op) << " [" << x.lo << "," << x.hi << "] [" << y.lo << "," << y.hi << "] -> [" << z.lo
          << "," << z.hi << "]";
      const Interval h = result_hull(op, w, x, y);
      for (std::int32_t r : results) ASSERT_TRUE(h.contains(r)) << spelling(op);
    }
}

}  // namespace
}  // namespace parley::domain

#include "encode/word.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace parley::encode {

std::size_t bits_for(std::int64_t lo, std::int64_t hi) {
  std::size_t n = 1;
  while (lo < -(std::int64_t{1} << (n - 1)) || hi >= (std::int64_t{1} << (n - 1))) ++n;
  return n;
}

Word constant_word(std::int64_t value) {
  Word w;
  w.bits.clear();
  const std::size_t n = bits_for(value, value);
  for (std::size_t i = 0; i < n; ++i) w.bits.push_back((value >> i) & 1 ? kTrue : kFalse);
  return w;
}

Word boolean_word(Lit x) {
  Word w;
  if (x != kFalse) w.bits = {x, kFalse};
  return w;
}

Word trimmed(Word x) {
  while (x.bits.size() > 1 && x.bits[x.bits.size() - 1] == x.bits[x.bits.size() - 2]) x.bits.pop_back();
  return x;
}

Word resized(const Word& x, std::size_t width) {
  Word r;
  r.bits.clear();
  for (std::size_t i = 0; i < width; ++i) r.bits.push_back(x.bit(i));
  return r;
}

Lit Arithmetic::truth(const Word& x) {
  return g_.any(x.bits);
}

Lit Arithmetic::equal(const Word& x, const Word& y) {
  std::vector<Lit> parts;
  for (std::size_t i = 0; i < std::max(x.width(), y.width()); ++i)
    parts.push_back(g_.same(x.bit(i), y.bit(i)));
  return g_.all(parts);
}

Lit Arithmetic::equal(const Word& x, std::int64_t value) {
  return equal(x, constant_word(value));
}

Lit Arithmetic::less(const Word& x, const Word& y) {
  const std::size_t n = std::max(x.width(), y.width());
  Lit lt = kFalse;  // of the bits below, unsigned
  for (std::size_t i = 0; i + 1 < n; ++i) lt = g_.mux(g_.exclusive(x.bit(i), y.bit(i)), y.bit(i), lt);
  return g_.mux(g_.exclusive(x.bit(n - 1), y.bit(n - 1)), x.bit(n - 1), lt);
}

Lit Arithmetic::within(const Word& x, std::int64_t lo, std::int64_t hi) {
  const std::int64_t least = -(std::int64_t{1} << (x.width() - 1));
  const std::int64_t most = (std::int64_t{1} << (x.width() - 1)) - 1;
  const Lit low = lo <= least ? kTrue : neg(less(x, constant_word(lo)));
  const Lit high = hi >= most ? kTrue : neg(less(constant_word(hi), x));
  return g_.conj(low, high);
}

Word Arithmetic::mux(Lit c, const Word& x, const Word& y) {
  if (is_constant(c)) return c == kTrue ? x : y;
  if (x == y) return x;
  Word r;
  r.bits.clear();
  for (std::size_t i = 0; i < std::max(x.width(), y.width()); ++i)
    r.bits.push_back(g_.mux(c, x.bit(i), y.bit(i)));
  return trimmed(std::move(r));
}

Word Arithmetic::free_word(std::size_t width) {
  Word r;
  r.bits.clear();
  for (std::size_t i = 0; i < width; ++i) r.bits.push_back(g_.input());
  return r;
}

Word Arithmetic::sum(const Word& x, const Word& y, Lit carry, std::size_t width) {
  Word r;
  r.bits.clear();
  for (std::size_t i = 0; i < width; ++i) {
    const Lit a = x.bit(i), b = y.bit(i);
    const Lit half = g_.exclusive(a, b);
    r.bits.push_back(g_.exclusive(half, carry));
    carry = g_.disj(g_.conj(a, b), g_.conj(half, carry));
  }
  return r;
}

Word Arithmetic::negated(const Word& x, std::size_t width) {
  Word inverse = resized(x, width);
  for (Lit& b : inverse.bits) b = neg(b);
  return sum(inverse, Word{}, kTrue, width);
}

// Shift and add; negative weight of the sign row makes it signed.
Word Arithmetic::product(const Word& x, const Word& y, std::size_t width) {
  const Word& rows = x.width() < y.width() ? x : y;
  const Word& other = x.width() < y.width() ? y : x;
  Word acc = resized(Word{}, width);
  for (std::size_t i = 0; i < std::min(rows.width(), width); ++i) {
    if (rows.bits[i] == kFalse) continue;
    Word row = resized(Word{}, width);
    for (std::size_t j = i; j < width; ++j) row.bits[j] = g_.conj(rows.bits[i], other.bit(j - i));
    if (i + 1 < rows.width()) {
      acc = sum(acc, row, kFalse, width);
    } else {
      for (Lit& b : row.bits) b = neg(b);
      acc = sum(acc, row, kTrue, width);
    }
  }
  return acc;
}

// Restoring division of the magnitudes, then the signs: quotient towards zero, remainder like the dividend.
void Arithmetic::divide(const Word& x, const Word& y, Word& quotient, Word& remainder) {
  const std::size_t n = x.width() + 1, m = y.width() + 1;
  const Word a = mux(x.sign(), negated(x, n), resized(x, n));
  const Word b = mux(y.sign(), negated(y, m), resized(y, m));
  Word rest;
  quotient = resized(Word{}, n);
  for (std::size_t i = n; i-- > 0;) {
    rest.bits.insert(rest.bits.begin(), a.bit(i));
    const std::size_t w = std::max(rest.width(), b.width()) + 1;
    Word inverse = resized(b, w);
    for (Lit& l : inverse.bits) l = neg(l);
    const Word difference = sum(resized(rest, w), inverse, kTrue, w);
    const Lit fits = neg(difference.sign());
    quotient.bits[i] = fits;
    // The rest stays below the divisor, so it needs no more than m bits.
    rest = resized(mux(fits, difference, rest), std::min(m, n - i + 1));
    rest = trimmed(std::move(rest));
  }
  const Lit opposite = g_.exclusive(x.sign(), y.sign());
  quotient = trimmed(mux(opposite, negated(quotient, n), quotient));
  const std::size_t r = rest.width() + 1;
  remainder = trimmed(mux(x.sign(), negated(rest, r), rest));
}

Result Arithmetic::wrapped(Word exact) {
  Result r;
  if (exact.width() > 32) {
    std::vector<Lit> differences;
    for (std::size_t i = 32; i < exact.width(); ++i)
      differences.push_back(g_.exclusive(exact.bits[i], exact.bits[31]));
    r.overflowed = g_.any(differences);
    exact.bits.resize(32);
  }
  r.value = trimmed(std::move(exact));
  return r;
}

Word Arithmetic::shifted_left(const Word& x, const Word& amount, std::size_t width) {
  Word r = resized(x, width);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    const std::size_t by = std::size_t{1} << stage;
    Word moved = r;
    for (std::size_t i = 0; i < width; ++i)
      moved.bits[i] = g_.mux(amount.bit(stage), i >= by ? r.bits[i - by] : kFalse, r.bits[i]);
    r = std::move(moved);
  }
  return r;
}

Word Arithmetic::shifted_right(const Word& x, const Word& amount, Lit fill, std::size_t width) {
  Word r = resized(x, width);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    const std::size_t by = std::size_t{1} << stage;
    Word moved = r;
    for (std::size_t i = 0; i < width; ++i)
      moved.bits[i] = g_.mux(amount.bit(stage), i + by < width ? r.bits[i + by] : fill, r.bits[i]);
    r = std::move(moved);
  }
  return r;
}

template <class F>
Word Arithmetic::bitwise(const Word& x, const Word& y, F&& f) {
  Word r;
  r.bits.clear();
  for (std::size_t i = 0; i < std::max(x.width(), y.width()); ++i) r.bits.push_back(f(x.bit(i), y.bit(i)));
  return trimmed(std::move(r));
}

Result Arithmetic::unary(expr::Op op, const Word& x, std::uint32_t bits) {
  switch (expr::unary_op(op)) {
    case expr::UnaryOp::Not:
      return {boolean_word(neg(truth(x))), kFalse, kFalse};
    case expr::UnaryOp::Neg:
      return wrapped(negated(x, x.width() + 1));
    case expr::UnaryOp::BitNot: {
      Word r = x;
      for (Lit& b : r.bits) b = neg(b);
      return {std::move(r), kFalse, kFalse};
    }
    case expr::UnaryOp::TruncU: {
      if (bits >= 32) return {x, kFalse, kFalse};
      Word r = resized(x, bits);
      r.bits.push_back(kFalse);
      return {trimmed(std::move(r)), kFalse, kFalse};
    }
    case expr::UnaryOp::TruncS:
      return {bits >= 32 ? x : trimmed(resized(x, bits)), kFalse, kFalse};
  }
  internal_error("unary operator", __FILE__, __LINE__);
}

Result Arithmetic::binary(expr::Op op, const Word& x, const Word& y) {
  const std::size_t n = std::max(x.width(), y.width());
  const auto truth_of = [](Lit l) { return Result{boolean_word(l), kFalse, kFalse}; };
  switch (expr::binary_op(op)) {
    case expr::BinaryOp::Add:
      return wrapped(sum(x, y, kFalse, n + 1));
    case expr::BinaryOp::Sub: {
      Word inverse = resized(y, n + 1);
      for (Lit& b : inverse.bits) b = neg(b);
      return wrapped(sum(x, inverse, kTrue, n + 1));
    }
    case expr::BinaryOp::Mul: {
      const std::size_t exact = x.width() + y.width();
      return wrapped(product(x, y, track_overflow_ ? exact : std::min<std::size_t>(exact, 32)));
    }
    case expr::BinaryOp::Div:
    case expr::BinaryOp::Rem: {
      Word quotient, remainder;
      divide(x, y, quotient, remainder);
      Result r =
          op == expr::Op::Div ? wrapped(std::move(quotient)) : Result{std::move(remainder), kFalse, kFalse};
      r.division_by_zero = neg(truth(y));
      r.overflowed = g_.conj(r.overflowed, neg(r.division_by_zero));
      return r;
    }
    case expr::BinaryOp::BitAnd:
      return {bitwise(x, y, [&](Lit a, Lit b) { return g_.conj(a, b); }), kFalse, kFalse};
    case expr::BinaryOp::BitOr:
      return {bitwise(x, y, [&](Lit a, Lit b) { return g_.disj(a, b); }), kFalse, kFalse};
    case expr::BinaryOp::BitXor:
      return {bitwise(x, y, [&](Lit a, Lit b) { return g_.exclusive(a, b); }), kFalse, kFalse};
    case expr::BinaryOp::Shl: {
      const std::size_t exact = x.width() + 31;
      return wrapped(shifted_left(x, y, track_overflow_ ? exact : std::min<std::size_t>(exact, 32)));
    }
    case expr::BinaryOp::Shr:
      return {trimmed(shifted_right(x, y, x.sign(), x.width())), kFalse, kFalse};
    case expr::BinaryOp::Ushr:
      // Only a negative word needs its 32 bits.
      return x.sign() == kFalse ? Result{trimmed(shifted_right(x, y, kFalse, x.width())), kFalse, kFalse}
                                : Result{trimmed(shifted_right(x, y, kFalse, 32)), kFalse, kFalse};
    case expr::BinaryOp::Eq:
      return truth_of(equal(x, y));
    case expr::BinaryOp::Ne:
      return truth_of(neg(equal(x, y)));
    case expr::BinaryOp::Lt:
      return truth_of(less(x, y));
    case expr::BinaryOp::Le:
      return truth_of(neg(less(y, x)));
    case expr::BinaryOp::Gt:
      return truth_of(less(y, x));
    case expr::BinaryOp::Ge:
      return truth_of(neg(less(x, y)));
  }
  internal_error("binary operator", __FILE__, __LINE__);
}

}  // namespace parley::encode

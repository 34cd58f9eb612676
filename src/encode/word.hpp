// Bit-vectors over an AIG: integers in two's complement of any width, kept as narrow as their bits allow, so
// that a location or a flag costs a few gates and only true 32-bit data costs 32. The operators agree with
// expr/operators.hpp on every pair of 32-bit values; tests compare them one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "encode/aig.hpp"
#include "expr/expr.hpp"

namespace parley::encode {

// Least significant bit first; the last bit is the sign. Never empty.
struct Word {
  std::vector<Lit> bits{kFalse};
  std::size_t width() const { return bits.size(); }
  Lit sign() const { return bits.back(); }
  Lit bit(std::size_t i) const { return i < bits.size() ? bits[i] : bits.back(); }
  friend bool operator==(const Word&, const Word&) = default;
};

// Number of bits of the two's complement representation of every value of lo..hi (sign included).
std::size_t bits_for(std::int64_t lo, std::int64_t hi);
Word constant_word(std::int64_t value);
Word boolean_word(Lit x);
// Drops copies of the sign.
Word trimmed(Word x);
// The low `width` bits, the last of them as the sign.
Word resized(const Word& x, std::size_t width);

struct Result {
  Word value;
  Lit overflowed = kFalse;
  Lit division_by_zero = kFalse;
};

class Arithmetic {
 public:
  // `track_overflow`: also compute Result::overflowed; without it products and shifts stay half as large.
  Arithmetic(Aig& aig, bool track_overflow) : g_(aig), track_overflow_(track_overflow) {}

  Lit truth(const Word& x);  // x != 0
  Lit equal(const Word& x, const Word& y);
  Lit equal(const Word& x, std::int64_t value);
  Lit less(const Word& x, const Word& y);
  Lit within(const Word& x, std::int64_t lo, std::int64_t hi);
  Word mux(Lit c, const Word& x, const Word& y);
  Word free_word(std::size_t width);

  Result unary(expr::Op op, const Word& x, std::uint32_t bits);
  Result binary(expr::Op op, const Word& x, const Word& y);

 private:
  Word sum(const Word& x, const Word& y, Lit carry, std::size_t width);
  Word negated(const Word& x, std::size_t width);
  Word product(const Word& x, const Word& y, std::size_t width);
  void divide(const Word& x, const Word& y, Word& quotient, Word& remainder);
  Result wrapped(Word exact);
  Word shifted_left(const Word& x, const Word& amount, std::size_t width);
  Word shifted_right(const Word& x, const Word& amount, Lit fill, std::size_t width);
  template <class F>
  Word bitwise(const Word& x, const Word& y, F&& f);

  Aig& g_;
  bool track_overflow_;
};

}  // namespace parley::encode

// The specification patterns of Dwyer, Avrunin and Corbett (dwyer1999): what people mean by "P never happens
// after Q", as formulas that somebody else has got right. A pattern says what is wanted, a scope where in a
// run it is wanted. Used by lowering (patterns of the text language), by the help pages and by the tests that
// compare each formula with its meaning; whoever makes formulas gives a builder for his own kind of them.
//
// A scope cuts segments out of a run. A segment includes the position where Q starts it and not the one where
// R ends it. `before R` says nothing about runs without R; `between` nothing about a Q that no R follows,
// where `after … until` goes on for ever. `after Q` starts at the first Q.
//
// The formulas are the published ones, but for precedence after Q, where the published one is content with any
// Q; bounded existence is written for any n.
#pragma once

#include <cstdint>

namespace parley::ltl {

enum class Pattern : std::uint8_t {
  Absence,           // never P
  Existence,         // eventually P
  Universality,      // always P
  BoundedExistence,  // P at most n times
  Precedence,        // S precedes P: no P before the first S
  Response           // P leads to S: every P is followed by an S, or is one
};

enum class Scope : std::uint8_t { Globally, Before, After, Between, AfterUntil };

constexpr bool has_start(Scope s) {
  return s == Scope::After || s == Scope::Between || s == Scope::AfterUntil;
}
constexpr bool has_end(Scope s) {
  return s == Scope::Before || s == Scope::Between || s == Scope::AfterUntil;
}
constexpr bool has_second(Pattern p) {
  return p == Pattern::Precedence || p == Pattern::Response;
}

// What "n times" counts: how often P becomes true (for states, as published), or the positions at which it is
// true (for events, where two in a row are two).
enum class Counted : std::uint8_t { Phases, Positions };

template <class F>
struct PatternParts {
  F p;                     // of precedence: what must not come first
  F s;                     // precedence, response
  F q;                     // where the scope starts, if it has a start
  F r;                     // where it ends, if it has an end
  std::uint32_t most = 0;  // bounded existence
  Counted counted = Counted::Phases;
};

// Builder: negate, both, either, implies, next, eventually, always, until, weak_until over values of F.
template <class Builder, class F>
class PatternFormula {
 public:
  PatternFormula(Builder& builder, Pattern pattern, const PatternParts<F>& parts)
      : b_(builder), pattern_(pattern), x_(parts) {}

  F in(Scope scope) {
    switch (scope) {
      case Scope::Globally:
        break;
      case Scope::Before:
        if (pattern_ == Pattern::Existence) return p_before_r(Ends::Perhaps);
        return b_.implies(b_.eventually(x_.r), until_r(Ends::Surely));
      case Scope::After:
        return after();
      case Scope::Between: {
        const F starts = b_.both(x_.q, b_.negate(x_.r));
        if (pattern_ == Pattern::Existence) return b_.always(b_.implies(starts, p_before_r(Ends::Perhaps)));
        return b_.always(b_.implies(b_.both(starts, b_.eventually(x_.r)), until_r(Ends::Surely)));
      }
      case Scope::AfterUntil:
        return b_.always(b_.implies(b_.both(x_.q, b_.negate(x_.r)), pattern_ == Pattern::Existence
                                                                        ? p_before_r(Ends::Surely)
                                                                        : until_r(Ends::Perhaps)));
    }
    return for_ever();
  }

 private:
  // Whether R ends the segment, or may fail to come.
  enum class Ends : std::uint8_t { Surely, Perhaps };

  F until(Ends ends, const F& f, const F& g) {
    return ends == Ends::Surely ? b_.until(f, g) : b_.weak_until(f, g);
  }

  // The pattern on what is left of the run.
  F for_ever() {
    switch (pattern_) {
      case Pattern::Absence:
        return b_.always(b_.negate(x_.p));
      case Pattern::Existence:
        return b_.eventually(x_.p);
      case Pattern::Universality:
        return b_.always(x_.p);
      case Pattern::BoundedExistence:
        return at_most_for_ever(x_.most);
      case Pattern::Precedence:
        return b_.weak_until(b_.negate(x_.p), x_.s);
      case Pattern::Response:
        break;
    }
    return b_.always(b_.implies(x_.p, b_.eventually(x_.s)));
  }

  // The first Q decides. What holds from there on holds from every later Q on in three patterns.
  F after() {
    switch (pattern_) {
      case Pattern::Absence:
      case Pattern::Universality:
      case Pattern::Response:
        return b_.always(b_.implies(x_.q, for_ever()));
      case Pattern::Existence:
        return b_.either(b_.always(b_.negate(x_.q)), b_.eventually(b_.both(x_.q, b_.eventually(x_.p))));
      case Pattern::BoundedExistence:
      case Pattern::Precedence:
        break;
    }
    return b_.weak_until(b_.negate(x_.q), b_.both(x_.q, for_ever()));
  }

  F p_before_r(Ends ends) {
    const F not_yet = b_.negate(x_.r);
    // Surely: P must come, with or without R.
    return ends == Ends::Surely ? b_.until(not_yet, b_.both(x_.p, not_yet))
                                : b_.weak_until(not_yet, b_.both(x_.p, not_yet));
  }

  // The pattern up to R.
  F until_r(Ends ends) {
    switch (pattern_) {
      case Pattern::Absence:
        return until(ends, b_.negate(x_.p), x_.r);
      case Pattern::Universality:
        return until(ends, x_.p, x_.r);
      case Pattern::BoundedExistence:
        return at_most_until_r(ends, x_.most);
      case Pattern::Precedence:
        return until(ends, b_.negate(x_.p), b_.either(x_.s, x_.r));
      case Pattern::Existence:
        return p_before_r(ends);
      case Pattern::Response:
        break;
    }
    const F not_yet = b_.negate(x_.r);
    return until(ends, b_.implies(x_.p, b_.until(not_yet, b_.both(x_.s, not_yet))), x_.r);
  }

  F at_most_for_ever(std::uint32_t times) {
    F f = b_.always(b_.negate(x_.p));
    for (std::uint32_t i = 0; i < times; ++i) {
      const F then = x_.counted == Counted::Phases ? b_.weak_until(x_.p, f) : b_.both(x_.p, b_.next(f));
      f = b_.weak_until(b_.negate(x_.p), then);
    }
    return f;
  }

  F at_most_until_r(Ends ends, std::uint32_t times) {
    const F without = b_.both(b_.negate(x_.p), b_.negate(x_.r));
    const F with = b_.both(x_.p, b_.negate(x_.r));
    F f = until(ends, b_.negate(x_.p), x_.r);
    for (std::uint32_t i = 0; i < times; ++i) {
      const F then =
          x_.counted == Counted::Phases ? until(ends, with, b_.either(x_.r, f)) : b_.both(with, b_.next(f));
      f = until(ends, without, b_.either(x_.r, then));
    }
    return f;
  }

  Builder& b_;
  Pattern pattern_;
  const PatternParts<F>& x_;
};

template <class Builder, class F>
F formula_of(Builder& builder, Pattern pattern, Scope scope, const PatternParts<F>& parts) {
  return PatternFormula<Builder, F>(builder, pattern, parts).in(scope);
}

}  // namespace parley::ltl

// A random text as a tree of pieces, so that it can be shrunk without knowing the grammar: a piece (a
// transition, a state, a statement, a check) is taken out whole, or its wrapping is taken off. Whether the
// rest is still a model is for the front end to say.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace parley::random {

struct Piece {
  std::string open;  // a line, or what stands before the parts
  std::vector<Piece> parts;
  std::string close;  // what stands behind them; empty: a leaf
  bool removable = true;

  Piece& add(Piece part) {
    parts.push_back(std::move(part));
    return parts.back();
  }
};

std::string text(const Piece& piece);
std::size_t count(const Piece& piece);

// Hierarchical delta debugging (misherghi2006, figure 2, greedy): takes pieces out, largest first, as long as
// `fails` says that what is left still fails. Asks at most `most_asked` times.
Piece shrink(Piece piece, const std::function<bool(const Piece&)>& fails, std::size_t most_asked = 2000);

}  // namespace parley::random

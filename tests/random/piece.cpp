#include "random/piece.hpp"

#include <algorithm>

namespace parley::random {
namespace {

void write(const Piece& piece, std::size_t indent, std::string& out) {
  const std::string margin(indent * 2, ' ');
  if (!piece.open.empty()) out += margin + piece.open + "\n";
  const std::size_t inside = piece.open.empty() ? indent : indent + 1;
  for (const Piece& part : piece.parts) write(part, inside, out);
  if (!piece.close.empty()) out += margin + piece.close + "\n";
}

// The pieces below, each as the list of positions that lead to it.
void places(const Piece& piece, std::vector<std::size_t>& at, std::vector<std::vector<std::size_t>>& out) {
  for (std::size_t i = 0; i < piece.parts.size(); ++i) {
    at.push_back(i);
    out.push_back(at);
    places(piece.parts[i], at, out);
    at.pop_back();
  }
}

Piece* find(Piece& root, const std::vector<std::size_t>& at, std::size_t levels) {
  Piece* p = &root;
  for (std::size_t i = 0; i < levels; ++i) {
    if (at[i] >= p->parts.size()) return nullptr;
    p = &p->parts[at[i]];
  }
  return p;
}

}  // namespace

std::string text(const Piece& piece) {
  std::string out;
  write(piece, 0, out);
  return out;
}

std::size_t count(const Piece& piece) {
  std::size_t n = 1;
  for (const Piece& part : piece.parts) n += count(part);
  return n;
}

Piece shrink(Piece piece, const std::function<bool(const Piece&)>& fails, std::size_t most_asked) {
  std::size_t asked = 0;
  for (bool smaller = true; smaller && asked < most_asked;) {
    smaller = false;
    std::vector<std::vector<std::size_t>> all;
    std::vector<std::size_t> at;
    places(piece, at, all);
    std::stable_sort(all.begin(), all.end(), [&](const auto& x, const auto& y) {
      return count(*find(piece, x, x.size())) > count(*find(piece, y, y.size()));
    });
    for (const auto& place : all) {
      if (asked >= most_asked) break;
      for (const bool keep_parts : {false, true}) {
        Piece candidate = piece;
        Piece* parent = find(candidate, place, place.size() - 1);
        const std::size_t i = place.back();
        if (parent == nullptr || i >= parent->parts.size() || !parent->parts[i].removable) break;
        Piece gone = std::move(parent->parts[i]);
        if (keep_parts && gone.parts.empty()) break;
        parent->parts.erase(parent->parts.begin() + static_cast<std::ptrdiff_t>(i));
        if (keep_parts)
          parent->parts.insert(parent->parts.begin() + static_cast<std::ptrdiff_t>(i), gone.parts.begin(),
                               gone.parts.end());
        ++asked;
        if (!fails(candidate)) continue;
        piece = std::move(candidate);
        smaller = true;
        break;
      }
    }
  }
  return piece;
}

}  // namespace parley::random

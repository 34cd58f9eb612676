#include "front/promela/source_text.hpp"

#include <algorithm>

namespace parley::front::promela {
namespace {

// What of the piece's place text[begin, end) is, both inside the piece, which is `length` long.
diag::Span part_of(const Piece& piece, std::size_t length, std::size_t begin, std::size_t end) {
  if (piece.place.end - piece.place.begin != length) return piece.place;
  const auto from = static_cast<std::uint32_t>(piece.place.begin + (begin - piece.at));
  return {piece.place.file, from, static_cast<std::uint32_t>(from + (end - begin))};
}

}  // namespace

diag::Span SourceText::place_of(std::size_t begin, std::size_t end) const {
  const auto behind = [&](std::size_t offset) {
    return std::upper_bound(pieces.begin(), pieces.end(), offset,
                            [](std::size_t at, const Piece& piece) { return at < piece.at; });
  };
  diag::Span result;
  for (auto next = behind(begin); begin < end && next != pieces.begin(); ++next) {
    const Piece& piece = *std::prev(next);
    const std::size_t stop = next == pieces.end() ? text.size() : next->at;
    // White space that follows the piece does not belong to it.
    std::size_t own_end = stop;
    while (own_end > piece.at + 1 && (text[own_end - 1] == ' ' || text[own_end - 1] == '\n')) --own_end;
    const diag::Span part =
        part_of(piece, own_end - piece.at, std::max<std::size_t>(begin, piece.at), std::min(end, own_end));
    const bool joins = result.valid() && part.valid() && part.file == result.file && part.end >= result.end;
    result = joins ? diag::join(result, part) : result.valid() ? result : part;
    if (end <= stop || next == pieces.end()) break;
  }
  return result;
}

}  // namespace parley::front::promela

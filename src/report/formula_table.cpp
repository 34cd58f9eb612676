#include "report/formula_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diag/diagnostic.hpp"
#include "report/quoting.hpp"

namespace parley::report {
namespace {

using verdict::FormulaRow;
using verdict::FormulaRows;

constexpr std::size_t kMostColumns = 40, kMostRows = 12, kShortestName = 24;
constexpr std::size_t kBeside = 12;  // the margin, what stands behind names, a gap and the bar of the loop

// A list shown at both ends: the first and the last of `total` items, `shown` in all.
struct BothEnds {
  BothEnds(std::size_t all, std::size_t room) : total(all), shown(std::min(all, room)) {}
  std::size_t total, shown;

  bool cut() const { return shown < total; }
  bool is_gap(std::size_t item) const { return cut() && item == shown / 2; }
  std::size_t after_gap() const { return total - (shown - shown / 2); }
};

class Table {
 public:
  Table(const FormulaRows& rows, const TextOptions& options)
      : rows_(rows), p_(palette(options.colour)), columns_(rows.positions, kMostColumns) {
    for (const FormulaRow& r : rows.propositions) all_.push_back(&r);
    for (const FormulaRow& r : rows.subformulas) all_.push_back(&r);
    std::size_t longest = kHeader.size();
    for (const FormulaRow* r : all_) longest = std::max(longest, diag::sanitise(r->text).size());
    const std::size_t room = options.width - std::min(options.width, kBeside);
    // Columns stand apart if there is room for the names beside them.
    apart_ = room >= std::min(longest, kShortestName) + 2 * columns_.shown;
    const std::size_t taken = columns_.shown * (apart_ ? 2 : 1);
    name_ = std::min(longest, std::max(kShortestName, room > taken ? room - taken : 0));
  }

  std::string lay_out() const {
    std::string out = header();
    const BothEnds shown(all_.size(), kMostRows);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (shown.is_gap(i)) {
        out += fmt::format("    {}… {} more rows{}\n", p_.dim, shown.total - shown.shown + rows_.left_out,
                           p_.reset);
        i = shown.after_gap();
      }
      const FormulaRow& r = *all_[i];
      out += row(clipped(diag::sanitise(r.text), name_),
                 [&](std::size_t at) { return r.truth[at] ? '*' : '.'; });
    }
    std::string meaning = "* true, . false";
    if (rows_.loop_from < rows_.positions)
      meaning += rows_.ends ? "; after | the end, which lasts for ever" : "; after | what repeats";
    return out + fmt::format("    {}{}{}\n", p_.dim, meaning, p_.reset);
  }

 private:
  static constexpr std::string_view kHeader = "position";

  template <class Mark>
  std::string row(const std::string& name, const Mark& mark) const {
    const char* space = apart_ ? " " : "";
    std::string line = "    " + name + std::string(name_ - std::min(name_, width(name)), ' ') + "  ";
    for (std::size_t i = 0; i < rows_.positions; ++i) {
      if (columns_.is_gap(i)) {
        line += fmt::format("…{}", space);
        if (i <= rows_.loop_from && rows_.loop_from < columns_.after_gap())
          line += fmt::format("|{}…{}", space, space);
        i = columns_.after_gap();
      }
      if (i == rows_.loop_from) line += fmt::format("|{}", space);
      line += mark(i);
      line += space;
    }
    while (line.back() == ' ') line.pop_back();
    return line + '\n';
  }

  // Numbers of positions stand upright, a line for each digit.
  std::string header() const {
    const std::size_t last = rows_.positions - 1;
    std::string out;
    for (std::size_t unit = digits(last); unit > 0; --unit) {
      std::size_t divisor = 1;
      for (std::size_t k = 1; k < unit; ++k) divisor *= 10;
      out += p_.dim +
             row(unit == 1 ? std::string(kHeader) : "",
                 [&](std::size_t at) {
                   if (rows_.ends && at >= rows_.loop_from) return unit == 1 ? '+' : ' ';
                   if (at < divisor && unit > 1) return ' ';
                   return static_cast<char>('0' + at / divisor % 10);
                 }) +
             p_.reset;
    }
    return out;
  }

  static std::size_t digits(std::size_t n) { return std::to_string(n).size(); }
  // In characters: "…" is one.
  static std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0U) != 0x80U; }));
  }

  const FormulaRows& rows_;
  const Palette& p_;
  BothEnds columns_;
  std::vector<const FormulaRow*> all_;
  bool apart_ = true;
  std::size_t name_ = 0;
};

}  // namespace

std::string formula_table(const FormulaRows& rows, const TextOptions& options) {
  if (rows.positions == 0 || rows.propositions.size() + rows.subformulas.size() == 0) return {};
  return Table(rows, options).lay_out();
}

}  // namespace parley::report

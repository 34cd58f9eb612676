#include "system/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace parley::system {
namespace {

constexpr const char* kSplit = "split it into several steps or states";

class Measure {
 public:
  Measure(const System& system, const SizeLimits& limits)
      : s_(system), limits_(limits), measured_(system.stmts.size()) {}

  // Operands are made before what they are operands of, so one pass over the ids is enough.
  std::optional<Oversize> expressions() const {
    std::vector<std::uint32_t> depth(s_.exprs.size(), 1);
    for (std::size_t i = 0; i < depth.size(); ++i) {
      for (const ExprId x : s_.exprs.operands(ExprId(i))) depth[i] = std::max(depth[i], depth[x.index()] + 1);
      if (depth[i] <= limits_.expression_depth) continue;
      return Oversize{
          "too-deep",
          fmt::format("a condition or value of this model becomes an expression of more than {} levels",
                      limits_.expression_depth),
          "a state with thousands of guarded transitions does too; split it",
          {}};
    }
    return std::nullopt;
  }

  std::optional<Oversize> body(StmtId root, const std::string& name, const Origin& origin) {
    if (!root.valid()) return std::nullopt;
    visit(root);
    const Size& size = measured_[root.index()];
    if (size.depth > limits_.statement_depth)
      return Oversize{"too-deep",
                      fmt::format("the statements of '{}' are nested more than {} levels deep", name,
                                  limits_.statement_depth),
                      kSplit, origin};
    if (size.statements > limits_.statements)
      return Oversize{"too-many-routes",
                      fmt::format("there are more than {} statements on the ways of '{}', counted way by way",
                                  limits_.statements, name),
                      "choices one after the other multiply; put a state between them", origin};
    return std::nullopt;
  }

 private:
  struct Size {
    std::uint32_t depth = 0;  // 0: not measured yet
    std::uint64_t statements = 0;
  };

  // Children first, with a stack of our own: how deep it goes is what is to be found out.
  void visit(StmtId root) {
    std::vector<StmtId> work = {root};
    while (!work.empty()) {
      const StmtId at = work.back();
      if (measured_[at.index()].depth != 0) {
        work.pop_back();
        continue;
      }
      Size size{1, 1};
      bool complete = true;
      for (const StmtId child : s_.stmt(at).children) {
        const Size& below = measured_[child.index()];
        if (below.depth == 0) {
          work.push_back(child);
          complete = false;
        }
        size.depth = std::max(size.depth, below.depth + 1);
        size.statements = std::min(size.statements + below.statements, limits_.statements + 1);
      }
      if (!complete) continue;
      measured_[at.index()] = size;
      work.pop_back();
    }
  }

  const System& s_;
  const SizeLimits& limits_;
  std::vector<Size> measured_;
};

}  // namespace

std::optional<Oversize> find_oversize(const System& system, const SizeLimits& limits) {
  Measure measure(system, limits);
  if (auto found = measure.expressions()) return found;
  if (auto found = measure.body(system.initial_body, "the start", {})) return found;
  for (const Action& a : system.actions)
    if (auto found = measure.body(a.body, a.name, a.origin)) return found;
  return std::nullopt;
}

}  // namespace parley::system

#include "solver/ilp/integer.hpp"

#include "solver/ilp/simplex.hpp"

namespace parley::solver::ilp {

Solution solve_integer(const Program& program, const IntegerOptions& options) {
  Solution best;
  best.status = Status::Infeasible;
  std::vector<std::vector<Row>> open{{}};  // extra rows of each open node; depth first
  for (std::uint32_t nodes = 0; !open.empty(); ++nodes) {
    if (nodes == options.max_nodes || (options.stop && options.stop())) {
      best.status = Status::Stopped;
      return best;
    }
    std::vector<Row> extra = std::move(open.back());
    open.pop_back();
    Program node = program;
    node.rows.insert(node.rows.end(), extra.begin(), extra.end());
    Solution s = solve(node, options.stop);
    if (s.status == Status::Infeasible) continue;
    if (s.status != Status::Optimal) return s;
    if (best.status == Status::Optimal && s.objective >= best.objective) continue;
    std::uint32_t split = 0;
    while (split < s.values.size() && s.values[split].get_den() == 1) ++split;
    if (split == s.values.size()) {
      best = std::move(s);
      continue;
    }
    Integer floor;
    mpz_fdiv_q(floor.get_mpz_t(), s.values[split].get_num_mpz_t(), s.values[split].get_den_mpz_t());
    std::vector<Row> up = extra;
    up.push_back({{{split, 1}}, Sense::AtLeast, Rational(floor + 1)});
    extra.push_back({{{split, 1}}, Sense::AtMost, Rational(floor)});
    open.push_back(std::move(up));
    open.push_back(std::move(extra));
  }
  return best;
}

}  // namespace parley::solver::ilp

// What a statement does: all ways to execute it. Where it stands is not part of the guards, and `else` has
// none here; the edges of its state give it one (lower_edges.hpp).
#pragma once

#include <string>
#include <vector>

#include "front/promela/lower_messages.hpp"
#include "front/promela/lower_start.hpp"

namespace parley::front::promela {

class Effects {
 public:
  Effects(const Translation& translation, const Layout& layout, Terms& terms, Variables& variables,
          Expressions& expressions, Statements& statements, Messages& messages, ProcessStart& process_start)
      : program_(translation.program),
        sources_(translation.sources),
        options_(translation.options),
        s_(translation.system),
        layout_(layout),
        terms_(terms),
        variables_(variables),
        expressions_(expressions),
        statements_(statements),
        messages_(messages),
        process_start_(process_start) {}

  std::vector<Alternative> alternatives(const Transition& t, const Slot& slot);

 private:
  void assign(const Stmt& s, const Slot& slot, Alternative& a);
  std::string print_format(const Stmt& s) const;

  const Program& program_;
  const diag::SourceMap& sources_;
  const Options& options_;
  system::System& s_;
  const Layout& layout_;
  Terms& terms_;
  Variables& variables_;
  Expressions& expressions_;
  Statements& statements_;
  Messages& messages_;
  ProcessStart& process_start_;
};

}  // namespace parley::front::promela

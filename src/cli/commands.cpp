#include "cli/commands.hpp"

namespace parley::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      check_command(),  simulate_command(), explore_command(),    replay_command(),
      verify_command(), bounds_command(),   abstract_command(),   explain_cex_command(),
      fmt_command(),    import_command(),   info_command(),       draw_command(),
      export_command(), explain_command(),  completion_command(), man_command(),
  };
  return all;
}

}  // namespace parley::cli

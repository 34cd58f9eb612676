#include "front/promela/lowering.hpp"

#include <algorithm>

#include "front/promela/lower_actions.hpp"
#include "front/promela/lower_initial.hpp"
#include "front/promela/lower_promises.hpp"
#include "front/promela/lower_temporal.hpp"

namespace parley::front::promela {
namespace {

void add_properties(const Options& options, system::System& system) {
  for (system::PropertyKind kind :
       {system::PropertyKind::NoDeadlock, system::PropertyKind::NoAssertionFailure,
        system::PropertyKind::NoRuntimeError}) {
    system::Property p;
    p.kind = kind;
    p.name = system::describe(kind);
    system.add(std::move(p));
  }
  if (options.lose_messages) {
    system::Property p;
    p.kind = system::PropertyKind::NoLostMessages;
    p.name = system::describe(p.kind);
    system.add(std::move(p));
  }
}

// What the model promises of itself (xr, xs, D_proctype) and nobody looks at.
void assume_promises(const Program& program, const Options& options, system::System& system) {
  if (options.check_promises) return;
  if (std::any_of(program.proctypes.begin(), program.proctypes.end(),
                  [](const Proctype& p) { return p.deterministic || !p.claims.empty(); }))
    system.assumptions.push_back(
        {diag::AssumptionCode::Ignored,
         "xr, xs and D_proctype are kept: they were not checked (promises = trust)"});
}

struct Attempt {
  std::optional<system::System> system;
  bool wants_wide_channels = false;  // numbers that are no channels were stored as channels
};

Attempt attempt(const Program& program, const diag::SourceMap& sources, diag::Diagnostics& diagnostics,
                const Options& options, bool wide_channels) {
  system::System system;
  const Translation translation{program, sources, diagnostics, options, system};
  const ChannelSets channels(program);
  const std::optional<Layout> layout = lay_out(translation, channels, wide_channels);
  if (!layout) return {};

  Terms terms(system, *layout);
  Variables variables(translation, *layout, terms);
  Expressions expressions(translation, *layout, channels, terms, variables);
  Statements statements(system);
  ProcessStart process_start(translation, *layout, terms, variables, expressions, statements);
  Messages messages(translation, *layout, terms, variables, expressions, statements);
  Effects effects(translation, *layout, terms, variables, expressions, statements, messages, process_start);
  Enabledness enabledness(translation, *layout, terms, expressions, effects);
  expressions.answer_enabled_by(enabledness);

  InitialValues(translation, *layout, terms, variables, expressions).set();
  const Scratch scratch(translation, *layout, statements);
  Edges edges(*layout);
  EdgeCollector collector(translation, *layout, terms, effects, enabledness, edges);
  collector.collect();
  if (options.check_promises && !options.ignore_assertions)
    Promises(translation, *layout, terms, expressions, statements, enabledness, edges).collect();
  collector.extend_all();
  if (diagnostics.has_errors()) return {std::nullopt, variables.wants_wide_channels()};
  Actions(translation, *layout, terms, expressions, statements, messages, effects, enabledness, scratch,
          edges)
      .emit();
  add_properties(options, system);
  assume_promises(program, options, system);
  TemporalProperties(translation, terms, expressions).add();
  if (diagnostics.has_errors()) return {std::nullopt, variables.wants_wide_channels()};
  return {std::move(system), variables.wants_wide_channels()};
}

}  // namespace

std::optional<system::System> lower(const Program& program, const diag::SourceMap& sources,
                                    diag::Diagnostics& diagnostics, const Options& options) {
  Attempt narrow = attempt(program, sources, diagnostics, options, false);
  if (!narrow.wants_wide_channels) return std::move(narrow.system);
  return attempt(program, sources, diagnostics, options, true).system;
}

}  // namespace parley::front::promela

#include "planner/commands/options/fit.hpp"

#include "planner/commands/options/machine.hpp"

namespace planner::commands {

std::vector<OptionOf<FitChoice>> fit_options() {
  using F = FitChoice;
  return {text({"calibration", "NAME|FILE", "constants of the calibrated model", kWhat},
               &F::calibration),
          text({"data", "FILE", "measured runs (planner schema measured-run)", "Measured runs"},
               &F::data),
          integer({"threads", "N", "of the search or fit (default: all cores)", kAnswer},
                  &F::threads, 1, kMostThreads)};
}

FitOptions fit_settings(const FitChoice& choice, const Context& context) {
  return {.threads = static_cast<std::size_t>(choice.threads.value_or(0)),
          .progress = context.fit_progress,
          .stop = context.stop};
}

void need_all_of_it(const Context& context) {
  if (context.stop != nullptr && context.stop->load()) throw Interrupted();
}

}  // namespace planner::commands

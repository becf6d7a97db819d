#include "planner/commands/options/fit.hpp"

namespace planner::commands {

namespace {

constexpr std::int64_t kMostThreads = 4096;

}  // namespace

std::vector<OptionOf<FitChoice>> fit_options() {
  using F = FitChoice;
  return {text({"calibration", "NAME|FILE", "constants of the calibrated model",
                "What to train, on what"},
               &F::calibration),
          text({"data", "FILE", "measured runs (planner schema measured-run)", "Measured runs"},
               &F::data),
          integer({"threads", "N", "of the search or fit (default: all cores)", "The answer"},
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

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/published/published.hpp"

namespace planner::published {

/// A large public run: the strategy that it ran, and the best that the search would pick for the
/// same model, GPUs, batch and software.
struct Flagship {
  std::string id;     ///< of the measured run
  std::string title;  ///< "Llama 3.1 405B, 8,192 H100 (MLPerf v5.0)"
  Seconds measured{};
  Plan ran, best;  ///< both by the shipped constants

  [[nodiscard]] double error() const { return ran.time.total() / measured - 1; }
  /// Whether the measured time lies in the 80 % interval of the strategy that ran.
  [[nodiscard]] bool inside() const { return ran.interval && ran.interval->holds(measured); }
  /// How much faster the best is said to be than what ran, both predicted, so that what the model
  /// gets wrong of both alike is not in it.
  [[nodiscard]] double claim() const { return ran.time.total() / best.time.total() - 1; }
};

/// Twenty of them, 2021 to 2026, at least 256 GPUs, from sources of all kinds.
std::vector<Flagship> flagship_runs(const catalog::Catalog& catalog);

/// What is claimed of them together.
struct FlagshipSummary {
  std::int64_t runs = 0, inside = 0;
  double mean_error = 0, mean_abs_error = 0;   ///< of the strategies that ran
  double median_claim = 0, largest_claim = 0;  ///< of the best
};
FlagshipSummary summary_of(const std::vector<Flagship>& runs);

/// "tp 8 pp 16 v 8 dp 64 b 1 ZeRO 1", with what of the rest is not a default.
std::string strategy_in_words(const Strategy& strategy);

}  // namespace planner::published

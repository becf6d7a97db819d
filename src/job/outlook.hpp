#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/cost/causes.hpp"
#include "planner/job/forecast.hpp"

// What is not known, to the end: the model of the iteration, failures and prices together, as days
// and dollars. Each cause is one draw; causes are independent. A range of prices whose share nobody
// says counts as that of 80 of 100.
namespace planner::job {

/// Of an amount.
template <class Q>
struct Likely {
  Estimate<Q> range{};  ///< 80 of 100 cases lie within; expected: as it stands elsewhere
  Q at_confidence{};    ///< a share of all stay within, as the outlook says it
  Q p95{};              ///< 95 of 100 do
  /// 50 of 100 do: later than `expected`, as what may go wrong outweighs what may go well.
  /// Nothing: an answer of an older program.
  std::optional<Q> median{};

  bool operator==(const Likely&) const = default;
};

/// What one cause moves, from its low end to its high one, all else as expected. Nothing: does not
/// move it, or there is no such figure.
struct Decides {
  std::string cause;
  std::optional<Estimate<Seconds>> days{};
  std::optional<Estimate<Usd>> cost{}, tco{};  ///< of the run, of the cluster
  std::optional<Estimate<Usd>> present{};      ///< net present cost of the cluster

  /// The larger share of an expected figure that lies between the ends.
  [[nodiscard]] double swing() const;
  bool operator==(const Decides&) const = default;
};

/// The chance that a run is done by a time.
struct DoneBy {
  Seconds time{};
  double chance = 0;

  bool operator==(const DoneBy&) const = default;
};

inline constexpr double kUsualConfidence = 0.9;  ///< one-sided: the high end of 80 of 100

struct Outlook {
  double confidence = kUsualConfidence;
  std::optional<Likely<Seconds>> ideal_days{};  ///< of the run without failures
  std::optional<Likely<Seconds>> days{};  ///< as it is to be expected; without a forecast the same
  std::optional<Likely<Usd>> ideal_cost{};  ///< of the run without failures
  std::optional<Likely<Usd>> cost{};  ///< as it is to be expected; without a forecast the same
  std::optional<Likely<Usd>> capex{}, opex_per_year{}, tco{}, gpu_hour{};  ///< of a cluster
  std::optional<Likely<Usd>> present{};  ///< its net present cost, where there is one

  /// What owning is judged by: the net present cost, else the total cost of ownership.
  [[nodiscard]] const std::optional<Likely<Usd>>& owning() const { return present ? present : tco; }
  std::vector<DoneBy> done_by{};
  std::vector<Decides> decides{};  ///< the largest swing first
};

/// What money of a run comes from.
struct PricedRun {
  std::vector<CostCause> causes{};
  Usd gpu_hour{};           ///< expected
  Usd ideal{}, expected{};  ///< of the run: without failures, and as it is to be expected
};
/// What money of a cluster comes from, each as it is expected.
struct PricedCluster {
  std::optional<Usd> capex{}, opex_per_year{}, tco{}, gpu_hour{};
  std::optional<Usd> present{};  ///< net present cost; with it `gpu_hour` is a share of it
  std::vector<CostCause> causes{};
};

struct OutlookInputs {
  double confidence = kUsualConfidence;
  const Plan* plan = nullptr;          ///< with its interval; null: there is no run
  std::optional<Seconds> ideal{};      ///< of the run, without failures
  const Forecast* forecast = nullptr;  ///< of that run; null: there is none
  std::optional<PricedRun> run{};
  PricedCluster cluster{};
};

/// Quantiles of days and dollars and what decides them: docs/goodput.md, "Days and dollars to the
/// end".
Outlook outlook_of(const OutlookInputs& inputs);

/// GPUs that are rented: one cause, the rent of an hour.
std::vector<CostCause> rent_causes(const Estimate<UsdPerSecond>& rent);

}  // namespace planner::job

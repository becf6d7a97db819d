#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/cost/rent.hpp"
#include "planner/domain/display_currency.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/run.hpp"

namespace planner::job {

/// What an hour of one GPU costs, everything that is charged for it included: power, network, the
/// idle time of other GPUs.
struct GpuPrice {
  Estimate<UsdPerSecond> rate;
  PriceSource origin;
  std::string economics{};                    ///< the file it was found in; empty: --gpu-hour-price
  std::optional<DisplayCurrency> shown_in{};  ///< as that file says
  /// All hours of whole terms are paid, used or not; nothing: the hours that are used.
  std::optional<RentTerm> term{};
};

/// A plan whose GPUs are paid by the hour, or for whole terms.
struct PaidPlan {
  GpuPrice price;
  std::int64_t gpus = 0;  ///< that are paid for: those that stand idle in HB domains too
  /// For whole terms, of a run: their price, and the shares of an iteration and of tokens in it.
  RentCost cost;
  std::optional<double> years_paid{};  ///< in whole terms; nothing: the run's hours, or no run
  std::optional<Estimate<Usd>> run_range{};  ///< 80 of 100 runs, by time and price; no failures
  std::optional<Joules> node_energy{};  ///< of one iteration: nodes at rated power, nothing else
};

/// What a plan costs at that price: its hours, or whole terms that the run without failures fits
/// in.
/// @param gpus  paid for, see occupied_gpus()
/// @param node  what the GPUs stand in; nothing: not known, as its energy then is
PaidPlan paid_plan(const Workload& workload, const Plan& plan, GpuPrice price, std::int64_t gpus,
                   const std::optional<Node>& node);

}  // namespace planner::job

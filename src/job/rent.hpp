#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/cost/rent.hpp"
#include "planner/domain/display_currency.hpp"
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
};

/// A plan whose GPUs are paid by the hour.
struct PaidPlan {
  GpuPrice price;
  RentCost cost;
  std::optional<Estimate<Usd>> run_range{};  ///< 80 of 100 runs, by time and price; no failures
  std::optional<Joules> node_energy{};  ///< of one iteration: nodes at rated power, nothing else
};

/// What a plan costs at that price.
/// @param node  what the GPUs stand in; nothing: not known, as its energy then is
PaidPlan paid_plan(const Workload& workload, const Plan& plan, GpuPrice price,
                   const std::optional<Node>& node);

}  // namespace planner::job

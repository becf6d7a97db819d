#pragma once

#include <optional>
#include <string>

#include "planner/api/request.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/cost/rent.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/price.hpp"

namespace planner {

/// What an hour of one GPU costs, everything that is charged for it included: power, network, the
/// idle time of other GPUs.
struct GpuPrice {
  Estimate<UsdPerSecond> rate;
  PriceSource origin;
  std::string economics{};  ///< the file it was found in; empty: --gpu-hour-price
};

/// The price of --gpu-hour-price, or else the rent of the system's GPU in --economics. Nothing
/// where neither is asked for.
/// @throws UsageError where the economics have no rent of that GPU
std::optional<GpuPrice> gpu_price(const Request& request, const System& system,
                                  const catalog::Catalog& catalog);

/// Energy of one iteration: the nodes at rated power, without network, storage and cooling.
/// Nothing where their power is not known.
std::optional<Joules> node_energy(const Workload& workload, Seconds iteration,
                                  const catalog::Catalog& catalog);

/// What a plan costs at that price.
RentCost plan_cost(const Workload& workload, const Plan& plan, const GpuPrice& price);

}  // namespace planner

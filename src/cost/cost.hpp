#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// A training run to be paid for.
struct RunLength {
  std::int64_t gpus = 0;  ///< that it keeps busy
  Seconds duration{};     ///< wall-clock, interruptions included
  std::optional<double> tokens{};
};

/// What the bill alone does not say.
struct ClusterUse {
  std::int64_t gpus = 0;    ///< of the whole cluster, without spares
  std::string accelerator;  ///< their name, by which they are rented elsewhere
  std::optional<std::int64_t> racks{};
  std::optional<CloudPrice> rent{};  ///< of each; nothing: they are bought
  /// GPUs that the rent is paid for, or would be in the place of buying: those of whole nodes.
  std::int64_t rented = 0;
  /// Nothing: capex and IT power are all there is to say.
  std::optional<Economics> economics{};
  std::optional<RunLength> run{};
};

/// Everything that a cluster of these parts costs.
CostResult cost_of(const BillOfMaterials& bill, const ClusterUse& use);

/// Performance per money against a reference: relative performance over relative cost.
/// Fire-Flyer AI-HPC (arXiv 2408.14158), Table II: 83 % over 60 % is 1.38.
double cost_performance(double relative_performance, double relative_cost);

}  // namespace planner::cost

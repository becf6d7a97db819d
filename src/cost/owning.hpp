#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// What a cluster is bought for and draws.
struct CapexAndPower {
  Total capex;
  PowerDraw power;
  bool compute_power_known = true;  ///< of every GPU or node: else nobody knows what a year costs
  std::int64_t gpus = 0;            ///< whose hours are used
  std::optional<std::int64_t> racks{};
  std::optional<CloudPrice> rent{};  ///< of each GPU; nothing: they are bought
  std::int64_t rented = 0;           ///< GPUs, where there is a rent: those that stand by included
  bool buys = true;                  ///< anything at all: rented GPUs may be all there is
};

/// What owning it costs. Nothing from `ownership` on: its capex or power is not known.
struct Owning {
  std::vector<OpexLine> opex;
  std::vector<OpexItem> left_out;  ///< of the yearly costs: nobody gave them
  Total opex_per_year;
  std::optional<Ownership> ownership{};
  std::optional<Financed> financed{};
  std::optional<Estimate<Usd>> per_gpu_hour{};
};
using OwningResult = std::variant<Owning, CostProblem>;

OwningResult owning(const Economics& economics, const CapexAndPower& bought);

}  // namespace planner::cost

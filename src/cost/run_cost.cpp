#include "planner/cost/run_cost.hpp"

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {

std::optional<RunCost> run_cost(const RunLength& run, std::int64_t cluster_gpus,
                                const Economics& economics, const PowerDraw& power,
                                const std::optional<Estimate<Usd>>& per_gpu_hour) {
  RunCost result{.gpus = run.gpus, .duration = run.duration};
  const auto gpus = static_cast<double>(run.gpus);
  if (per_gpu_hour) {
    const double gpu_hours = gpus * run.duration.in(units::hour);
    const Estimate<Usd> cost = each([=](Usd hour) { return hour * gpu_hours; }, *per_gpu_hour);
    result.cost = in_cents(cost);
    if (!result.cost) return std::nullopt;
    if (run.tokens) {
      const double millions = *run.tokens / 1e6;
      result.per_million_tokens = each([=](Usd whole) { return whole / millions; }, cost);
    }
  }
  if (power.facility) {
    const double share = gpus / static_cast<double>(cluster_gpus) * economics.load;
    result.energy =
        each([&](Watts facility) { return facility * share * run.duration; }, *power.facility);
  }
  if (result.energy && economics.grid_kg_co2_per_kwh) {
    result.co2_kg =
        each([&](Joules energy) { return energy.in(units::kWh) * *economics.grid_kg_co2_per_kwh; },
             *result.energy);
  }
  return result;
}

}  // namespace planner::cost

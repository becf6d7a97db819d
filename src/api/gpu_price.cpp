#include "planner/api/gpu_price.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/core/ceil_div.hpp"

namespace planner {

namespace {

GpuPrice given(double dollars_per_hour) {
  return {.rate = Estimate<UsdPerSecond>::exactly(dollars_per_hour * units::usd / units::hour),
          .origin = {.source = "--gpu-hour-price"}};
}

GpuPrice rented(const Economics& economics, const Accelerator& accelerator) {
  const auto found =
      std::find_if(economics.cloud.begin(), economics.cloud.end(),
                   [&](const CloudPrice& price) { return price.accelerator == accelerator.name; });
  if (found == economics.cloud.end()) {
    usage_error(fmt::format("{} has no rent of a {}", economics.name, accelerator.name),
                "give --gpu-hour-price, or --economics with a file that has one");
  }
  return {.rate = found->rent, .origin = found->origin, .economics = economics.name};
}

}  // namespace

std::optional<GpuPrice> gpu_price(const Request& request, const System& system,
                                  const catalog::Catalog& catalog) {
  if (request.gpu_hour_price && request.economics) {
    usage_error("--gpu-hour-price and --economics exclude each other");
  }
  if (request.gpu_hour_price) return given(*request.gpu_hour_price);
  if (!request.economics && request.objective != Objective::cost) return std::nullopt;
  return rented(
      catalog.load_economics(request.economics.value_or(std::string{defaults::kEconomics})),
      system.accelerator);
}

std::optional<Joules> node_energy(const Workload& workload, Seconds iteration,
                                  const catalog::Catalog& catalog) {
  if (!workload.system.node) return std::nullopt;
  const Node node = catalog.load_node(*workload.system.node);
  if (!node.power || node.accelerators < 1) return std::nullopt;
  const std::int64_t nodes = ceil_div(workload.gpus, node.accelerators);
  return static_cast<double>(nodes) * *node.power * iteration;
}

RentCost plan_cost(const Workload& workload, const Plan& plan, const GpuPrice& price) {
  const double tokens =
      static_cast<double>(workload.run.global_batch) * static_cast<double>(workload.run.sequence);
  std::optional<double> iterations;
  if (workload.run.tokens) {
    iterations = training_totals(workload, plan, *workload.run.tokens).iterations;
  }
  return rent_cost(workload.gpus, price.rate, plan.time.total(), tokens, iterations);
}

}  // namespace planner

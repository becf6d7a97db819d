#include <fmt/format.h>

#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

using namespace present;

std::vector<SweepFigure> plan_figures(const Plan& plan, const PlanExtras& extras) {
  const auto plain = [](double value) { return number(value); };
  std::vector<SweepFigure> figures{
      {"iteration_time_s", "iteration (s)", plain(plan.time.total().si())},
      {"mfu", "MFU (%)", plain(100 * plan.mfu)},
      {"memory_bytes", "memory (GB)", plain(plan.memory.total().in(units::GB))},
      {"tp", "tp", count(plan.strategy.tp.total())},
      {"pp", "pp", count(plan.strategy.pp.total())},
      {"dp", "dp", count(plan.strategy.dp.total())},
      {"cp", "cp", count(plan.strategy.cp.total()), 1},
      {"ep", "ep", count(plan.strategy.ep.total()), 1}};
  if (extras.training) {
    figures.push_back(
        {"days", "days without failures", plain(extras.training->totals.time.in(units::day))});
  }
  if (extras.forecast) {
    for (SweepFigure& figure : forecast_figures(*extras.forecast, extras.outlook)) {
      figures.push_back(std::move(figure));
    }
  }
  if (plan.evidence) {
    figures.push_back(
        {"measured", "run measured",
         said(count(plan.evidence->measured() ? 1 : 0), plan.evidence->measured() ? "yes" : "no"),
         1});
  }
  if (!extras.paid) return figures;
  const RentCost& cost = extras.paid->cost;
  figures.push_back({"per_iteration_usd", fmt::format("iteration ({})", present::money_unit()),
                     present::plain_money(cost.per_iteration.expected.in(units::usd))});
  if (cost.per_run) {
    const bool known = extras.outlook && extras.outlook->cost;  // with failures, where they count
    const Usd run = known ? extras.outlook->cost->range.expected : cost.per_run->expected;
    figures.push_back({"per_run_usd", fmt::format("run ({})", present::money_unit()),
                       present::plain_money(run.in(units::usd))});
  }
  return figures;
}

}  // namespace planner::commands

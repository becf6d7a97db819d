#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/commands/parts/failures.hpp"
#include "planner/commands/parts/outlook.hpp"
#include "planner/commands/parts/routing.hpp"
#include "planner/job/forecast.hpp"

namespace planner::commands {

/// Of "links", wherever answers have times.
inline constexpr const char* kLinksDoc =
    "in the times: balanced; all-at-once, as if every GPU sent where they are oversubscribed; "
    "routed, the job's own flows";

/// What to expect of a plan on its network as it behaves and its cluster as it breaks, as answers
/// tell it.
struct ForecastSummary {
  struct Iteration {
    Seconds ideal{}, routed{};
    std::optional<Seconds> guaranteed{};
  };
  struct Days {
    Seconds ideal{}, without_failures{}, mean{}, p50{}, p95{};
    std::optional<Seconds> guaranteed{};
  };
  struct Cost {
    Usd ideal{}, mean{}, p95{};
    std::optional<Usd> guaranteed{};
    Estimate<Usd> range{};  ///< of the mean
    bool at_least = false;  ///< some of the price is not known
  };
  struct Failures {
    FailureSummary summary;
    FailureInputs inputs;
  };
  std::optional<Iteration> iteration{};
  LinkLoad links = LinkLoad::balanced;  ///< in the times
  std::optional<Days> days{};
  std::optional<std::vector<std::string>> varies{};  ///< what p95 is the 95th of 100 of
  std::optional<std::vector<LostTime>> lost{};
  std::optional<Cost> cost{};
  std::optional<RoutingSummary> routing{};
  std::optional<SharingImpact> sharing{};
  std::optional<Failures> failures{};
  std::optional<Estimate<Seconds>> days_range{};  ///< 80 of 100 runs, by all that is not known
  std::optional<Estimate<Usd>> cost_range{};      ///< of 80 of 100 runs

  /// The share of the calendar that a cause takes; nothing: not among them. Of figures as they are
  /// saved, so that a saved answer says the same to the last digit.
  [[nodiscard]] std::optional<double> lost_share(LostCause cause) const;
};

ForecastSummary summary_of(const job::Forecast& forecast);
/// Puts what 80 of 100 runs take and cost beside what is expected.
void add_ranges(const job::Outlook& outlook, ForecastSummary& forecast);
const json::FieldTable<ForecastSummary>& forecast_fields();
/// Whether nobody knows what a checkpoint stalls the training for: expected times have none of it.
bool stall_unknown(const ForecastSummary& forecast);
/// "42.1 days".
present::Cell said_in_days(Seconds time, bool at_least = false);
/// "What to expect": days, dollars, time lost.
void add_forecast(const ForecastSummary& forecast, present::Document& document);
/// What a sweep shows of it.
/// @param outlook  of it: what 95 of 100 runs stay within rests on all that is not known
std::vector<SweepFigure> forecast_figures(const ForecastSummary& forecast,
                                          const std::optional<job::Outlook>& outlook);

/// What charts show of one run; null: there is none.
struct ChartedRun {
  std::string name{};  ///< empty: there is one run
  const ForecastSummary* forecast = nullptr;
  const RoutingSummary* routing = nullptr;
  const FailureSummary* failures = nullptr;
  const job::Outlook* outlook = nullptr;
};
ChartedRun charted(const ForecastSummary& forecast, const std::optional<job::Outlook>& outlook,
                   std::string name = {});
/// Waste by cause, availability against the checkpoint interval, days as a distribution, and how
/// links are loaded; those that there is something for.
void add_run_charts(const std::vector<ChartedRun>& runs, std::vector<present::Chart>& charts);

}  // namespace planner::commands

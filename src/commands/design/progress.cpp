#include <fmt/format.h>

#include "planner/commands/design/design.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// "$421 M", "76.6 days".
std::string figure_words(Measure measure, double figure) {
  if (design::in_money(measure)) {
    return present::money(Money::cents(std::llround(figure))).text;
  }
  switch (measure) {
    case Measure::energy:
      return fmt::format("{} MWh", significant(figure / (1000 * units::kWh).si()));
    case Measure::co2:
      return fmt::format("{} t", significant(figure / 1000));
    default:
      return limit_words(measure, in_brief_unit(measure, figure));
  }
}

}  // namespace

std::string progress_words(const design::DesignProgress& progress) {
  const std::string bound = figure_words(progress.goal, progress.bound);
  switch (progress.asked) {
    case design::Asked::best: {
      if (!progress.best) return fmt::format("none yet, from {} on", bound);
      const auto gap = design::gap_of(*progress.best, progress.bound);
      return figure_words(progress.goal, *progress.best) +
             (gap ? fmt::format(", gap {}", percent(*gap)) : "");
    }
    case design::Asked::front:
      return fmt::format("{} on the front, from {} on", progress.found, bound);
    case design::Asked::each_system:
      return "the best of each system";
    case design::Asked::relaxations:
      return "what would do";
    case design::Asked::margins:
      return "what limits cost";
    case design::Asked::prices:
      return "prices that change it";
  }
  return {};
}

}  // namespace planner::commands

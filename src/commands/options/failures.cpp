#include "planner/commands/options/failures.hpp"

#include <fmt/format.h>

#include "planner/job/reliability.hpp"

namespace planner::commands {

namespace {

using F = FailureChoice;
using S = ReliabilitySettings;

constexpr std::int64_t kMostSpares = 1'000'000;
constexpr double kMostSeconds = 1e9, kMostHours = 1e6, kMostDays = 1e6;

/// A time in `unit`s.
OptionOf<S> time(OptionInfo info, Parsed<double> (*parse)(std::string_view, double), double most,
                 Seconds unit, std::optional<Seconds> S::*at) {
  info.most = most;
  return of_member<S>(std::move(info), at,
                      [=](std::string_view text, S& settings) -> std::optional<std::string> {
                        Parsed<double> number = parse(text, most);
                        if (!number.value) return std::move(number.error);
                        settings.*at = *number.value * unit;
                        return std::nullopt;
                      });
}

/// Seconds, 0 included: a step that takes no time.
OptionOf<S> seconds(OptionInfo info, std::optional<Seconds> S::*at) {
  return time(std::move(info), parse_non_negative, kMostSeconds, units::second, at);
}

std::optional<std::string> read_checkpoint(std::string_view text, S& settings) {
  if (text == "auto") {
    settings.optimal_checkpoint = true;
    settings.checkpoint.reset();
    return std::nullopt;
  }
  const Parsed<double> number = parse_positive(text, kMostSeconds);
  if (!number.value) {
    return "must be auto or seconds, a" + number.error.substr(std::string{"must be a"}.size());
  }
  settings.checkpoint = Seconds{*number.value};
  settings.optimal_checkpoint.reset();
  return std::nullopt;
}

}  // namespace

std::vector<OptionOf<FailureChoice>> failure_options() {
  constexpr const char* kFailures = "What fails";
  constexpr const char* kRecovery = "Checkpoints and recovery";
  constexpr const char* kSpares = "Spare nodes";
  OptionOf<S> checkpoint{
      {"checkpoint", "auto|S", "useful seconds between two (auto: the optimum)", kRecovery},
      read_checkpoint,
      [](const S& a, const S& b) {
        return a.checkpoint == b.checkpoint && a.optimal_checkpoint == b.optimal_checkpoint;
      }};
  return joined<F>(
      {{text({"rates", "NAME|FILE", "failure rates: planner list rates", kFailures}, &F::rates)},
       in(&F::how,
          std::vector<OptionOf<S>>{
              integer({.name = "gpus-per-node",
                       .value = "N",
                       .help = "GPUs of a server",
                       .group = kFailures,
                       .fallback = fmt::to_string(job::kGpusPerNode)},
                      &S::gpus_per_node, 1, kMostGpus),
              integer({"nics", "N", "network cards in all (default: one per GPU)", kFailures},
                      &S::nics, 0, kMostGpus),
              integer({"switches", "N", "access switches, or pairs (default: a 64th of the NICs)",
                       kFailures},
                      &S::switches, 0, kMostGpus),
              choice(
                  {"tor", "single|dual", "access switches that a network card hangs on", kFailures},
                  &S::access, kAccessLinks),
              positive({"degraded-speed", "SHARE",
                        "of full speed, one of two links or switches down", kFailures},
                       &S::degraded_speed, 1),
              std::move(checkpoint),
              seconds({"stall", "S", "training time that one checkpoint takes", kRecovery},
                      &S::stall),
              seconds({"durable", "S", "then until it can be loaded (asynchronous)", kRecovery},
                      &S::durable),
              seconds({"detect", "S", "until someone knows of a failure", kRecovery}, &S::detect),
              seconds({"diagnose", "S", "until the faulty part is found and isolated", kRecovery},
                      &S::diagnose),
              seconds({"restart", "S", "until the job trains again", kRecovery}, &S::restart),
              turn_on(
                  {"recovery-can-fail", "", "a failure during recovery starts it over", kRecovery},
                  &S::recovery_can_fail),
              integer({"spares", "N", "nodes in all (default: always one at hand)", kSpares},
                      &S::spares, 0, kMostSpares),
              integer({.name = "spare-pools",
                       .value = "N",
                       .help = "equal pools that share no spares",
                       .group = kSpares,
                       .fallback = "1"},
                      &S::spare_pools, 1, kMostSpares),
              time({"repair", "H", "mean hours until a failed part is back", kSpares},
                   parse_positive, kMostHours, units::hour, &S::repair),
              integer({"crews", "N", "repairs at once (default: as many as needed)", kSpares},
                      &S::crews, 1, kMostSpares),
              time({"repair-visits", "DAYS", "repair all failed nodes every so many days", kSpares},
                   parse_positive, kMostDays, units::day, &S::visits)})});
}

}  // namespace planner::commands

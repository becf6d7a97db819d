#include <fmt/format.h>

#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

using R = ReliabilityRequest;
using S = ReliabilitySettings;

constexpr std::int64_t kMostSpares = 1'000'000;
constexpr double kMostSeconds = 1e9, kMostHours = 1e6, kMostDays = 1e6, kMostDollars = 1e6;

/// Where a member of the reliability part stands in a request.
template <class Member>
auto of(Member R::*member) {
  return in_part(&Request::reliability, member);
}

/// Where a setting stands in it.
template <class Member>
auto how(Member ReliabilitySettings::*member) {
  return [=](Request& request) -> Member& { return request.reliability.how.*member; };
}

/// A time in `unit`s.
Reader time(Parsed<double> (*parse)(std::string_view, double), double most, Seconds unit,
            std::optional<Seconds> ReliabilitySettings::*member) {
  return [=](std::string_view text, Request& request) -> std::optional<std::string> {
    Parsed<double> number = parse(text, most);
    if (!number.value) return std::move(number.error);
    request.reliability.how.*member = *number.value * unit;
    return std::nullopt;
  };
}

/// Seconds, 0 included: a step that takes no time.
Reader seconds(std::optional<Seconds> ReliabilitySettings::*member) {
  return time(parse_non_negative, kMostSeconds, units::second, member);
}

std::optional<std::string> checkpoint(std::string_view text, Request& request) {
  ReliabilitySettings& asked = request.reliability.how;
  if (text == "auto") {
    asked.optimal_checkpoint = true;
    asked.checkpoint.reset();
    return std::nullopt;
  }
  const Parsed<double> number = parse_positive(text, kMostSeconds);
  if (!number.value) {
    return "must be auto or seconds, a" + number.error.substr(std::string{"must be a"}.size());
  }
  asked.checkpoint = Seconds{*number.value};
  asked.optimal_checkpoint.reset();
  return std::nullopt;
}

}  // namespace

std::vector<Option> reliability_options() {
  constexpr const char* kFailures = "What fails";
  constexpr const char* kRecovery = "Checkpoints and recovery";
  constexpr const char* kSpares = "Spare nodes";
  constexpr const char* kRun = "The run";
  const std::vector<Command> only{Command::reliability};
  const std::vector<Command> all{Command::reliability, Command::optimize, Command::estimate,
                                 Command::cost, Command::compare};
  return {
      {"rates", "NAME|FILE", "failure rates: planner list rates", kFailures, all,
       text(of(&R::rates))},
      {"gpus-per-node", "N", "GPUs of a server (default 8)", kFailures, all,
       integer(how(&S::gpus_per_node), 1, kMostGpus)},
      {"nics", "N", "network cards in all (default: one per GPU)", kFailures, all,
       integer(how(&S::nics), 0, kMostGpus)},
      {"switches", "N", "access switches, or pairs (default: a 64th of the NICs)", kFailures, all,
       integer(how(&S::switches), 0, kMostGpus)},
      {"tor", "single|dual", "access switches that a network card hangs on", kFailures, all,
       choice(how(&S::access), kAccessLinks)},
      {"degraded-speed", "SHARE", "of full speed, one of two links or switches down", kFailures,
       all, positive(how(&S::degraded_speed), 1)},

      {"checkpoint", "auto|S", "useful seconds between two (auto: the optimum)", kRecovery, all,
       checkpoint},
      {"stall", "S", "training time that one checkpoint takes", kRecovery, all, seconds(&S::stall)},
      {"durable", "S", "then until it can be loaded (asynchronous)", kRecovery, all,
       seconds(&S::durable)},
      {"detect", "S", "until someone knows of a failure", kRecovery, all, seconds(&S::detect)},
      {"diagnose", "S", "until the faulty part is found and isolated", kRecovery, all,
       seconds(&S::diagnose)},
      {"restart", "S", "until the job trains again", kRecovery, all, seconds(&S::restart)},
      {"recovery-can-fail", "", "a failure during recovery starts it over", kRecovery, all,
       turn_on(how(&S::recovery_can_fail))},

      {"spares", "N", "nodes in all (default: always one at hand)", kSpares, all,
       integer(how(&S::spares), 0, kMostSpares)},
      {"spare-pools", "N", "equal pools that share no spares (default 1)", kSpares, all,
       integer(how(&S::spare_pools), 1, kMostSpares)},
      {"repair", "H", "mean hours until a failed part is back", kSpares, all,
       time(parse_positive, kMostHours, units::hour, &S::repair)},
      {"crews", "N", "repairs at once (default: as many as needed)", kSpares, all,
       integer(how(&S::crews), 1, kMostSpares)},
      {"repair-visits", "DAYS", "repair all failed nodes every so many days", kSpares, all,
       time(parse_positive, kMostDays, units::day, &S::visits)},

      {"days", "D", "training time without failures: adds mean, p50, p95", kRun, only,
       positive(of(&R::ideal_days), kMostDays)},
      {"gpu-hour-price", "USD", "price of a GPU-hour: adds dollars", kRun, only,
       positive(of(&R::usd_per_gpu_hour), kMostDollars)},
  };
}

}  // namespace planner

#include <fmt/format.h>

#include "planner/api/option_readers.hpp"
#include "planner/api/options.hpp"

namespace planner {

namespace {

using R = ReliabilityRequest;

constexpr std::int64_t kMostParts = 1'000'000'000'000;
constexpr std::int64_t kMostSpares = 1'000'000;
constexpr double kMostSeconds = 1e9, kMostHours = 1e6, kMostDays = 1e6, kMostDollars = 1e6;

/// Where a member of the reliability part stands in a request.
template <class Member>
auto of(Member R::*member) {
  return in_part(&Request::reliability, member);
}

/// Seconds, 0 included: a step that takes no time.
Reader seconds(std::optional<double> R::*member) {
  return [=](std::string_view text, Request& request) {
    return store(parse_non_negative(text, kMostSeconds), request.reliability.*member);
  };
}

std::optional<std::string> checkpoint(std::string_view text, Request& request) {
  request.reliability.checkpoint_auto = text == "auto";
  if (text == "auto") return std::nullopt;
  auto problem = store(parse_positive(text, kMostSeconds), request.reliability.checkpoint_s);
  if (problem)
    problem = "must be auto or seconds, a" + problem->substr(std::string{"must be a"}.size());
  return problem;
}

}  // namespace

std::vector<Option> reliability_options() {
  constexpr const char* kFailures = "What fails";
  constexpr const char* kRecovery = "Checkpoints and recovery";
  constexpr const char* kSpares = "Spare nodes";
  constexpr const char* kRun = "The run";
  const std::vector<Command> reliability{Command::reliability};
  const Choices<AccessLinks> access{{"single", AccessLinks::single_tor},
                                    {"dual", AccessLinks::dual_tor}};
  return {
      {"rates", "NAME|FILE", "failure rates: planner list rates", kFailures, reliability,
       text(of(&R::rates))},
      {"gpus-per-node", "N", "GPUs of a server (default 8)", kFailures, reliability,
       integer(of(&R::gpus_per_node), 1, kMostParts)},
      {"nics", "N", "network cards in all (default: one per GPU)", kFailures, reliability,
       integer(of(&R::nics), 0, kMostParts)},
      {"switches", "N", "access switches, or pairs (default: a 64th of the NICs)", kFailures,
       reliability, integer(of(&R::switches), 0, kMostParts)},
      {"tor", "single|dual", "access switches that a network card hangs on", kFailures, reliability,
       choice(of(&R::access), access)},
      {"degraded-speed", "SHARE", "of full speed, one of two links or switches down", kFailures,
       reliability, positive(of(&R::degraded_speed), 1)},

      {"checkpoint", "auto|S", "useful seconds between two (auto: the optimum)", kRecovery,
       reliability, checkpoint},
      {"stall", "S", "training time that one checkpoint takes", kRecovery, reliability,
       seconds(&R::stall_s)},
      {"durable", "S", "then until it can be loaded (asynchronous)", kRecovery, reliability,
       seconds(&R::durable_s)},
      {"detect", "S", "until someone knows of a failure", kRecovery, reliability,
       seconds(&R::detect_s)},
      {"diagnose", "S", "until the faulty part is found and isolated", kRecovery, reliability,
       seconds(&R::diagnose_s)},
      {"restart", "S", "until the job trains again", kRecovery, reliability,
       seconds(&R::restart_s)},
      {"recovery-can-fail", "", "a failure during recovery starts it over", kRecovery, reliability,
       turn_on(of(&R::recovery_can_fail))},

      {"spares", "N", "nodes in all (default: always one at hand)", kSpares, reliability,
       integer(of(&R::spares), 0, kMostSpares)},
      {"spare-pools", "N", "equal pools that share no spares (default 1)", kSpares, reliability,
       integer(of(&R::spare_pools), 1, kMostSpares)},
      {"repair", "H", "mean hours until a failed part is back", kSpares, reliability,
       positive(of(&R::repair_h), kMostHours)},
      {"crews", "N", "repairs at once (default: as many as needed)", kSpares, reliability,
       integer(of(&R::crews), 1, kMostSpares)},
      {"repair-visits", "DAYS", "repair all failed nodes every so many days", kSpares, reliability,
       positive(of(&R::visit_days), kMostDays)},

      {"days", "D", "training time without failures: adds mean, p50, p95", kRun, reliability,
       positive(of(&R::ideal_days), kMostDays)},
      {"gpu-hour-price", "USD", "price of a GPU-hour: adds dollars", kRun, reliability,
       positive(of(&R::usd_per_gpu_hour), kMostDollars)},
  };
}

}  // namespace planner

#include <fmt/format.h>

#include "planner/api/options.hpp"
#include "planner/api/value_parsers.hpp"

namespace planner {

namespace {

using R = ReliabilityRequest;
using Reader = std::function<std::optional<std::string>(std::string_view, Request&)>;

constexpr std::int64_t kMostParts = 1'000'000'000'000;
constexpr std::int64_t kMostSpares = 1'000'000;
constexpr double kMostSeconds = 1e9, kMostHours = 1e6, kMostDays = 1e6, kMostDollars = 1e6;

template <class T, class Member>
std::optional<std::string> store(Parsed<T> parsed, Member& member) {
  if (!parsed.value) return std::move(parsed.error);
  member = *parsed.value;
  return std::nullopt;
}

Reader count(std::optional<std::int64_t> R::*member, std::int64_t least, std::int64_t most) {
  return [=](std::string_view text, Request& request) {
    return store(parse_integer(text, least, most), request.reliability.*member);
  };
}

Reader above_zero(std::optional<double> R::*member, double most) {
  return [=](std::string_view text, Request& request) {
    return store(parse_positive(text, most), request.reliability.*member);
  };
}

/// Seconds, 0 included: a step that takes no time.
Reader seconds(std::optional<double> R::*member) {
  return [=](std::string_view text, Request& request) {
    return store(parse_non_negative(text, kMostSeconds), request.reliability.*member);
  };
}

std::optional<std::string> rates(std::string_view text, Request& request) {
  if (text.empty()) return "must not be empty";
  request.reliability.rates = std::string{text};
  return std::nullopt;
}

std::optional<std::string> checkpoint(std::string_view text, Request& request) {
  request.reliability.checkpoint_auto = text == "auto";
  if (text == "auto") return std::nullopt;
  auto problem = store(parse_positive(text, kMostSeconds), request.reliability.checkpoint_s);
  if (problem)
    problem = "must be auto or seconds, a" + problem->substr(std::string{"must be a"}.size());
  return problem;
}

std::optional<std::string> access(std::string_view text, Request& request) {
  if (text != "single" && text != "dual") {
    return fmt::format("must be single or dual, not \"{}\"", text);
  }
  request.reliability.access = text == "dual" ? AccessLinks::dual_tor : AccessLinks::single_tor;
  return std::nullopt;
}

std::optional<std::string> recovery_can_fail(std::string_view, Request& request) {
  request.reliability.recovery_can_fail = true;
  return std::nullopt;
}

}  // namespace

std::vector<Option> reliability_options() {
  constexpr const char* kFailures = "What fails";
  constexpr const char* kRecovery = "Checkpoints and recovery";
  constexpr const char* kSpares = "Spare nodes";
  constexpr const char* kRun = "The run";
  const std::vector<Command> reliability{Command::reliability};
  return {
      {"rates", "NAME|FILE", "failure rates: planner list rates", kFailures, reliability, rates},
      {"gpus-per-node", "N", "GPUs of a server (default 8)", kFailures, reliability,
       count(&R::gpus_per_node, 1, kMostParts)},
      {"nics", "N", "network cards in all (default: one per GPU)", kFailures, reliability,
       count(&R::nics, 0, kMostParts)},
      {"switches", "N", "access switches, or pairs (default: a 64th of the NICs)", kFailures,
       reliability, count(&R::switches, 0, kMostParts)},
      {"tor", "single|dual", "access switches that a network card hangs on", kFailures, reliability,
       access},
      {"degraded-speed", "SHARE", "of full speed, one of two links or switches down", kFailures,
       reliability, above_zero(&R::degraded_speed, 1)},

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
       recovery_can_fail},

      {"spares", "N", "nodes in all (default: always one at hand)", kSpares, reliability,
       count(&R::spares, 0, kMostSpares)},
      {"spare-pools", "N", "equal pools that share no spares (default 1)", kSpares, reliability,
       count(&R::spare_pools, 1, kMostSpares)},
      {"repair", "H", "mean hours until a failed part is back", kSpares, reliability,
       above_zero(&R::repair_h, kMostHours)},
      {"crews", "N", "repairs at once (default: as many as needed)", kSpares, reliability,
       count(&R::crews, 1, kMostSpares)},
      {"repair-visits", "DAYS", "repair all failed nodes every so many days", kSpares, reliability,
       above_zero(&R::visit_days, kMostDays)},

      {"days", "D", "training time without failures: adds mean, p50, p95", kRun, reliability,
       above_zero(&R::ideal_days, kMostDays)},
      {"gpu-hour", "USD", "price of a GPU-hour: adds dollars", kRun, reliability,
       above_zero(&R::usd_per_gpu_hour, kMostDollars)},
  };
}

}  // namespace planner

#include "planner/commands/options/failures.hpp"

#include <fmt/format.h>

#include "planner/job/reliability.hpp"

namespace planner::commands {

namespace {

using F = FailureChoice;
using S = ReliabilitySettings;

constexpr std::int64_t kMostSpares = 1'000'000;
constexpr double kMostSeconds = 1e9, kMostHours = 1e6, kMostDays = 1e6;
constexpr double kMostGB = 1e9, kMostFlaps = 1e6, kMostFactor = 1000;

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
    return fmt::format("must be auto or seconds above 0 and at most {:g}, not \"{}\"", kMostSeconds,
                       text);
  }
  settings.checkpoint = Seconds{*number.value};
  settings.optimal_checkpoint.reset();
  return std::nullopt;
}

}  // namespace

std::vector<OptionOf<FailureChoice>> failure_options() {
  constexpr const char* kFailures = "What fails";
  constexpr const char* kRecovery = "Checkpoints and recovery";
  constexpr const char* kSpares = "Spares";
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
              integer(
                  {"upper-switches", "N", "aggregation and core switches of one chip", kFailures},
                  &S::upper_switches, 0, kMostGpus),
              integer({"chassis-switches", "N", "modular switches", kFailures},
                      &S::chassis_switches, 0, kMostGpus),
              integer({"hosts-per-switch", "N",
                       "that an access switch takes with it (default: its links)", kFailures},
                      &S::switch_hosts, 1, kMostGpus),
              integer(
                  {"feeds", "N", "power feeds of rows, whose loss takes nodes with it", kFailures},
                  &S::feeds, 0, kMostGpus),
              integer({"hosts-per-feed", "N", "nodes that one of them takes with it", kFailures},
                      &S::feed_hosts, 1, kMostGpus),
              turn_on(
                  {"optional-lines", "", "count the optional lines of the rates too", kFailures},
                  &S::optional_lines),
              non_negative(
                  {"flaps", "N", "of one link in a day: 9 s each, 0 with --tor dual", kFailures},
                  &S::flaps, kMostFlaps),
              positive({"running-share", "SHARE",
                        "of its calendar in which the rates' own job ran (default: as they say)",
                        kFailures},
                       &S::running_share, 1),
              between({.name = "rate-uncertainty",
                       .value = "FACTOR",
                       .help = "the rates hold here within it, 80 of 100 (1: your own)",
                       .group = kFailures,
                       .fallback = "2.4"},
                      &S::rate_factor, 1, kMostFactor),
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
              quantity({"checkpoint-size", "GB", "a GPU's part of a checkpoint", kRecovery},
                       &S::checkpoint_size, units::GB, kMostGB),
              quantity({"checkpoint-rate", "GB/s",
                        "that storage takes from one GPU: gives stall and durability", kRecovery},
                       &S::checkpoint_rate, units::GBps, kMostBandwidthGBps),
              quantity(
                  {"load-rate", "GB/s", "that storage gives one GPU at the restart", kRecovery},
                  &S::load_rate, units::GBps, kMostBandwidthGBps),
              turn_on({"synchronous", "", "the job waits until a checkpoint is written", kRecovery},
                      &S::synchronous),
              choice({.name = "recovery",
                      .value = "MODE",
                      .help = "a failure during recovery: {}",
                      .group = kRecovery,
                      .fallback = "merge"},
                     &S::recovery, kRecoveryModes),
              choice({"link-loss", "slow|swap",
                      "of two, one down: run on, or swap the host (default: what loses less)",
                      kRecovery},
                     &S::link_loss, kLinkLosses),
              quantity({"optical-swap", "S",
                        "optical switches put a spare in the place of a failed part in so long",
                        kRecovery},
                       &S::reconfigure, units::second, kMostSeconds),
              integer({"optical-ports", "N", "of these switches", kRecovery}, &S::optical_ports, 1,
                      kMostGpus),
              quantity({"optical-port-price", "USD", "of one of them", kRecovery},
                       &S::optical_port_price, units::usd, kMostPriceUsd),
              quantity({"optical-port-power", "W", "of one of them", kRecovery},
                       &S::optical_port_power, units::W, kMostPortWatts),
              integer({"spares", "N", "units in all (default: always one at hand)", kSpares},
                      &S::spares, 0, kMostSpares),
              integer({"swap-unit", "GPUS",
                       "that a spare replaces at once (default: server, HB domain; optical: tray)",
                       kSpares},
                      &S::swap_unit, 1, kMostDomainGpus),
              integer({"shrink", "DP",
                       "data-parallel groups: go on without one that lost a host until it is back",
                       kSpares},
                      &S::shrink, 2, kMostGpus),
              integer({"tray", "GPUS", "of a unit's parts that fail one by one", kSpares}, &S::tray,
                      1, kMostDomainGpus),
              integer(
                  {"spare-trays", "N", "kept ready in each unit, idle ones among them", kSpares},
                  &S::spare_trays, 0, kMostSpares),
              choice({.name = "hazard-while-down",
                      .value = "running|all",
                      .help = "hours in which nodes of a waiting job fail",
                      .group = kSpares,
                      .fallback = "running"},
                     &S::hazard, kDownHazards),
              integer({.name = "spare-pools",
                       .value = "N",
                       .help = "equal pools that share no spares, of all --spares",
                       .group = kSpares,
                       .fallback = "1"},
                      &S::spare_pools, 1, kMostSpares),
              time({"repair", "H", "mean hours until a failed part is back", kSpares},
                   parse_positive, kMostHours, units::hour, &S::repair),
              integer({"crews", "N", "repairs at once, of all pools (default: as many as needed)",
                       kSpares},
                      &S::crews, 1, kMostSpares),
              time({"repair-visits", "DAYS", "repair all failed nodes every so many days", kSpares},
                   parse_positive, kMostDays, units::day, &S::visits)})});
}

}  // namespace planner::commands

#include "planner/job/reliability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/spares.hpp"

namespace planner::job {

namespace {

/// More than twice what any published cluster shows.
constexpr PerSecond kHighestGpuRate{1e-4 / 3600};
constexpr std::int64_t kLinksPerSwitch = 64;  // HPN, section 2.3: dozens of ToRs for 3,000 GPUs

/// "36 s", "12.5 min", "1.8 h".
std::string span(Seconds time) {
  const double s = time.si();
  if (s < 120) return fmt::format("{:.3g} s", s);
  if (s < 2 * 3600) return fmt::format("{:.3g} min", s / 60);
  return fmt::format("{:.3g} h", s / 3600);
}

bool on_access_links(const FailureRate& rate) {
  return rate.unit == FailureUnit::link || rate.unit == FailureUnit::network_switch;
}

/// Settings on their way to a job, with what is assumed and what is not known.
class Resolver {
 public:
  Resolver(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus)
      : asked_(asked), gpus_(gpus) {
    job_.rates = std::move(rates);
    count_parts();
    check_gpu_rates();
    override_rates();
    set_access();
    set_checkpoint();
    job_.restart = known(asked_.restart, job_.rates.restart, "restart", crashes());
    set_recovery();
    set_spares();
  }

  JobReliability take_job() { return std::move(job_); }
  std::vector<std::string> take_assumed() { return std::move(assumed_); }
  std::vector<std::string> take_warnings() {
    if (!unknown_.empty()) {
      warnings_.push_back(
          fmt::format("not known and counted as 0: {}; the availability is an upper bound",
                      fmt::join(unknown_, ", ")));
    }
    return std::move(warnings_);
  }

 private:
  /// Something can crash the job: else detection, recovery and checkpoints cost nothing.
  bool crashes() const {
    const auto& rates = job_.rates.components;
    return std::any_of(rates.begin(), rates.end(), crashing);
  }

  static bool crashing(const FailureRate& rate) {
    return rate.action == FailureAction::crash && rate.rate > PerSecond{};
  }

  bool fails_per(FailureUnit unit) const {
    return std::any_of(job_.rates.components.begin(), job_.rates.components.end(),
                       [&](const FailureRate& rate) { return rate.unit == unit; });
  }

  void count_parts() {
    const std::int64_t per_node = asked_.gpus_per_node.value_or(kGpusPerNode);
    ComponentCounts& counts = job_.counts;
    counts.gpus = gpus_;
    counts.nodes = ceil_div(gpus_, per_node);
    counts.nics = asked_.nics.value_or(gpus_);
    counts.links = counts.nics;
    counts.switches = asked_.switches.value_or(ceil_div(counts.nics, kLinksPerSwitch));
    const bool nodes_fail = fails_per(FailureUnit::node) && !job_.rates.gpus_per_node;
    if (!asked_.gpus_per_node && (nodes_fail || asked_.spares)) assumed_.push_back("gpus-per-node");
    if (!asked_.nics && (fails_per(FailureUnit::nic) || fails_per(FailureUnit::link))) {
      assumed_.push_back("nics");
    }
    if (!asked_.switches && fails_per(FailureUnit::network_switch)) {
      assumed_.push_back("switches");
    }
  }

  void set_recovery() {
    job_.recovery_can_fail = asked_.recovery_can_fail.value_or(false);
    const auto of_all_hours = [](const FailureRate& rate) { return rate.basis == RateBasis::wall; };
    if (job_.recovery_can_fail &&
        std::any_of(job_.rates.components.begin(), job_.rates.components.end(), of_all_hours)) {
      warnings_.emplace_back(
          "rates of all hours are taken as they are with --recovery-can-fail; without it all their "
          "failures fall on hours of training, which loses more");
    }
  }

  /// Rates of nodes are easily given as those of GPUs.
  void check_gpu_rates() {
    for (const FailureRate& rate : job_.rates.components) {
      if (rate.unit != FailureUnit::gpu || rate.rate < kHighestGpuRate) continue;
      warnings_.push_back(fmt::format(
          "\"{}\" fails {:.2g} times an hour per GPU; the highest published figure is 3.8e-05 (C4 "
          "paper, June 2023). If it is per node, its unit is \"node\"",
          rate.component, rate.rate.si() * 3600));
    }
  }

  void override_rates() {
    bool detect = true, diagnose = true;
    for (FailureRate& rate : job_.rates.components) {
      if (asked_.detect) rate.detect = asked_.detect;
      if (asked_.diagnose) rate.diagnose = asked_.diagnose;
      if (asked_.repair) rate.repair = asked_.repair;
      if (asked_.degraded_speed && on_access_links(rate)) {
        rate.degraded_speed = asked_.degraded_speed;
      }
      detect = detect && (rate.detect || !crashing(rate));
      diagnose = diagnose && (rate.diagnose || !crashing(rate));
    }
    if (!detect) unknown_.push_back("--detect");
    if (!diagnose) unknown_.push_back("--diagnose");
  }

  void set_access() {
    job_.access = asked_.access.value_or(AccessLinks::single_tor);
    const bool links = fails_per(FailureUnit::link) || fails_per(FailureUnit::network_switch);
    if (!asked_.access && links) assumed_.push_back("tor");
    if (job_.access != AccessLinks::dual_tor) return;
    if (!links) {
      warnings_.push_back("no rate is per link or switch: --tor dual changes nothing");
    }
    for (const FailureRate& rate : job_.rates.components) {
      if (!on_access_links(rate) || rate.action != FailureAction::crash) continue;
      if (!rate.repair) {
        usage_error(fmt::format("--tor dual needs the repair time of \"{}\"", rate.component),
                    "give --repair HOURS");
      }
      if (!rate.degraded_speed) {
        usage_error(fmt::format("--tor dual needs the speed of the job while one \"{}\" of two is "
                                "down, which the rates do not say",
                                rate.component),
                    "give --degraded-speed SHARE, say 0.9375");
      }
    }
  }

  /// The flag, else the file's figure, else 0 and, where it matters, a warning.
  Seconds known(std::optional<Seconds> flag, std::optional<Seconds> file, const char* option,
                bool matters) {
    if (flag) return *flag;
    if (file) {
      assumed_.emplace_back(option);
      return *file;
    }
    if (matters) unknown_.push_back(fmt::format("--{}", option));
    return {};
  }

  void set_checkpoint() {
    const FailureRates& rates = job_.rates;
    CheckpointPolicy& policy = job_.checkpoint;
    if (!asked_.optimal_checkpoint.value_or(false)) policy.interval = asked_.checkpoint;
    if (!asked_.optimal_checkpoint.value_or(false) && !policy.interval) {
      policy.interval = rates.checkpoint_interval;
      assumed_.emplace_back("checkpoint");
    }
    policy.durable = asked_.durable.value_or(rates.checkpoint_durable.value_or(Seconds{}));
    const bool taken = policy.interval || crashes();
    if (!policy.interval && taken && !asked_.stall && !rates.checkpoint_stall) {
      usage_error("the optimal checkpoint interval needs what one checkpoint takes",
                  "give --stall SECONDS, or --checkpoint SECONDS");
    }
    policy.stall = known(asked_.stall, rates.checkpoint_stall, "stall", taken);
    if (!policy.interval && taken && policy.stall + policy.durable <= Seconds{}) {
      usage_error("a checkpoint that costs nothing has no optimal interval",
                  "give --checkpoint SECONDS, or a --stall above 0");
    }
    if (policy.interval && *policy.interval < policy.durable) {
      usage_error(fmt::format("a checkpoint every {} cannot begin before the last is durable, "
                              "after {}",
                              span(*policy.interval), span(policy.durable)),
                  "raise --checkpoint or lower --durable");
    }
  }

  /// Mean over the failures that need a spare; nothing where one of them is not known.
  std::optional<Seconds> mean_repair() const {
    double all = 0, sum = 0;
    for (const Exposure& exposure : exposures(job_)) {
      if (!exposure.needs_spare) continue;
      if (exposure.repair <= Seconds{}) return std::nullopt;
      all += exposure.rate.si();
      sum += exposure.rate * exposure.repair;
    }
    return all > 0 ? std::optional(Seconds{sum / all}) : std::nullopt;
  }

  void set_spares() {
    const bool alone = asked_.spare_pools || asked_.crews || asked_.visits;
    if (!asked_.spares) {
      if (alone) usage_error("--spare-pools, --crews and --repair-visits need --spares");
      return;
    }
    if (asked_.visits && (asked_.crews || asked_.repair)) {
      usage_error("--repair-visits excludes --repair and --crews");
    }
    SparePolicy policy{
        .spares = *asked_.spares, .pools = asked_.spare_pools.value_or(1), .crews = asked_.crews};
    if (policy.pools > job_.counts.nodes) {
      usage_error(
          fmt::format("--spare-pools {}: the job has {} nodes", policy.pools, job_.counts.nodes));
    }
    if (policy.spares % policy.pools != 0) {
      usage_error(fmt::format("--spares {} cannot be split evenly over {} pools", policy.spares,
                              policy.pools),
                  fmt::format("--spares {}, or another --spare-pools",
                              (policy.spares / policy.pools + 1) * policy.pools));
    }
    if (asked_.visits) {
      policy.visits = asked_.visits;
    } else {
      policy.repair = asked_.repair ? asked_.repair : mean_repair();
      if (!policy.repair) {
        usage_error("--spares needs the time until a failed node is back",
                    "give --repair HOURS, or --repair-visits DAYS");
      }
    }
    const auto& rates = job_.rates.components;
    if (std::none_of(rates.begin(), rates.end(),
                     [](const auto& rate) { return rate.needs_spare; })) {
      warnings_.push_back("no failure of these rates needs a spare: --spares changes nothing");
    }
    job_.spares = policy;
  }

  const ReliabilitySettings& asked_;
  std::int64_t gpus_;
  JobReliability job_;
  std::vector<std::string> assumed_, unknown_, warnings_;
};

[[noreturn]] void never_finishes(const GoodputProblem& problem) {
  const std::string between = span(problem.between_failures);
  std::string why, hint;
  switch (problem.rule) {
    case GoodputRule::stall_too_long:
      why = fmt::format("a checkpoint takes {}, and a failure comes every {}", span(problem.takes),
                        between);
      hint = fmt::format("closest: a --stall below {}, or fewer GPUs", between);
      break;
    case GoodputRule::durable_too_late:
      why = fmt::format("a checkpoint can be loaded after {}, and a failure comes every {}",
                        span(problem.takes), between);
      hint = fmt::format("closest: --durable below {}, or fewer GPUs", between);
      break;
    case GoodputRule::recovery_too_long:
      why = "failures come as fast as it recovers from them";
      hint = "shorten --detect, --diagnose or --restart, add spares, or use fewer GPUs";
      break;
    case GoodputRule::hardly_any_advance:
    case GoodputRule::still_writing:
      why = fmt::format(
          "{} between checkpoints, and a failure every {}: less than 1 hour in {:g} "
          "is work that stays",
          span(problem.takes), between, 1 / kLeastAvailability);
      hint = "checkpoint more often (--checkpoint auto), recover faster, or use fewer GPUs";
      break;
  }
  const bool names_closest =
      problem.rule == GoodputRule::stall_too_long || problem.rule == GoodputRule::durable_too_late;
  throw InfeasibleError(Diagnostic{.code = "never-finishes",
                                   .message = "the job never finishes: " + why,
                                   .hint = std::move(hint),
                                   .closest = names_closest});
}

/// Spares of all pools together that suffice between two repair visits.
std::optional<std::int64_t> spares_for(const ReliabilityResult& result, double confidence) {
  const JobReliability& job = result.job;
  if (!job.spares || !job.spares->visits) return std::nullopt;
  PerSecond rate{};
  for (const Exposure& exposure : result.exposed) {
    if (exposure.needs_spare) rate += exposure.rate;
  }
  const std::int64_t pools = job.spares->pools, nodes = job.counts.nodes;
  return pools * spares_needed(ceil_div(nodes, pools), rate / real(nodes), *job.spares->visits,
                               std::pow(confidence, 1 / real(pools)));
}

/// 61 intervals, five to each factor of 2, up to 64 times longer and shorter than the
/// best, or than the one used where checkpoints cost nothing.
std::vector<IntervalPoint> curve(const ReliabilityResult& result) {
  constexpr int kPoints = 30;
  std::vector<IntervalPoint> points;
  if (!result.advised || !result.goodput.interval) return points;
  const Seconds best = result.advised->optimal;
  const Seconds middle = best > Seconds{} ? best : *result.goodput.interval;
  CheckpointPolicy policy = result.job.checkpoint;
  for (int i = -kPoints; i <= kPoints; ++i) {
    policy.interval = std::exp2(6.0 * i / kPoints) * middle;
    const auto found = goodput(result.load, policy);
    if (const auto* at = std::get_if<Goodput>(&found)) {
      points.push_back({*policy.interval, at->availability});
    }
  }
  return points;
}

}  // namespace

ReliabilitySettings in_nodes(ReliabilitySettings asked, const Node& node, std::int64_t gpus) {
  if (!asked.gpus_per_node) asked.gpus_per_node = node.accelerators;
  if (!asked.nics) asked.nics = ceil_div(gpus, node.accelerators) * node.nics;
  return asked;
}

ReliabilitySettings counted_parts(ReliabilitySettings asked, const std::optional<Node>& node,
                                  const FabricCount& network) {
  const bool pairs = asked.access == AccessLinks::dual_tor;
  if (!asked.gpus_per_node && node) asked.gpus_per_node = node->accelerators;
  if (!asked.nics) asked.nics = network.endpoints;
  if (!asked.switches && !network.switches.empty()) {
    const std::int64_t leaves = network.switches.front().switches;
    asked.switches = pairs ? ceil_div(leaves, 2) : leaves;
  }
  return asked;
}

ReliabilityResult job_reliability(const ReliabilitySettings& asked, FailureRates rates,
                                  std::int64_t gpus, std::optional<Seconds> ideal,
                                  std::vector<std::string>& warnings) {
  Resolver resolver(asked, std::move(rates), gpus);
  ReliabilityResult result{.job = resolver.take_job(),
                           .gpus_per_node = asked.gpus_per_node.value_or(kGpusPerNode),
                           .assumed = resolver.take_assumed()};
  for (std::string& warning : resolver.take_warnings()) warnings.push_back(std::move(warning));
  const JobReliability& job = result.job;
  result.exposed = exposures(job);
  const auto load = failure_load(job, result.exposed);
  if (!load) never_finishes({.rule = GoodputRule::recovery_too_long});
  result.load = *load;
  const auto found = goodput(*load, job.checkpoint);
  if (const auto* problem = std::get_if<GoodputProblem>(&found)) never_finishes(*problem);
  result.goodput = std::get<Goodput>(found);
  if (load->rate > PerSecond{}) {
    const Seconds d = job.checkpoint.stall, M{1 / load->rate.si()};
    if (job.checkpoint.interval && *job.checkpoint.interval > M) {
      warnings.push_back(
          fmt::format("{} between checkpoints, and a failure every {}: most work is done again",
                      span(*job.checkpoint.interval), span(M)));
    }
    if (asked.stall || job.rates.checkpoint_stall) {
      result.advised = AdvisedIntervals{std::max(optimal_interval(d, M), job.checkpoint.durable),
                                        young_interval(d, M), daly_interval(d, M)};
    }
  }
  result.spares_for_99 = spares_for(result, 0.99);
  result.by_interval = curve(result);
  result.improve = improvements(job);
  result.fewer_failures = gains_of_fewer_failures(job);
  if (ideal) result.days = run_days(*ideal, *load, job.checkpoint, result.goodput);
  return result;
}

double spare_share(const ReliabilityResult& result) {
  if (!result.job.spares) return 0;
  return real(result.job.spares->spares * result.gpus_per_node) / real(result.job.counts.gpus);
}

FailureMoney failure_money(const ReliabilityResult& result, double usd) {
  const UsdPerSecond job = usd * real(result.job.counts.gpus) * units::usd / units::hour;
  const UsdPerSecond price = (1 + spare_share(result)) * job;
  const FailureLoad& load = result.load;
  const Waste& waste = result.goodput.waste;
  FailureMoney money;
  if (load.rate > PerSecond{}) {
    const double per_wall_second = load.rate.si() / load.wall_per_active;
    const double share =
        waste.lost + waste.detect + waste.diagnose + waste.restart + waste.spare_wait;
    money.per_failure = price * Seconds{share / per_wall_second};
  }
  if (result.days) {
    money.ideal = job * result.days->ideal;
    money.mean = price * result.days->mean;
    money.p95 = price * result.days->p95;
  }
  return money;
}

}  // namespace planner::job

#include "planner/job/reliability_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/grouped.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/checkpoint_settings.hpp"
#include "planner/job/observed_times.hpp"
#include "planner/job/spare_settings.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/outcome_law.hpp"
#include "planner/reliability/rate_basis.hpp"
#include "planner/reliability/unknown_times.hpp"

namespace planner::job {

namespace {

/// More than twice what any published cluster shows.
constexpr PerSecond kHighestGpuRate{1e-4 / 3600};
constexpr std::int64_t kLinksPerSwitch = 64;  // HPN, section 2.3: dozens of ToRs for 3,000 GPUs
/// A job waits so long for a link that flaps. HPN, section 9.3; with two access switches not at
/// all.
constexpr Seconds kFlap{9};

bool on_network(const FailureRate& rate) {
  return rate.on_access_links() || rate.unit == FailureUnit::upper_switch ||
         rate.unit == FailureUnit::chassis_switch;
}

bool crashing(const FailureRate& rate) {
  return rate.action == FailureAction::crash && rate.rate > PerSecond{};
}

/// Settings on their way to a job, with what is assumed and what is not known.
class Settling {
 public:
  Settling(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus)
      : asked_(asked), gpus_(gpus) {
    job_.rates = std::move(rates);
    choose_lines();
    count_parts();
    check_gpu_rates();
    say_what_else_fails();
    set_basis();
    set_recovery();
    set_access();
    job_.checkpoint = checkpoint_policy(asked_, job_.rates, crashes(), told_);
    if (const auto spares = spare_policy(asked_, job_, told_)) set_spares(*spares);
    job_.shrink = shrinking(asked_, job_);
    job_.optical = optical_swap(asked_);
    set_link_loss();
  }

  SettledJob take() {
    const double factor = asked_.rate_factor.value_or(kUsualRateFactor);
    if (!asked_.rate_factor) told_.assumed.push_back("rate-uncertainty");
    return {.job = std::move(job_),
            .assumed = std::move(told_.assumed),
            .rate_spread = log_spread({1, 1, factor}).above,
            .unknown_stall = told_.stall_unknown ? std::optional{kUsualStall} : std::nullopt};
  }
  std::vector<std::string> take_warnings() {
    if (told_.stall_unknown) {
      told_.warnings.push_back(fmt::format(
          "not known: --stall, usually {} to {}; the availability without it is an upper "
          "bound, its range has it",
          span(kUsualStall.low), span(kUsualStall.high)));
    }
    return std::move(told_.warnings);
  }

 private:
  /// Something can crash the job: else detection, recovery and checkpoints cost nothing.
  bool crashes() const {
    const auto& rates = job_.rates.components;
    return std::any_of(rates.begin(), rates.end(), crashing);
  }

  bool fails_per(FailureUnit unit) const {
    return std::any_of(job_.rates.components.begin(), job_.rates.components.end(),
                       [&](const FailureRate& rate) { return rate.unit == unit; });
  }

  bool dual() const { return asked_.access == AccessLinks::dual_tor; }

  /// Lines that count only where somebody asks for them, and flaps, which no file has.
  void choose_lines() {
    auto& lines = job_.rates.components;
    if (!asked_.optional_lines.value_or(false)) {
      std::erase_if(lines, [](const FailureRate& rate) { return rate.optional; });
    }
    if (!asked_.flaps) return;
    if (const Seconds each = *asked_.flaps * kFlap; each >= units::day) {
      usage_error(
          fmt::format("--flaps {:g}: of {} each they would keep a link down for {} of a day",
                      *asked_.flaps, span(kFlap), span(each)),
          fmt::format("give less than {:g}", units::day / kFlap));
    }
    // Of two links of a card the other one carries on, where it is not down itself.
    double share = 1;
    if (dual()) {
      const std::int64_t links = asked_.nics.value_or(gpus_);
      share = std::min(1.0, real(asked_.broken.value_or(BrokenPairs{}).links) / real(links));
    }
    if (share == 0) return;
    lines.push_back({.component = "link flap",
                     .unit = FailureUnit::link,
                     .rate = share * PerSecond{*asked_.flaps / units::day.si()},
                     .basis = RateBasis::part_calendar,
                     .action = FailureAction::stall,
                     .repair = kFlap,
                     .origin = {.source = "--flaps"}});
  }

  void count_parts() {
    const std::int64_t per_node = asked_.gpus_per_node.value_or(kGpusPerNode);
    ComponentCounts& counts = job_.counts;
    counts.gpus = gpus_;
    counts.nodes = ceil_div(gpus_, per_node);
    counts.nics = asked_.nics.value_or(gpus_);
    counts.links = counts.nics;
    counts.switches = asked_.switches.value_or(ceil_div(counts.nics, kLinksPerSwitch));
    counts.upper_switches = asked_.upper_switches.value_or(0);
    counts.chassis_switches = asked_.chassis_switches.value_or(0);
    counts.feeds = asked_.feeds.value_or(0);
    if (!asked_.feeds && fails_per(FailureUnit::feed)) {
      told_.warnings.emplace_back(
          "rates per feed count nothing: nobody says how many feeds there are whose loss takes "
          "nodes with it (--feeds, or \"build\" in the cluster file)");
    }
    const bool nodes_fail = fails_per(FailureUnit::node) && !job_.rates.gpus_per_node;
    if (!asked_.gpus_per_node && (nodes_fail || asked_.spares))
      told_.assumed.push_back("gpus-per-node");
    if (!asked_.nics && (fails_per(FailureUnit::nic) || fails_per(FailureUnit::link))) {
      told_.assumed.push_back("nics");
    }
    if (!asked_.switches && fails_per(FailureUnit::network_switch)) {
      told_.assumed.push_back("switches");
    }
  }

  /// Rates of nodes are easily given as those of GPUs.
  void check_gpu_rates() {
    for (const FailureRate& rate : job_.rates.components) {
      if (rate.unit != FailureUnit::gpu || rate.rate < kHighestGpuRate) continue;
      told_.warnings.push_back(fmt::format(
          "\"{}\" fails {:.2g} times an hour per GPU; the highest published figure is 3.8e-05 (C4 "
          "paper, June 2023). If it is per node, its unit is \"node\"",
          rate.component, rate.rate.si() * 3600));
    }
  }

  /// Rates of a network are easily taken for those of a cluster.
  void say_what_else_fails() {
    const auto& rates = job_.rates.components;
    const bool network = std::all_of(rates.begin(), rates.end(), [](const FailureRate& rate) {
      return on_network(rate) || rate.unit == FailureUnit::nic;
    });
    if (!network || !crashes()) return;
    told_.warnings.emplace_back(
        "these rates are of the network only: GPUs, hosts and software fail too");
  }

  void set_basis() {
    auto& lines = job_.rates.components;
    const auto is_wall = [](const FailureRate& rate) { return rate.basis == RateBasis::wall; };
    if (std::any_of(lines.begin(), lines.end(), is_wall)) {
      told_.warnings.emplace_back(
          "\"basis\": \"wall\" is read as \"job_calendar\" for the unit job and as "
          "\"part_calendar\" for all others: say which of them it is");
    }
    job_.running_share = asked_.running_share.value_or(running_share(job_.rates));
    if (asked_.running_share && std::none_of(lines.begin(), lines.end(), of_job_calendar)) {
      told_.warnings.emplace_back(
          "no rate is of a job's calendar: --running-share changes nothing");
    }
  }

  void set_recovery() {
    job_.recovery = asked_.recovery.value_or(RecoveryMode::merge);
    job_.hazard = asked_.hazard.value_or(DownHazard::running);
    const auto shares = undisturbed_shares(job_.rates, job_.running_share);
    const double left = shares[static_cast<std::size_t>(job_.recovery)];
    if (left < 1) {
      told_.warnings.push_back(fmt::format(
          "the times of these rates are observed ones, with repeats of recoveries in them: "
          "--recovery {} starts from {:.3g} % of each, what they take undisturbed, and is never "
          "better than a gentler one; times that are given, as by --restart, are taken as "
          "undisturbed",
          name_of(job_.recovery), 100 * left));
    }
    const auto of_file = [&](const std::optional<Seconds>& time) {
      return time ? std::optional<Seconds>(left * *time) : std::nullopt;
    };
    if (job_.rates.restart && !asked_.restart && crashes()) told_.assumed.emplace_back("restart");
    job_.load = load_time(asked_);
    job_.restart = job_.load + taken("--restart",
                                     asked_.restart ? asked_.restart : of_file(job_.rates.restart),
                                     kUsualRestart, crashes(), job_.restart_unknown);
    job_.read_as = gentler_readings(asked_, job_, shares);
    for (FailureRate& rate : job_.rates.components) {
      // The times of a stall are how long the job waits for it: nothing recovers, no part is out.
      if (rate.action == FailureAction::stall) continue;
      if (asked_.repair) rate.repair = asked_.repair;
      if (asked_.degraded_speed && on_network(rate)) {
        rate.degraded_speed = asked_.degraded_speed;
      }
      const bool matters = crashing(rate);
      const Seconds detected =
          taken("--detect", asked_.detect ? asked_.detect : of_file(rate.detect), kUsualDetect,
                matters, rate.detect_unknown);
      const Seconds diagnosed =
          taken("--diagnose", asked_.diagnose ? asked_.diagnose : of_file(rate.diagnose),
                kUsualDiagnose, matters, rate.diagnose_unknown);
      if (matters || rate.detect || asked_.detect) rate.detect = detected;
      if (matters || rate.diagnose || asked_.diagnose) rate.diagnose = diagnosed;
    }
    say_what_is_usual();
  }

  /// A known time, or what is usual.
  Seconds taken(const char* option, const std::optional<Seconds>& known,
                const Estimate<Seconds>& usual, bool matters, LogSpread& unknown) {
    if (known || !matters) return known.value_or(Seconds{});
    if (std::find(usual_.begin(), usual_.end(), option) == usual_.end()) usual_.push_back(option);
    unknown = log_spread({usual.low.si(), usual.expected.si(), usual.high.si()});
    return usual.expected;
  }

  void say_what_is_usual() {
    if (usual_.empty()) return;
    std::vector<std::string> each;
    for (const std::string_view name : usual_) {
      const Estimate<Seconds>& usual = name == "--detect"     ? kUsualDetect
                                       : name == "--diagnose" ? kUsualDiagnose
                                                              : kUsualRestart;
      each.push_back(fmt::format("{} {} ({} to {})", name, span(usual.expected), span(usual.low),
                                 span(usual.high)));
    }
    told_.warnings.push_back(
        fmt::format("not known, and taken as what is usual: {}", fmt::join(each, ", ")));
  }

  void set_access() {
    job_.access = asked_.access.value_or(AccessLinks::single_tor);
    const bool links = fails_per(FailureUnit::link) || fails_per(FailureUnit::network_switch);
    if (dual() && links) set_broken();
    if (!asked_.access && links) told_.assumed.push_back("tor");
    if (!dual()) return;
    if (!links) {
      told_.warnings.push_back("no rate is per link or switch: --tor dual changes nothing");
    }
    for (const FailureRate& rate : job_.rates.components) {
      if (!rate.on_access_links() || rate.action != FailureAction::crash) continue;
      if (!rate.repair) {
        usage_error(fmt::format("--tor dual needs the repair time of \"{}\"", rate.component),
                    "give --repair HOURS");
      }
      if (!rate.degraded_speed) {
        usage_error(fmt::format("--tor dual needs the speed of the job while one \"{}\" of two is "
                                "down, which the rates do not say",
                                rate.component),
                    "give --degraded-speed SHARE; with a plan it follows from it");
      }
    }
  }

  void set_broken() {
    if (!asked_.broken) return;
    ComponentCounts& counts = job_.counts;
    counts.broken = {.links = std::min(asked_.broken->links, counts.links),
                     .switches = std::min(asked_.broken->switches, counts.switches)};
    counts.broken.needed_switches =
        std::min(asked_.broken->needed_switches, counts.switches - counts.broken.switches);
    told_.warnings.push_back(fmt::format(
        "with what is down all the time {} of {} cards hang on one link, and {} of {} pairs of "
        "access switches are single: the loss of one of these stops the job",
        grouped(counts.broken.links), grouped(counts.links),
        grouped(counts.broken.switches + counts.broken.needed_switches), grouped(counts.switches)));
  }

  /// A switch that takes its hosts away is back when a host would be, where nobody says when.
  void set_spares(const SparePolicy& policy) {
    job_.spares = policy;
    for (FailureRate& rate : job_.rates.components) {
      const bool group = rate.unit == FailureUnit::network_switch || rate.unit == FailureUnit::feed;
      if (group && !rate.repair) rate.repair = policy.repair;
    }
    const auto exposed = exposures(job_);
    if (std::none_of(exposed.begin(), exposed.end(), [](const Exposure& one) {
          return one.needs_spare || one.of_switch || one.of_feed;
        })) {
      told_.warnings.push_back("no failure of these rates needs a spare: --spares changes nothing");
    }
    const auto fails = [&](bool Exposure::*group) {
      return std::any_of(exposed.begin(), exposed.end(),
                         [&](const Exposure& one) { return one.*group && one.rate > PerSecond{}; });
    };
    if (fails(&Exposure::of_switch) && fails(&Exposure::of_feed)) {
      told_.warnings.emplace_back(
          "access switches and power feeds both take nodes away: they count as groups of one mean "
          "size and repair time, an approximation of the wait for spares");
    }
  }

  /// What loses less, where nobody says; and why two access switches can lose to one.
  void set_link_loss() {
    if (!dual()) return;
    if (asked_.link_loss) {
      job_.link_loss = *asked_.link_loss;
      say_what_loses_less();
    } else {
      job_ = with_better_link_loss(std::move(job_));
      told_.assumed.emplace_back("link-loss");
    }
    if (job_.counts.broken != BrokenPairs{}) return;  // one switch per card would be whole
    JobReliability single = job_;
    single.access = AccessLinks::single_tor;
    const Goodput two = goodput(job_), one = goodput(single);
    if (two.availability >= one.availability || !one.interval) return;
    told_.warnings.push_back(fmt::format(
        "two access switches lose to one ({:.4g} against {:.4g}): twice as many links fail, {}",
        two.availability, one.availability, why_two_lose(*one.interval, single)));
  }

  /// A swap is a pause each, working on costs no more than the share of the speed that is lost.
  void say_what_loses_less() {
    constexpr double kShown = 5e-4;
    const JobReliability better = with_better_link_loss(job_);
    const double most = goodput(better).availability, now = goodput(job_).availability;
    if (most - now < kShown) return;
    const bool pauses = job_.link_loss == LinkLoss::swap && job_.spares;
    told_.warnings.push_back(fmt::format(
        "--link-loss {} loses more than {} ({:.4g} against {:.4g}){}", name_of(job_.link_loss),
        name_of(better.link_loss), now, most, pauses ? ": more spares make for more pauses" : ""));
  }

  /// A crash of the job with one switch takes half a period between checkpoints and a recovery, and
  /// comes half as often as losses with two.
  std::string why_two_lose(Seconds interval, const JobReliability& single) const {
    const Seconds crash =
        0.5 * (interval + job_.checkpoint.stall) + failure_load(single, exposures(single)).down();
    double slow = 1;
    Seconds repair{};
    for (const FailureRate& rate : job_.rates.components) {
      if (!rate.on_access_links() || rate.action != FailureAction::crash) continue;
      slow = std::min(slow, rate.degraded_speed.value_or(1));
      repair = std::max(repair, rate.repair.value_or(Seconds{}));
    }
    std::string why;
    if (slow < 1) {
      why = fmt::format("running slower pays for repairs below {} (here {}), ",
                        span(crash / (2 * (1 - slow))), span(repair));
    }
    why += fmt::format("swapping hosts for pauses below {} (here {})", span(0.5 * crash),
                       span(job_.checkpoint.stall + job_.restart));
    const double unswapped = failure_load(job_, exposures(job_)).unswapped;
    if (job_.link_loss == LinkLoss::swap && unswapped > 0) {
      why += fmt::format(
          ", and for want of spares hosts with a link lost work on {:.2g} % of the time: --spares",
          100 * unswapped);
    }
    return why;
  }

  const ReliabilitySettings& asked_;
  std::int64_t gpus_;
  JobReliability job_;
  std::vector<const char*> usual_;
  Told told_;
};

}  // namespace

std::string span(Seconds time) {
  const double s = time.si();
  if (s < 120) return fmt::format("{:.3g} s", s);
  if (s < 2 * 3600) return fmt::format("{:.3g} min", s / 60);
  return fmt::format("{:.3g} h", s / 3600);
}

SettledJob settle(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus,
                  std::vector<std::string>& warnings) {
  Settling settling(asked, std::move(rates), gpus);
  for (std::string& warning : settling.take_warnings()) warnings.push_back(std::move(warning));
  return settling.take();
}

}  // namespace planner::job

// Cases of goodput: every formula against its simulation, its limit or the published figure.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/degraded.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/product_law.hpp"
#include "planner/reliability/rate_basis.hpp"
#include "planner/reliability/wall_month.hpp"
#include "support/goodput_jobs.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;
using nlohmann::json;

namespace {

constexpr PerSecond kPerHour = units::per_hour;

std::vector<CrashClass> classes_of(const json& list) {
  std::vector<CrashClass> classes;
  for (const json& one : list) {
    classes.push_back({one[0].get<double>() * kPerHour, hours(one[1]), hours(one[2])});
  }
  return classes;
}

FailureLoad load_of(const std::vector<CrashClass>& classes, double hazard) {
  FailureLoad load;
  for (const CrashClass& one : classes) load.rate += one.rate;
  const Downtime down = downtime(classes, hazard);
  load.restart = down.mean;
  load.down_deviation = down.deviation;
  const std::vector<Interruptions> interrupted = interruptions(classes, down.mean);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    load.crashes.push_back({.rate = classes[i].rate,
                            .least = classes[i].uninterrupted(),
                            .interrupted = interrupted[i]});
  }
  load.wall_per_active = 1 + load.rate * down.mean;
  return load;
}

CheckpointPolicy policy_of(const json& in) {
  CheckpointPolicy policy{.stall = hours(in["stall_h"]),
                          .durable = hours(in.value("durable_h", 0.0))};
  if (in.contains("tau_h")) policy.interval = hours(in["tau_h"]);
  return policy;
}

double of_classes(const json& in) {
  const auto classes =
      classes_of(in.contains("classes") ? in["classes"] : in["classes_rate_a_b_h"]);
  return goodput(load_of(classes, in["h"]), policy_of(in)).availability;
}

double of_spares(const json& in) {
  SparePool pool{.active = in.contains("nodes") ? in["nodes"] : in["units"],
                 .spares = in["spares"],
                 .repair = hours(in["repair_h"])};
  pool.rate = (in.contains("nodes") ? in["rate_per_node_h"].get<double>()
                                    : in["rate_per_gpu_h"].get<double>() *
                                          in["gpus"].get<double>() / in["units"].get<double>()) *
              kPerHour;
  if (in.contains("groups_G_rate_k_repair") && !in["groups_G_rate_k_repair"].empty()) {
    const json& group = in["groups_G_rate_k_repair"][0];
    pool.groups = {group[0], group[1].get<double>() * kPerHour, group[2], hours(group[3])};
  }
  const double stall = in.value("stall_h", 0.0);
  const PerSecond rate =
      real(pool.active) * pool.rate + real(pool.groups.groups) * pool.groups.rate;
  const Crashes crashes{.rate = rate, .down = hours(in["recovery_h"])};
  const bool all = in["hazard_while_down"] == 1;
  const SpareOutlook outlook =
      all ? waits_at_all_hours(pool, crashes) : waits_while_running(pool, crashes);
  FailureLoad load{.rate = rate,
                   .wall_per_active = 1 + rate * crashes.down + outlook.waiting,
                   .waiting = outlook.waiting};
  if (!in.contains("tau_h")) return 1 / load.wall_per_active;
  return goodput(load, {.interval = hours(in["tau_h"]), .stall = hours(stall)}).availability;
}

double of_trays(const json& in) {
  const UnitOutages unit =
      unit_outages(in["trays"], in["spare_trays"], in["rate_per_tray_h"].get<double>() * kPerHour,
                   hours(in["repair_h"]));
  const std::int64_t spares = in["spare_domains"];
  return out_at_most(
      {.active = in["domains"], .spares = spares, .rate = unit.rate, .repair = unit.repair},
      spares);
}

/// 3,000 GPUs on HPN's links and switches, with or without a second access switch.
double of_hpn(const std::string& id, const json& in) {
  FailureRate link = rate_of(FailureUnit::link, in["links_per_month"].get<double>() / 720);
  FailureRate tor = rate_of(FailureUnit::network_switch, in["tors_per_month"].get<double>() / 720);
  link.repair = hours(in["link_repair_h"]);
  tor.repair = hours(in["tor_repair_h"]);
  link.degraded_speed = tor.degraded_speed = in["speed_degraded"].get<double>();
  const Seconds restart{in["recovery_s"].get<double>()};
  JobReliability job{
      .rates = {.components = {link, tor}},
      .counts = {.gpus = 3000, .nics = 3000, .nodes = 375, .links = 3000, .switches = 47},
      .checkpoint = {.interval = hours(in["tau_h"]), .stall = Seconds{in["stall_s"].get<double>()}},
      .restart = restart,
      .spares = SparePolicy{.spares = id.find("-S0") != std::string::npos ? 0 : 24,
                            .repair = link.repair,
                            .unit_gpus = 8,
                            .switch_hosts = 8}};
  if (id.find("dual") != std::string::npos) job.access = AccessLinks::dual_tor;
  if (id.find("swap") != std::string::npos) {
    job.link_loss = LinkLoss::swap;
    // The pause of a swap is given, not stall and restart.
    std::vector<Exposure> exposed = exposures(job);
    for (Exposure& one : exposed) {
      if (one.action == FailureAction::stall) one.pause = Seconds{in["swap_s"].get<double>()};
    }
    return goodput(failure_load(job, exposed), job.checkpoint).availability;
  }
  return goodput(job).availability;
}

double of_dual_tor(const std::string& id, const json& in) {
  FailureRate link = rate_of(FailureUnit::link, in["rate_per_link_h"]);
  link.repair = hours(in["repair_h"]);
  link.degraded_speed = in["speed"].get<double>();
  const FailureRate other = rate_of(FailureUnit::job, in["other_crashes_h"]);
  const std::int64_t pairs = in["pairs"];
  JobReliability job{.rates = {.components = {link, other}},
                     .counts = {.gpus = pairs, .nics = pairs, .nodes = pairs / 8, .links = pairs},
                     .access = AccessLinks::dual_tor,
                     .checkpoint = {.interval = hours(in["tau_h"]), .stall = hours(in["stall_h"])},
                     .restart = hours(in["recovery_h"]),
                     .link_loss = id.ends_with("swap") ? LinkLoss::swap : LinkLoss::slow};
  std::vector<Exposure> exposed = exposures(job);
  for (Exposure& one : exposed) {
    if (one.action == FailureAction::stall) one.pause = hours(in["swap_h"]);
  }
  return goodput(failure_load(job, exposed), job.checkpoint).availability;
}

/// Hosts on two switches each that are swapped while spares are free.
double of_swapped(const json& in) {
  const auto in_hours = [&](const char* key) { return hours(in[key]); };
  FailureRate crash = rate_of(FailureUnit::node, in["crash_rate_h"]);
  crash.needs_spare = true;
  FailureRate link = rate_of(FailureUnit::link, in["link_rate_h"]);
  FailureRate tor = rate_of(FailureUnit::network_switch, in.value("switch_rate_h", 0.0));
  for (FailureRate* const rate : {&crash, &link, &tor}) {
    rate->repair = in_hours("repair_h");
    rate->degraded_speed = in["speed"].get<double>();
  }
  const std::int64_t hosts = in["hosts"];
  JobReliability job{
      .rates = {.components = {crash, link, tor}},
      .counts = {.gpus = 8 * hosts,
                 .nics = hosts,
                 .nodes = hosts,
                 .links = hosts,
                 .switches = in.value("switches", std::int64_t{0})},
      .access = AccessLinks::dual_tor,
      .checkpoint = {.interval = in_hours("tau_h"), .stall = in_hours("stall_h")},
      .restart = in_hours("recovery_h"),
      .hazard = in["hazard_while_down"] == 1 ? DownHazard::all : DownHazard::running,
      .link_loss = LinkLoss::swap,
      .spares = SparePolicy{.spares = in["spares"],
                            .repair = in_hours("repair_h"),
                            .unit_gpus = 8,
                            .switch_hosts = in.value("hosts_per_switch", std::int64_t{1})}};
  std::vector<Exposure> exposed = exposures(job);
  // Both of a pair are lost as good as never once the first is swapped, and not simulated.
  std::erase_if(exposed, [](const Exposure& one) { return one.component.ends_with("pair)"); });
  for (Exposure& one : exposed) {
    if (one.swapped) one.pause = in_hours("swap_h");
  }
  return goodput(failure_load(job, exposed), job.checkpoint).availability;
}

RunDays run_of(const json& in) {
  const FailureLoad load = load_of(classes_of(in["classes"]), in.value("h", 1.0));
  const CheckpointPolicy policy = policy_of(in);
  return run_days(hours(in["useful_h"]), load, policy, goodput(load, policy));
}

/// The figure that a share p stays within: hours, or dollars of one GPU, when everything is
/// uncertain.
double combined(const json& in, bool dollars, double p) {
  const double useful = in["useful_h"];
  const auto range = [&](const char* key) {
    const json& of = in[key];
    return log_spread({of[0].get<double>(), of[1].get<double>(), of[2].get<double>()});
  };
  const double rates_spread = in["rate_sd_ln"], recovery_spread = in["recovery_sd_ln"];
  const auto law = [&](double z_rates, double z_recovery, const std::vector<double>& shares) {
    const double rates = std::exp(z_rates * rates_spread);
    const double recovery = std::exp(z_recovery * recovery_spread);
    json scaled = in;
    for (json& one : scaled["classes"]) {
      one[0] = rates * one[0].get<double>();
      for (int i : {1, 2}) one[i] = recovery * one[i].get<double>();
    }
    const RunDays run = run_of(scaled);
    std::vector<double> excess;
    for (const double share : shares) {
      excess.push_back(run.quantile(share).in(units::hour) / useful - 1);
    }
    return excess;
  };
  const OutcomeLaw time =
      outcome_law(useful, law, rates_spread, recovery_spread).times(range("model_low_exp_high"));
  if (!dollars) return time.quantile(p);
  const double expected = in["price_low_exp_high"][1].get<double>();
  return ProductLaw(time, SumLaw(0, {{expected, range("price_low_exp_high")}})).quantile(p);
}

/// The single figure of a case; NaN: it has several, or it is a property.
double figure_of(const std::string& id, const json& in) {
  const auto starts = [&](const char* with) { return id.starts_with(with); };
  if (starts("published/c4") && id.ends_with("wall-month")) {
    const Month month = month_of(in);
    const double failures = 2400 * month.rate * 720;
    return 100 * wall_month(failures,
                            {Seconds{month.every}, Seconds{month.detect}, Seconds{month.diagnose},
                             Seconds{month.restart}},
                            hours(720))
                     .total();
  }
  if (starts("published/c4") && id.ends_with("exact")) {
    return 100 * (1 - goodput(c4_job(in)).availability);
  }
  if (starts("published/c4") && id.ends_with("count")) {
    const JobReliability job = c4_job(in);
    const FailureLoad load = failure_load(job, exposures(job));
    return load.rate / load.wall_per_active * hours(in["hours"]);
  }
  if (starts("c4") || (starts("mc") && in["rates"] != "llama-3")) {
    return goodput(c4_job(in)).availability;
  }
  if (starts("llama-3") || starts("mc")) return goodput(llama_job(in)).availability;
  if (starts("general")) return of_classes(in);
  if (in.contains("trays")) return of_trays(in);
  if (starts("swapped")) return of_swapped(in);
  if (in.contains("hazard_while_down")) return of_spares(in);
  if (starts("degraded")) {
    const PerSecond both =
        2 * in["pairs"].get<double>() * in["rate_per_link_h"].get<double>() * kPerHour;
    return mean_speed(both, hours(in["repair_h"]), in["speed"]);
  }
  if (starts("dual-tor")) return of_dual_tor(id, in);
  if (starts("hpn-tor")) return of_hpn(id, in);
  if (starts("elastic")) {
    return shrunk_speed(in["losses_per_h"].get<double>() * kPerHour, hours(in["repair_h"]),
                        in["dp"]);
  }
  if (starts("limit") && in.contains("classes")) return of_classes(in);
  if (starts("published/rsc/mttf")) return 1 / (in["gpus"].get<double>() / 8 * 6.5e-3 / 24);
  if (starts("published/rsc/ettr")) {
    JobReliability job = of_nodes(2048, 6.5e-3 / 24);
    job.checkpoint = {.interval = Seconds{300}, .stall = Seconds{20}};
    job.restart = Seconds{300};
    return goodput(job).availability;
  }
  if (id == "published/hpn/crashes") {
    const JobReliability job{
        .rates = {.components = {rate_of(FailureUnit::link, 0.00057 / 720),
                                 rate_of(FailureUnit::network_switch, 0.00051 / 720)}},
        .counts = {.gpus = 3000, .links = in["links"], .switches = in["tors"]}};
    return failure_load(job, exposures(job)).rate * hours(720);
  }
  if (id == "published/hpn/chassis") return 0.00051 * 32.6 * 3.77;
  return std::nan("");
}

void check(const json& expected, double ours, const json& of) {
  const double tolerance = of["tolerance"], wanted = expected;
  const double bound = of["tolerance_is"] == "relative" ? tolerance * wanted : tolerance;
  CHECK(std::abs(ours - wanted) <= bound);
}

}  // namespace

TEST_CASE("every case of goodput") {
  const json cases = json::parse(std::ifstream(
      PLANNER_SOURCE_DIR "/tests/published/reliability/data/goodput_cases.json"))["cases"];
  CHECK(cases.size() > 90);
  for (const json& of : cases) {
    const std::string id = of["id"];
    CAPTURE(id);
    const json &in = of["inputs"], &expected = of["expected"];
    if (id == "limit/order") {
      for (const int gpus : {1, 100, 2400, 10240, 50000}) {
        double before = 1;
        for (const char* mode : {"merge", "phased", "restart"}) {
          const double now =
              goodput(c4_job({{"rates", "c4-2023-06"}, {"gpus", gpus}, {"during_recovery", mode}}))
                  .availability;
          CHECK(now <= before);
          before = now;
        }
      }
    } else if (id.starts_with("run/") && in.contains("during_recovery")) {
      continue;  // runs.cpp
    } else if (id.starts_with("run/")) {
      const RunDays run = run_of(in);
      check(expected["mean"], run.mean.in(units::hour), of);
      check(expected["p95"], run.p95.in(units::hour), of);
    } else if (id.starts_with("combined/")) {
      for (const auto& [key, wanted] : expected.items()) {
        CAPTURE(key);
        const double p = std::stod(key.substr(key.rfind('p') + 1)) / 100;
        check(wanted, combined(in, key.starts_with("usd"), p), of);
      }
    } else if (id.starts_with("checkpoint/")) {
      const auto synchronous = in.contains("asynchronous")
                                   ? std::optional(!in["asynchronous"].get<bool>())
                                   : std::nullopt;
      const CheckpointTimes times =
          checkpoint_times(in["GB_per_gpu"].get<double>() * units::GB,
                           in["GBps_per_gpu"].get<double>() * units::GBps,
                           Seconds{in["stall_s"].get<double>()}, synchronous);
      check(expected["stall_s"], times.stall.si(), of);
      check(expected["durable_s"], times.durable.si(), of);
    } else {
      const double ours = figure_of(id, in);
      CAPTURE(ours);
      check(expected, ours, of);
    }
  }
}

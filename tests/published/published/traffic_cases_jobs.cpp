// What links do to whole iterations: jobs of HPN (SIGCOMM'24), C4 (arXiv 2406.04594) and
// Fire-Flyer (arXiv 2408.14158) as the cases of traffic have them, by the constants that those were
// computed with.
#include <algorithm>
#include <cmath>
#include <memory>

#include "planner/catalog/catalog.hpp"
#include "planner/network/count.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/published/published.hpp"
#include "planner/search/search.hpp"
#include "planner/search/space.hpp"
#include "support/traffic_cases.hpp"

using namespace planner;
using namespace planner::testing;
using nlohmann::json;

namespace {

const catalog::Catalog& shipped_catalog() {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  return catalog;
}

TimingModel earlier_constants() {
  const json constants = json::parse(std::ifstream(
      PLANNER_SOURCE_DIR "/tests/published/published/data/earlier_constants.json"))["constants"];
  Calibration calibration = prior_calibration();
  std::size_t found = 0;
  for (std::size_t i = 0; i < kConstants; ++i) {
    const std::string name{kConstantSpecs[i].name};
    if (!constants.contains(name)) continue;
    calibration.values[i] = constants[name];
    ++found;
  }
  REQUIRE(found == constants.size());
  return std::make_shared<const Calibration>(calibration);
}

SoftwareClass software_named(const std::string& name) {
  return name == "torch" ? SoftwareClass::torch : SoftwareClass::mcore;
}

/// A job on HPN's H800, by its best plan, with a slowdown of all that crosses the network.
class HpnJob {
 public:
  HpnJob(const json& in, std::int64_t batch, SoftwareClass software)
      : workload_{.model = shipped_catalog().load_model(in["model"]).spec,
                  .system = shipped_catalog().load_system("hpn-h800"),
                  .run = {.global_batch = batch, .sequence = in["sequence"]},
                  .gpus = in["gpus"],
                  .software = software_of(software),
                  .timing = earlier_constants()},
        space_(all_calibrated_axes(workload_)) {
    space_.pins.tp = {in["tp"].get<std::int64_t>()};
    space_.pins.pp = {in["pp"].get<std::int64_t>()};
    space_.pins.cp = {1};
    if (in.contains("micro_batch")) {
      space_.pins.micro_batch = {in["micro_batch"].get<std::int64_t>()};
    }
    space_.zero = {in["zero"].get<int>()};
  }

  [[nodiscard]] double time(double slowdown) {
    workload_.routing = uniform_factors(slowdown);
    const SearchResult found = rank_strategies(workload_, space_, {.top = 1});
    REQUIRE_FALSE(found.best.empty());
    return found.best.front().time.si();
  }
  [[nodiscard]] double samples_per_second() {
    return static_cast<double>(workload_.run.global_batch) / time(1);
  }

 private:
  Workload workload_;
  SearchSpace space_;
};

json of_gains(const json& in, bool samples) {
  json gains = json::array(), rates = json::array();
  const json all = in["software"].is_array() ? in["software"] : json::array({in["software"]});
  for (const json& software : all) {
    for (const std::int64_t batch : in["global_batch"]) {
      HpnJob job(in, batch, software_named(software));
      gains.push_back(100 * (job.time(in["S"]) / job.time(1) - 1));
      rates.push_back(job.samples_per_second());
    }
  }
  json found{{"gain_percent", gains}};
  if (samples) found["samples_per_s"] = rates;
  return found;
}

/// One of two ports of each card, or, where all ports of a node carry its bytes, 15 of 16.
json of_lost_ports(const json& in) {
  constexpr double kMostRebalanced = 1.6;  // %, at any batch
  json losses = json::array();
  double rebalanced = kMostRebalanced;
  for (const std::int64_t batch : in["global_batch"]) {
    HpnJob job(in, batch, software_named(in["software"]));
    const auto loss = [&](Channels channels) {
      const double slowdown = slowdown_of_cards(FaultKind::nic_link, channels, 2, 8);
      return 100 * (1 - job.time(1) / job.time(slowdown));
    };
    REQUIRE(slowdown_of_cards(FaultKind::nic_link, Channels::fixed, 2, 8) == in["S"]);
    losses.push_back(loss(Channels::fixed));
    rebalanced = std::max(rebalanced, loss(Channels::rebalanced));
  }
  return {{"loss_percent", losses}, {"loss_percent_rebalanced_at_most", rebalanced}};
}

/// GPT-1T where its pipeline stages fill zones, and where it has a part of each.
json of_zones_in_time(const json& in) {
  const std::int64_t tp = in["tp"], pp = in["pp"], dp = in["dp"];
  Workload workload{.model = shipped_catalog().load_model(in["model"]).spec,
                    .system = shipped_catalog().load_system("dgx-h100"),
                    .run = {.global_batch = in["global_batch"], .sequence = 2048},
                    .gpus = tp * pp * dp};
  const FabricDesign design = default_design(Topology::meta_ai_zone);
  const auto count = std::get<FabricCount>(count_fabric(design));
  const auto time = [&](const json& zones) {
    const RoutedJob job{.gpus = workload.gpus, .free_gpus = zones.get<std::vector<std::int64_t>>()};
    workload.routing = routing_factors(
        std::make_shared<const JobSlowdowns>(*routed_fabric(design, count, *design.gpus, 8), job,
                                             Routing{.scheme = RoutingScheme::ecmp_qp}));
    return evaluate(workload, {.tp = {tp, 1}, .pp = {1, pp}, .dp = {1, dp}}).time.total();
  };
  const bool no_slower = time(in["free"][0]) <= time(in["free"][1]);
  return {{"relation", no_slower ? "T(2 zones) <= T(8 zones)" : "T(2 zones) > T(8 zones)"}};
}

/// A network that slows nothing, beside no network at all: the largest change of the best plans.
json of_two_tier_plans(const json& in) {
  double change = 0;
  for (const std::string name : in["systems"]) {
    CAPTURE(name);
    const System system = shipped_catalog().load_system(name);
    const std::int64_t gpus = 2 * system.hb_domain;
    CHECK_FALSE(host_tier(system, usable_hb_domain(system.hb_domain, gpus)));
    for (const std::string timing : in["timing"]) {
      Workload workload{.model = shipped_catalog().load_model("llama2-13b").spec,
                        .system = system,
                        .run = {.global_batch = 2 * gpus, .sequence = 2048},
                        .gpus = gpus};
      if (timing == "calibrated") workload.timing = earlier_constants();
      const SearchSpace space =
          timing == "calibrated" ? all_calibrated_axes(workload) : all_closed_form_axes();
      const SearchResult bare = rank_strategies(workload, space, {.top = 5});
      workload.routing = uniform_factors(1);
      const SearchResult routed = rank_strategies(workload, space, {.top = 5});
      REQUIRE(bare.best.size() == 5);
      REQUIRE(routed.best.size() == 5);
      for (std::size_t i = 0; i < 5; ++i) {
        CHECK(routed.best[i].strategy == bare.best[i].strategy);
        change = std::max(change, std::abs((routed.best[i].time - bare.best[i].time).si()));
      }
    }
  }
  return {{"change", change}};
}

/// A step on Fire-Flyer's nodes by the plan of a case.
IterationBreakdown fire_flyer_step(const json& in, const std::string& gemm, GradientSync sync,
                                   int gradient_bytes) {
  const json& degrees = in["strategy"];
  Workload workload{.model = shipped_catalog().load_model(in["model"]).spec,
                    .system = shipped_catalog().load_system("fire-flyer-2"),
                    .run = {.global_batch = in["global_batch"], .sequence = in["sequence"]},
                    .gpus = in["gpus"],
                    .software = default_software(Generation::ampere),
                    .timing = earlier_constants()};
  Accelerator& part = workload.system.accelerator;
  if (gemm != "cap220") part.gemm = {};
  if (gemm == "ratio") {
    for (PeakRates* const rates : {&part.datasheet, &part.silicon}) {
      if (rates->bf16) *rates->bf16 = *rates->bf16 * (220.0 / 263);
    }
  }
  // Without its PCIe a node is no tree.
  if (sync == GradientSync::nccl) workload.system.host->pcie.reset();
  workload.software.gradient_sync = sync;
  workload.software.gradient_reduce_bytes = gradient_bytes;
  SearchSpace space = all_calibrated_axes(workload);
  const auto pinned = [&](const char* key) {
    return std::vector<std::int64_t>{degrees[key].get<std::int64_t>()};
  };
  space.pins = {.tp = pinned("tp"),
                .pp = pinned("pp"),
                .dp = pinned("dp"),
                .cp = pinned("cp"),
                .ep = pinned("ep"),
                .expert_tp = {1},
                .micro_batch = pinned("micro_batch"),
                .interleave = pinned("interleave")};
  space.zero = {degrees["zero"].get<int>()};
  const SearchResult found = rank_strategies(workload, space, {.top = 1});
  REQUIRE_FALSE(found.best.empty());
  return evaluate(workload, found.best.front().strategy).time;
}

/// Were there one layer on the last stage, which has the loss layer too, and three on others in the
/// place of two on all: the slowest stage sets the pace.
double with_one_layer_last(const IterationBreakdown& step) {
  const Seconds two_layers =
      step.last_stage_compute + step.host + step.cp_communication + step.ep_communication;
  const Seconds last = 0.5 * two_layers + step.loss_layer, others = 1.5 * two_layers;
  const Seconds working = step.total() - step.straggling - step.optimizer;
  const Seconds saved = two_layers + step.loss_layer - std::max(last, others);
  return (step.total() - saved * (1 + step.straggling / working)).si();
}

json of_fire_flyer_steps(const json& in) {
  const bool mixture = in["model"] == "deepseek-moe-16b";
  json found;
  for (const auto& [gemm, words] : in["gemm"].items()) {
    const IterationBreakdown step = fire_flyer_step(in, gemm, GradientSync::hfreduce, 2);
    found[gemm] = {
        {"two_tiers", fire_flyer_step(in, gemm, GradientSync::nccl, 2).total().si()},
        {"bf16_gradients", step.total().si()},
        {"fp32_gradients", fire_flyer_step(in, gemm, GradientSync::hfreduce, 4).total().si()}};
    if (mixture) found[gemm]["last_stage_1_layer_bf16"] = with_one_layer_last(step);
  }
  return found;
}

/// Where all of an all-reduce shows, by the rates that were measured, even in the logarithm of the
/// GPUs, and by our pipeline.
json of_vgg(const json& in) {
  const Node node = shipped_catalog().load_node("fire-flyer-2");
  const MeasuredReduce& measured = node.measured_reduce.front();
  REQUIRE(measured.library == "HFReduce");
  const double few = in["measured_on_gpus"][0], many = in["measured_on_gpus"][1];
  const auto rate = [&](double gpus) {
    return *measured.high +
           std::log(gpus / few) / std::log(many / few) * (measured.low - *measured.high);
  };
  const auto ours = [&](std::int64_t gpus) {
    return reduce_at(node, {}, gpus / node.accelerators,
                     in["gradients_MB"].get<double>() * units::MB, kTreeStepLatency)
        .bandwidth;
  };
  const std::int64_t from = in["gpus"][0], to = in["gpus"][1];
  return {
      {"bound_if_all_exposed",
       {rate(static_cast<double>(to)) / rate(static_cast<double>(from)), ours(to) / ours(from)}}};
}

json of_matrix_products() {
  const auto part = [](const char* name) { return shipped_catalog().load_accelerator(name).gemm; };
  const PeakRates pcie = part("a100-40gb-pcie"), sxm = part("a100-40gb-sxm");
  const auto tflops = [](const std::optional<FlopsPerSecond>& rate) {
    return rate.value().in(units::TFLOPs);
  };
  return {{"pcie_fp16", tflops(pcie.fp16)},
          {"sxm_fp16", tflops(sxm.fp16)},
          {"pcie_tf32", tflops(pcie.tf32)},
          {"sxm_tf32", tflops(sxm.tf32)},
          {"ratio", tflops(pcie.fp16) / tflops(sxm.fp16)}};
}

/// What is told of a figure whose inputs nobody published.
json of_unpublished() {
  for (const published::Check& row : published::traffic(shipped_catalog())) {
    if (row.id != "hpn_cut" || row.published != 14.9) continue;
    const bool told = std::isnan(row.ours) && row.note.starts_with("[X]");
    return {{"shown", told ? "not reproduced" : "as reproduced"}};
  }
  return {{"shown", "nowhere"}};
}

json work_out_job(const std::string& id, const json& in) {
  if (id == "identity-optimize") return of_two_tier_plans(in);
  if (id == "meta-order") return of_zones_in_time(in);
  if (id == "hpn-14.9") return of_unpublished();
  if (id == "dual-tor") return of_lost_ports(in);
  if (id.starts_with("hpn-") || id.starts_with("c4-job")) return of_gains(in, id == "c4-job1");
  if (id == "ff-vgg16") return of_vgg(in);
  if (id == "ff-gemm") return of_matrix_products();
  if (id.starts_with("ff-")) return of_fire_flyer_steps(in);
  return nullptr;
}

}  // namespace

TEST_CASE("cases of whole iterations") {
  check_traffic_cases("jobs", work_out_job);
}

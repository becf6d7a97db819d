// What papers say of the flows of training, beside those of our plans: the rail-only paper's
// traffic, HPN's planes, its and C4's speed-ups through the overlap of the calibrated model, Meta's
// cuts.

#include "planner/job/traffic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "planner/network/count.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/published/published.hpp"
#include "planner/published/rows.hpp"
#include "planner/published/sources.hpp"
#include "planner/search/search.hpp"
#include "planner/search/space.hpp"

namespace planner::published {

namespace {

constexpr const char* kRailOnlyTraffic = "rail-only networks (arXiv 2307.12169), §3";

double percent(double share) {
  return 100 * share;
}

/// GPT as the rail-only paper has it, on nodes of 8 or a larger domain.
std::vector<TrafficPhase> phases_of(const catalog::Catalog& catalog, std::int64_t layers,
                                    std::int64_t hidden, std::int64_t batch, std::int64_t gpus,
                                    const Strategy& strategy, std::int64_t hb_domain) {
  Workload workload{.model = catalog.load_model("gpt1t").spec,
                    .system = catalog.load_system("dgx-a100"),
                    .run = {.global_batch = batch, .sequence = 2048},
                    .gpus = gpus};
  workload.model.layers = layers;
  workload.model.hidden = hidden;
  workload.model.ffn_hidden = 4 * hidden;
  workload.model.heads = workload.model.kv_heads = 128;
  workload.model.head_dim = hidden / 128;
  workload.system.hb_domain = hb_domain;
  std::vector<TrafficPhase> phases = job::traffic_phases(workload, strategy);
  // The paper counts layers only.
  std::erase_if(phases,
                [](const TrafficPhase& one) { return one.type == TrafficType::vocabulary; });
  return phases;
}

Checks rail_only_traffic(const catalog::Catalog& catalog) {
  constexpr std::int64_t kGpus = 3072, kDomains = 4096;
  const auto fig4 =
      phases_of(catalog, 128, 25600, 3072, kGpus, {.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 6}}, 8);
  const BytesByType sent = sent_by_type(fig4, kGpus);
  const auto gigabytes = [&](TrafficType type) {
    return of(sent, type).in(units::GB) / static_cast<double>(kGpus);
  };
  const Pairs pairs = sending_pairs(fig4, kGpus);
  const std::string source = kRailOnlyTraffic;
  Checks checks{
      computed("railonly_traffic", source, "Fig. 4: GPT-1T on 3,072, tensor parallel per GPU", "GB",
               752, gigabytes(TrafficType::tensor), 0.5, "[P] by hand; the paper draws it"),
      computed("railonly_traffic", source, "Fig. 4: pipeline per GPU, mean", "GB", 13.2,
               gigabytes(TrafficType::pipeline), 0.05,
               "[P] by hand: 6.7 GB for a pair, \"about 6 GB\""),
      computed("railonly_traffic", source, "Fig. 4: data parallel per GPU", "GB", 6.55,
               gigabytes(TrafficType::data), 0.01, "[P] by hand; \"about 6 GB\""),
      computed("railonly_traffic", source, "Fig. 3b: pairs with tensor parallel, under", "%", 0.04,
               percent(pairs.by_type[0] / pairs.possible), 0.01, "[P] 1/(N - 1)"),
      computed("railonly_traffic", source, "Fig. 3b: pairs that send nothing, over", "%", 99,
               percent(1 - pairs.sending / pairs.possible), 0, "[P]")};
  checks.back().ceiling = true;
  struct Model {
    const char* name;
    std::int64_t layers, hidden, batch, p, d;
  };
  for (const Model& one :
       {Model{"146B", 80, 12288, 2304, 8, 24}, Model{"310B", 96, 16384, 2160, 16, 15},
        Model{"530B", 105, 20480, 2520, 35, 9}, Model{"1T", 128, 25600, 3072, 64, 6}}) {
    const std::int64_t gpus = 8 * one.p * one.d;
    const auto phases = phases_of(catalog, one.layers, one.hidden, one.batch, gpus,
                                  {.tp = {8, 1}, .pp = {1, one.p}, .dp = {1, one.d}}, 8);
    const BytesByType all = sent_by_type(phases, gpus);
    Check check = computed("railonly_traffic", source,
                           fmt::format("Fig. 3a: {}, tensor parallel's share, over", one.name), "%",
                           75, percent(of(all, TrafficType::tensor) / total(all)), 25,
                           "[P] degrees of Narayanan et al. 2021, Table 1");
    check.ceiling = true;
    check.tolerance = 0;
    checks.push_back(std::move(check));
  }
  const auto fig5 = phases_of(catalog, 128, 25600, 4096, kDomains,
                              {.tp = {8, 1}, .pp = {1, 8}, .dp = {32, 2}}, 256);
  const std::int64_t domain = 256;
  const LevelTraffic level = traffic_of_level(fig5, kDomains, domain);
  const Bytes inside = of(level.inside, TrafficType::data);
  const Bytes beyond = of(level.leaving, TrafficType::data);
  checks.push_back(computed("railonly_traffic", source,
                            "Fig. 5: data parallel inside domains of 256", "%", 98,
                            percent(inside / (inside + beyond)), 0.5, "[P]"));
  return checks;
}

/// Two segments of HPN with so many GPUs of a job in each, hashed with 8 queue pairs for each port.
double hpn_slowdown(std::int64_t planes, std::int64_t in_segment, const GroupFlows& groups) {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).planes = planes;
  design.gpus = 2048;
  const auto count = std::get<FabricCount>(count_fabric(design));
  const RoutedJob job{
      .gpus = 2 * in_segment, .uplinks = UplinkUse::alone, .free_gpus = {in_segment, in_segment}};
  return JobSlowdowns(*routed_fabric(design, count, 2048, 8), job,
                      {.scheme = RoutingScheme::ecmp_qp, .qps = 8})
      .of(groups)
      .mean;
}

Checks hpn_planes() {
  const auto gain = [](std::int64_t in_segment, const GroupFlows& groups) {
    return percent(hpn_slowdown(1, in_segment, groups) / hpn_slowdown(2, in_segment, groups) - 1);
  };
  const char* const q = "[F] 16 queue pairs for a pair of cards, not published, serve both figures";
  const std::string source = place_in(kHpn, "§6.1 and App. A");
  Checks checks{shown("hpn_own_flows", source, "two planes over one: a ring over two segments", "%",
                      50.1, gain(1024, {FlowKind::ring, 8, 256}), q)};
  for (const std::int64_t gpus : {32, 256}) {
    checks.push_back(
        shown("hpn_own_flows", source, fmt::format("the same, every card of {} GPUs crosses", gpus),
              "%", gpus == 32 ? 63.7 : 71.6, gain(gpus / 2, {FlowKind::ring, gpus / 2, 2}), q));
  }
  return checks;
}

/// T(S)/T(1) - 1 of the fastest plan, S on all that crosses the network.
struct Job {
  const char* id;
  std::string source, quantity;
  const char* model;
  std::int64_t gpus, tp, pp, batch;
  int zero;
  double slowdown, published;
  std::string note;
  std::vector<std::int64_t> micro_batch{};
  SoftwareClass software = SoftwareClass::mcore;
};

Check overlapped(const catalog::Catalog& catalog, const TimingModel& timing, const Job& job) {
  Workload workload{.model = catalog.load_model(job.model).spec,
                    .system = catalog.load_system("hpn-h800"),
                    .run = {.global_batch = job.batch, .sequence = 2048},
                    .gpus = job.gpus,
                    .software = software_of(job.software),
                    .timing = timing};
  SearchSpace space = all_calibrated_axes(workload);
  space.pins.tp = {job.tp};
  space.pins.pp = {job.pp};
  space.pins.cp = {1};
  space.pins.micro_batch = job.micro_batch;
  space.zero = {job.zero};
  const auto time = [&](double slowdown) {
    workload.routing = uniform_factors(slowdown);
    const SearchResult found = rank_strategies(workload, space, {.top = 1});
    return found.best.empty() ? Seconds{std::nan("")} : found.best.front().time;
  };
  return shown(job.id, job.source, job.quantity, "%", job.published,
               percent(time(job.slowdown) / time(1) - 1), job.note);
}

Checks overlapped_jobs(const catalog::Catalog& catalog) {
  const TimingModel timing{
      std::make_shared<const Calibration>(catalog.load_calibration("default"))};
  const std::string fig16 = place_in(kHpn, "Fig. 16"), c4 = place_in(kC4, "Fig. 14");
  const std::string hpn_note =
      "[F] S is Fig. 17's, on the network's part; the batch of {} is not published, nor ZeRO 1 and "
      "Megatron-Core";
  const auto batch = [](const std::string& note, std::int64_t sequences) {
    return fmt::format(fmt::runtime(note), sequences);
  };
  const std::string c4_note = "[F] S = 1.703 is Fig. 10's; the batch of {} is not published";
  const std::string third =
      "[F] \"no noticeable gain\": 16 micro-batches hide the network only where data parallelism "
      "overlaps";
  std::vector<Job> jobs{{"hpn_jobs", fig16, "LLaMA-7B on 448 GPUs, gain of HPN", "llama2-7b", 448,
                         1, 1, 1792, 1, 1.593, 7.9, batch(hpn_note, 1792)},
                        {"hpn_jobs", fig16, "LLaMA-13B on 448 GPUs, gain of HPN", "llama2-13b", 448,
                         2, 1, 896, 1, 1.593, 14.4, batch(hpn_note, 896)},
                        {"hpn_jobs", fig16, "GPT-175B on 448 GPUs, gain of HPN", "gpt175b", 448, 8,
                         8, 896, 1, 2.582, 6.3, batch(hpn_note, 896)},
                        {"c4_jobs", c4, "job 1: GPT-22B on 128 GPUs, batch 128", "gpt22b", 128, 8,
                         1, 128, 1, 1.703, 15.95, batch(c4_note, 128)},
                        {"c4_jobs", c4, "job 1, batch 256", "gpt22b", 128, 8, 1, 256, 1, 1.703,
                         15.95, batch(c4_note, 256)},
                        {"c4_jobs", c4, "job 2: LLaMA-7B on 128 GPUs, batch 128", "llama2-7b", 128,
                         1, 1, 128, 2, 1.703, 14.1, batch(c4_note, 128)},
                        {"c4_jobs", c4, "job 2, batch 256", "llama2-7b", 128, 1, 1, 256, 2, 1.703,
                         14.1, batch(c4_note, 256)},
                        {"c4_jobs",
                         c4,
                         "job 3: GPT-175B on 128 GPUs, Megatron-Core",
                         "gpt175b",
                         128,
                         8,
                         8,
                         32,
                         1,
                         1.703,
                         0,
                         third,
                         {1}},
                        {"c4_jobs",
                         c4,
                         "job 3, torch",
                         "gpt175b",
                         128,
                         8,
                         8,
                         32,
                         1,
                         1.703,
                         0,
                         third,
                         {1},
                         SoftwareClass::torch}};
  // Ours is above the published figure at this batch, and below it at twice as much.
  Job larger = jobs.front();
  larger.batch *= 2;
  jobs.front().note +=
      fmt::format("; {:.1f} % with {}", overlapped(catalog, timing, larger).ours, larger.batch);
  Checks checks;
  for (const Job& job : jobs) checks.push_back(overlapped(catalog, timing, job));
  // A card with one of two ports: everything that crosses the network takes twice as long.
  Check port =
      overlapped(catalog, timing,
                 {"hpn_port_down", place_in(kHpn, "§9.3"),
                  "LLaMA-7B on 256 GPUs, loss while one port of a card is down", "llama2-7b", 256,
                  1, 1, 4096, 1, 2, 6.25, "[F] batch 4,096; a smaller one loses more"});
  port.ours = percent(1 - 1 / (1 + port.ours / 100));
  checks.push_back(std::move(port));
  return checks;
}

/// Bytes between segments of ranked rings, 19 segments to 3, and between Meta's zones.
Checks cuts(const catalog::Catalog& catalog) {
  const auto between = [](std::int64_t segments) { return static_cast<double>(segments); };
  Workload workload{.model = catalog.load_model("gpt1t").spec,
                    .system = catalog.load_system("dgx-h100"),
                    .run = {.global_batch = 3072, .sequence = 2048},
                    .gpus = 6144};
  const Strategy strategy{.tp = {8, 1}, .pp = {1, 64}, .dp = {1, 12}};
  FabricDesign design = default_design(Topology::meta_ai_zone);
  const auto count = std::get<FabricCount>(count_fabric(design));
  const auto time = [&](std::vector<std::int64_t> zones) {
    const RoutedJob job{.gpus = 6144, .free_gpus = std::move(zones)};
    workload.routing = routing_factors(std::make_shared<const JobSlowdowns>(
        *routed_fabric(design, count, 24576, 8), job, Routing{.scheme = RoutingScheme::ecmp_qp}));
    return evaluate(workload, strategy).time.total();
  };
  const double slower = time(std::vector<std::int64_t>(8, 768)) / time({3072, 3072});
  return {shown("meta_cut", place_in(kMeta, "§3.3"),
                "GPT-1T on eight quarters of zones over two whole ones, time", "x", 1, slower,
                "[P] \"a minimum cut reduces completion time\", without a number: 1 or more"),
          shown("hpn_cut", place_in(kHpn, "Fig. 15"), "19 → 3 segments, bytes of ranked rings", "%",
                -37, percent(between(3) / between(19) - 1),
                "[E] a ring in the order of hosts crosses once a segment: the job did not send "
                "ranked rings only; uniform peers give -37.4"),
          shown("hpn_cut", place_in(kHpn, "Fig. 15"), "19 → 3 segments, throughput", "%", 14.9,
                std::nan(""), "[X] model, batch and order of ranks are not published")};
}

}  // namespace

Checks traffic(const catalog::Catalog& catalog) {
  return joined<Check>(
      {rail_only_traffic(catalog), hpn_planes(), overlapped_jobs(catalog), cuts(catalog)});
}

}  // namespace planner::published

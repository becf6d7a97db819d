#include "planner/commands/parts/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "planner/core/real.hpp"
#include "planner/domain/names.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

double gigabytes_of(Bytes bytes) {
  return bytes.in(units::GB);
}

TrafficSummary::ByType by_type(const BytesByType& bytes, double per = 1) {
  TrafficSummary::ByType found;
  for (std::size_t i = 0; i < bytes.size(); ++i) found.figures[i] = gigabytes_of(bytes[i]) / per;
  return found;
}

TrafficSummary::RailOnly rails_of(const job::Traffic& traffic, Seconds iteration) {
  return {.enough = !(traffic.off_rail > Bytes{}),
          .network_GB = gigabytes_of(traffic.network),
          .off_rail_GB = gigabytes_of(traffic.off_rail),
          .rails = traffic.hb_domain,
          .rail_GB = gigabytes_of(traffic.network - traffic.off_rail) / real(traffic.hb_domain),
          .forwarding_s = traffic.forwarding.si(),
          .sentence = rail_only_sentence(traffic, iteration)};
}

TrafficSummary::Zones zones_of(const job::ZoneTraffic& zones) {
  TrafficSummary::Zones found{.outermost = std::string{name_of(zones.axis)},
                              .pp_outermost_GB = gigabytes_of(zones.pipeline_outermost),
                              .dp_outermost_GB = gigabytes_of(zones.data_outermost)};
  for (std::size_t i = 0; i < zones.gpus.size(); ++i) {
    found.zones.push_back({.gpus = zones.gpus[i], .out_GB = by_type(zones.out[i])});
  }
  return found;
}

Cell gigabytes_cell(double gigabytes) {
  return number(gigabytes, "GB");
}

void add_sent(const TrafficSummary& traffic, Document& document) {
  document.add(Section{"Sent per GPU and iteration", "mean of all GPUs"});
  const double all = traffic.per_gpu_GB.total();
  Bars bars;
  for (const TrafficType type : kTrafficTypes) {
    const double sent = traffic.per_gpu_GB.of(type);
    if (sent <= 0) continue;
    bars.rows.push_back({std::string{words_of(type)}, gigabytes_cell(sent), sent / all});
  }
  if (bars.rows.empty()) {
    document.add(Text{.text = "nothing"});
    return;
  }
  document.add(std::move(bars));
}

void add_tiers(const TrafficSummary& traffic, Document& document) {
  document.add(Section{"Where it goes", "of all GPUs; links of the busiest unit"});
  Table table{
      .header = {"within one", "GPUs", "sent", "share", "by", "out of one unit", "GB/s", "used"}};
  for (const TrafficSummary::Tier& tier : traffic.tiers) {
    table.add({words(tier.name), count(tier.unit_gpus), gigabytes_cell(tier.GB.total()),
               share(tier.share), words(tier.links), gigabytes_cell(tier.busiest_GB.total()),
               number(tier.capacity_GBps), share(tier.utilisation)});
  }
  document.add(std::move(table));
  if (!traffic.host.empty()) {
    Table host{.header = {"of a node", "GPUs", "in and out", "GB/s", "used"}};
    for (const TrafficSummary::Host& one : traffic.host) {
      host.add({words(one.name), count(one.unit_gpus), gigabytes_cell(one.GB.total()),
                number(one.capacity_GBps), share(one.utilisation)});
    }
    document.add(std::move(host));
  }
  Table types{.header = {"within one"}};
  for (const TrafficType type : kTrafficTypes) types.header.emplace_back(words_of(type));
  for (const TrafficSummary::Tier& tier : traffic.tiers) {
    std::vector<Cell> row{words(tier.name)};
    for (const TrafficType type : kTrafficTypes) row.push_back(gigabytes_cell(tier.GB.of(type)));
    types.add(std::move(row));
  }
  document.detail(std::move(types));
}

void add_pairs(const TrafficSummary& traffic, Document& document) {
  if (traffic.pairs.possible <= 0) return;
  document.add(Section{"Who sends to whom", "ordered pairs of GPUs"});
  const double silent = traffic.pairs.silent_share;
  const std::string all_pairs = with_prefix(traffic.pairs.possible) + " pairs";
  constexpr double kRoundsToAll = 0.9999;
  document.add(
      Text{.text = (silent > kRoundsToAll && silent < 1
                        ? "all but " + with_prefix((1 - silent) * traffic.pairs.possible) + " of "
                        : fmt::format("{:.4g} % of ", 100 * silent)) +
                   all_pairs + " send each other nothing"});
  constexpr std::size_t kMostRows = 12;  // on a terminal
  Table table{.header = {"because of", "rank distance", "pairs", "each"}};
  Table all = table;
  for (const TrafficSummary::Distance& one : traffic.distances) {
    const std::vector<Cell> row{words(std::string{words_of(one.type)}), count(one.distance),
                                said(number(one.pairs), with_prefix(one.pairs)),
                                gigabytes_cell(one.GB_per_pair)};
    if (table.rows.size() < kMostRows) table.add(row);
    all.add(row);
  }
  const std::size_t more = all.rows.size() - table.rows.size();
  document.blocks.push_back({std::move(table), Where::terminal});
  if (more > 0) {
    document.blocks.push_back(
        {Text{.text = fmt::format("and {} more distances (--format json has all)", more)},
         Where::terminal});
  }
  document.detail(std::move(all));
}

void add_zones(const TrafficSummary::Zones& zones, Document& document) {
  document.add(Section{"Between zones", "by the order of ranks that the plan has"});
  Table table{.header = {"zone", "GPUs", "sends to others"}};
  for (std::size_t i = 0; i < zones.zones.size(); ++i) {
    table.add({count(static_cast<std::int64_t>(i) + 1), count(zones.zones[i].gpus),
               gigabytes_cell(zones.zones[i].out_GB.total())});
  }
  document.add(std::move(table));
  const bool stages = zones.outermost == "pp";
  const double less = stages ? zones.pp_outermost_GB : zones.dp_outermost_GB;
  const double more = stages ? zones.dp_outermost_GB : zones.pp_outermost_GB;
  document.add(Text{
      .text = fmt::format("zones hold different {}: {} in all, {} the other way{}",
                          stages ? "pipeline stages" : "data-parallel ranks",
                          gigabytes_cell(less).text, gigabytes_cell(more).text,
                          less > more ? ", which takes longer or leaves neighbours apart" : "")});
}

Shade shade_of(TrafficType type) {
  switch (type) {
    case TrafficType::tensor:
      return Shade::dark_orange;
    case TrafficType::pipeline:
      return Shade::tan;
    case TrafficType::data:
      return Shade::orange;
    case TrafficType::context:
      return Shade::apricot;
    case TrafficType::expert:
      return Shade::brown;
    case TrafficType::vocabulary:
      return Shade::light_orange;
  }
  return Shade::grey;
}

/// Bytes per GPU in each tier.
std::optional<Chart> tier_chart(const TrafficSummary& traffic) {
  std::vector<Category> types;
  for (const TrafficType type : kTrafficTypes) {
    types.push_back(category(name_of(type), words_of(type), shade_of(type)));
  }
  std::vector<Bar> bars;
  for (const TrafficSummary::Tier& tier : traffic.tiers) {
    Bar& bar = bars.emplace_back(Bar{.name = tier.name, .values = {}});
    for (const double sent : tier.GB.figures) bar.values.push_back(1e9 * sent / real(traffic.gpus));
  }
  if (traffic.per_gpu_GB.total() <= 0 || bars.empty()) return std::nullopt;
  const std::string title =
      fmt::format("{:.3g} % of the bytes stay in HB domains", 100 * traffic.tiers.front().share);
  return stacked_bars({.name = "traffic_by_tier",
                       .title = title,
                       .subtitle = "Sent per GPU and iteration, by the innermost part of the "
                                   "network that holds both ends",
                       .categories = types,
                       .bars = bars,
                       .quantity = Measured::memory,
                       .bar_is = "tier"});
}

std::optional<Chart> heat_map_chart(const TrafficSummary& traffic) {
  if (traffic.gpus > kMostHeatMapGpus || traffic.per_gpu_GB.total() <= 0) return std::nullopt;
  Json values = Json::array();
  for (const auto& [from, to, GB] : heat_rows(traffic)) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      values.push_back({{"from", from}, {"to", to[i]}, {"GB", GB[i]}});
    }
  }
  const std::string title =
      fmt::format("{:.3g} % of the pairs of GPUs send nothing", 100 * traffic.pairs.silent_share);
  Json spec = chart_frame(title, "Bytes of one iteration from each rank to each other");
  spec["width"] = spec["height"] = 480;
  spec["data"] = {{"values", std::move(values)}};
  const double cell = std::max(1.0, 480.0 / real(traffic.gpus));
  spec["mark"] = {{"type", "square"}, {"size", cell * cell}, {"opacity", 1}};
  const auto axis = [&](const char* field, const char* of, bool reversed) {
    return Json{
        {"field", field},
        {"type", "quantitative"},
        {"scale", {{"domain", {0, traffic.gpus - 1}}, {"reverse", reversed}, {"nice", false}}},
        {"axis", {{"title", of}, {"grid", false}}}};
  };
  spec["encoding"] = {{"x", axis("to", "to rank", false)},
                      {"y", axis("from", "from rank", true)},
                      {"color",
                       {{"field", "GB"},
                        {"type", "quantitative"},
                        {"scale", {{"type", "log"}, {"range", {"#f6cf98", "#7d3a0a"}}}},
                        {"legend", {{"title", "GB"}}}}}};
  return drawn("traffic_heat_map", title, std::move(spec));
}

}  // namespace

double TrafficSummary::ByType::total() const {
  return std::accumulate(figures.begin(), figures.end(), 0.0);
}

namespace {

/// What an answer without `sends` says of some of the ranks, over all that they may be.
void spread(const TrafficSummary::Groups& groups, std::int64_t gpus, TrafficPhase& phase) {
  phase.sent = groups.senders * phase.sent;
  if (groups.end_gpus == 0) return;
  phase.sent = real(gpus) / (2 * real(groups.end_gpus)) * phase.sent;
  for (const std::int64_t first : {std::int64_t{0}, gpus - groups.end_gpus}) {
    for (Sending one : sendings(phase.groups)) {
      add_place(one.who, {gpus, first, first + groups.end_gpus});
      phase.sends.push_back(std::move(one));
    }
  }
}

/// Of the ranks of the groups, those that send.
double share_of_senders(const TrafficPhase& phase, std::int64_t gpus) {
  if (phase.sends.empty()) return 1;
  const TrafficPhase all{.groups = phase.groups, .sent = phase.sent};
  return network::sent_by_all(phase, gpus) / network::sent_by_all(all, gpus);
}

void summarize_tiers(const job::Traffic& traffic, TrafficSummary& summary) {
  const Bytes all = total(traffic.sent);
  for (const job::TierTraffic& tier : traffic.tiers) {
    summary.tiers.push_back({.name = tier.name,
                             .unit_gpus = tier.unit_gpus,
                             .GB = by_type(tier.bytes),
                             .share = all > Bytes{} ? total(tier.bytes) / all : 0,
                             .links = tier.links.name,
                             .busiest_GB = by_type(tier.busiest),
                             .links_unit_gpus = tier.links.unit_gpus,
                             .capacity_GBps = tier.links.capacity.in(units::GBps),
                             .utilisation = tier.utilisation});
  }
}

}  // namespace

std::vector<TrafficSummary::HeatRow> heat_rows(const TrafficSummary& traffic) {
  if (traffic.gpus > kMostHeatMapGpus) return {};
  std::vector<TrafficPhase> phases;
  for (const TrafficSummary::Groups& one : traffic.groups) {
    phases.push_back({.type = one.type,
                      .groups = {one.kind, one.stride, one.ranks},
                      .sent = one.GB * units::GB,
                      .sends = one.sends,
                      .mixed_ranks = one.mixed_ranks,
                      .mixed_stride = one.mixed_stride});
    if (one.sends.empty()) spread(one, traffic.gpus, phases.back());
  }
  const std::vector<double> sent = heat_map(phases, traffic.gpus);
  std::vector<TrafficSummary::HeatRow> rows;
  for (std::int64_t from = 0; from < traffic.gpus; ++from) {
    TrafficSummary::HeatRow& row = rows.emplace_back();
    row.from = from;
    for (std::int64_t to = 0; to < traffic.gpus; ++to) {
      const double bytes = sent[static_cast<std::size_t>(from * traffic.gpus + to)];
      if (bytes <= 0) continue;
      row.to.push_back(to);
      row.GB.push_back(bytes / 1e9);
    }
  }
  return rows;
}

std::string_view words_of(TrafficType type) {
  switch (type) {
    case TrafficType::tensor:
      return "tensor parallelism";
    case TrafficType::pipeline:
      return "pipeline";
    case TrafficType::data:
      return "data parallelism";
    case TrafficType::context:
      return "context parallelism";
    case TrafficType::expert:
      return "experts";
    case TrafficType::vocabulary:
      return "vocabulary tables";
  }
  return "";
}

TrafficSummary summary_of(const job::Traffic& traffic, Seconds iteration) {
  TrafficSummary summary{.gpus = traffic.gpus,
                         .hb_domain = traffic.hb_domain,
                         .per_gpu_GB = by_type(traffic.sent, real(traffic.gpus)),
                         .rail_only = rails_of(traffic, iteration)};
  summarize_tiers(traffic, summary);
  for (const job::HostTraffic& one : traffic.host) {
    summary.host.push_back({.name = one.name,
                            .unit_gpus = one.unit_gpus,
                            .GB = by_type(one.bytes),
                            .capacity_GBps = one.capacity.in(units::GBps),
                            .utilisation = one.utilisation});
  }
  const Pairs& pairs = traffic.pairs;
  summary.gradient_bytes = traffic.gradient_bytes;
  summary.by_cpus = traffic.by_cpus;
  summary.pairs.possible = pairs.possible;
  if (pairs.possible > 0) {
    summary.pairs.silent_share = 1 - pairs.sending / pairs.possible;
    for (std::size_t i = 0; i < pairs.by_type.size(); ++i) {
      summary.pairs.share.figures[i] = pairs.by_type[i] / pairs.possible;
    }
  }
  for (const PairRow& row : traffic.rows) {
    summary.distances.push_back({row.type, row.distance, row.pairs, gigabytes_of(row.per_pair)});
  }
  for (const TrafficPhase& phase : traffic.phases) {
    summary.groups.push_back({.type = phase.type,
                              .kind = phase.groups.kind,
                              .stride = phase.groups.stride,
                              .ranks = phase.groups.ranks,
                              .GB = gigabytes_of(phase.sent),
                              .senders = share_of_senders(phase, traffic.gpus),
                              .sends = phase.sends,
                              .mixed_ranks = phase.mixed_ranks,
                              .mixed_stride = phase.mixed_stride});
  }
  if (traffic.zones) summary.zones = zones_of(*traffic.zones);
  return summary;
}

void add_traffic(const TrafficSummary& traffic, Document& document) {
  add_sent(traffic, document);
  add_tiers(traffic, document);
  add_pairs(traffic, document);
  if (traffic.zones) add_zones(*traffic.zones, document);
  document.add(Text{.text = traffic.rail_only.sentence, .indent = 0, .apart = true});
  if (traffic.per_gpu_GB.of(TrafficType::tensor) > 0) {
    document.add(Text{.text =
                          "The gather that sequence parallelism repeats in the backward pass is "
                          "left out, as published counts leave it out; it would add a quarter "
                          "to tensor parallelism.",
                      .indent = 0,
                      .emphasis = Emphasis::quiet});
  }
  if (traffic.per_gpu_GB.of(TrafficType::data) > 0) {
    document.add(Text{
        .text = fmt::format(
            "Gradients are reduced in {} bytes a parameter{}.", traffic.gradient_bytes,
            traffic.gradient_bytes == 2 ? ""
                                        : "; the papers count 2, as --timing closed-form does"),
        .indent = 0,
        .emphasis = Emphasis::quiet});
  }
  if (traffic.by_cpus) {
    document.add(Text{.text = "Gradients are summed by the CPUs (HFReduce): what its double tree "
                              "sends stands as a ring of nodes, each as busy as its busiest; "
                              "copies between a GPU and its CPU load PCIe, host bridge and memory, "
                              "but are no traffic between GPUs.",
                      .indent = 0,
                      .emphasis = Emphasis::quiet});
  }
}

void add_traffic_charts(const TrafficSummary& traffic, std::vector<Chart>& charts) {
  for (std::optional<Chart> chart : {tier_chart(traffic), heat_map_chart(traffic)}) {
    if (chart) charts.push_back(*std::move(chart));
  }
}

}  // namespace planner::commands

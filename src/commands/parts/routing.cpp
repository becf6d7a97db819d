#include "planner/commands/parts/routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

Cell ratio(double value) {
  return said(number(value), ratio_text(value));
}

std::string quantile_name(const RoutingSummary& routing) {
  return fmt::format("p{:g}", 100 * routing.quantile);
}

void add_collectives(const RoutingSummary& routing, Document& document) {
  if (routing.collectives.empty()) return;
  document.add(Section{"What collectives get", "GB/s per GPU and direction"});
  Table table{
      .header = {"collective", "scope", "GPUs", "S", quantile_name(routing), "GB/s", "binds"}};
  for (const RoutingSummary::Collective& one : routing.collectives) {
    table.add({words(std::string{name_of(one.pattern)}), words(std::string{name_of(one.scope)}),
               count(one.gpus), ratio(one.mean), ratio(one.quantile),
               routing.nominal ? number(routing.effective(one.mean)) : unknown(),
               words(one.binding.empty() ? "the card" : one.binding)});
  }
  document.add(std::move(table));
  document.add(Text{
      .text = "p2p: every card sends to its counterpart in the other half of these GPUs, as far "
              "as stages can lie apart; a pipeline whose stages are neighbours, and planner "
              "collective --kind point-to-point, cross fewer links"});
}

void add_stages(const RoutingSummary& routing, Document& document) {
  if (routing.stages.empty()) return;
  document.add(Section{"Links that flows are spread over", routing.traffic});
  Table table{.header = {"stage", "flows", "links", "load", "groups", "max/mean",
                         quantile_name(routing), "S"}};
  for (const RoutingSummary::Stage& one : routing.stages) {
    const LinkStage& links = one.links;
    const std::string failed = links.failed > 0 ? " - " + grouped(links.failed) : "";
    table.add({words(links.name), count(links.flows),
               said(count(links.links - links.failed), grouped(links.links) + failed),
               ratio(links.rho), count(links.groups), ratio(one.ratio_mean),
               ratio(one.ratio_quantile), ratio(one.slowdown)});
  }
  document.add(std::move(table));
  for (const RoutingSummary::Stage& one : routing.stages) {
    if (one.links.polarization == 1) continue;
    document.add(Text{.text = fmt::format("{}: the same hash as below reaches 1 of {} links (gcd)",
                                          one.links.name, one.links.polarization)});
  }
}

void add_loads(const RoutingSummary& routing, Document& document) {
  if (routing.loads.empty()) return;
  constexpr int kBar = 40;
  document.add(Section{"Load of one link over the mean: " + routing.load_stage, "share of links"});
  double most = 0;
  for (const LoadBin& bin : routing.loads) most = std::max(most, bin.share);
  Table shown, plain{.header = {"load over mean, from", "to", "share of links"}};
  for (const LoadBin& bin : routing.loads) {
    const std::string range =
        bin.low == bin.high ? ratio_text(bin.low)
                            : fmt::format("{} – {}", ratio_text(bin.low), ratio_text(bin.high));
    shown.add({words(range), words(bar(bin.share / most, kBar)), share(bin.share)});
    plain.add({ratio(bin.low), ratio(bin.high), share(bin.share)});
  }
  document.blocks.push_back({std::move(shown), Where::terminal});
  document.detail(std::move(plain));
}

void add_qps_needed(const RoutingSummary& routing, Document& document) {
  if (routing.qps_needed.empty()) return;
  std::string text;
  for (const auto& [most, qps] : routing.qps_needed) {
    text += fmt::format("{}{} for max/mean {}", text.empty() ? "" : ", ",
                        qps ? grouped(*qps) : "more than " + grouped(kMostQps), ratio_text(most));
  }
  document.add(
      Text{.text = "queue pairs it takes, told apart by the hash: " + text, .apart = true});
}

void add_sharing(const SharingImpact& impact, Document& document) {
  document.add(Section{"Storage on the same network"});
  Facts facts{{{"share of the card that storage takes, on average", share(impact.storage_share)},
               {"S of training over the whole time", ratio(impact.slowdown_mean)}}};
  // A checkpoint that never gets done writes for more than all of the time.
  if (impact.writing_share > 0 || !std::isfinite(impact.writing_share)) {
    const bool ever = std::isfinite(impact.write_time.si());
    facts.facts.push_back(
        {"a checkpoint is written in", ever ? present::time(impact.write_time) : words("never")});
    facts.facts.push_back({"S of training meanwhile", ratio(impact.slowdown_writing)});
  }
  facts.facts.push_back({"S at most, by the traffic class", impact.guaranteed
                                                                ? ratio(*impact.guaranteed)
                                                                : words("no class, no bound")});
  document.add(std::move(facts));
}

}  // namespace

std::string ratio_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.2f}", value) : "∞";
}

double RoutingSummary::effective(double slowed_by) const {
  return *nominal / ((sharing ? sharing->slowdown_mean : 1) * slowed_by);
}

RoutingSummary summary_of(const job::RoutingResult& result) {
  const Routing& routing = result.routing;
  RoutingSummary summary{.cluster = result.cluster,
                         .scheme = routing.scheme,
                         .qps = routing.qps,
                         .distinct_paths = routing.distinct_paths(),
                         .striping = routing.striping,
                         .placement = result.placement,
                         .taken = result.taken,
                         .stage_limit = result.stage_limit,
                         .quantile = routing.quantile,
                         .traffic = result.traffic,
                         .receive_port = result.receive_port_slowdown,
                         .slowdown = result.slowdown.mean,
                         .unlucky = result.slowdown.quantile,
                         .binding = result.binding,
                         .load_stage = result.link_load_stage,
                         .loads = result.link_load,
                         .sharing = result.sharing,
                         .assumptions = result.assumptions};
  if (result.nominal) summary.nominal = result.nominal->in(units::GBps);
  for (const job::RoutedStage& one : result.stages) {
    summary.stages.push_back({one.stage, one.mmr_mean, one.mmr_quantile, one.slowdown_mean});
  }
  for (const RoutedCollective& one : result.collectives) {
    summary.collectives.push_back(
        {one.pattern, one.scope, one.gpus, one.slowdown.mean, one.slowdown.quantile, one.binding});
  }
  for (const auto& [ratio, qps] : result.qps_needed) summary.qps_needed.push_back({ratio, qps});
  return summary;
}

void add_routing(const RoutingSummary& routing, Document& document) {
  add_collectives(routing, document);
  add_stages(routing, document);
  add_loads(routing, document);
  add_qps_needed(routing, document);
  if (routing.sharing) add_sharing(*routing.sharing, document);
}

void add_assumptions(const RoutingSummary& routing, Document& document) {
  document.add(Section{"Assumed"});
  document.add(List{routing.assumptions});
}

}  // namespace planner::commands

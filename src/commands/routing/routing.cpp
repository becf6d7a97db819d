#include "planner/commands/routing/routing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/sharing.hpp"
#include "planner/json/lifted_field.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using R = RoutingRequest;
using P = PlainFlows;

std::vector<OptionOf<P>> plain_options() {
  constexpr const char* kPlain = "Plain numbers, without a cluster file";
  const auto sizes = [](std::string_view text, P& plain) -> std::optional<std::string> {
    plain.flow_sizes.clear();
    for (const std::string& part : split_list(text)) {
      const Parsed<double> size = parse_positive(part, 1e12);
      if (!size.value) return size.error;
      plain.flow_sizes.push_back(*size.value);
    }
    return std::nullopt;
  };
  return {
      integer({"flows", "N", "pairs of ports that send, before QPs", kPlain}, &P::flows, 1,
              kMostFlows),
      integer({"links", "N", "that the flows are spread over", kPlain}, &P::links, 1, kMostFlows),
      positive({.name = "load",
                .value = "RHO",
                .help = "offered over capacity if balanced",
                .group = kPlain,
                .fallback = "1"},
               &P::load, 1e6),
      integer({"downlinks", "N", "ports of a leaf to cards: flows, unless given", kPlain},
              &P::downlinks, 1, kMostFlows),
      integer({"uplinks", "N", "ports of a leaf to spines; with --downlinks the load", kPlain},
              &P::uplinks, 1, kMostFlows),
      integer({.name = "switches",
               .value = "N",
               .help = "groups of links, up and down",
               .group = kPlain,
               .fallback = "1"},
              &P::switches, 1, kMostFlows),
      integer({"upper-links", "N", "of each next switch: a second stage", kPlain}, &P::upper_links,
              1, kMostQps),
      of_member<P>({"flow-sizes", "LIST", "relative sizes of the flows, repeated", kPlain},
                   &P::flow_sizes, sizes),
      integer({.name = "nic-ports",
               .value = "N",
               .help = "bonded ports of a receiving card",
               .group = kPlain,
               .fallback = "1"},
              &P::nic_ports, 1, 1024),
      integer({"receivers", "N", "cards that receive (default: as many as flows)", kPlain},
              &P::receivers, 1, kMostFlows)};
}

std::vector<OptionOf<R>> options() {
  return joined<R>(
      {{integer({"gpus", "N", "GPUs in all (optimize --objective cost: a list)", kWhat}, &R::gpus,
                1, kMostGpus),
        positive(
            {"network-bandwidth", "GB/s", "between HB domains, per GPU and direction", kMachine},
            &R::network_bandwidth_GBps, kMostBandwidthGBps)},
       in(&R::routing, routing_options(RoutingUse::routing)),
       in(&R::plain, plain_options()),
       in(&R::routing, sharing_options())});
}

job::RoutingResult route_cluster(const RoutingRequest& request, const catalog::Catalog& catalog,
                                 SharingSettings& sharing) {
  for (const OptionOf<P>& option : plain_options()) {
    if (!option.given(request.plain)) continue;
    usage_error(fmt::format("--{} follows from the cluster file: leave it out", option.info.name));
  }
  const ClusterNetwork at = cluster_network(request.files.front(), catalog);
  sharing = overlaid(at.cluster.sharing.value_or(SharingSettings{}), sharing);
  const std::int64_t job_gpus = request.gpus.value_or(at.cluster.gpus);
  if (job_gpus > at.cluster.gpus) {
    usage_error(fmt::format("--gpus: the cluster has {}, not {}", at.cluster.gpus, job_gpus));
  }
  const RoutingSettings& flags = request.routing.how;
  const BytesPerSecond ports = at.system.network_bandwidth;
  const bool other = request.network_bandwidth_GBps.has_value();
  job::RoutingResult result =
      route_in_cluster(at, overlaid(at.cluster.routing.value_or(RoutingSettings{}), flags),
                       flags != RoutingSettings{}, job_gpus,
                       other ? *request.network_bandwidth_GBps * units::GBps : ports);
  if (!other && ports < at.cards) result.assumptions.push_back(job::slow_ports(ports, at.cards));
  return result;
}

std::vector<SweepLine> lines(const RoutingAnswer& answer) {
  const RoutingSummary& routing = answer.summary;
  std::vector<SweepFigure> figures{{"S_mean", "slowdown S", present::number(routing.slowdown)},
                                   {"S_q", "S quantile", present::number(routing.unlucky)}};
  if (routing.nominal) {
    // Of a cluster what rings over all GPUs get.
    double slowdown = routing.slowdown;
    for (const RoutingSummary::Collective& one : routing.collectives) {
      if (one.pattern == TrafficPattern::all_rings) slowdown = one.mean;
    }
    figures.push_back(
        {"effective_GBps", "effective (GB/s)", present::number(routing.effective(slowdown))});
  }
  return {{.figures = std::move(figures)}};
}

}  // namespace

RoutingAnswer route_flows(const RoutingRequest& request, Context& context) {
  if (request.files.size() > 1) usage_error("routing takes one cluster file or none");
  SharingSettings sharing = request.routing.sharing;
  job::RoutingResult result = request.files.empty()
                                  ? route_plain(request, context.warnings)
                                  : route_cluster(request, context.catalog, sharing);
  result.sharing = job::share_storage(sharing, result.nominal, context.warnings);
  return {summary_of(result)};
}

const json::FieldTable<RoutingAnswer>& routing_fields() {
  using A = RoutingAnswer;
  static const json::FieldTable<A> kTable = [] {
    static const json::FieldTable<A> kResult = [] {
      json::FieldTable<A> table{
          .type = "routing", .doc = routing_summary_fields().doc, .open = true};
      for (const auto& field : routing_summary_fields().fields) {
        table.fields.push_back(json::lifted<A, RoutingSummary>(
            [](auto& answer) -> auto& { return answer.summary; }, field));
      }
      return table;
    }();
    return json::FieldTable<A>{.type = "answer",
                               .doc = "an answer of routing",
                               .fields = {json::group("result", kResult, "the routing")},
                               .open = true};
  }();
  return kTable;
}

present::Document routing_view(const RoutingAnswer& answer) {
  using namespace present;
  const RoutingSummary& routing = answer.summary;
  const bool adaptive = routing.striping == Striping::adaptive;
  Document document{
      .title = fmt::format("{}{}, {} queue pair{} per pair of ports{}, placement {}",
                           routing.cluster.empty() ? "" : routing.cluster + ": ",
                           name_of(routing.scheme), routing.qps, routing.qps == 1 ? "" : "s",
                           adaptive ? ", adaptive striping" : "", name_of(routing.placement)),
      .kicker = "Routing"};
  std::string effective;
  if (routing.nominal) {
    effective = fmt::format("; {} of {} GB/s{}", significant(routing.effective(routing.slowdown)),
                            significant(*routing.nominal),
                            routing.sharing ? ", less what storage takes" : "");
  }
  document.add(Text{
      .text = fmt::format(
          "{}: slowdown S {} on average, {} at p{:g}{}; {}", routing.traffic,
          ratio_text(routing.slowdown), ratio_text(routing.unlucky), 100 * routing.quantile,
          effective, routing.binding.empty() ? "no link binds" : "what binds: " + routing.binding),
      .indent = 0});
  Facts facts{
      {{"slowdown S, on average", number(routing.slowdown)},
       {fmt::format("slowdown S at p{:g}", 100 * routing.quantile), number(routing.unlucky)}}};
  if (routing.nominal) {
    facts.facts.push_back(
        {"effective bandwidth", number(routing.effective(routing.slowdown), "GB/s")});
    facts.facts.push_back({"nominal bandwidth", number(*routing.nominal, "GB/s")});
  }
  document.detail(std::move(facts));
  if (!routing.taken.empty()) {
    document.add(Text{.text = fmt::format("of the free units the job takes {} GPUs",
                                          fmt::join(routing.taken, ", ")),
                      .indent = 0});
  }
  add_routing(routing, document);
  add_assumptions(routing, document);
  document.add(Charts{[routing] {
    std::vector<Chart> charts;
    add_run_charts({{.routing = &routing}}, charts);
    return charts;
  }});
  return document;
}

Command routing() {
  return erased(CommandOf<R, RoutingAnswer>{
      .name = "routing",
      .summary = "load balance and bandwidth of a cluster or plain numbers",
      .arguments = "FILE",
      .options = options(),
      .positional = &R::files,
      .run = route_flows,
      .fields = routing_fields,
      .view = routing_view,
      .lines = lines});
}

}  // namespace planner::commands

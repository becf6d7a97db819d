#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "planner/report/json_routing.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::string ratio(double value) {
  return std::isfinite(value) ? fmt::format("{:.2f}", value) : "∞";
}

std::string quantile_name(const Routing& routing) {
  return fmt::format("p{:g}", 100 * routing.quantile);
}

void write_stages(const RoutingResult& result, TerminalWriter& out) {
  if (result.stages.empty()) return;
  out.line();
  out.heading("  Links that flows are spread over", result.traffic);
  std::vector<std::vector<std::string>> rows{{"stage", "flows", "links", "load", "groups",
                                              "max/mean", quantile_name(result.routing), "S"}};
  for (const RoutedStage& one : result.stages) {
    const LinkStage& stage = one.stage;
    std::string links = grouped(stage.links);
    if (stage.failed > 0) links += " - " + grouped(stage.failed);
    rows.push_back({stage.name, grouped(stage.flows), links, ratio(stage.rho),
                    grouped(stage.groups), ratio(one.mmr_mean), ratio(one.mmr_quantile),
                    ratio(one.slowdown_mean)});
  }
  out.columns(rows, 2);
  for (const RoutedStage& one : result.stages) {
    if (one.stage.polarization == 1) continue;
    out.paragraph(fmt::format("{}: the same hash as below reaches 1 of {} links (gcd)",
                              one.stage.name, one.stage.polarization),
                  2);
  }
}

void write_collectives(const RoutingResult& result, TerminalWriter& out) {
  if (result.collectives.empty()) return;
  out.line();
  out.heading("  What collectives get", "GB/s per GPU and direction");
  std::vector<std::vector<std::string>> rows{
      {"collective", "scope", "GPUs", "S", quantile_name(result.routing), "GB/s", "binds"}};
  for (const RoutedCollective& one : result.collectives) {
    rows.push_back({std::string{name_of(one.pattern)}, std::string{name_of(one.scope)},
                    grouped(one.gpus), ratio(one.slowdown.mean), ratio(one.slowdown.quantile),
                    significant(effective_GBps(result, one.slowdown.mean)),
                    one.binding.empty() ? "the card" : one.binding});
  }
  out.columns(rows, 2);
}

void write_link_load(const RoutingResult& result, TerminalWriter& out) {
  if (result.link_load.empty()) return;
  constexpr int kBar = 40;
  out.line();
  out.heading("  Load of one link over the mean: " + result.link_load_stage, "share of links");
  double most = 0;
  for (const LoadBin& bin : result.link_load) most = std::max(most, bin.share);
  std::vector<std::vector<std::string>> rows;
  for (const LoadBin& bin : result.link_load) {
    const std::string range = bin.low == bin.high
                                  ? ratio(bin.low)
                                  : fmt::format("{} – {}", ratio(bin.low), ratio(bin.high));
    rows.push_back({range, bar(bin.share / most, kBar), percent(bin.share)});
  }
  out.columns(rows, 2);
}

void write_qps_needed(const RoutingResult& result, TerminalWriter& out) {
  if (result.qps_needed.empty()) return;
  std::string text;
  for (const auto& [most, qps] : result.qps_needed) {
    text += fmt::format("{}{} for max/mean {}", text.empty() ? "" : ", ",
                        qps ? grouped(*qps) : "more than " + grouped(kMostQps), ratio(most));
  }
  out.line();
  out.paragraph("queue pairs it takes, told apart by the hash: " + text, 2);
}

void write_sharing(const SharingImpact& impact, TerminalWriter& out) {
  out.line();
  out.heading("  Storage on the same network");
  std::vector<std::vector<std::string>> rows{
      {"share of the card that storage takes, on average", percent(impact.storage_share)},
      {"S of training over the whole time", ratio(impact.slowdown_mean)}};
  if (impact.writing_share > 0) {
    const bool ever = std::isfinite(impact.write_time.si());
    rows.push_back({"a checkpoint is written in", ever ? duration(impact.write_time) : "never"});
    rows.push_back({"S of training meanwhile", ratio(impact.slowdown_writing)});
  }
  rows.push_back({"S at most, by the traffic class",
                  impact.guaranteed ? ratio(*impact.guaranteed) : "no class, no bound"});
  out.columns(rows, 2);
}

}  // namespace

void write_routing(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<RoutingResult>(response.result);
  const Routing& routing = result.routing;
  const bool adaptive = routing.striping == Striping::adaptive;
  out.line(bold(fmt::format("{}{}, {} queue pair{} per pair of ports{}, placement {}",
                            result.cluster.empty() ? "" : printable(result.cluster) + ": ",
                            name_of(routing.scheme), routing.qps, routing.qps == 1 ? "" : "s",
                            adaptive ? ", adaptive striping" : "", name_of(result.placement)),
                out.style()));
  std::string effective;
  if (result.nominal) {
    effective =
        fmt::format("; {} of {} GB/s{}", significant(effective_GBps(result, result.slowdown.mean)),
                    significant(result.nominal->in(units::GBps)),
                    result.sharing ? ", less what storage takes" : "");
  }
  out.paragraph(
      fmt::format("{}: slowdown S {} on average, {} at {}{}; {}", result.traffic,
                  ratio(result.slowdown.mean), ratio(result.slowdown.quantile),
                  quantile_name(routing), effective,
                  result.binding.empty() ? "no link binds" : "what binds: " + result.binding),
      0);
  if (!result.taken.empty()) {
    out.paragraph(
        fmt::format("of the free units the job takes {} GPUs", fmt::join(result.taken, ", ")), 0);
  }
  write_collectives(result, out);
  write_stages(result, out);
  write_link_load(result, out);
  write_qps_needed(result, out);
  if (result.sharing) write_sharing(*result.sharing, out);
  out.line();
  out.heading("  Assumed");
  for (const std::string& assumption : result.assumptions) out.paragraph(assumption, 2, "- ");
}

}  // namespace planner

#include <fmt/format.h>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::string dollars(Money amount) {
  return "$" + grouped(amount.in_cents() / 100);
}

std::string amount(Money money, bool relative) {
  return relative ? significant(money.dollars()) : dollars(money);
}

void write_switches(const FabricCount& count, TableWriter& out) {
  out.line();
  out.heading("  Switches");
  std::vector<std::vector<std::string>> rows{{"tier", "switches", "ports each", "down : up"}};
  for (const SwitchTier& tier : count.switches) {
    const auto& ratio = tier.oversubscription;
    rows.push_back({tier.name, grouped(tier.switches), grouped(tier.radix),
                    ratio ? fmt::format("{} : {}", ratio->down, ratio->up) : "–"});
  }
  rows.push_back({"total", grouped(count.total_switches())});
  out.columns(rows, 2);
}

void write_links(const FabricCount& count, TableWriter& out) {
  out.line();
  out.heading("  Links");
  std::vector<std::vector<std::string>> rows{{"layer", "links", "Gb/s", "cable"}};
  for (const LinkLayer& layer : count.layers) {
    if (layer.links == 0) continue;
    rows.push_back(
        {layer.name, grouped(layer.links), grouped(layer.gbps), std::string{name_of(layer.cable)}});
  }
  rows.push_back({"total", grouped(count.total_links())});
  out.columns(rows, 2);
  out.line(fmt::format("  {} transceivers (link ends) in {} modules", grouped(count.transceivers),
                       grouped(count.modules)));
}

void write_failures(const FabricCount& count, TableWriter& out) {
  if (count.failures.empty()) return;
  out.line();
  out.heading("  What a failure takes with it");
  std::vector<std::vector<std::string>> rows{{"part", "GPUs cut off", "GPUs slowed", "links lost"}};
  for (const FailureImpact& impact : count.failures) {
    rows.push_back({impact.part, grouped(impact.gpus_cut_off), grouped(impact.gpus_slowed),
                    impact.links_shared > 0 ? fmt::format("{} of {}", grouped(impact.links_lost),
                                                          grouped(impact.links_shared))
                                            : "–"});
  }
  out.columns(rows, 2);
}

void write_cost(const NetworkCost& cost, TableWriter& out) {
  const bool relative = cost.bill.currency == Currency::relative;
  out.line();
  out.heading(
      fmt::format("  Cost, {}{}", printable(cost.book.title), relative ? " (relative units)" : ""));
  std::vector<std::vector<std::string>> rows{{"item", "quantity", "each", "total"}};
  for (const BillLine& line : cost.bill.lines) {
    const std::string missing = line.included_in.empty() ? "no price" : "included";
    rows.push_back({printable(line.part.title), grouped(line.quantity),
                    line.unit_price ? amount(line.unit_price->expected, relative) : "",
                    line.total ? amount(line.total->expected, relative) : missing});
  }
  rows.push_back({cost.total.at_least()
                      ? fmt::format("at least, {} lines unpriced", cost.total.missing)
                      : "total",
                  "", "", amount(cost.total.amount.expected, relative)});
  out.columns(rows, 2);
  if (cost.total.amount.exact()) return;
  out.paragraph(
      fmt::format("the prices known span {} to {}", amount(cost.total.amount.low, relative),
                  amount(cost.total.amount.high, relative)),
      2);
}

}  // namespace

void write_network(const Response& response, TableWriter& out) {
  const auto& result = std::get<NetworkResult>(response.result);
  const FabricCount& count = result.count;
  out.line(bold(
      fmt::format("{} for {} endpoints at {} Gb/s, switches of {} ports", name_of(count.topology),
                  grouped(count.endpoints), grouped(result.design.port_gbps), grouped(count.radix)),
      out.style()));
  out.paragraph(
      fmt::format("{} tier{}, {} plane{}, {} rail{}; oversubscription {} : {}; at most {} hops; "
                  "holds up to {} endpoints",
                  count.tiers, count.tiers == 1 ? "" : "s", count.planes,
                  count.planes == 1 ? "" : "s", count.rails, count.rails == 1 ? "" : "s",
                  count.oversubscription.down, count.oversubscription.up, count.max_hops,
                  grouped(count.max_endpoints)),
      0);
  if (count.bisection_gbps.value_or(0) > 0) {
    out.line(fmt::format("bisection {} Tb/s",
                         significant(static_cast<double>(*count.bisection_gbps) / 1000)));
  }
  write_switches(count, out);
  write_links(count, out);
  write_failures(count, out);
  if (result.cost) write_cost(*result.cost, out);
}

}  // namespace planner

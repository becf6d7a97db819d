#include <fmt/format.h>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::string dollars(Money amount) {
  return "$" + grouped(amount.in_cents() / 100);
}

/// "$1.0 M to $1.4 M"-like only where the price is a range.
std::string amount(const Estimate<Money>& money) {
  if (money.exact()) return dollars(money.expected);
  return fmt::format("{} ({} to {})", dollars(money.expected), dollars(money.low),
                     dollars(money.high));
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
    rows.push_back({layer.name, grouped(layer.links), grouped(layer.gbps),
                    std::string{to_string(layer.cable)}});
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
                    line.unit_price ? amount(*line.unit_price) : "",
                    line.total ? amount(*line.total) : missing});
  }
  rows.push_back({cost.total.at_least()
                      ? fmt::format("at least, {} lines unpriced", cost.total.missing)
                      : "total",
                  "", "", amount(cost.total.amount)});
  out.columns(rows, 2);
}

}  // namespace

void write_network(const Response& response, TableWriter& out) {
  const auto& result = std::get<NetworkResult>(response.result);
  const FabricCount& count = result.count;
  out.line(bold(
      fmt::format("{} for {} endpoints at {} Gb/s, switches of {} ports", to_string(count.topology),
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
  if (count.bisection_gbps) {
    out.line(fmt::format("bisection {} Tb/s",
                         significant(static_cast<double>(*count.bisection_gbps) / 1000)));
  }
  write_switches(count, out);
  write_links(count, out);
  write_failures(count, out);
  if (result.cost) write_cost(*result.cost, out);
}

}  // namespace planner

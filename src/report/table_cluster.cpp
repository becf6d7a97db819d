#include <fmt/format.h>

#include <algorithm>

#include "planner/api/verdict.hpp"
#include "planner/report/lost_causes.hpp"
#include "planner/report/table_forecast.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

using Row = std::vector<std::string>;

constexpr const char* kNone = "–";

std::string money(Money amount, Currency currency) {
  const double value = amount.dollars();
  if (currency == Currency::relative) return significant(value);
  return value < 1e6 ? "$" + grouped(amount.in_cents() / 100) : "$" + with_prefix(value);
}

std::string money(const Estimate<Money>& amount, Currency currency) {
  return amount.exact() ? money(amount.expected, currency)
                        : fmt::format("{} ({}–{})", money(amount.expected, currency),
                                      money(amount.low, currency), money(amount.high, currency));
}

/// "at least $1.2 M" while lines have no price; nothing known at all is said so.
std::string total(const Total& sum, Currency currency) {
  if (!sum.at_least()) return money(sum.amount, currency);
  if (sum.amount.high == Money{}) return "unknown";
  return "at least " + money(sum.amount, currency);
}

std::string at_least(bool lower_bound, const std::string& text) {
  return lower_bound ? "at least " + text : text;
}

void write_bill(const ClusterReport& report, TerminalWriter& out) {
  out.line();
  out.heading("  Bill of materials", printable(report.price_book));
  std::vector<Row> rows{{"item", "quantity", "each", "total"}};
  for (const BillLine& line : report.bill.lines) {
    const Currency currency = report.bill.currency;
    const std::string missing =
        line.included_in.empty() ? "no price" : "in " + printable(line.included_in);
    rows.push_back({printable(line.part.title), grouped(line.quantity),
                    line.unit_price ? money(line.unit_price->expected, currency) : "",
                    line.total ? money(line.total->expected, currency) : missing});
  }
  out.columns(rows, 2);
}

void add_ownership(const CostBreakdown& cost, std::vector<Row>& rows) {
  const bool bound = cost.at_least();
  if (cost.ownership) {
    rows.push_back({fmt::format("total cost over {:g} years", cost.ownership->horizon_years),
                    at_least(bound, money(cost.ownership->total, cost.currency))});
  }
  if (cost.per_gpu_hour) {
    rows.push_back(
        {"per GPU-hour", at_least(bound, "$" + significant(cost.per_gpu_hour->expected.si()))});
  }
  if (cost.break_even) {
    const std::optional<Seconds>& after = cost.break_even->after.expected;
    rows.push_back({"cheaper than renting after",
                    after ? at_least(bound, duration(*after)) : "never: running it costs more"});
  }
}

void write_money(const ClusterReport& report, TerminalWriter& out) {
  const CostBreakdown& cost = report.cost;
  out.line();
  out.heading("  Cost", cost.currency == Currency::relative ? "relative units" : "US dollars");
  std::vector<Row> rows;
  for (const CategoryCost& sum : cost.categories) {
    if (sum.total == Total{}) continue;  // inside another category's price
    rows.push_back({std::string{name_of(sum.category)}, total(sum.total, cost.currency)});
  }
  rows.push_back({"capex", total(cost.capex, cost.currency)});
  for (const OpexLine& line : cost.opex) {
    rows.push_back({fmt::format("{} per year", name_of(line.item)),
                    line.per_year ? at_least(line.at_least, money(*line.per_year, cost.currency))
                                  : "unknown"});
  }
  add_ownership(cost, rows);
  out.columns(rows, 2);
  std::string left_out;
  for (const OpexItem item : cost.left_out) {
    left_out += fmt::format("{}{}", left_out.empty() ? "" : ", ", name_of(item));
  }
  if (!left_out.empty()) out.paragraph("in no total, for nobody gave it: " + left_out, 2);
}

void write_power(const ClusterReport& report, TerminalWriter& out) {
  const PowerDraw& power = report.cost.power;
  const bool bound = power.lines_without_power > 0;
  std::string text = at_least(bound, fmt::format("{} MW IT", significant(power.it.si() / 1e6)));
  if (power.facility) {
    text += ", " + at_least(bound, fmt::format("{} MW with cooling",
                                               significant(power.facility->expected.si() / 1e6)));
  }
  if (bound)
    text += fmt::format(" ({} line{} of unknown power)", power.lines_without_power,
                        power.lines_without_power == 1 ? "" : "s");
  out.line();
  out.heading("  Power");
  out.paragraph(text, 2);
}

void write_training(const ClusterReport& report, TerminalWriter& out) {
  if (!report.training) return;
  const ClusterTraining& training = *report.training;
  const Plan& plan = training.plan;
  out.line();
  out.heading("  Training " + printable(training.workload.model.title),
              report.forecast && report.forecast->routing ? "as routed, without failures"
                                                          : "ideal, without failures");
  const std::string interval =
      plan.interval ? " (" + interval_text(plan.interval->low, plan.interval->high) + ")" : "";
  out.paragraph(
      fmt::format("{} per iteration{}, MFU {}; best of {} strategies: tp {} · pp {} · dp {}",
                  duration(plan.time.total()), interval, percent(plan.mfu),
                  grouped(training.strategies), plan.strategy.tp.total(), plan.strategy.pp.total(),
                  plan.strategy.dp.total()),
      2);
  if (!training.totals) return;
  std::string text = fmt::format("{} tokens: {}", with_prefix(*training.workload.run.tokens),
                                 duration(training.totals->time));
  const std::optional<RunCost>& run = report.cost.run;
  const bool bound = report.cost.at_least();
  if (run && run->cost) {
    text += ", " + at_least(bound, money(run->cost->expected, Currency::usd)) + " per run";
  }
  if (run && run->per_million_tokens) {
    text += ", " + at_least(bound, "$" + significant(run->per_million_tokens->expected.si())) +
            " per million tokens";
  }
  out.paragraph(text, 2);
}

void write_heading(const ClusterReport& report, TerminalWriter& out) {
  out.line(bold(printable(report.cluster.title), out.style()));
  out.paragraph(
      fmt::format("{} GPUs ({}), {}: {} switches, {} links", grouped(report.cluster.gpus),
                  printable(report.system.accelerator.title), name_of(report.fabric.topology),
                  grouped(report.fabric.total_switches()), grouped(report.fabric.total_links())),
      0);
}

/// One row of the comparison, marked where the clusters differ; none without any figure.
void add_row(std::vector<Row>& rows, const std::string& name,
             const std::vector<ClusterReport>& clusters, auto&& cell) {
  Row row{name};
  for (const ClusterReport& cluster : clusters) row.push_back(cell(cluster));
  if (std::all_of(row.begin() + 1, row.end(), [](const auto& text) { return text == kNone; })) {
    return;
  }
  const bool same = std::all_of(row.begin() + 1, row.end(),
                                [&](const std::string& text) { return text == row[1]; });
  row.push_back(same ? "" : "≠");
  rows.push_back(std::move(row));
}

/// A lower bound in few characters.
std::string short_bound(bool lower_bound, const std::string& text) {
  return lower_bound ? "≥ " + text : text;
}

std::string short_total(const Total& sum, Money amount, Currency currency) {
  if (sum.at_least() && sum.amount.high == Money{}) return "unknown";
  return short_bound(sum.at_least(), money(amount, currency));
}

std::string training_cell(const ClusterReport& c, auto&& text) {
  return c.training ? text(*c.training) : std::string{kNone};
}

void add_parts(const std::vector<ClusterReport>& clusters, std::vector<Row>& rows) {
  using C = const ClusterReport&;
  add_row(rows, "GPUs", clusters, [](C c) { return grouped(c.cluster.gpus); });
  add_row(rows, "switches", clusters, [](C c) { return grouped(c.fabric.total_switches()); });
  add_row(rows, "links", clusters, [](C c) { return grouped(c.fabric.total_links()); });
  add_row(rows, "transceivers", clusters, [](C c) { return grouped(c.fabric.transceivers); });
}

void add_money(const std::vector<ClusterReport>& clusters, std::vector<Row>& rows) {
  using C = const ClusterReport&;
  add_row(rows, "network cost", clusters, [](C c) {
    const Total sum = network_cost(c);
    return short_total(sum, sum.amount.expected, c.cost.currency);
  });
  const bool ranges = std::any_of(clusters.begin(), clusters.end(),
                                  [](C c) { return !c.cost.capex.amount.exact(); });
  const auto capex = [&](const char* name, auto bound) {
    add_row(rows, name, clusters, [&](C c) {
      return short_total(c.cost.capex, c.cost.capex.amount.*bound, c.cost.currency);
    });
  };
  if (ranges) capex("capex, low", &Estimate<Money>::low);
  capex("capex", &Estimate<Money>::expected);
  if (ranges) capex("capex, high", &Estimate<Money>::high);
  add_row(rows, "opex per year", clusters, [](C c) -> std::string {
    if (c.cost.opex.empty()) return kNone;
    return short_total(c.cost.opex_per_year, c.cost.opex_per_year.amount.expected, Currency::usd);
  });
  add_row(rows, "total cost", clusters, [](C c) -> std::string {
    if (!c.cost.ownership) return kNone;
    return short_bound(c.cost.at_least(), money(c.cost.ownership->total.expected, Currency::usd));
  });
}

void add_training(const std::vector<ClusterReport>& clusters, std::vector<Row>& rows) {
  using C = const ClusterReport&;
  add_row(rows, "power, IT", clusters, [](C c) {
    return short_bound(c.cost.power.lines_without_power > 0,
                       significant(c.cost.power.it.si() / 1e6) + " MW");
  });
  add_row(rows, "iteration", clusters, [](C c) {
    return training_cell(c, [](const auto& t) { return duration(t.plan.time.total()); });
  });
  add_row(rows, fmt::format("in {:.0f} % of cases", 100 * kIntervalShare), clusters, [](C c) {
    return training_cell(c, [](const auto& t) {
      const std::optional<TimeInterval>& interval = t.plan.interval;
      return interval ? range(interval->low, interval->high) : std::string{kNone};
    });
  });
  add_row(rows, "training", clusters, [](C c) {
    return training_cell(
        c, [](const auto& t) { return t.totals ? duration(t.totals->time) : std::string{kNone}; });
  });
  add_row(rows, "cost per run", clusters, [](C c) -> std::string {
    if (!c.cost.run || !c.cost.run->cost) return kNone;
    return short_bound(c.cost.at_least(), money(c.cost.run->cost->expected, Currency::usd));
  });
}

std::string run_cell(const ClusterReport& c, auto&& text) {
  return c.forecast && c.forecast->run ? text(*c.forecast->run) : std::string{kNone};
}

/// What is to be expected, where a cluster has routing or failures.
void add_expected(const std::vector<ClusterReport>& clusters, std::vector<Row>& rows) {
  using C = const ClusterReport&;
  const auto days = [](Seconds time) { return significant(time.in(units::day)) + " d"; };
  const auto cost = [&](const char* name, auto member) {
    add_row(rows, name, clusters, [&](C c) -> std::string {
      if (!c.forecast || !c.forecast->cost) return kNone;
      const double usd = ((*c.forecast->cost).*member).expected.in(units::usd);
      return short_bound(c.forecast->cost->at_least, "$" + with_prefix(usd));
    });
  };
  add_row(rows, "run, ideal", clusters, [&](C c) {
    return run_cell(c, [&](const ExpectedRun& run) { return days(run.ideal); });
  });
  add_row(rows, "run, expected", clusters,
          [&](C c) { return run_cell(c, [&](const ExpectedRun& run) { return days(run.mean); }); });
  add_row(rows, "run, 95 of 100", clusters,
          [&](C c) { return run_cell(c, [&](const ExpectedRun& run) { return days(run.p95); }); });
  cost("cost, ideal", &ExpectedCost::ideal);
  cost("cost, expected", &ExpectedCost::mean);
  cost("cost, 95 of 100", &ExpectedCost::p95);
  add_row(rows, "availability", clusters, [](C c) -> std::string {
    if (!c.forecast || !c.forecast->reliability) return kNone;
    return percent(c.forecast->reliability->goodput.availability);
  });
  for (const LostCause& cause : kLostCauses) {
    const auto lost = [&](C c) -> Seconds {
      if (!c.forecast || !c.forecast->run) return {};
      for (const LostTime& one : c.forecast->run->lost) {
        if (one.cause == cause.key) return one.time;
      }
      return {};
    };
    const bool any =
        std::any_of(clusters.begin(), clusters.end(), [&](C c) { return lost(c) > Seconds{}; });
    if (!any) continue;
    add_row(rows, fmt::format("lost: {}", cause.words), clusters, [&](C c) {
      return run_cell(c, [&](const ExpectedRun& run) { return percent(lost(c) / run.mean); });
    });
  }
}

}  // namespace

void write_cost(const Response& response, TerminalWriter& out) {
  const auto& report = std::get<ClusterReport>(response.result);
  write_heading(report, out);
  write_bill(report, out);
  write_money(report, out);
  write_power(report, out);
  write_training(report, out);
  write_forecast(report.forecast, out);
}

void write_compare(const Response& response, TerminalWriter& out) {
  const auto& [clusters, verdict] = std::get<CompareResult>(response.result);
  out.paragraph(printable(verdict.sentence), 0);
  out.line();
  // Numbers stand for the clusters, whose titles would not fit above their columns.
  std::vector<Row> rows{{""}};
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const ClusterReport& c = clusters[i];
    rows.front().push_back(fmt::format("[{}]", i + 1));
    out.paragraph(fmt::format("{}: {}", printable(c.cluster.title), name_of(c.fabric.topology)), 2,
                  rows.front().back() + " ");
  }
  out.line();
  add_parts(clusters, rows);
  add_money(clusters, rows);
  add_training(clusters, rows);
  add_expected(clusters, rows);
  out.columns(rows, 2);
  if (verdict.turns.empty()) return;
  out.line();
  out.heading("  What would change it");
  for (const std::string& turn : verdict.turns) out.paragraph(printable(turn), 2, "· ");
}

}  // namespace planner

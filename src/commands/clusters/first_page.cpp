#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/clusters/comparison.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/finance_fields.hpp"
#include "planner/commands/parts/outlook.hpp"
#include "planner/cost/unpriced.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/evidence.hpp"
#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"

// What somebody signs, on one page: what is bought, what that costs and how sure it is, how long
// the run takes, what moves it most, and what to know before believing any of it.
namespace planner::commands {

namespace {

using namespace present;
using job::Likely;

const std::string kRunCost = "cost of the run";

/// A figure and how sure it is; empty cells where that is not asked.
struct Row {
  std::string name;
  Cell expected{}, range{}, median{}, confident{}, p95{};
};

Cell value_cell(Seconds time) {
  return said_in_days(time);
}
Cell value_cell(Usd amount) {
  return usd(Estimate<Usd>::exactly(amount));
}

/// @param key  of the row of the calculation that it is the figure of
template <class Q>
Row likely_row(std::string name, const std::string& key, const Likely<Q>& likely, bool bound) {
  const auto cell = [bound](Q value) { return at_least(bound, value_cell(value)); };
  Row row{.name = std::move(name), .expected = cell(likely.range.expected)};
  row.expected.follows = key;
  if (likely.range.exact()) return row;
  row.range = at_least(bound, range_cell(likely.range));
  if (likely.median) row.median = cell(*likely.median);
  row.confident = cell(likely.at_confidence);
  row.p95 = cell(likely.p95);
  return row;
}

std::string run_name(const ClusterSummary& cluster) {
  const ClusterSummary::Run& run = cluster.training->run;
  const std::string tokens =
      run.tokens ? fmt::format(", {} tokens", with_prefix(*run.tokens)) : std::string{};
  return run.model_title + tokens;
}

/// Days and dollars of a run, expected as far as failures and routing are known.
/// @param calculation  title of the cluster's
std::vector<Row> rows_of(const ClusterSummary& cluster, const std::string& calculation) {
  std::vector<Row> rows;
  const auto key = [&](const char* of) { return calculation + "/" + of; };
  const bool bound = cluster.at_least();
  const job::Outlook none_known;
  const job::Outlook& outlook = cluster.outlook ? *cluster.outlook : none_known;
  if (cluster.capex.known() && cluster.buys()) {
    if (outlook.capex && cluster.currency == Currency::usd) {
      rows.push_back(
          likely_row("purchase", key("capex"), *outlook.capex, cluster.capex.at_least()));
    } else {
      rows.push_back({.name = "purchase", .expected = total_cell(cluster.capex, cluster.currency)});
    }
  }
  if (outlook.tco) {
    rows.push_back(likely_row(total_cost_words(cluster), key("tco"), *outlook.tco, bound));
  }
  if (outlook.present) {
    rows.push_back(
        likely_row(net_present_cost_words(cluster), key("npv"), *outlook.present, bound));
  }
  if (outlook.gpu_hour)
    rows.push_back(
        likely_row("a GPU-hour, of the GPUs asked for" + financed_words(cluster.financed),
                   key("gpu_hour"), *outlook.gpu_hour, bound));
  if (outlook.days) {
    const bool unknown = cluster.expected && stall_unknown(*cluster.expected);
    rows.push_back(likely_row("the run", key("days"), *outlook.days, unknown));
  }
  if (outlook.cost)
    rows.push_back(likely_row(kRunCost + financed_words(cluster.financed), key("run_cost"),
                              *outlook.cost, bound));
  if (!cluster.buys()) return rows;
  const auto megawatts = [&](Watts watts) {
    return at_least(cluster.power_at_least(), number(watts.in(1e6 * units::W), "MW"));
  };
  const auto add_power = [&](const char* name, const char* of, Watts watts) {
    rows.push_back({.name = name, .expected = megawatts(watts)});
    rows.back().expected.follows = key(of);
  };
  add_power("power, IT", "it_mw", cluster.power.it);
  if (cluster.power.facility) {
    add_power("power, with cooling", "facility_mw", cluster.power.facility->expected);
  }
  return rows;
}

/// "2,048 × NVIDIA DGX H100".
std::string nodes_of(const ClusterSummary& cluster) {
  std::vector<std::string> nodes;
  for (const BillLine& line : cluster.bill.lines) {
    if (line.part.category != PartCategory::compute) continue;
    nodes.push_back(fmt::format("{} × {}", grouped(line.quantity), line.part.title));
  }
  return fmt::format("{}", fmt::join(nodes, ", "));
}

/// What of the purchase most of the money is for: "compute, 84 % of it".
std::string largest_of(const ClusterSummary& cluster) {
  const auto largest = std::max_element(cluster.categories.begin(), cluster.categories.end(),
                                        [](const CategoryCost& a, const CategoryCost& b) {
                                          return a.total.amount.expected < b.total.amount.expected;
                                        });
  const double all = cluster.capex.amount.expected.dollars();
  if (largest == cluster.categories.end() || all <= 0) return {};
  return fmt::format(", {:.0f} % of it {}", 100 * largest->total.amount.expected.dollars() / all,
                     name_of(largest->category));
}

std::string bought_words(const ClusterSummary& cluster) {
  if (cluster.rent) {
    return fmt::format("Rented are {} GPUs ({}), {}, at {} each an hour, with all around them.",
                       grouped(cluster.gpus), cluster.system.accelerator.title,
                       term_words(cluster.rent->term),
                       value_cell(cluster.rent->rent.expected * units::hour).text);
  }
  return fmt::format("Bought are {}, {}, on a network of {} switches ({}).", nodes_of(cluster),
                     gpus_words(cluster), grouped(cluster.fabric.total_switches()),
                     name_of(cluster.fabric.topology));
}

/// Led by what is most of the money: owning it, of that the purchase, of that its largest part.
std::string money_sentence(const ClusterSummary& cluster) {
  if (!cluster.capex.known())
    return "There is no total: not priced are " + not_priced(cluster.bill) + ".";
  // How sure that is the table below says, each range with what it holds.
  const auto expected_total = [&](const Total& total, Currency currency) {
    return at_least(total.at_least(), money(total.amount.expected, currency)).text;
  };
  const std::string purchase = fmt::format(
      "the purchase is {}{}", expected_total(cluster.capex, cluster.currency), largest_of(cluster));
  if (cluster.rent && cluster.tco) {
    return fmt::format(
        "Renting it for {:g} years costs {}, all prices as expected: {} a year{}.",
        *cluster.tco_years, at_least(cluster.at_least(), money(cluster.tco->expected)).text,
        at_least(cluster.opex_per_year.at_least(), money(cluster.opex_per_year.amount.expected))
            .text,
        cluster.buys() ? fmt::format(", and what is bought besides {}",
                                     expected_total(cluster.capex, cluster.currency))
                       : "");
  }
  if (!cluster.tco) return fmt::format("What it costs to buy: {}.", purchase);
  const bool sold = cluster.residual && cluster.residual->expected > Money{};
  return fmt::format(
      "Owning it for {:g} years costs {}, all prices as expected: {}, running it {} a year{}.",
      *cluster.tco_years, at_least(cluster.at_least(), money(cluster.tco->expected)).text, purchase,
      at_least(cluster.opex_per_year.at_least(), money(cluster.opex_per_year.amount.expected)).text,
      sold ? fmt::format(", and {} come back for the parts", money(cluster.residual->expected).text)
           : "");
}

std::string run_sentence(const ClusterSummary& cluster) {
  if (!cluster.training || !cluster.outlook || !cluster.outlook->days) return {};
  const Likely<Seconds>& days = *cluster.outlook->days;
  std::string words = fmt::format("{} takes {}", run_name(cluster),
                                  said_in_days(days.median.value_or(days.range.expected)).text);
  // What nobody gave lies beyond any share of the cases.
  const auto within = [](bool bound, const std::string& p95) {
    return fmt::format(" in half of all cases and{} no more than {} in 95 of 100",
                       bound ? ", by what is known of it," : "", p95);
  };
  if (!days.range.exact()) {
    words +=
        within(cluster.expected && stall_unknown(*cluster.expected), said_in_days(days.p95).text);
  }
  if (cluster.outlook->cost) {
    const Likely<Usd>& cost = *cluster.outlook->cost;
    words += fmt::format(
        "; it costs{} {}", cluster.financed ? financed_words(cluster.financed) + "," : "",
        at_least(cluster.at_least(), value_cell(cost.median.value_or(cost.range.expected))).text);
    if (!cost.range.exact()) words += within(cluster.at_least(), value_cell(cost.p95).text);
  }
  if (!cluster.expected) words += ", failures not counted";
  return words + ".";
}

/// How much of the purchase rests on prices that nobody checked or published.
std::string weak_prices(const ClusterSummary& cluster) {
  double weak = 0, all = 0;
  for (const BillLine& line : cluster.bill.lines) {
    if (!line.total) continue;
    const double amount = line.total->expected.dollars();
    all += amount;
    if (!line.origin.verified) weak += amount;
  }
  if (all <= 0 || weak <= 0) return {};
  return fmt::format(
      "{:.0f} % of what is priced has prices that were derived or not read at their "
      "source: the bill marks them",
      100 * weak / all);
}

std::vector<std::string> to_know(const Clusters& clusters) {
  std::vector<std::string> items;
  const std::vector<std::string> names = short_names(clusters);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const ClusterSummary& cluster = clusters[i];
    const auto add = [&](const std::string& text) {
      if (text.empty()) return;
      std::string item = clusters.size() > 1 ? names[i] + ": " + text : text;
      if (std::find(items.begin(), items.end(), item) == items.end()) {
        items.push_back(std::move(item));
      }
    };
    if (const std::string lines = not_priced(cluster.bill); !lines.empty()) {
      add(fmt::format(
          "not priced: {}; {}; {}", lines,
          cluster.capex.known() ? "every total is a lower bound" : "so there is no total",
          priced_by(cluster)));
    }
    if (cluster.training && unmeasured(cluster.training->plan.evidence)) {
      add(job::unmeasured_mark(*cluster.training->plan.evidence) + ": " +
          job::unmeasured_words(*cluster.training->plan.evidence));
    }
    if (clusters.size() == 1) {  // of several this stands beside the verdict
      add(left_out_words(cluster.left_out));
      add(capital_words(cluster));
    }
    if (cluster.training && !cluster.expected) {
      add("no failures are counted: --rates, or \"rates\" in the cluster file");
    }
    add(terms_words(cluster));
    if (cluster.buys()) add("price book: " + dated_prices(cluster));
    add(weak_prices(cluster));
  }
  return items;
}

/// Of one cluster: figures down, how sure they are across.
Table sure_table(const ClusterSummary& cluster, const std::string& calculation) {
  const double confidence = cluster.outlook ? cluster.outlook->confidence : job::kUsualConfidence;
  Table table{.header = {present::kFigureColumn, "all as expected", "80 of 100 lie in",
                         "50 of 100 within", of_hundred(confidence) + " within"}};
  table.repeats = true;
  const bool p95 = confidence != 0.95;
  if (p95) table.header.emplace_back("95 of 100 within");
  for (Row& row : rows_of(cluster, calculation)) {
    const bool bound = row.expected.at_least;  // which the name says of all
    std::vector<Cell> cells{words(row.name + (bound ? ", at least" : "")), row.expected, row.range,
                            row.median, row.confident};
    if (p95) cells.push_back(row.p95);
    for (Cell& cell : cells) {
      if (!cell.known()) cell = none();
      cell.text = unbounded_text(cell);
      cell.at_least = false;
    }
    table.add(std::move(cells));
  }
  return table;
}

/// Of several: the same figures, a column each.
Table glance_table(const Clusters& clusters) {
  Table table{.header = {present::kFigureColumn}, .compares = true, .repeats = true};
  for (std::string& name : short_names(clusters)) table.header.push_back(std::move(name));
  const double confidence =
      clusters.front().outlook ? clusters.front().outlook->confidence : job::kUsualConfidence;
  const bool alike = all_train_the_same(clusters) && all_run_as_long(clusters);
  std::vector<std::vector<Row>> all;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (const Row& row : all.emplace_back(rows_of(clusters[i], what_if_title(clusters, i)))) {
      if (std::find(names.begin(), names.end(), row.name) == names.end()) {
        names.push_back(row.name);
      }
    }
  }
  const auto add = [&](const std::string& name, const std::string& of, Cell Row::*cell) {
    const bool of_run = of == "the run" || of.starts_with(kRunCost);
    Table::Row line{.cells = {words(name)},
                    .better = of_run && !alike ? Better::neither : Better::lower};
    bool any = false;
    for (const std::vector<Row>& rows : all) {
      const auto found =
          std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == of; });
      const bool known = found != rows.end() && ((*found).*cell).known();
      line.cells.push_back(known ? (*found).*cell : none());
      any = any || known;
    }
    if (any) table.rows.push_back(std::move(line));
  };
  for (const std::string& name : names) {
    add(name, name, &Row::expected);
    add(name + ", 50 of 100 within", name, &Row::median);
    add(fmt::format("{}, {} within", name, of_hundred(confidence)), name, &Row::confident);
    if (confidence != 0.95) add(name + ", 95 of 100 within", name, &Row::p95);
  }
  return table;
}

/// What a cluster's totals leave out, and which ones: yearly costs are in none of the purchase.
std::string lower_bounds_words(const ClusterSummary& cluster) {
  const std::string lines = not_priced(cluster.bill);
  std::vector<std::string_view> items;
  for (const OpexItem item : cluster.left_out) items.push_back(name_of(item));
  const std::string given =
      items.empty() ? std::string{} : fmt::format("nobody gave {}", fmt::join(items, ", "));
  if (!lines.empty()) {
    return fmt::format("All totals here are lower bounds: not priced are {}{}.", lines,
                       given.empty() ? "" : "; " + given);
  }
  if (given.empty()) return {};
  return "Totals over the years, and what follows from them, are lower bounds: " + given + ".";
}

/// What decides each cluster's dollars.
std::vector<Chart> what_moves(const Clusters& clusters) {
  const std::vector<std::string> names = short_names(clusters);
  std::vector<Chart> charts;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!clusters[i].outlook) continue;
    if (auto chart = decides_chart(*clusters[i].outlook, clusters.size() > 1 ? names[i] : "")) {
      charts.push_back(*std::move(chart));
    }
  }
  return charts;
}

}  // namespace

std::string what_if_title(const Clusters& clusters, std::size_t which) {
  return clusters.size() == 1 ? "What if" : "What if: " + short_names(clusters)[which];
}

void add_what_if(const ClusterSummary& cluster, const std::string& title, Calculation calculation,
                 Document& document) {
  document.detail(Section{title, "change a figure, and what follows from it changes"});
  if (const std::string bounds = lower_bounds_words(cluster); !bounds.empty()) {
    document.detail(Text{.text = bounds});
  }
  if (cluster.power_at_least()) {
    document.detail(Text{.text = "Power is a lower bound: that of some parts is not known."});
  }
  document.detail(std::move(calculation));
}

std::string dated_prices(const ClusterSummary& cluster) {
  std::string first, last;
  for (const BillLine& line : cluster.bill.lines) {
    const std::string& date = line.origin.as_of;
    if (!line.unit_price || date.empty()) continue;
    if (first.empty() || date < first) first = date;
    last = std::max(last, date);
  }
  if (last.empty()) return cluster.price_book;
  return fmt::format("{}: {}{}", cluster.price_book, first == last ? "" : first + " to ", last);
}

void add_first_page(const Clusters& clusters, Document& document) {
  document.detail(Section{"At a glance"});
  if (clusters.size() == 1) {
    const ClusterSummary& cluster = clusters.front();
    for (const std::string& sentence :
         {money_sentence(cluster), run_sentence(cluster), bought_words(cluster)}) {
      if (!sentence.empty()) document.detail(Text{.text = sentence});
    }
    document.detail(sure_table(cluster, what_if_title(clusters, 0)));
  } else {
    document.detail(glance_table(clusters));
  }
  document.detail(List{to_know(clusters)});
  document.first_page = document.blocks.size();
  document.detail(
      Charts{.draw = [clusters] { return what_moves(clusters); }, .title = "What moves it most"});
}

}  // namespace planner::commands

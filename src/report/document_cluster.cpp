#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "planner/report/document.hpp"
#include "planner/report/lost_causes.hpp"
#include "planner/report/markdown.hpp"

// `cost` and `compare`.
namespace planner {

namespace {

/// Adds a row unless no cluster has a value for it.
void add_fact(std::vector<Fact>& facts, const std::vector<Json>& clusters, std::string name,
              std::string unit, auto&& value) {
  Fact fact{.name = std::move(name), .unit = std::move(unit), .values = {}};
  for (const Json& cluster : clusters) fact.values.push_back(value(cluster));
  const bool known = std::any_of(fact.values.begin(), fact.values.end(),
                                 [](const Json& found) { return !found.is_null(); });
  if (known) facts.push_back(std::move(fact));
}

Json scaled(const Json& json, std::initializer_list<std::string_view> path, double divisor) {
  const std::optional<double> value = number(json, path);
  return value ? Json(*value / divisor) : Json(nullptr);
}

/// The categories that any of the clusters has, in the order of the bill.
std::vector<std::string> categories_of(const std::vector<Json>& clusters) {
  std::vector<std::string> names;
  for (const Json& cluster : clusters) {
    const Json& categories = at(cluster, {"capex_by_category"});
    if (!categories.is_object()) continue;
    for (const auto& [name, sum] : categories.items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string shared_currency(const std::vector<Json>& clusters) {
  const std::string first = currency_of(clusters.front());
  const bool same = std::all_of(clusters.begin(), clusters.end(),
                                [&](const Json& c) { return currency_of(c) == first; });
  return same ? first : "USD or relative";
}

void add_money(std::vector<Fact>& facts, const std::vector<Json>& clusters) {
  const std::string unit = shared_currency(clusters);
  for (const std::string& category : categories_of(clusters)) {
    add_fact(facts, clusters, "capex, " + category, unit, [&](const Json& c) -> Json {
      const Json& sum = at(c, {"capex_by_category", category});
      const std::optional<double> amount = number(sum, {"amount", "expected"});
      if (!amount || (*amount == 0 && number(sum, {"unpriced_lines"}).value_or(0) > 0)) return {};
      return *amount;
    });
  }
  add_fact(facts, clusters, "network cost", unit, [](const Json& c) -> Json {
    const Sum sum = network_cost(c);
    return sum.amount ? Json(*sum.amount) : Json(nullptr);
  });
  add_fact(facts, clusters, "capex", unit, [](const Json& c) -> Json {
    const Sum sum = capital_cost(c);
    return sum.amount ? Json(*sum.amount) : Json(nullptr);
  });
  for (const char* bound : {"low", "high"}) {
    add_fact(facts, clusters, fmt::format("capex, {}", bound), unit, [&](const Json& c) -> Json {
      return capital_cost(c).amount ? at(money_at(c, "capex_range"), {bound}) : Json(nullptr);
    });
  }
  add_fact(facts, clusters, "lines without a price", "lines",
           [](const Json& c) { return at(c, {"unpriced_lines"}); });
  add_fact(facts, clusters, "opex per year", "USD",
           [](const Json& c) { return at(c, {"opex_usd_per_year"}); });
  add_fact(facts, clusters, "total cost of ownership", "USD",
           [](const Json& c) { return at(c, {"tco_usd"}); });
  add_fact(facts, clusters, "over", "years", [](const Json& c) { return at(c, {"tco_years"}); });
  add_fact(facts, clusters, "cost per GPU-hour", "USD",
           [](const Json& c) { return at(c, {"cost_per_gpu_hour_usd"}); });
  add_fact(facts, clusters, "cheaper than renting after", "days", [](const Json& c) {
    return at(c, {"break_even", "after_days", "expected"});
  });
}

constexpr const char* kRunCost = "cost per run without failures";
constexpr const char* kTokenCost = "cost per million tokens without failures";

void add_training(std::vector<Fact>& facts, const std::vector<Json>& clusters) {
  const auto add = [&](const char* name, const char* unit, std::string_view key) {
    add_fact(facts, clusters, name, unit, [&](const Json& c) { return at(c, {"training", key}); });
  };
  add("iteration", "s", "iteration_time_s");
  for (const char* end : {"low", "high"}) {
    add_fact(facts, clusters, fmt::format("iteration, {} end of the interval", end), "s",
             [&](const Json& c) {
               return at(c, {"training", "plan", "iteration_time_interval_s", end});
             });
  }
  add("training without failures", "days", "days");
  add(kRunCost, "USD", "cost_per_run_usd");
  add(kTokenCost, "USD", "cost_per_million_tokens_usd");
  add("energy per run", "MWh", "energy_MWh");
  add("CO2 per run", "kg", "co2_kg");
}

/// What routing and failures make of the run, where a cluster has either.
void add_expected(std::vector<Fact>& facts, const std::vector<Json>& clusters) {
  const auto add = [&](std::string name, const char* unit,
                       std::initializer_list<std::string_view> path) {
    add_fact(facts, clusters, std::move(name), unit,
             [&](const Json& c) { return at(at(c, {"expected"}), path); });
  };
  add("training, ideal", "days", {"days", "ideal"});
  add("training, expected", "days", {"days", "mean"});
  add("training, 95 of 100 runs", "days", {"days", "p95"});
  add("training, at most by the traffic class", "days", {"days", "guaranteed"});
  add("cost per run, ideal", "USD", {"cost_per_run_usd", "ideal"});
  add("cost per run, expected", "USD", {"cost_per_run_usd", "mean"});
  add("cost per run, 95 of 100 runs", "USD", {"cost_per_run_usd", "p95"});
  add("cost per run, at most by the traffic class", "USD", {"cost_per_run_usd", "guaranteed"});
  add("availability", "", {"reliability", "availability"});
  add("time between failures", "h", {"reliability", "wall_between_failures_h"});
  for (const LostCause& cause : kLostCauses) {
    add(fmt::format("lost: {}", cause.words), "days", {"lost_days", cause.key});
  }
}

/// What a figure is a lower bound by.
bool is_bound(const std::string& name, const Json& cluster) {
  const auto one_of = [&name](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (one_of({"capex", "capex, low", "capex, high"})) {
    return number(cluster, {"unpriced_lines"}).value_or(0) > 0;
  }
  if (one_of({"network cost"})) return network_cost(cluster).at_least;
  if (one_of({"power, IT", "power, facility", "energy per run", "CO2 per run"})) {
    return number(cluster, {"power_w", "lines_without_power"}).value_or(0) > 0;
  }
  const Json& bound = at(cluster, {"at_least"});
  return bound.is_boolean() && bound.get<bool>() &&
         one_of({"opex per year", "total cost of ownership", "cost per GPU-hour",
                 "cheaper than renting after", kRunCost, kTokenCost, "cost per run, ideal",
                 "cost per run, expected", "cost per run, 95 of 100 runs",
                 "cost per run, at most by the traffic class"});
}

void mark_bounds(std::vector<Fact>& facts, const std::vector<Json>& clusters) {
  for (Fact& fact : facts) {
    for (const Json& cluster : clusters) fact.at_least.push_back(is_bound(fact.name, cluster));
  }
}

std::string name_with_unit(const Fact& fact) {
  return fact.unit.empty() ? fact.name : fmt::format("{} ({})", fact.name, fact.unit);
}

/// The rows of a bill, by item, so that bills can stand side by side.
std::vector<std::string> items_of(const std::vector<DataTable>& bills) {
  std::vector<std::string> items;
  std::set<std::string> seen;
  for (const DataTable& bill : bills) {
    for (const auto& row : bill.rows) {
      if (row[0].is_string() && seen.insert(row[0].get<std::string>()).second) {
        items.push_back(row[0].get<std::string>());
      }
    }
  }
  return items;
}

Json cell_of(const DataTable& bill, const std::string& item, std::size_t column) {
  const auto row = std::find_if(bill.rows.begin(), bill.rows.end(),
                                [&](const auto& cells) { return cells[0] == item; });
  return row == bill.rows.end() ? Json(nullptr) : (*row)[column];
}

DataTable side_by_side(const std::vector<Json>& clusters) {
  DataTable table{.title = {}, .header = {"section", "item", "unit"}};
  std::vector<DataTable> bills;
  for (const Json& cluster : clusters) {
    table.header.push_back(text(cluster, {"name"}));
    bills.push_back(bill_table(cluster));
  }
  for (Fact& fact : cluster_facts(clusters)) {
    std::vector<Json> row{"summary", fact.name, fact.unit};
    row.insert(row.end(), fact.values.begin(), fact.values.end());
    table.rows.push_back(std::move(row));
  }
  const std::string money = shared_currency(clusters);
  for (const std::string& item : items_of(bills)) {
    for (const auto& [section, unit, column] :
         {std::tuple{"quantity", std::string{"pieces"}, 2UL}, std::tuple{"unit price", money, 3UL},
          std::tuple{"total", money, 4UL}}) {
      std::vector<Json> row{section, item, unit};
      for (const DataTable& bill : bills) row.push_back(cell_of(bill, item, column));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

std::string currency_of(const Json& priced) {
  return is_relative(priced) || at(priced, {"cost_relative"}).is_object() ? "relative" : "USD";
}

DataTable bill_table(const Json& priced) {
  const std::string unit = currency_of(priced);
  DataTable table{
      .title = "Bill of materials",
      .header = {"item", "category", "quantity", fmt::format("unit price ({})", unit),
                 fmt::format("total ({})", unit), "power (W)", "included in", "source", "as of"}};
  for (const Json& line : needed_array(priced, {"lines"})) {
    table.rows.push_back({text(line, {"item"}), text(line, {"category"}),
                          needed(line, {"quantity"}), money_at(line, "unit_price"),
                          money_at(line, "total"), at(line, {"power_w"}),
                          text(line, {"included_in"}), at(line, {"source"}), at(line, {"as_of"})});
  }
  return table;
}

void name_missing_prices(DataTable& bill) {
  for (auto& row : bill.rows) {
    if (row[4].is_null()) row[4] = row[6].get<std::string>().empty() ? "no price" : "included";
  }
}

std::vector<Fact> cluster_facts(const std::vector<Json>& clusters) {
  std::vector<Fact> facts;
  const auto add = [&](const char* name, const char* unit,
                       std::initializer_list<std::string_view> path) {
    add_fact(facts, clusters, name, unit, [&](const Json& c) { return at(c, path); });
  };
  add("GPUs", "", {"gpus"});
  add("performance of one GPU, relative", "", {"relative_performance"});
  add("system", "", {"system"});
  add("topology", "", {"fabric", "topology"});
  add("switches", "", {"fabric", "switches", "total"});
  add("links", "", {"fabric", "links", "total"});
  add("transceivers", "", {"fabric", "transceivers"});
  add("price book", "", {"price_book"});
  add_money(facts, clusters);
  add_fact(facts, clusters, "power, IT", "MW", [](const Json& c) {
    return scaled(c, {"power_w", "it"}, 1e6);
  });
  add_fact(facts, clusters, "power, facility", "MW", [](const Json& c) {
    return scaled(c, {"power_w", "facility"}, 1e6);
  });
  add("lines without power", "lines", {"power_w", "lines_without_power"});
  add_training(facts, clusters);
  add_expected(facts, clusters);
  mark_bounds(facts, clusters);
  return facts;
}

Document cluster_document(const Json& answer) {
  const std::vector<Json> clusters = clusters_of(answer);
  if (clusters.empty()) needed_bill(answer);
  Document document{.title = clusters.size() > 1 ? "Clusters compared"
                                                 : text(clusters.front(), {"title"})};
  if (const std::string verdict = text(answer, {"result", "verdict"}); !verdict.empty()) {
    document.paragraphs.push_back(verdict);
  }
  DataTable summary{.title = "Summary", .header = {"figure"}};
  const std::vector<std::string> names = short_names(clusters);
  for (const std::string& name : names) {
    summary.header.push_back(clusters.size() > 1 ? name : "value");
  }
  for (Fact& fact : cluster_facts(clusters)) {
    std::vector<Json> row{name_with_unit(fact)};
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const bool bound = fact.at_least[i] && fact.values[i].is_number();
      row.push_back(bound ? Json("at least " + readable(fact.values[i].get<double>()))
                          : fact.values[i]);
    }
    summary.rows.push_back(std::move(row));
  }
  document.tables.push_back(std::move(summary));
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    document.tables.push_back(bill_table(clusters[i]));
    name_missing_prices(document.tables.back());
    if (clusters.size() > 1) document.tables.back().title += ": " + names[i];
    add_texts(at(clusters[i], {"notes"}), document.notes);
    add_texts(at(clusters[i], {"price_book_notes"}), document.notes);
  }
  add_texts(at(answer, {"result", "what_would_change_it"}), document.notes);
  return document;
}

DataTable cluster_data(const Json& answer) {
  const std::vector<Json> clusters = clusters_of(answer);
  if (clusters.empty()) needed_bill(answer);
  return clusters.size() > 1 ? side_by_side(clusters) : bill_table(clusters.front());
}

}  // namespace planner

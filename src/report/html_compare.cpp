#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "planner/domain/calibration.hpp"
#include "planner/present/text.hpp"
#include "planner/report/html_parts.hpp"
#include "planner/report/lost_causes.hpp"

namespace planner::html {

namespace {

enum class Better { lower, higher, neither };

/// What a cluster has in a row.
struct Cell {
  std::string text;  ///< empty: not known
  std::optional<double> value{};
  bool at_least = false;
};

struct Measure {
  std::string label;
  Better better = Better::neither;
  std::function<Cell(const Json& cluster)> cell;
};

struct Group {
  std::string title;
  std::vector<Measure> measures;
};

using Path = std::initializer_list<std::string_view>;
using Format = std::function<std::string(double)>;

Cell cell_of(std::optional<double> value, const Format& format, bool at_least = false) {
  if (!value) return {};
  return {.text = format(*value), .value = value, .at_least = at_least};
}

std::string count(double value) {
  return grouped(std::llround(value));
}

Format with_unit(double scale, std::string_view unit) {
  return
      [scale, unit = std::string{unit}](double value) { return significant(value / scale) + unit; };
}

std::string energy(double megawatt_hours) {
  return megawatt_hours < 1000 ? significant(megawatt_hours) + " MWh"
                               : significant(megawatt_hours / 1000) + " GWh";
}

std::string dollars(double value) {
  return value < 1000 ? "$" + significant(value) : short_money(std::round(value), false);
}

Cell money_cell(const Sum& sum, const Json& cluster) {
  const bool relative = is_relative(cluster);
  return cell_of(
      sum.amount, [&](double v) { return short_money(v, relative); }, sum.at_least);
}

/// Money that is only complete when all prices are.
Measure whole_cost(std::string label, std::vector<std::string> path, const Format& format) {
  return {std::move(label), Better::lower, [path = std::move(path), format](const Json& cluster) {
            const Json* found = &cluster;
            for (const std::string& key : path) found = &at(*found, {key});
            const Json& at_least = at(cluster, {"at_least"});
            return cell_of(found->is_number() ? std::optional{found->get<double>()} : std::nullopt,
                           format, at_least.is_boolean() && at_least.get<bool>());
          }};
}

std::string strategy_text(const Json& cluster) {
  const Json& plan = at(cluster, {"training", "plan", "strategy"});
  if (!plan.is_object()) return {};
  const auto axis = [&](const char* name) { return count(number(plan, {name}).value_or(0)); };
  return fmt::format("tp {} · pp {} · dp {}", axis("tp"), axis("pp"), axis("dp"));
}

std::string oversubscription_text(const Json& cluster) {
  const auto down = number(cluster, {"fabric", "oversubscription", "down"});
  const auto up = number(cluster, {"fabric", "oversubscription", "up"});
  if (!down || !up) return {};
  return *down == *up ? "none" : fmt::format("{:g} : {:g}", *down, *up);
}

Measure counted(std::string label, const char* key, const char* inner = nullptr) {
  return {std::move(label), Better::lower, [key, inner](const Json& cluster) {
            const auto value = inner == nullptr ? number(cluster, {"fabric", key})
                                                : number(cluster, {"fabric", key, inner});
            return cell_of(value, count);
          }};
}

Group network_group() {
  return {
      "Network",
      {{"GPUs", Better::neither, [](const Json& c) { return cell_of(number(c, {"gpus"}), count); }},
       {"Topology", Better::neither,
        [](const Json& c) {
          return Cell{text(c, {"fabric", "topology"})};
        }},
       counted("Switches", "switches", "total"),
       counted("Links", "links", "total"),
       counted("Transceivers", "transceivers"),
       {"Oversubscription", Better::neither,
        [](const Json& c) { return Cell{oversubscription_text(c)}; }},
       {"Network cost", Better::lower,
        [](const Json& c) { return money_cell(network_cost(c), c); }}}};
}

Group money_group(const std::vector<Json>& clusters) {
  const double years = number(clusters.front(), {"tco_years"}).value_or(0);
  return {"Cost",
          {{"Capital cost", Better::lower,
            [](const Json& c) { return money_cell(capital_cost(c), c); }},
           whole_cost("Running cost a year", {"opex_usd_per_year"}, dollars),
           whole_cost(fmt::format("Total cost over {:g} years", years), {"tco_usd"}, dollars),
           whole_cost("Cost per GPU-hour", {"cost_per_gpu_hour_usd"}, dollars),
           whole_cost("Cheaper than renting after", {"break_even", "after_days", "expected"},
                      with_unit(1, " days"))}};
}

Group power_group() {
  const auto power = [](const char* key) {
    return [key](const Json& c) {
      return cell_of(number(c, {"power_w", key}), with_unit(1e6, " MW"),
                     number(c, {"power_w", "lines_without_power"}).value_or(0) > 0);
    };
  };
  return {"Power",
          {{"IT equipment", Better::lower, power("it")},
           {"With cooling", Better::lower, power("facility")}}};
}

/// "3.11–4.02 s"; empty for a model without measured errors.
std::string interval(const Json& cluster) {
  const Json& ends = at(cluster, {"training", "plan", "iteration_time_interval_s"});
  const auto low = number(ends, {"low"}), high = number(ends, {"high"});
  return low && high ? range(*low * units::second, *high * units::second) : std::string{};
}

Group training_group(const std::vector<Json>& clusters) {
  const bool same = same_workload(clusters);
  const Better lower = same ? Better::lower : Better::neither;
  const auto figure = [](const char* key, const Format& format) {
    return [key, format](const Json& c) { return cell_of(number(c, {"training", key}), format); };
  };
  const auto drawn = [](const char* key, const Format& format) {
    return [key, format](const Json& c) {
      return cell_of(number(c, {"training", key}), format,
                     number(c, {"power_w", "lines_without_power"}).value_or(0) > 0);
    };
  };
  return {
      "Training",
      {{"Model", Better::neither,
        [](const Json& c) {
          return Cell{text(c, {"training", "workload", "model_title"})};
        }},
       {"Best strategy", Better::neither, [](const Json& c) { return Cell{strategy_text(c)}; }},
       {"Iteration", lower,
        figure("iteration_time_s", [](double v) { return duration(v * units::second); })},
       {fmt::format("In {:.0f} % of cases", 100 * kIntervalShare), Better::neither,
        [](const Json& c) { return Cell{interval(c)}; }},
       {"MFU", same ? Better::higher : Better::neither,
        [](const Json& c) {
          return cell_of(number(c, {"training", "plan", "mfu"}), percent);
        }},
       {"Whole run without failures", lower, figure("days", with_unit(1, " days"))},
       whole_cost("Cost of the run without failures", {"training", "cost_per_run_usd"}, dollars),
       whole_cost("Cost per million tokens without failures",
                  {"training", "cost_per_million_tokens_usd"}, dollars),
       {"Energy of the run", lower, drawn("energy_MWh", energy)},
       {"CO₂ of the run", lower, drawn("co2_kg", with_unit(1000, " t"))}}};
}

Group expected_group(const std::vector<Json>& clusters) {
  const Better lower = same_workload(clusters) ? Better::lower : Better::neither;
  const auto figure = [&](std::string label, Better better, Path path, const Format& format) {
    std::vector<std::string> keys(path.begin(), path.end());
    return Measure{std::move(label), better, [keys, format](const Json& c) {
                     const Json* found = &at(c, {"expected"});
                     for (const std::string& key : keys) found = &at(*found, {key});
                     return cell_of(
                         found->is_number() ? std::optional{found->get<double>()} : std::nullopt,
                         format);
                   }};
  };
  const Format days = with_unit(1, " days");
  Group group{
      "Routing and goodput",
      {{"Routing", Better::neither,
        [](const Json& c) {
          return Cell{text(c, {"expected", "routing", "scheme"})};
        }},
       {"Failures as of", Better::neither,
        [](const Json& c) {
          return Cell{text(c, {"expected", "reliability", "inputs", "rates", "name"})};
        }},
       figure("Availability", Better::higher, {"reliability", "availability"}, percent),
       figure("Time between failures", Better::higher, {"reliability", "wall_between_failures_h"},
              [](double v) { return duration(v * units::hour); }),
       figure("Whole run, ideal", lower, {"days", "ideal"}, days),
       figure("Whole run, expected", lower, {"days", "mean"}, days),
       figure("Whole run, 95 of 100", lower, {"days", "p95"}, days),
       figure("Whole run, at most by the traffic class", lower, {"days", "guaranteed"}, days),
       whole_cost("Cost of the run, ideal", {"expected", "cost_per_run_usd", "ideal"}, dollars),
       whole_cost("Cost of the run, expected", {"expected", "cost_per_run_usd", "mean"}, dollars),
       whole_cost("Cost of the run, 95 of 100", {"expected", "cost_per_run_usd", "p95"}, dollars),
       whole_cost("Cost of the run, at most by the traffic class",
                  {"expected", "cost_per_run_usd", "guaranteed"}, dollars)}};
  for (const LostCause& cause : kLostCauses) {
    group.measures.push_back(
        figure(fmt::format("Lost: {}", cause.words), lower, {"lost_days", cause.key}, days));
  }
  return group;
}

/// "+12.5 %" against the first cluster, where both are complete.
std::string delta(const Cell& one, const Cell& reference, Better better) {
  const bool comparable = one.value && reference.value && !one.at_least && !reference.at_least &&
                          *reference.value != 0 && better != Better::neither;
  if (!comparable) return {};
  const double change = *one.value / *reference.value - 1;
  if (std::abs(change) < 5e-4) return {};
  const bool good = (change < 0) == (better == Better::lower);
  return fmt::format(R"(<span class="delta {}">{}{:.1f} %</span>)", good ? "good" : "bad",
                     change < 0 ? "−" : "+", 100 * std::abs(change));
}

std::string td(const Cell& cell, const Cell& reference, Better better, bool first) {
  if (cell.text.empty()) return R"(<td class="none">not known</td>)";
  const std::string value =
      cell.value ? fmt::format(R"( data-value="{}")", *cell.value) : std::string{};
  return fmt::format("<td{}>{}<span>{}<span class=\"value\">{}</span></span></td>", value,
                     first ? std::string{} : delta(cell, reference, better),
                     cell.at_least ? R"(<span class="least">at least</span> )" : "",
                     html_escaped(cell.text));
}

/// A row, or nothing where no cluster has the figure.
std::string row(const Measure& measure, const std::vector<Json>& clusters) {
  std::vector<Cell> cells;
  for (const Json& cluster : clusters) cells.push_back(measure.cell(cluster));
  const auto empty = [](const Cell& cell) { return cell.text.empty(); };
  if (std::all_of(cells.begin(), cells.end(), empty)) return {};
  const bool same = std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    return cell.text == cells.front().text && cell.at_least == cells.front().at_least;
  });
  const bool sorts = clusters.size() > 1 &&
                     std::any_of(cells.begin(), cells.end(), [](const Cell& c) { return c.value; });
  const std::string label = html_escaped(measure.label);
  std::string html = fmt::format(
      R"(<tr{}><th scope="row">{}</th>)", same && clusters.size() > 1 ? R"( class="same")" : "",
      sorts ? fmt::format(R"(<button type="button">{}</button>)", label) : label);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += td(cells[i], cells.front(), measure.better, i == 0);
  }
  return html + "</tr>\n";
}

std::string group_rows(const Group& group, const std::vector<Json>& clusters) {
  std::string rows;
  for (const Measure& measure : group.measures) rows += row(measure, clusters);
  if (rows.empty()) return {};
  return fmt::format("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n{}",
                     clusters.size() + 1, html_escaped(group.title), rows);
}

}  // namespace

std::string side_by_side(const Page& page) {
  constexpr std::size_t kFit = 4;  // more clusters scroll sideways
  const bool many = page.clusters.size() > 1;
  std::string head = R"(<th scope="col" class="corner"></th>)";
  for (std::size_t i = 0; i < page.names.size(); ++i) {
    head += fmt::format(R"(<th scope="col">{}{}</th>)", html_escaped(page.names[i]),
                        i == 0 && many ? R"(<span class="delta">reference</span>)" : "");
  }
  std::string rows;
  for (const Group& group : {network_group(), money_group(page.clusters), power_group(),
                             training_group(page.clusters), expected_group(page.clusters)}) {
    rows += group_rows(group, page.clusters);
  }
  const char* hint = many ? "<p class=\"hint\">Rows in grey are the same for all. Percentages are "
                            "against the reference. <span class=\"screen\">Click the name of a row "
                            "to put the clusters in its order.</span></p>\n"
                          : "";
  return fmt::format(
      "<section id=\"compare\"><h2>{}</h2>\n{}<div class=\"{}\"><table class=\"clusters\" "
      "style=\"--clusters:{}\"><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>"
      "</section>\n",
      many ? "Side by side" : "The cluster", hint, page.clusters.size() > kFit ? "scroll" : "fits",
      page.clusters.size(), head, rows);
}

}  // namespace planner::html

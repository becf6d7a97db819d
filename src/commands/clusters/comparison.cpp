#include "planner/commands/clusters/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/opex.hpp"
#include "planner/domain/calibration.hpp"
#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"

// Clusters side by side: a row a figure, the same for all formats.
namespace planner::commands {

namespace {

using namespace present;
using C = const ClusterSummary&;

Cell megawatts(C c, Watts power) {
  return at_least(c.power_at_least(), number(power.in(1e6 * units::W), "MW"));
}

Cell ratio(const Ratio& down_up) {
  return down_up.down == down_up.up ? words("none")
                                    : words(fmt::format("{} : {}", down_up.down, down_up.up));
}

/// Of one GPU: by the training times of the clusters compared, in which no failures are, or as
/// their files say.
Measure performance(bool computed) {
  return {computed ? "performance of one GPU, computed" : "performance of one GPU, as given",
          [computed](C c) {
            if (c.performance_computed != computed) return none();
            return known(c.relative_performance, [&](double value) {
              return computed ? said(number(value), fmt::format("{:.3f}", value)) : number(value);
            });
          }};
}

Group network_group() {
  return {
      "Network",
      {{"GPUs", [](C c) { return count(c.gpus); }, Better::neither, true},
       {"GPUs paid for, spares among them",
        [](C c) { return c.bought_gpus ? count(*c.bought_gpus) : none(); }, Better::neither, true},
       {"system", [](C c) { return words(c.system.name); }},
       performance(false),
       performance(true),
       {"cost-performance of nodes, against the first",
        [](C c) {
          return known(c.cost_performance, [](const job::CostPerformance& value) {
            return said(number(value.ratio), fmt::format("{:.2f}", value.ratio));
          });
        },
        Better::higher},
       {"topology", [](C c) { return words(std::string{name_of(c.fabric.topology)}); }},
       {"switches", [](C c) { return count(c.fabric.total_switches()); }, Better::lower, true},
       {"links", [](C c) { return count(c.fabric.total_links()); }, Better::lower, true},
       {"transceivers (link ends)", [](C c) { return count(c.fabric.transceivers); }, Better::lower,
        true},
       {"modules", [](C c) { return count(c.fabric.modules); }, Better::lower, true},
       {"oversubscription", [](C c) { return ratio(c.fabric.oversubscription); }},
       {"network cost",
        [](C c) {
          const std::optional<Total> sum = network_cost(c);
          if (!sum) return unknown();
          return total_cell(with_amount(*sum, sum->amount.expected), c.currency);
        },
        Better::lower, true}}};
}

Group power_group() {
  return {"Power",
          {{"power, IT", [](C c) { return c.buys() ? megawatts(c, c.power.it) : none(); },
            Better::lower, true},
           {"power, with cooling",
            [](C c) {
              if (!c.buys()) return none();
              return known(c.power.facility, [&](const Estimate<Watts>& facility) {
                return megawatts(c, facility.expected);
              });
            },
            Better::lower},
           {"lines of unknown power", [](C c) { return count(c.power.lines_without_power); }}}};
}

/// A row of what is trained.
Measure trained(std::string name, std::function<Cell(C, const ClusterSummary::Training&)> cell,
                Better better = Better::neither, bool brief = false) {
  return {std::move(name),
          [cell = std::move(cell)](C c) { return c.training ? cell(c, *c.training) : none(); },
          better, brief};
}

/// Where a cluster's time rests on no measured run, on a terminal too.
Measure measured_runs(const Clusters& clusters) {
  const bool missing = std::any_of(clusters.begin(), clusters.end(), [](C c) {
    return c.training && unmeasured(c.training->plan.evidence);
  });
  return trained(
      "measured runs of its kind",
      [](C, const ClusterSummary::Training& t) { return evidence_cell(t.plan.evidence); },
      Better::neither, missing);
}

/// Whether a terminal has to say what links the times take: not where all are balanced.
bool timed_unlike(const Clusters& clusters) {
  return std::any_of(clusters.begin(), clusters.end(),
                     [](C c) { return c.training && c.training->links != LinkLoad::balanced; });
}

/// @param less  which way figures of the whole run are better
Group training_group(const Clusters& clusters, Better lower, Better higher, Better less) {
  const bool idle = std::any_of(clusters.begin(), clusters.end(),
                                [](C c) { return c.training && c.training->use.gpus < c.gpus; });
  using T = const ClusterSummary::Training&;
  const auto of_power = [](C c, Cell cell) {
    return at_least(c.power_at_least(), std::move(cell));
  };
  return {
      "Training, without failures",
      {trained(
           "model", [](C, T t) { return words(t.run.model_title); }, Better::neither, true),
       measured_runs(clusters),
       trained(
           "links, as timed", [](C, T t) { return words(std::string{links_words(t.links)}); },
           Better::neither, timed_unlike(clusters)),
       trained("best strategy", [](C, T t) { return words(degrees_in_words(t.plan.strategy)); }),
       trained(
           "GPUs that it uses", [idle](C, T t) { return idle ? count(t.use.gpus) : none(); },
           Better::neither, true),
       trained(
           "iteration", [](C, T t) { return present::time(t.plan.time.total()); }, lower, true),
       trained(
           fmt::format("in {:.0f} % of cases", 100 * kIntervalShare),
           [](C, T t) {
             return known(t.plan.interval, [&](const TimeInterval& interval) {
               Cell cell =
                   said(present::time(t.plan.time.total()), range(interval.low, interval.high));
               cell.ends = Ends{interval.low.si(), interval.high.si()};
               return cell;
             });
           },
           Better::neither, true),
       trained(
           "MFU", [](C, T t) { return share(t.plan.mfu); }, higher),
       trained(
           "the run", [](C, T t) { return known(t.time, [](Seconds time) { return days(time); }); },
           less, true),
       trained(
           "cost of the run",
           [](C, T t) {
             return known(t.cost, [&](const Estimate<Money>& cost) {
               return at_least(t.at_least, money(cost.expected));
             });
           },
           less, true),
       trained(
           "cost per million tokens",
           [](C, T t) {
             return known(t.per_million_tokens, [&](const Estimate<Usd>& cost) {
               return at_least(t.at_least, usd(Estimate<Usd>::exactly(cost.expected)));
             });
           },
           lower),
       trained(
           "energy of the run",
           [=](C c, T t) {
             return known(t.energy, [&](Joules energy) {
               return of_power(c, number(energy.in(1000 * units::kWh), "MWh"));
             });
           },
           less),
       trained(
           "CO₂ of the run",
           [=](C c, T t) {
             return known(t.co2_kg, [&](double kilograms) {
               return of_power(c, number(kilograms / 1000, "t"));
             });
           },
           less)}};
}

/// A row of what is expected.
Measure expected(std::string name, std::function<Cell(const ForecastSummary&)> cell,
                 Better better = Better::neither, bool brief = false) {
  return {std::move(name),
          [cell = std::move(cell)](C c) { return c.expected ? cell(*c.expected) : none(); }, better,
          brief};
}

Group expected_group(const Clusters& clusters, Better less) {
  using F = const ForecastSummary&;
  const auto time = [](auto member) {
    return [member](F f) {
      return known(f.days, [&](const ForecastSummary::Days& run) {
        return known(std::optional<Seconds>(run.*member), [](Seconds t) { return days(t); });
      });
    };
  };
  const auto cost = [](auto member) {
    return [member](F f) {
      return known(f.cost, [&](const ForecastSummary::Cost& run) {
        return known(std::optional<Usd>(run.*member), [&](Usd amount) {
          return at_least(run.at_least, usd(Estimate<Usd>::exactly(amount)));
        });
      });
    };
  };
  // Links that all GPUs send over at once are not ideal: that run stands above, without failures.
  const auto if_ideal = [](auto cell) {
    return [cell](F f) { return f.links == LinkLoad::all_at_once ? none() : cell(f); };
  };
  using D = ForecastSummary::Days;
  using M = ForecastSummary::Cost;
  Group group{"With routing and failures",
              {expected("routing",
                        [](F f) {
                          return known(f.routing, [](const RoutingSummary& routing) {
                            return words(std::string{name_of(routing.scheme)});
                          });
                        }),
               expected("failures as of",
                        [](F f) {
                          return known(f.failures, [](const ForecastSummary::Failures& failures) {
                            return words(failures.inputs.rates.name);
                          });
                        }),
               expected("run, ideal", if_ideal(time(&D::ideal)), less, true),
               expected("run, expected", time(&D::mean), less, true),
               expected("run, 95 of 100 by the luck of failures", time(&D::p95), less),
               expected("run, at most by the traffic class", time(&D::guaranteed), less),
               expected("cost, ideal", if_ideal(cost(&M::ideal)), less, true),
               expected("cost, expected", cost(&M::mean), less, true),
               expected("cost, 95 of 100 by the luck of failures", cost(&M::p95), less),
               expected("cost, at most by the traffic class", cost(&M::guaranteed), less),
               expected(
                   "availability",
                   [](F f) {
                     return known(f.failures, [](const ForecastSummary::Failures& failures) {
                       return share(failures.summary.availability);
                     });
                   },
                   Better::higher, true),
               expected(
                   "time between failures",
                   [](F f) {
                     return known(f.failures, [](const ForecastSummary::Failures& failures) {
                       return known(failures.summary.wall_hours_between, [](double hours) {
                         return present::time(hours * units::hour);
                       });
                     });
                   },
                   Better::higher)}};
  for (const LostCauseNames& cause : kLostCauses) {
    const auto lost = [cause](F f) { return f.lost_share(cause.cause); };
    const bool any = std::any_of(clusters.begin(), clusters.end(), [&](C c) {
      return c.expected && lost(*c.expected).value_or(0) > 0;
    });
    if (!any) continue;
    group.measures.push_back(expected(
        fmt::format("lost: {}", cause.words),
        [lost](F f) { return known(lost(f), [](double part) { return share(part); }); }, less,
        true));
  }
  return group;
}

/// @param brief  only what a terminal has room for
Table table_of(const Clusters& clusters, std::vector<std::string> header, bool brief) {
  const bool same = all_train_the_same(clusters);
  const Better lower = same ? Better::lower : Better::neither;
  const Better higher = same ? Better::higher : Better::neither;
  const Better less = same && all_run_as_long(clusters) ? Better::lower : Better::neither;
  Table table{.header = std::move(header), .compares = true};
  for (const Group& group : {network_group(), cost_group(clusters), power_group(),
                             training_group(clusters, lower, higher, less),
                             expected_group(clusters, less), outlook_group(clusters, less)}) {
    std::vector<Table::Row> rows;
    for (const Measure& measure : group.measures) {
      if (brief && !measure.brief) continue;
      Table::Row row{.cells = {words(measure.name)}, .better = measure.better};
      for (const ClusterSummary& cluster : clusters) row.cells.push_back(measure.cell(cluster));
      const bool any = std::any_of(row.cells.begin() + 1, row.cells.end(),
                                   [](const Cell& cell) { return cell != none(); });
      if (any) rows.push_back(std::move(row));
    }
    if (rows.empty()) continue;
    table.rows.push_back({.cells = {words(group.title)}, .heads = true});
    std::move(rows.begin(), rows.end(), std::back_inserter(table.rows));
  }
  return table;
}

}  // namespace

Table comparison(const Clusters& clusters) {
  std::vector<std::string> header{present::kFigureColumn};
  for (std::string& name : short_names(clusters)) header.push_back(std::move(name));
  return table_of(clusters, std::move(header), false);
}

Table short_comparison(const Clusters& clusters) {
  std::vector<std::string> header{""};
  for (std::size_t i = 1; i <= clusters.size(); ++i) header.push_back(fmt::format("[{}]", i));
  return table_of(clusters, std::move(header), true);
}

}  // namespace planner::commands

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/clusters/comparison.hpp"
#include "planner/commands/cost/cost.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/cost/unpriced.hpp"
#include "planner/job/network_left.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

void add_shape(const ClusterSummary& cluster, Document& document) {
  document.add(
      Text{.text = fmt::format("{} ({}), {}: {} switches, {} links", gpus_words(cluster),
                               cluster.system.accelerator.title, name_of(cluster.fabric.topology),
                               grouped(cluster.fabric.total_switches()),
                               grouped(cluster.fabric.total_links())),
           .indent = 0});
  if (!cluster.rent) return;
  document.add(
      Text{.text = fmt::format("rented {}, at {} a GPU-hour with all around them",
                               term_words(cluster.rent->term), rent_cell(*cluster.rent).text),
           .indent = 0});
}

/// "52 % use (37–98 %)"; above 100 % renting costs less at any use.
Cell use_cell(const Estimate<double>& use) {
  const auto percent = [](double share) { return fmt::format("{:.0f}", 100 * share); };
  std::string text = percent(use.expected) + " % use";
  if (!use.exact()) text += fmt::format(" ({}–{} %)", percent(use.low), percent(use.high));
  Cell cell = said(share(use.expected), std::move(text));
  if (!use.exact()) cell.ends = Ends{100 * use.low, 100 * use.high};
  return cell;
}

void add_ownership(const ClusterSummary& cluster, Facts& facts) {
  const bool bound = cluster.at_least();
  if (cluster.residual && cluster.residual->expected > Money{}) {
    facts.facts.push_back({fmt::format("taken off, resale after {:g} years", *cluster.tco_years),
                           money(*cluster.residual)});
  }
  if (cluster.tco) {
    facts.facts.push_back({total_cost_words(cluster), at_least(bound, money(*cluster.tco))});
  }
  if (cluster.financed) {
    facts.facts.push_back(
        {net_present_cost_words(cluster), at_least(bound, money(cluster.financed->present_cost))});
  }
  if (cluster.per_gpu_hour) {
    facts.facts.push_back({"a GPU-hour, of the GPUs asked for" + financed_words(cluster.financed),
                           at_least(bound, usd(*cluster.per_gpu_hour))});
  }
  if (cluster.per_gpu_hour && cluster.financed && cluster.financed->tax_rate > 0) {
    // Rents are paid before taxes, which they lower too.
    const double untaxed = 1 - cluster.financed->tax_rate;
    const auto& [low, hour, high] = *cluster.per_gpu_hour;
    facts.facts.push_back({"the same as a rent before tax",
                           at_least(bound, usd({low / untaxed, hour / untaxed, high / untaxed}))});
  }
  if (cluster.break_even) {
    facts.facts.push_back(
        {"cheaper than renting on demand above",
         at_least(cluster.break_even->at_least, use_cell(cluster.break_even->when.utilisation))});
  }
}

void add_money(const ClusterSummary& cluster, Document& document) {
  const bool ranges = cluster.outlook && cluster.currency == Currency::usd;
  document.add(Section{
      "Cost", money_words(cluster.currency) + (ranges ? "; ranges hold 80 of 100 cases" : "")});
  Facts facts;
  for (const CategoryCost& sum : cluster.categories) {
    if (sum.total == Total{}) continue;  // inside another category's price
    facts.facts.push_back(
        {std::string{name_of(sum.category)}, total_cell(sum.total, cluster.currency)});
  }
  if (cluster.buys()) facts.facts.push_back({"capex", total_cell(cluster.capex, cluster.currency)});
  const std::string terms = terms_words(cluster);
  for (const OpexLine& line : cluster.opex) {
    // Of whole terms more is paid than the years looked at have.
    const bool of_terms = line.item == OpexItem::rent && !terms.empty();
    facts.facts.push_back(
        {of_terms ? fmt::format("rent, for each of {:g} years", *cluster.tco_years)
                  : fmt::format("{} per year", name_of(line.item)),
         line.per_year ? at_least(line.at_least, money(*line.per_year)) : unknown()});
  }
  if (cluster.opex.size() > 1) {
    facts.facts.push_back({"opex per year", total_cell(cluster.opex_per_year, Currency::usd)});
  }
  add_ownership(cluster, facts);
  document.add(std::move(facts));
  if (!terms.empty()) document.add(Text{.text = terms});
  if (!cluster.capex.known()) {
    document.add(Text{.text = fmt::format("no total, not priced: {}; {}", not_priced(cluster.bill),
                                          priced_by(cluster))});
  }
  if (cluster.capex.known() && cluster.economics && !cluster.tco &&
      cluster.currency == Currency::usd) {
    document.add(Text{.text = "no total over years: nobody gave the power of the nodes"});
  }
  if (std::string left_out = left_out_words(cluster.left_out); !left_out.empty()) {
    document.add(Text{.text = std::move(left_out)});
  }
  if (std::string capital = capital_words(cluster); !capital.empty()) {
    document.add(Text{.text = std::move(capital)});
  }
}

/// By months: what owning so long costs when it is sold again, the use from which on that is less
/// than renting on demand, and whole terms of rent.
Table rent_or_buy_table(const ClusterSummary& cluster) {
  Table table{.header = {"months", "bought", "on demand above", "one year", "three years"}};
  // Programs get the ends of ranges, for which a terminal has no room.
  const auto amount = [](const Estimate<Money>& sum) {
    return said(money(sum), money(sum.expected).text);
  };
  for (const RentOrBuy& at : cluster.rent_or_buy) {
    const auto rent = [&](RentTerm term) {
      for (const RentOrBuy::Rent& asked : at.rents) {
        if (asked.term == term) return amount(asked.cost);
      }
      return none();
    };
    table.add({count(std::llround(at.months)), at_least(cluster.at_least(), amount(at.buy)),
               at.utilisation ? use_cell(*at.utilisation) : none(), rent(RentTerm::one_year),
               rent(RentTerm::three_years)});
  }
  return table;
}

/// "from day 420 on (80 of 100: from day 210 to never)".
std::string pays_words(const Estimate<std::optional<Seconds>>& after) {
  const auto day = [](const std::optional<Seconds>& when) -> std::string {
    if (!when) return "never";
    if (*when == Seconds{}) return "the first day";
    return "day " + grouped(std::llround(std::ceil(when->in(units::day))));
  };
  const auto& [low, expected, high] = after;
  std::string words = expected ? "from " + day(expected) + " on" : "at no time until then";
  if (low != high) words += fmt::format(" (80 of 100: from {} to {})", day(low), day(high));
  return words;
}

void add_pays(const ClusterSummary& cluster, Document& document) {
  if (!cluster.break_even) return;
  const auto& [when, bound] = *cluster.break_even;
  const bool earliest = bound && when.after.expected;  // the total is a lower bound
  document.add(
      Text{.text = fmt::format("bought, used for {:g} % of the hours and sold again, it costs "
                               "less than rented on demand {}{}",
                               100 * cluster.economics->utilisation, pays_words(when.after),
                               earliest ? ", at the earliest" : "")});
}

void add_rent_or_buy(const ClusterSummary& cluster, Document& document) {
  if (cluster.rent_or_buy.empty()) return;
  const bool given = cluster.economics && !cluster.economics->residual_by_year.empty();
  const bool dear = cluster.financed && cluster.financed->cost_of_capital > 0;
  document.add(
      Section{"Rent or buy",
              fmt::format("the whole cluster until a month, bought and sold again at {}{}",
                          given ? "its residual value" : "book value",
                          (dear ? ", worth today" : "") + financed_words(cluster.financed))});
  document.add(rent_or_buy_table(cluster));
  add_pays(cluster, document);
  const RentOrBuy& whole = cluster.rent_or_buy.back();
  if (!whole.mixed) return;
  document.add(Text{.text = fmt::format("all {:.0f} months rented for the least: {}, {}",
                                        whole.months, rent_terms_words(whole.mixed->terms),
                                        money(whole.mixed->cost).text)});
}

void add_power(const ClusterSummary& cluster, Document& document) {
  const PowerDraw& power = cluster.power;
  const auto megawatts = [&](Watts watts) {
    return at_least(cluster.power_at_least(), number(watts.in(1e6 * units::W), "MW"));
  };
  document.add(Section{"Power"});
  Figures figures{.figures = {{"IT", megawatts(power.it), "{} IT"}}, .separator = ", "};
  if (power.facility) {
    figures.figures.push_back(
        {"with cooling", megawatts(power.facility->expected), "{} with cooling"});
  }
  if (power.lines_without_power > 0) {
    figures.figures.push_back({"lines of unknown power", count(power.lines_without_power),
                               power.lines_without_power == 1 ? "{} line of unknown power"
                                                              : "{} lines of unknown power"});
  }
  document.add(std::move(figures));
}

void add_training(const ClusterSummary& cluster, Document& document) {
  if (!cluster.training) return;
  const ClusterSummary::Training& training = *cluster.training;
  document.add(Section{"Training " + training.run.model_title,
                       std::string{links_words(training.links)} + ", without failures"});
  document.add(Text{.text = fmt::format("best of {} strategies, {} of which fit the memory",
                                        grouped(training.strategies), grouped(training.feasible))});
  if (const std::string idle = idle_words(cluster); !idle.empty()) {
    document.add(Text{.text = idle});
  }
  if (training.tightest) document.add(Text{.text = job::oversubscription(*training.tightest)});
  add_headline("Best", training.plan, document);
  Facts facts;
  if (training.time) {
    Cell time = present::days(*training.time);
    if (const auto& likely = training.time_range; likely && !likely->exact()) {
      // In one unit, as in the tables below.
      const bool in_days = likely->high >= 1.0 * units::day;
      if (in_days) time = said_in_days(*training.time);
      time.text += fmt::format(
          " ({})", in_days ? range_cell(*likely).text : range(likely->low, likely->high));
      time.ends = Ends{likely->low.in(units::day), likely->high.in(units::day)};
    }
    facts.facts.push_back({"time", std::move(time)});
  }
  const auto add = [&](const char* name, bool bound, const auto& value, auto&& cell) {
    if (value) facts.facts.push_back({name, at_least(bound, cell(*value))});
  };
  add("cost", training.at_least, training.cost,
      [](const Estimate<Money>& cost) { return money(cost); });
  add("cost per million tokens", training.at_least, training.per_million_tokens,
      [](const Estimate<Usd>& cost) { return usd(cost); });
  add("energy", cluster.power_at_least(), training.energy,
      [](Joules energy) { return number(energy.in(1000 * units::kWh), "MWh"); });
  add("CO₂", cluster.power_at_least(), training.co2_kg,
      [](double kilograms) { return number(kilograms / 1000, "t"); });
  if (facts.facts.empty()) return;
  const std::string paid = training.cost && cluster.financed
                               ? ", and paid for" + financed_words(cluster.financed)
                               : std::string{};
  document.add(Text{.text = fmt::format("The run of {} tokens, without failures{}:",
                                        with_prefix(*training.run.tokens), paid),
                    .apart = true});
  document.add(std::move(facts));
  add_expected_use(cluster, document);
}

void add_network(const FabricCount& fabric, const std::string& title, Document& document) {
  document.detail(Section{title, std::string{name_of(fabric.topology)}});
  const Ratio& ratio = fabric.oversubscription;
  document.detail(
      Facts{{{"switches", count(fabric.total_switches())},
             {"links", count(fabric.total_links())},
             {"transceivers (link ends)", count(fabric.transceivers)},
             {"modules", count(fabric.modules)},
             {"oversubscription", words(fmt::format("{} : {}", ratio.down, ratio.up))}}});
}

}  // namespace

Document cost_view(const CostAnswer& answer) {
  const ClusterSummary& cluster = answer.cluster;
  Document document{.title = cluster.title, .kicker = "Cost of a cluster"};
  add_shape(cluster, document);
  if (cluster.training) add_evidence(cluster.training->plan.evidence, document);
  add_first_page({cluster}, document);
  if (cluster.buys()) {
    document.add(Section{"Bill of materials", dated_prices(cluster)});
    document.add(cluster_bill(cluster, "Bill of materials"));
  }
  add_money(cluster, document);
  add_rent_or_buy(cluster, document);
  if (cluster.buys()) add_power(cluster, document);
  add_training(cluster, document);
  if (cluster.expected) add_forecast(*cluster.expected, document);
  if (cluster.outlook) {
    add_outlook(*cluster.outlook,
                {.money = cluster.at_least(),
                 .expected = cluster.expected && stall_unknown(*cluster.expected)},
                document, financed_words(cluster.financed));
  }
  add_nearest_runs({cluster}, document);
  add_cluster_traffic({cluster}, document);
  if (auto calculation =
          calculation_of(cluster, what_if_title({cluster}, 0), "Bill of materials")) {
    add_what_if(cluster, what_if_title({cluster}, 0), *std::move(calculation), document);
  } else if (cluster.tco && cluster.economics->tax_rate) {
    document.detail(Section{"What if"});
    document.detail(Text{
        .text = "Taxes follow what is written off in each year, which the formulas of a page or "
                "workbook do not have: with a tax rate, figures are changed by asking again."});
  }
  add_cluster_charts({cluster}, document);
  add_network(cluster.fabric, "Network", document);
  for (const auto& [name, fabric] : cluster.beside) {
    add_network(fabric, "Network beside it: " + name, document);
  }
  add_behaviour({cluster}, document);
  add_basis({cluster}, document);
  return document;
}

}  // namespace planner::commands

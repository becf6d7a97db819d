#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/finance_fields.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

using namespace present;

std::string least(Measure measure, const std::optional<std::string>& judged_by) {
  switch (measure) {
    case Measure::tco:
      return "least " + judged_by.value_or(kTotalCost);
    case Measure::capex:
      return "cheapest to buy";
    case Measure::run_cost:
      return "least cost of the run";
    case Measure::days:
      return "fastest";
    case Measure::power:
    case Measure::facility_power:
      return "least power";
    case Measure::energy:
      return "least energy";
    case Measure::co2:
      return "least CO₂";
    case Measure::gpus:
      return "fewest GPUs";
  }
  return "";
}

Money to_pay(const DesignSummary& design) {
  return design.owned ? design.owned->to_pay : design.capex.expected;
}

std::string paid_words(const DesignSummary& design) {
  const Money paid = to_pay(design);
  if (paid < Money{}) return money(Money::cents(-paid.in_cents())).text + " left of the sale";
  return fmt::format("{} to {}", money(paid).text, design.owned ? "pay" : "buy");
}

Cell megawatts_cell(Watts watts) {
  return number(watts.si() / 1e6, "MW");
}

Cell days_cell(Seconds time) {
  return number(time.in(units::day), "days");
}

namespace {

/// "$421 M", "76.6 days": the figure that is to be least.
Cell goal_of(Measure measure, const DesignSummary& design) {
  switch (measure) {
    case Measure::tco:
      return money(design.owning().expected);
    case Measure::capex:
      return money(to_pay(design));
    case Measure::run_cost:
      return money(design.run_cost);
    case Measure::days:
      return days_cell(design.from_order());
    case Measure::power:
      return megawatts_cell(design.it);
    case Measure::facility_power:
      return megawatts_cell(design.facility.value_or(Watts{}));
    case Measure::energy:
      return number(design.energy.in(1000 * units::kWh), "MWh");
    case Measure::co2:
      return number(design.co2_kg.value_or(0) / 1000, "t");
    case Measure::gpus:
      return count(design.gpus);
  }
  return unknown();
}

}  // namespace

std::string cases_words(double share) {
  const double tenths = 10 * share;
  if (std::abs(tenths - std::round(tenths)) < 1e-9)
    return fmt::format("{:.0f} of 10 cases", tenths);
  return fmt::format("{:g} of 100 cases", 100 * share);
}

void add_margins(const DesignAnswer& answer, Document& document) {
  if (answer.margins.empty()) return;
  const Measure goal = answer.brief.minimise;
  document.add(Section{"What the limits cost", least(goal, answer.judged_by)});
  Table table{.header = {"limit", "needed", "a tenth tighter", "a tenth looser", "without"}};
  const auto cell = [&](const std::optional<DesignSummary>& design) {
    return design ? goal_of(goal, *design) : words("nothing fits");
  };
  for (const LimitMargin& margin : answer.margins) {
    table.add({words(limit_words(margin.limit, margin.limited_to, answer.judged_by)),
               words(enough_words(margin.limit, margin.needed, answer.judged_by) +
                     (margin.binds ? "" : ", does not bind")),
               cell(margin.tighter.design), cell(margin.looser.design), cell(margin.without)});
  }
  document.detail(table);
  List list;
  const std::string now = goal_of(goal, *answer.best).text;
  for (const LimitMargin& margin : answer.margins) {
    const std::string limit = limit_words(margin.limit, margin.limited_to, answer.judged_by);
    if (!margin.binds) {
      list.items.push_back(
          fmt::format("{} does not bind: {} needed", limit,
                      enough_words(margin.limit, margin.needed, answer.judged_by)));
      continue;
    }
    list.items.push_back(
        fmt::format("{} binds: {} now, {} at {}, {} at {}, {} without", limit, now,
                    cell(margin.tighter.design).text,
                    limit_words(margin.limit, margin.tighter.limit, answer.judged_by),
                    cell(margin.looser.design).text,
                    limit_words(margin.limit, margin.looser.limit, answer.judged_by),
                    cell(margin.without).text));
  }
  document.blocks.push_back({std::move(list), Where::terminal});
}

/// "1,024 dgx-h100", and where that is so that no run on it was measured.
std::string rented_words(const RentedRun& one) {
  return fmt::format("{} {}{}", grouped(one.gpus), one.system, mark(one.plan.evidence));
}

/// "three-years", or of several kinds all terms.
template <class Rent>
std::string terms_words(const Rent& rent) {
  return rent.mixed ? rent_terms_words(*rent.mixed) : std::string{name_of(rent.term)};
}

void add_rent(const DesignAnswer& answer, Document& document) {
  if (answer.rent.empty()) return;
  const std::string worth = answer.best ? financed_words(answer.best->financed) : std::string{};
  document.add(Section{"Rent instead", "all that is paid where the run is all there is to do" +
                                           (worth.empty() ? "" : "; worth today" + worth)});
  Table table{
      .header = {"GPUs", "term", "days", "cost", "in " + cases_words(answer.brief.confidence)},
      .ranking = true};
  if (answer.best) {
    const DesignSummary& best = *answer.best;
    table.add({words(fmt::format("{} {}{}", grouped(best.gpus), best.cluster.system,
                                 mark(best.plan.evidence))),
               words("bought whole"), number(best.time.in(units::day)),
               at_least(owning_at_least(answer), money(best.owning().expected)),
               money(best.at_confidence.tco)});
  }
  for (const RentedRun& one : answer.rent) {
    table.add({words(rented_words(one)), words(terms_words(one)), number(one.time.in(units::day)),
               money(one.cost.expected), money(one.confident_cost)});
  }
  document.add(std::move(table));
}

namespace {

/// From how many runs on buying pays, of those that there is time for.
std::string runs_words(const DesignAnswer& answer) {
  if (!answer.buying_pays) return {};
  const BuyingRuns& pays = *answer.buying_pays;
  if (pays.most < 2) return " There is no time for a second one in the years that owning is for.";
  // Of an older answer it is not known on what.
  const std::string on = pays.system.empty() ? ""
                                             : fmt::format(" ({} {}, {})", grouped(pays.gpus),
                                                           pays.system, terms_words(pays));
  if (!pays.from) {
    return fmt::format(
        " Nor does buying pay for more such runs: the {} that there is time for cost {} to "
        "rent{}.",
        grouped(pays.most), money(pays.rent).text, on);
  }
  return fmt::format(
      " Buying pays from {} such runs on{}, of {} that there is time for: so many cost {} to "
      "rent{}.",
      grouped(*pays.from), owning_at_least(answer) ? " at the earliest" : "", grouped(pays.most),
      money(pays.rent).text, on);
}

/// What the rent stays within in the cases in which the limits hold, and which then is the least.
std::string surely_rented_words(const DesignAnswer& answer, const RentedRun& cheapest) {
  const RentedRun& surest = *std::min_element(
      answer.rent.begin(), answer.rent.end(),
      [](const auto& a, const auto& b) { return a.confident_cost < b.confident_cost; });
  std::string words = fmt::format(" In {} it stays within {}", cases_words(answer.brief.confidence),
                                  money(cheapest.confident_cost).text);
  if (surest.confident_cost < cheapest.confident_cost) {
    words += fmt::format(", and {} ({}) within {}", rented_words(surest), terms_words(surest),
                         money(surest.confident_cost).text);
  }
  return words + ".";
}

/// What is owned and could not be looked at.
void add_not_kept(const DesignAnswer& answer, Document& document) {
  for (const OwnedGpus& owned : answer.brief.owned) {
    for (const LeftOut& one : answer.left_out) {
      if (one.kind != "system" || one.name != owned.system) continue;
      document.add(present::Text{
          .text =
              fmt::format("Keeping {} was not looked at, only selling: {}.", one.name, one.reason),
          .indent = 0,
          .emphasis = Emphasis::strong});
    }
  }
}

}  // namespace

void add_reservations(const DesignAnswer& answer, Document& document) {
  const DesignSummary& best = *answer.best;
  add_not_kept(answer, document);
  const auto say = [&](const std::string& whose, const Plan& plan) {
    if (plan.p_fits() >= kSurelyFits) return;
    document.add(present::Text{
        .text = fmt::format("{} plan fits the memory in {:.0f} of 100 cases, and only "
                            "in those do the days hold.",
                            whose, 100 * plan.p_fits()),
        .indent = 0});
  };
  if (best.runs.empty()) say("Its", best.plan);
  for (const RunSummary& run : best.runs) say(run.name + "'s", run.plan);
  const auto least_paid = std::min_element(
      answer.rent.begin(), answer.rent.end(),
      [](const RentedRun& a, const RentedRun& b) { return a.cost.expected < b.cost.expected; });
  if (least_paid == answer.rent.end()) return;
  const Money rent = least_paid->cost.expected, owning = best.owning().expected;
  if (rent >= owning || rent <= Money{}) return;
  document.add(present::Text{
      .text = fmt::format("For this run alone renting costs less: {} ({}, {}), where owning "
                          "costs {}{}{}.{}{}",
                          money(rent).text, rented_words(*least_paid), terms_words(*least_paid),
                          owning_at_least(answer) ? "at least " : "", money(owning).text,
                          answer.judged_by ? " of " + *answer.judged_by : "",
                          surely_rented_words(answer, *least_paid), runs_words(answer)),
      .indent = 0});
}

namespace {

/// Of the run whose plan is told.
Seconds told_without_failures(const DesignSummary& design) {
  Seconds longest{};
  for (const RunSummary& run : design.runs) {
    if (run.plan == design.plan) longest = std::max(longest, run.without_failures);
  }
  return design.runs.empty() ? design.without_failures : longest;
}

}  // namespace

void add_surely_fitting(const DesignSummary& design, Document& document) {
  if (!design.surely_fitting) return;
  const auto& [plan, run] = *design.surely_fitting;
  add_headline("Surely", plan, document);
  document.add(present::Text{
      .text = fmt::format("the fastest that fits the memory in 9 of 10 cases{}: {} "
                          "without failures, {:+.1f} %",
                          design.runs.empty() ? "" : ", of the longest run", days_cell(run).text,
                          100 * (run / told_without_failures(design) - 1))});
}

std::string owning_words(const DesignSummary& design) {
  return design.financed ? present_cost_words(*design.financed) : kTotalCost;
}

bool owning_at_least(const DesignAnswer& answer) {
  return !answer.opex_left_out.empty();
}

void add_opex_left_out(const DesignAnswer& answer, Document& document) {
  std::vector<std::string_view> names;
  for (const OpexItem item : answer.opex_left_out) names.push_back(name_of(item));
  if (names.empty()) return;
  document.add(present::Text{
      .text = fmt::format("in no total, for nobody gave it: {}", fmt::join(names, ", "))});
}

namespace {

std::string price_words(const PriceFlip& flip, double dollars) {
  if (flip.part == "electricity")
    return usd(Estimate<Usd>::exactly(dollars * units::usd)).text + " a kWh";
  return money(*Money::from_dollars(dollars)).text;
}

}  // namespace

void add_flips(const DesignAnswer& answer, Document& document) {
  if (answer.flips.empty()) return;
  document.add(
      Section{"What would change it", "one price at a time, to 0.05 %, the others as they are"});
  Table table{.header = {"price of", "now", "looked at", "changes at", "to"}};
  List list;
  for (const PriceFlip& flip : answer.flips) {
    const std::string range = price_words(flip, flip.low) + " to " + price_words(flip, flip.high);
    const Cell now = words(price_words(flip, flip.now));
    if (!flip.below && !flip.above) {
      table.add({words(flip.part), now, words(range), none(), none()});
      list.items.push_back(fmt::format("{}, {} now: nothing from {}", flip.part, now.text, range));
    }
    for (const auto& [turn, side] : {std::pair{&flip.below, "below"}, {&flip.above, "above"}}) {
      if (!*turn) continue;
      const std::string at = std::string(side) + " " + price_words(flip, (*turn)->at);
      const DesignSummary& design = (*turn)->design;
      const bool same = design.cluster.title == answer.best->cluster.title;
      const std::string title =
          (same ? "the same with " + optics_words(design.cluster) : design.cluster.title) +
          mark(design.plan.evidence);
      table.add({words(flip.part), now, words(range), words(at), words(title)});
      list.items.push_back(fmt::format("{}, {} now: {} {}", flip.part, now.text, at, title));
    }
  }
  document.detail(std::move(table));
  for (const SystemBest& system : answer.by_system) {
    if (!system.wins_below) continue;
    list.items.push_back(
        fmt::format("{}{} would win at {} a node or less{}", system.system,
                    system.best ? mark(system.best->plan.evidence) : "",
                    money(*Money::from_dollars(*system.wins_below)).text,
                    system.node_price ? ", not " + money(*system.node_price).text : ""));
  }
  document.add(std::move(list));
}

void add_runs(const DesignSummary& best, Document& document) {
  document.add(Section{"The runs", "one after the other, on the same GPUs"});
  Table table{.header = {"", "run", "GPUs", "batch", "days", "cost", "MWh"}};
  for (std::size_t at = 0; at < best.runs.size(); ++at) {
    const RunSummary& run = best.runs[at];
    table.add({words(fmt::format("{}", at + 1)), words(run.name + mark(run.plan.evidence)),
               count(run.used_gpus), count(run.global_batch), number(run.time.in(units::day)),
               money(run.cost), number(run.energy.in(1000 * units::kWh))});
  }
  document.add(std::move(table));
  for (std::size_t at = 0; at < best.runs.size(); ++at) {
    add_headline(fmt::format("Plan {}", at + 1), best.runs[at].plan, document);
  }
}

}  // namespace planner::commands

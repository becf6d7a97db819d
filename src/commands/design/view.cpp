#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/broken_rules.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/finance_fields.hpp"
#include "planner/commands/parts/network_drawing.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

Cell network_of(const DesignSummary& design) {
  return words(network_words(design.cluster));
}

void add_sentence(const DesignAnswer& answer, Document& document) {
  if (!answer.best) {
    const char* const what = answer.search.designs == 0 ? "There is nothing to choose from."
                             : answer.brief.limits == BriefLimits{} ? "Nothing can be ranked."
                             : answer.search.proved() ? "Nothing is within the limits."
                                                      : "Nothing was found in the time given.";
    document.add(present::Text{.text = what, .indent = 0, .emphasis = Emphasis::strong});
    return;
  }
  const DesignSummary& best = *answer.best;
  const std::string proof = answer.search.proved()
                                ? fmt::format("the {} of {} designs, proved",
                                              least(answer.brief.minimise, answer.judged_by),
                                              grouped(answer.search.designs))
                                : fmt::format("the {} so far of {} designs, not proved",
                                              least(answer.brief.minimise, answer.judged_by),
                                              grouped(answer.search.designs));
  const bool kept = best.owned && best.owned->kept_gpus >= best.gpus;
  const char* const verb = kept ? "Keep" : "Buy";
  std::string days = days_cell(best.lead + best.at_confidence.time).text;
  if (best.lead > Seconds{}) days += " from the order";
  if (answer.brief.minimise == Measure::days) {  // what is the least, and what limits are held to
    days = days_cell(best.from_order()).text + " as expected, " + days;
  }
  document.add(present::Text{
      .text = fmt::format("{} {}: {} in {}{}, {}, {} of IT; {}.", verb, best.cluster.title, days,
                          cases_words(best.at_confidence.confidence),
                          answer.brief.rates ? "" : " if nothing fails", paid_words(best),
                          megawatts_cell(best.it).text, proof),
      .indent = 0,
      .emphasis = Emphasis::strong});
  add_reservations(answer, document);
}

/// What stands behind the times, said once where it is the same of several runs.
void add_evidence_of(const DesignSummary& best, Document& document) {
  if (best.runs.empty()) add_evidence(best.plan.evidence, document);
  for (auto run = best.runs.begin(); run != best.runs.end(); ++run) {
    const auto again = [&](const RunSummary& one) {
      return one.plan.evidence == run->plan.evidence;
    };
    if (std::none_of(best.runs.begin(), run, again)) add_evidence(run->plan.evidence, document);
  }
}

/// "$346 M to buy"; where a sale pays for a part of it: "$12 M to pay after the sale".
std::string to_buy_at_confidence(const DesignSummary& best) {
  const Money capex = best.at_confidence.capex;
  if (!best.owned) return money(capex).text + " to buy";
  const std::int64_t owned = best.capex.expected.in_cents() - to_pay(best).in_cents();
  return money(Money::cents(capex.in_cents() - owned)).text + " to pay after the sale";
}

void add_best(const DesignAnswer& answer, Document& document) {
  const DesignSummary& best = *answer.best;
  document.add(Section{"What to buy", answer.price_book});
  Cell took = days_cell(best.time);
  took.ends = Ends{best.time_range.low.in(units::day), best.time_range.high.in(units::day)};
  took.text += fmt::format(" ({}–{}), {} failures", significant(best.time_range.low.in(units::day)),
                           significant(best.time_range.high.in(units::day)),
                           answer.brief.rates ? "with" : "without");
  const bool several = !best.runs.empty();
  const char* const longest = several ? "longest " : "";
  Facts facts{{{"system", words(best.system_title)},
               {"nodes", said(count(best.nodes),
                              fmt::format("{} × {}", grouped(best.nodes), best.node_title))},
               {"GPUs bought", count(best.gpus)},
               {fmt::format("GPUs that the {}run uses", longest), count(best.used_gpus)},
               {"network", network_of(best)},
               {fmt::format("global batch{}", several ? " of the longest run" : ""),
                count(best.cluster.run->global_batch.value_or(0))},
               {"days", std::move(took)},
               {"purchase", money(best.capex)},
               {kTotalCost, at_least(owning_at_least(answer), money(best.tco))},
               {several ? "of it, for the runs' hours" : "of it, for the run's hours",
                at_least(owning_at_least(answer), money(best.run_cost))},
               {"IT power, rated", megawatts_cell(best.it)}}};
  if (const std::string optics = optics_words(best.cluster); !optics.empty()) {
    facts.facts.insert(std::next(facts.facts.begin(), 5), {"optics", words(optics)});
  }
  if (best.financed) {
    const auto by_run = std::next(facts.facts.end(), -2);
    facts.facts.insert(by_run, {owning_words(best), at_least(owning_at_least(answer),
                                                             money(best.financed->present_cost))});
  }
  if (best.purchase && best.purchase->racks) {
    facts.facts.push_back({"racks", count(*best.purchase->racks)});
    facts.facts.push_back({"longest cable", number(*best.purchase->longest_cable_m, "m")});
  }
  if (answer.brief.rates) {
    const auto by_use = std::next(facts.facts.begin(), 4);
    facts.facts.insert(by_use, {"of the others, standing by as spares", count(best.standing_by)});
  }
  if (best.lead > Seconds{}) {
    const auto behind_days = std::next(facts.facts.begin(), 7);
    facts.facts.insert(behind_days, {{"weeks until it runs", number(best.lead.in(7 * units::day))},
                                     {"days from the order", days_cell(best.from_order())}});
  }
  if (best.owned) {
    facts.facts.push_back({"of the GPUs, owned and kept", count(best.owned->kept_gpus)});
    facts.facts.push_back({"of the purchase, what these would sell for", money(best.owned->kept)});
    facts.facts.push_back({"what the others that are owned bring", money(best.owned->sold)});
    const Money paid = best.owned->to_pay;
    facts.facts.push_back(paid < Money{}
                              ? Fact{"left of the sale", money(Money::cents(-paid.in_cents()))}
                              : Fact{"to pay", money(paid)});
  }
  if (best.facility) facts.facts.push_back({"with cooling", megawatts_cell(*best.facility)});
  const std::string of_run = several ? "of all runs" : "of the run";
  facts.facts.push_back({"energy " + of_run, number(best.energy.in(1000 * units::kWh), "MWh")});
  if (best.co2_kg) facts.facts.push_back({"CO₂ " + of_run, number(*best.co2_kg / 1000, "t")});
  document.add(std::move(facts));
  const DesignSummary::AtConfidence& sure = best.at_confidence;
  document.add(present::Text{
      .text = fmt::format(
          "Limits are held against {}, {}, {} {} and {} for the {}{}: {} stay within "
          "them "
          "if all prices are low or high together.{}",
          days_cell(sure.time).text, to_buy_at_confidence(best), money(sure.tco).text,
          answer.judged_by ? "of " + *answer.judged_by : "to own", money(sure.run_cost).text,
          several ? "runs" : "run", owning_at_least(answer) ? ", without what nobody gave" : "",
          cases_words(sure.confidence),
          best.outlook ? " How sure it is where each is by itself, as cost of the cluster says:"
                       : ""),
      .apart = true});
  if (best.outlook) {
    add_outlook(*best.outlook,
                {.money = owning_at_least(answer),
                 .expected = best.expected && stall_unknown(*best.expected)},
                document);
  }
  add_opex_left_out(answer, document);
  if (several) {
    add_runs(best, document);
  } else {
    add_headline("Plan", best.plan, document);
  }
  add_surely_fitting(best, document);
  if (best.expected) add_forecast(*best.expected, document);
}

void add_purchase(const DesignAnswer& answer, Document& document) {
  if (!answer.best || !answer.best->purchase) return;
  const DesignSummary::Purchase& all = *answer.best->purchase;
  Total capex = all.capex;
  capex.amount = answer.best->capex;
  document.detail(shown_bill(all.bill, capex, "What is bought", answer.price_book));
  document.detail(network_drawing(all.fabric));
}

void add_relaxed(const DesignAnswer& answer, Document& document) {
  if (answer.relax.empty()) return;
  document.add(Section{"What would have to give", "each limit alone"});
  List list;
  Table table{.header = {"limit", "the least that would do", "with"}};
  for (const RelaxedLimit& relaxed : answer.relax) {
    const std::string limit = limit_words(relaxed.limit, relaxed.limited_to, answer.judged_by);
    const std::string needed = relaxed.needed
                                   ? enough_words(relaxed.limit, *relaxed.needed, answer.judged_by)
                                   : "alone it would not do";
    table.add({words(limit), words(needed),
               relaxed.design ? words(relaxed.design->cluster.title) : none()});
    list.items.push_back(relaxed.design ? fmt::format("{}: {} would do, with {}", limit, needed,
                                                      relaxed.design->cluster.title)
                                        : fmt::format("{}: {}", limit, needed));
  }
  document.blocks.push_back({std::move(list), Where::terminal});
  document.detail(std::move(table));
}

void add_certificate(const design::Certificate& of, const char* title, Document& document) {
  if (of.designs == 0) return;
  document.add(Section{title, of.proved() ? "proved" : "not proved"});
  document.add(present::Text{
      .text = fmt::format(
          "{} designs: {} searched, {} beyond a limit, {} cannot do the work in time, {} not even "
          "on a full network, {} no better in their parts, {} networks that cannot be built, {} "
          "without a price or power{}{}; {} exact searches over all strategies",
          grouped(of.designs), grouped(of.searched), grouped(of.over_limits), grouped(of.by_work),
          grouped(of.by_full_network), grouped(of.by_parts), grouped(of.no_network),
          grouped(of.unpriced), of.lacks ? fmt::format(" ({})", *of.lacks) : "",
          of.proved() ? "" : fmt::format(", {} not reached", grouped(of.not_reached)),
          grouped(of.searches))});
}

void add_left_out(const DesignAnswer& answer, Document& document) {
  if (answer.left_out.empty()) return;
  document.add(Section{"Left out"});
  List list;
  for (const LeftOut& one : answer.left_out) {
    std::string item = fmt::format("{} {}: {}", one.kind, one.name, one.reason);
    if (one.wins_below) {
      item += fmt::format("; it would win at {} a node or less",
                          money(*Money::from_dollars(*one.wins_below)).text);
    }
    list.items.push_back(std::move(item));
  }
  document.add(std::move(list));
}

void add_basis(const DesignAnswer& answer, Document& document) {
  document.detail(Section{"What the figures stand on"});
  std::vector<std::string> items{
      "A design costs and takes what `planner cost` says of its cluster file.",
      answer.brief.rates
          ? "Days are with failures at the rates of " + *answer.brief.rates +
                ", and with as many spares as stand idle; their range is that of the calibrated "
                "timing model's interval and of the failures together, 80 of 100 runs."
          : "Days are without failures (--rates counts them), by the calibrated timing model; "
            "their "
            "range is that of its interval, which 80 % of measured runs lie in.",
      "The limits hold in the share of cases asked for: days by that range, money by the price "
      "book's ranges as if all prices moved together, and the cost of the run with both at once.",
      answer.brief.build
          ? "Each design that the bounds left was laid out in the building of the brief, racks in "
            "the regular arrangement: cables are of the lengths and transceivers of the reach that "
            "this takes, and what does not fit the building cannot be built. `planner build` of "
            "the cluster file shows it."
          : "Links are as long as their optics reach: no building was laid out (\"build\" in the "
            "brief), and no rule of one was looked at: `planner build` of the cluster file does. "
            "Transceivers are counted by their ports, at network cards too: whether two of "
            "these share a cage is not known.",
      "A part without a price or without power is never ranked.",
      "What owning costs is the total cost of ownership, and where the economics say what money "
      "costs or what is taxed the net present cost of it: designs, limits on it and rents beside "
      "it are all judged by that.",
      answer.brief.runs.size() > 1
          ? "Runs come one after the other, with no time between them. Each has its own plan and "
            "uses as many of the GPUs as are best for it. Their days, energy and cost are added, "
            "those in the cases asked for too: as if they were late together. Renting is not "
            "looked at: each run could be rented for by itself."
          : "Rented GPUs are paid in whole nodes, on a network that is taken for one of full "
            "bandwidth, and replaced at once where they fail; on demand for the hours of the run, "
            "else for whole terms.",
      answer.brief.routing
          ? fmt::format("Flows are routed by {} on each network, as `planner cost` has it of its "
                        "cluster file.",
                        name_of(*answer.brief.routing->scheme))
          : "On a network of rails alone the time takes each group to stay on its rail, as "
            "`planner cost` does; \"routing\" in the brief charges what does not.",
      "Prices at which another design wins are asked of the exact search again, over the same "
      "networks."};
  if (!answer.brief.lead_weeks.empty()) {
    items.emplace_back(
        "Days of designs count from the order: the lead time of the system, where the brief says "
        "one and a node is ordered, and then the run. Networks are taken to come no later.");
  }
  if (!answer.brief.owned.empty()) {
    items.emplace_back(
        "Nodes that are owned are kept before any is bought; what is kept counts in the purchase "
        "and in the TCO at what it would sell for, the rest is sold on the day of the purchase. "
        "Their network is bought anew, and they lose value as new ones do.");
  }
  for (const std::string& note : answer.price_book_notes) {
    items.push_back(answer.price_book + ": " + note);
  }
  for (const std::string& note : answer.brief.notes) items.push_back(note);
  document.detail(List{std::move(items)});
}

}  // namespace

Document design_view(const DesignAnswer& answer) {
  const Brief& brief = answer.brief;
  Document document{.title = brief.title, .kicker = "Design of a cluster"};
  add_sentence(answer, document);
  if (answer.best) {
    add_evidence_of(*answer.best, document);
    add_best(answer, document);
  }
  if (auto chart = front_chart(answer)) {
    document.add(Charts{[drawn = *std::move(chart)] { return std::vector{drawn}; }});
  }
  add_best_designs(answer, document);
  add_front(answer, document);
  add_by_system(answer, document);
  add_margins(answer, document);
  add_flips(answer, document);
  add_rent(answer, document);
  add_purchase(answer, document);
  if (answer.best && answer.best->purchase && answer.best->purchase->broken) {
    add_broken(*answer.best->purchase->broken, document);
  }
  add_relaxed(answer, document);
  add_certificate(answer.search, "How the space was covered", document);
  if (answer.front_search) {
    add_certificate(*answer.front_search, "How it was covered for the front", document);
  }
  if (!brief.build && answer.best) {
    document.add(present::Text{
        .text = "No building was laid out: a cable costs the same at any length, and no rule of a "
                "building was looked at. \"build\": {} in the brief does both.",
        .apart = true});
  }
  add_left_out(answer, document);
  add_basis(answer, document);
  return document;
}

}  // namespace planner::commands

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/build/build.hpp"
#include "planner/commands/build/cables_view.hpp"
#include "planner/commands/build/floor_key.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/broken_rules.hpp"
#include "planner/cost/capex.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;
using A = BuildAnswer;

std::string watts_text(double watts) {
  return watts < 1e6 ? fmt::format("{:.0f} kW", watts / 1e3)
                     : fmt::format("{:.2f} MW", watts / 1e6);
}

/// Kilowatts below a megawatt.
Cell power_cell(double watts) {
  return watts < 1e6 ? number(watts / 1e3, "kW") : number(watts / 1e6, "MW");
}

/// Of what is known where some of it is not.
Cell known_power(const A& answer, double watts) {
  return present::at_least(!answer.power.unknown.empty(), power_cell(watts));
}

std::string kinds_text(const A& answer) {
  std::string text;
  for (const auto& [kind, number] : answer.racks_by_kind()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(number), kind);
  }
  return text;
}

/// "4, bound by power"; "2, of 4 that fit by power" where the network has fewer in a rack.
std::string nodes_text(const A& answer) {
  std::int64_t most = 0;
  for (const A::RackLine& rack : answer.racks) {
    most = std::max<std::int64_t>(
        most, std::count_if(rack.contents.begin(), rack.contents.end(), [](const auto& content) {
          return content.device.rfind("node-", 0) == 0;
        }));
  }
  if (most == 0 || most == answer.nodes_per_rack) {
    return fmt::format("{}, bound by {}", grouped(answer.nodes_per_rack), answer.bound_by);
  }
  return fmt::format("{}, of {} that fit by {}", grouped(most), grouped(answer.nodes_per_rack),
                     answer.bound_by);
}

/// What racks take of the floor; answers of older programs have it all.
double used_area(const A& answer) {
  return answer.floor.used_m2 > 0 ? answer.floor.used_m2 : answer.floor.area_m2;
}

/// Floor without racks: "92 places, 2 rows among them".
std::string reserve_text(const A& answer) {
  const A::FloorLine& floor = answer.floor;
  if (floor.free_places == 0) return "none";
  const std::string rows = floor.empty_rows == 0 ? ""
                           : floor.empty_rows == 1
                               ? ", a whole row among them"
                               : ", " + grouped(floor.empty_rows) + " whole rows among them";
  return grouped(floor.free_places) + " places" + rows;
}

void add_headline(const A& answer, Document& document) {
  document.add(Figures{
      .figures = {{"longest cable", one_decimal(answer.cables.longest_m, "m")},
                  {"racks", count(static_cast<std::int64_t>(answer.racks.size())), "{} racks"},
                  {"IT", known_power(answer, answer.power.it_w), "{} IT"},
                  {"floor used", said(number(used_area(answer), "m²"),
                                      grouped(std::llround(used_area(answer))) + " m²")}},
      .strong = true});
  const std::string kinds = kinds_text(answer);
  constexpr std::size_t kOneLine = 60;
  Facts facts;
  if (kinds.size() <= kOneLine) facts.facts.push_back({"racks", words(kinds)});
  facts.facts.push_back({"nodes per rack", words(nodes_text(answer))});
  const A::FloorLine& floor = answer.floor;
  facts.facts.push_back(
      {"floor",
       words(fmt::format("{} rows of {} places{}, {} × {} m", grouped(floor.rows),
                         grouped(floor.places_per_row),
                         floor.halls > 1 ? fmt::format(" in {} halls", grouped(floor.halls)) : "",
                         grouped(floor.width_m, 1), grouped(floor.depth_m, 1)))});
  facts.facts.push_back(
      {fmt::format("with {:g} m around it", answer.figure(&Site::perimeter_m)),
       said(number(floor.area_m2, "m²"), grouped(std::llround(floor.area_m2)) + " m²")});
  facts.facts.push_back({"in reserve", words(reserve_text(answer))});
  facts.facts.push_back(
      {"arrangement", words(fmt::format("{}, switches at {}", name_of(answer.arrangement),
                                        answer.switch_position))});
  document.add(std::move(facts));
  if (kinds.size() > kOneLine) document.add(Text{.text = "racks: " + kinds});
}

double heaviest_rack(const A& answer) {
  double most = 0;
  for (const A::RackLine& rack : answer.racks) most = std::max(most, rack.kg);
  return most;
}

void add_halls(const A& answer, Document& document) {
  if (answer.halls.empty()) return;
  document.add(Section{"Halls"});
  Table table{.header = {"hall", "racks", "GPUs", "IT", "with cooling", "cables to other halls"}};
  for (std::size_t i = 0; i < answer.halls.size(); ++i) {
    const A::HallLine& hall = answer.halls[i];
    table.add({words(std::to_string(i + 1)), count(hall.racks), count(hall.gpus),
               power_cell(hall.it_w), power_cell(hall.facility_w), count(hall.cables_out)});
  }
  document.add(std::move(table));
}

/// What carries the building when the utility fails, and what then stops.
void add_backup(const A& answer, Facts& facts) {
  const site::Backup& backup = answer.power.backup;
  const double it = answer.power.it_w;
  const auto power = [](double watts) {
    return watts < 1e6 ? fmt::format("{:.0f} kW", watts / 1e3)
                       : fmt::format("{:.1f} MW", watts / 1e6);
  };
  if (backup.ups) {
    std::string ups = power(backup.ups->si());
    if (backup.ups_kwh) {
      ups += fmt::format(" for {:g} min: {} kWh", *backup.ups_minutes,
                         grouped(std::llround(*backup.ups_kwh)));
    } else {
      ups += ", for how long is not known (\"ups_minutes\")";
    }
    if (backup.ups->si() < it) {
      ups += "; " + power(it - backup.ups->si()) + " of IT stop with the utility";
    }
    facts.facts.push_back({"UPS", words(ups)});
  }
  if (backup.generators) {
    facts.facts.push_back({"generators", words(power(backup.generators->si()) + " with cooling")});
  } else if (backup.ups) {
    facts.facts.push_back({"generators", words("not known (\"generator_share\")")});
  }
}

void add_power(const A& answer, Document& document) {
  const A::PowerLine& power = answer.power;
  document.add(Section{"Power and heat"});
  const double pue = answer.figure(&Site::pue);
  const std::string whose = answer.pue_of ? " (" + *answer.pue_of + ")" : "";
  Facts facts{{{"IT", known_power(answer, power.it_w)},
               {"PUE", said(number(pue), fmt::format("{:g}{}", pue, whose))},
               {"with cooling", known_power(answer, power.facility_w)},
               {"per m² used", number(power.it_w / used_area(answer) / 1000, "kW/m²")},
               {"densest rack", words(fmt::format("{} kW, circuits of {} kW",
                                                  grouped(power.densest_rack_w / 1000, 1),
                                                  grouped(power.circuit_w / 1000, 1)))},
               {"heaviest rack", number(heaviest_rack(answer), "kg")},
               {"circuits in all", count(power.circuits)},
               {"air", number(power.air_m3_per_s, "m³/s")}}};
  if (power.spare_w > 0) {
    facts.facts.insert(
        facts.facts.begin() + 1,
        {"of it, hosts in reserve",
         said(power_cell(power.spare_w),
              fmt::format("{}: {} host{}", watts_text(power.spare_w), grouped(power.spare_nodes),
                          power.spare_nodes == 1 ? "" : "s"))});
  }
  if (power.rated_w > power.it_w) {
    facts.facts.insert(facts.facts.begin() + 1,
                       {"with nodes at rated power", known_power(answer, power.rated_w)});
  }
  add_backup(answer, facts);
  if (power.liquid_w > 0) {
    facts.facts.push_back({"into liquid", share(power.liquid_w / power.it_w)});
    facts.facts.push_back({"coolant", number(power.coolant_l_per_min, "L/min")});
    const bool beside = answer.racks_of(site::kSidecar) > 0;
    const std::int64_t reserve = power.cdus - power.cdus_needed;
    facts.facts.push_back({beside ? "CDUs, in racks" : "CDUs",
                           words(fmt::format("{}, {} in reserve", grouped(power.cdus),
                                             reserve > 0 ? grouped(reserve) : "none"))});
    facts.facts.push_back(
        {reserve > 0 ? "hottest CDU, one lost" : "hottest CDU",
         words(fmt::format("{} of {} kW{}", grouped(std::llround(power.cdu_heat_w / 1000)),
                           grouped(std::llround(power.cdu_limit_w / 1000)),
                           power.cdu_limit_assumed ? " (assumed)" : ""))});
  }
  const auto heaviest =
      std::max_element(power.by_row.begin(), power.by_row.end(),
                       [](const A::RowLine& a, const A::RowLine& b) { return a.watts < b.watts; });
  if (heaviest != power.by_row.end()) {
    const double feeds = answer.figure(&Site::feeds);
    const double one = site::of_each_feed(heaviest->watts * units::W, feeds).si();
    const std::string each =
        feeds > 2 ? fmt::format(", {} a feed when one is lost", grouped(std::llround(one / 1000)))
                  : "";
    facts.facts.push_back(
        {"heaviest row", words(fmt::format("{}: {} kW{}, busway {} kW", heaviest->row,
                                           grouped(std::llround(heaviest->watts / 1000)), each,
                                           grouped(std::llround(power.busway_w / 1000))))});
  }
  document.add(std::move(facts));
  if (!power.unknown.empty()) {
    std::string names;
    for (const std::string& what : power.unknown) names += (names.empty() ? "" : ", ") + what;
    document.add(Text{.text = "of unknown power, in none of these figures: " + names});
  }
  if (!power.chain.empty()) {
    Table chain{.header = {"unit", "load", "one other lost", "limit"}};
    for (const A::ChainLine& unit : power.chain) {
      chain.add({words(unit.name), one_decimal(unit.watts / 1000, "kW"),
                 one_decimal(unit.worst_w / 1000, "kW"), one_decimal(unit.limit_w / 1000, "kW")});
    }
    document.add(std::move(chain));
  }
}

void add_domains(const A& answer, Document& document) {
  document.add(Section{"What fails together", "each figure the worst of its kind"});
  Table table{.header = {"part", "there are", "GPUs cut off", "GPUs slowed", "cables"}};
  const auto figure = [](const std::optional<std::int64_t>& known) {
    return known ? count(*known) : words("unknown");
  };
  bool unknown = false;
  for (const site::FailureDomain& domain : answer.domains) {
    table.add({words(domain.kind == "row" ? "row of a block" : domain.kind), count(domain.count),
               figure(domain.gpus_cut), figure(domain.gpus_slowed), figure(domain.links_lost)});
    unknown = unknown || !domain.gpus_cut;
  }
  document.add(std::move(table));
  if (!unknown) return;
  document.add(Text{.text =
                        "how many of its power supplies a node needs is not known (\"psus\" and "
                        "\"psus_needed\" of a chassis): nor is what lives on the feeds left"});
}

void add_bill(const A& answer, Document& document) {
  if (!answer.bill) return;
  document.add(Section{"Cables to be bought"});
  Table table{.header = {"medium", "length", "pieces"}};
  for (const A::BillLine& line : *answer.bill) {
    table.add({words(line.part), number(line.length_m, "m"), count(line.pieces)});
  }
  document.add(std::move(table));
  if (!answer.materials) return;
  const Total unknown{.amount = {}, .missing = 1, .unbounded = true};
  document.add(shown_bill(*answer.materials, capex(*answer.materials).value_or(unknown),
                          "Bill of materials", answer.price_book.value_or("")));
}

void add_racks(const A& answer, Document& document) {
  document.detail(Section{"Racks"});
  Table table{.header = {"rack", "place", "kind", "units", "GPUs", "kW", "kg", "circuits"}};
  // Thousands of lines say no more than a few: beyond that the CSV and the JSON have them all.
  constexpr std::size_t kMost = 200;
  for (std::size_t i = 0; i < std::min(kMost, answer.racks.size()); ++i) {
    const A::RackLine& rack = answer.racks[i];
    table.add({words(rack.name), words(rack.place), words(rack.kind), count(rack.units_used),
               count(rack.gpus), rack.watts ? number(*rack.watts / 1000) : words("unknown"),
               number(rack.kg), count(rack.circuits)});
  }
  document.detail(std::move(table));
  if (answer.racks.size() > kMost) {
    document.detail(
        Text{.text = fmt::format("and {} more: --json has them all",
                                 grouped(static_cast<std::int64_t>(answer.racks.size() - kMost)))});
  }
}

void add_assumed(const A& answer, Document& document) {
  std::string assumed;
  for (const auto& [key, value] : answer.figures) {
    const bool is =
        std::find(answer.assumed.begin(), answer.assumed.end(), key) != answer.assumed.end();
    if (is) assumed += fmt::format("{}{} {:g}", assumed.empty() ? "" : ", ", key, value);
  }
  document.detail(Section{"Assumed"});
  document.detail(Text{.text = assumed});
}

}  // namespace

Document build_view(const BuildAnswer& answer) {
  Document document{.title = answer.title, .kicker = "Physical build of a cluster"};
  add_headline(answer, document);
  add_broken(answer.broken, document);
  if (drawable(answer)) {
    document.detail(Section{"Floor"});
    document.detail(Drawing{.title = "the floor from above", .svg = floor_svg(answer, false)});
    document.detail(Section{"Elevations"});
    document.detail(Drawing{.title = "racks from the front", .svg = elevations_svg(answer, false)});
  }
  add_cables(answer, document);
  add_trays(answer, document);
  add_power(answer, document);
  add_halls(answer, document);
  add_domains(answer, document);
  add_bill(answer, document);
  if (!answer.notes.empty()) {
    document.add(Section{"Notes"});
    document.add(List{answer.notes});
  }
  add_racks(answer, document);
  add_assumed(answer, document);
  if (!answer.assumed.empty()) {
    document.add(Text{.text = fmt::format("{} figures of the building are assumed (--json names "
                                          "them; \"build\" in the cluster file, or --site, "
                                          "replaces them)",
                                          answer.assumed.size()),
                      .emphasis = Emphasis::quiet,
                      .apart = true});
  }
  return document;
}

}  // namespace planner::commands

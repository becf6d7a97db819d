#include "planner/commands/build/cables_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "planner/present/text.hpp"

namespace planner::commands {

using namespace present;

namespace {

/// Metres of many cables, in kilometres where all of an answer are some.
class Metres {
 public:
  explicit Metres(const BuildAnswer& answer)
      : short_(answer.cables.sold_m + answer.cables.domain_m < 1e4) {}

  [[nodiscard]] std::string text(double metres) const {
    if (short_) return grouped(std::llround(metres)) + " m";
    return grouped(metres / 1000, 1) + " km";
  }
  [[nodiscard]] Cell cell(double metres) const {
    return said(short_ ? number(metres, "m") : number(metres / 1000, "km"), text(metres));
  }

 private:
  bool short_;
};

/// "4,096 of 144 fibres, 512 of 24"
std::string pulls_text(const BuildAnswer::Cables& cables) {
  std::string pulls;
  for (const site::TrunkPieces& of : cables.trunk_pieces) {
    pulls += fmt::format("{}{} of {}{}", pulls.empty() ? "" : ", ", grouped(of.pieces), of.fibres,
                         pulls.empty() ? " fibres" : "");
  }
  return pulls;
}

}  // namespace

Cell one_decimal(double value, const char* unit) {
  return said(number(value, unit), grouped(value, 1) + " " + unit);
}

void add_cables(const BuildAnswer& answer, Document& document) {
  const BuildAnswer::Cables& cables = answer.cables;
  const Metres metres(answer);
  document.add(Section{"Cables"});
  // Splitters and trunks carry several cables of the count each.
  const bool shared = cables.pieces != cables.total - cables.beyond_reach;
  Table media{.header = {"medium", "pieces", "required", "sold", "lengths"}};
  if (shared) media.header.insert(media.header.begin() + 1, "links");
  const auto row = [&](const site::MediumUse& use, const std::string& name,
                       const std::string& lengths) {
    // Answers of older programs do not say what pieces need.
    const double required = use.pieces_required_m > 0 ? use.pieces_required_m : use.required_m;
    std::vector<Cell> cells{words(name), count(use.pieces), metres.cell(required),
                            metres.cell(use.sold_m), words(lengths)};
    if (shared) cells.insert(cells.begin() + 1, count(use.links));
    media.add(std::move(cells));
  };
  for (const site::MediumUse& use : cables.by_medium) {
    double least = std::numeric_limits<double>::max(), most = 0;
    const auto sold = [&](const auto& pieces) {
      least = std::min(least, pieces.metres);
      most = std::max(most, pieces.metres);
    };
    for (const site::SoldLength& cord : use.by_length) sold(cord);
    for (const site::SoldTrunks& trunk : use.trunks) sold(trunk);
    row(use, use.medium,
        most == 0       ? ""
        : least == most ? fmt::format("{:g} m", most)
                        : fmt::format("{:g}–{:g} m", least, most));
  }
  row({.title = {},
       .pieces = cables.pieces,
       .links = cables.total,
       .required_m = cables.required_m,
       .pieces_required_m = cables.pieces_required_m,
       .sold_m = cables.sold_m},
      "total", "");
  document.add(std::move(media));
  Table layers{.header = {"layer", "cables", "required", "longest"}};
  for (const BuildAnswer::LayerLine& layer : cables.by_layer) {
    if (layer.cables == 0) continue;
    const bool backplane = layer.longest_m == 0;
    layers.add({words(layer.layer), count(layer.cables),
                backplane ? words("backplane") : metres.cell(layer.required_m),
                backplane ? words("") : one_decimal(layer.longest_m, "m")});
  }
  document.add(std::move(layers));
  if (shared) {
    document.add(Text{.text = "a piece with several links is required and sold once, as long as "
                              "the longest of them; layers have every link"});
  }
  if (cables.domain_cables > 0) {
    document.add(
        Text{.text = fmt::format("inside HB domains, beside the network: {} cables, "
                                 "{}, the longest {} m; they lie in the "
                                 "trays, and come with their maker: in no bill here",
                                 grouped(cables.domain_cables), metres.text(cables.domain_m),
                                 grouped(cables.domain_longest_m, 1))});
  }
  const double all = cables.required_m + cables.domain_m;
  document.add(
      Text{.text = fmt::format(
               "no placement on this floor needs less than {}: this one {}, {} % over",
               metres.text(answer.bound_m), metres.text(all), grouped(100 * answer.gap, 1))});
  if (cables.forced_by_cages > 0) {
    document.add(Text{.text = fmt::format("{} cables are of a longer medium than they need: both "
                                          "ports of a module are of one",
                                          grouped(cables.forced_by_cages))});
  }
}

void add_trays(const BuildAnswer& answer, Document& document) {
  const auto line = [](const BuildAnswer::TrayLine& tray) {
    return fmt::format("{} cables, {} % of what they may take, {} kg/m", grouped(tray.cables),
                       grouped(100 * tray.fill, 0), grouped(tray.kg_per_m, 1));
  };
  document.add(Section{"Trays"});
  const BuildAnswer::Cables& cables = answer.cables;
  Facts facts{{{"fullest over a row", words(line(answer.trays.row))},
               {"fullest across rows", words(line(answer.trays.cross))},
               {"pulls", words(grouped(cables.pieces + cables.domain_cables))}}};
  if (cables.trunks_pulled) {
    facts.facts.push_back({"of them trunks", words(pulls_text(cables))});
    facts.facts.push_back({"fanned out in", words(grouped(cables.breakout_racks) + " racks")});
  }
  document.add(std::move(facts));
  if (!cables.trunks_pulled && !cables.trunk_pieces.empty()) {
    document.add(
        Text{.text = fmt::format(
                 "every cable is a cord of its own; where {} or more join two racks, trunks "
                 "could take their place (\"trunk_fibres\" in \"build\"): {} for {} cords",
                 cables.trunks_from, pulls_text(cables), grouped(cables.in_trunks))});
  }
}

}  // namespace planner::commands

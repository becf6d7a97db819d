#include "planner/commands/parts/network_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "planner/commands/parts/svg_lines.hpp"
#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using present::html_escaped;

constexpr double kName = 18, kLine = 16, kGap = 34;

/// Light, so that dark words stand on them: rails and planes have each their own in every row.
constexpr std::array kHues{"#f2b872", "#9cc3e6", "#dd93b9", "#8fd0c1",
                           "#b39ad1", "#c9d68a", "#e6a08f", "#c2b8a3"};
constexpr std::array kTierColors{"#9cc3e6", "#f2b872", "#dd93b9", "#b39ad1"};

/// How a row of endpoints or switches falls into parallel groups, and those into smaller ones.
struct Grouping {
  std::string noun;  ///< "unit", "rail", "plane"; a switch's own name where each stands for itself
  std::int64_t number = 1;
  std::int64_t rails = 1;  ///< within each
  bool hued = false;       ///< groups share nothing: rails, planes
  bool single = false;     ///< a group is one switch, or what hangs on it
};

const char* unit_noun(Topology topology) {
  switch (topology) {
    case Topology::hpn:
    case Topology::dcn_plus:
      return "segment";
    case Topology::meta_ai_zone:
    case Topology::two_zone_fat_tree:
      return "zone";
    case Topology::dragonfly:
      return "group";
    case Topology::torus:
      return "cube";
    default:
      return "unit";
  }
}

/// @param row  0 are the endpoints, then the tiers
Grouping grouping_of(const FabricCount& fabric, std::size_t row) {
  const auto switches = [&](std::size_t tier) -> Grouping {
    if (tier >= fabric.switches.size()) return {};
    const std::string& name = fabric.switches[tier].name;
    return {.noun = name == unit_noun(fabric.topology) ? name + " switch" : name,
            .number = fabric.switches[tier].switches,
            .single = true};
  };
  const Grouping units{.noun = unit_noun(fabric.topology),
                       .number = std::max<std::int64_t>(1, fabric.units)};
  const Grouping planes{.noun = "plane", .number = fabric.planes, .hued = true};
  const bool shares_cards = fabric.host_links() > fabric.endpoints;
  switch (fabric.topology) {
    case Topology::rail_optimized:
    case Topology::superpod:
    case Topology::hpn:
      if (row <= 1) return {.noun = units.noun, .number = units.number, .rails = fabric.rails};
      return fabric.planes > 1 && fabric.switches[row - 1].name != "core" ? planes
                                                                          : switches(row - 1);
    case Topology::rail_only:
      return {.noun = "rail", .number = fabric.rails, .hued = true};
    case Topology::multi_plane:
      return row == 0 && shares_cards ? Grouping{} : planes;
    case Topology::fat_tree:
    case Topology::slim_fly:
      return switches(row == 0 ? 0 : row - 1);
    case Topology::meta_ai_zone:
      return row <= 2 ? units : switches(row - 1);
    case Topology::two_zone_fat_tree:
      return row <= 2 ? units : switches(row - 1);
    case Topology::dcn_plus:
    case Topology::dragonfly:
    case Topology::torus:
      return row <= 1 && (row == 0 || fabric.topology != Topology::torus) ? units
                                                                          : switches(row - 1);
  }
  return {};
}

std::vector<std::string> wrapped_at(const std::string& words, double width) {
  constexpr double kLetter = 6.6;
  return svg_lines(words, width, kLetter);
}

std::string plural_of(std::int64_t number, const std::string& noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

/// The network as wide as a page, or as a telephone.
class Picture {
 public:
  Picture(const FabricCount& fabric, bool broad)
      : fabric_(fabric), broad_(broad), width_(broad ? 960 : 350) {}

  std::string draw() {
    for (std::size_t row = 0; row <= fabric_.switches.size(); ++row) add_row(row);
    for (const LinkLayer& layer : fabric_.layers) {
      if (layer.links == 0) continue;
      const auto [low, high] = rows_of(fabric_, layer);
      Row& upper = rows_[std::max(low, high)];
      (low == high ? upper.among : upper.below).push_back(layer_words(layer));
      const std::string_view name = layer.name;
      upper.joined |= low == high && name != "local" && !name.starts_with("within");
      if (low != high) upper.lowest = std::min({upper.lowest, low, high});
    }
    double height = 4;
    for (std::size_t row = rows_.size(); row-- > 0;) {
      Row& of = rows_[row];
      of.top = height + kName + kLine * static_cast<double>(of.words.size()) + 4;
      of.low = of.top + (of.grouping.rails > 1 ? 56 : 40);
      height = of.low + (of.among.empty() ? 6 : 26 + kLine * lines_of(of.among)) +
               (row > 0 ? kGap + kLine * lines_of(of.below) : 0);
    }
    for (std::size_t row = 1; row < rows_.size(); ++row) draw_links(row);
    for (const Row& row : rows_) draw_row(row);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{}\" role=\"img\" "
        "viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\"><title>{} in {} tiers</title>{}</svg>",
        broad_ ? "broad" : "narrow", width_, height, width_, name_of(fabric_.topology),
        fabric_.tiers, out_);
  }

 private:
  /// A group that is drawn; between the first ones and the last is a gap where there are more.
  struct Slot {
    std::int64_t number = 0;  ///< from 0
    double left = 0, right = 0;
  };
  /// A tier, or the endpoints at the bottom.
  struct Row {
    const char* color;
    std::string name;
    std::vector<std::string> words;         ///< beneath the name
    std::vector<std::string> below, among;  ///< cables to the row beneath, and within this one
    Grouping grouping;
    std::int64_t each = 0;  ///< switches or endpoints in a group; 0: not all alike
    std::vector<Slot> slots;
    bool joined = false;            ///< groups with each other
    std::size_t lowest = SIZE_MAX;  ///< the row that its cables go down to
    double top = 0, low = 0;        ///< of its boxes
  };

  static std::string layer_words(const LinkLayer& layer) {
    return fmt::format("{} {} links of {} Gb/s", grouped(layer.links), layer.name, layer.gbps);
  }
  [[nodiscard]] double lines_of(const std::vector<std::string>& words) const {
    double lines = 0;
    for (const std::string& line : words) {
      lines += static_cast<double>(wrapped_at(line, width_).size());
    }
    return lines;
  }

  /// The groups of a row, or the cells of a group, between two edges.
  static std::vector<Slot> slots_between(std::int64_t number, std::int64_t most, double left,
                                         double right) {
    const std::int64_t shown = std::min(number, most);
    const double gap = number > most ? 0.4 : 0;
    const double step = (right - left) / (static_cast<double>(shown) + gap);
    std::vector<Slot> slots;
    for (std::int64_t i = 0; i < shown; ++i) {
      const bool last = i + 1 == shown;
      const double at = left + step * (static_cast<double>(i) + (last ? gap : 0));
      slots.push_back({.number = last ? number - 1 : i, .left = at, .right = at + step});
    }
    return slots;
  }

  void add_row(std::size_t row) {
    Row of{.color = kTierColors[std::min(row, kTierColors.size() - 1)],
           .name = {},
           .words = {},
           .below = {},
           .among = {},
           .grouping = grouping_of(fabric_, row),
           .slots = {}};
    const Grouping& by = of.grouping;
    const std::int64_t all = row == 0 ? fabric_.endpoints : fabric_.switches[row - 1].switches;
    std::vector<std::string> parts;
    if (row == 0) {
      of.name = plural_of(all, "endpoint");
      if (fabric_.backup_endpoints > 0) {
        parts.push_back(fmt::format("{} more in reserve", grouped(fabric_.backup_endpoints)));
      }
    } else {
      const SwitchTier& tier = fabric_.switches[row - 1];
      of.name = fmt::format("{} {} switch{}", grouped(all), tier.name, all == 1 ? "" : "es");
      if (tier.radix > 0) parts.push_back(fmt::format("{} ports each", tier.radix));
    }
    // A saved answer may say anything.
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const bool sane = by.number > 0 && by.rails > 0 && by.rails <= kMost / by.number;
    const std::int64_t groups = sane ? by.number * by.rails : 0;
    if (groups > 0 && all % groups == 0) of.each = all / groups;
    if (!by.noun.empty() && !by.single && groups > 1) {
      std::string into = plural_of(by.number, by.noun);
      if (by.rails > 1) into += fmt::format(" of {}", plural_of(by.rails, "rail"));
      if (of.each > 0) {
        into += fmt::format(", {} in each {}", grouped(of.each), by.rails > 1 ? "rail" : by.noun);
      }
      parts.push_back(into);
    }
    if (all > 0 && groups > all && groups % all == 0) {
      parts.push_back(fmt::format("{} on each", plural_of(groups / all, by.noun)));
    }
    if (row == 1 && by.rails > 1 && fabric_.planes > 1) {
      parts.push_back(fmt::format("{} planes", fabric_.planes));
    }
    if (row > 0 && fabric_.switches[row - 1].oversubscription) {
      const Ratio& ratio = *fabric_.switches[row - 1].oversubscription;
      parts.push_back(fmt::format("{}\u00a0:\u00a0{} down\u00a0:\u00a0up", ratio.down, ratio.up));
    }
    of.words = wrapped_at(fmt::format("{}", fmt::join(parts, "; ")), width_);
    const std::int64_t most = by.rails > 1 ? (broad_ ? 4 : 2) : (broad_ ? 8 : 4);
    of.slots = slots_between(by.number, most, 0, width_);
    rows_.push_back(std::move(of));
  }

  void text(double x, double y, const std::string& words, const std::string& more) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>", x, y, more,
                        html_escaped(words));
  }
  void box(double left, double top, double right, double low, const std::string& fill) {
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" fill=\"{}\" "
        "stroke=\"currentColor\" stroke-opacity=\"0.4\"/>",
        left, top, right - left, low - top, fill);
  }
  /// What stands between the first and the last.
  void dots(const std::vector<Slot>& slots, std::int64_t number, double y) {
    if (static_cast<std::int64_t>(slots.size()) == number || slots.size() < 2) return;
    text((slots[slots.size() - 2].right + slots.back().left) / 2, y, "…",
         "font-size=\"15\" text-anchor=\"middle\" fill=\"currentColor\"");
  }
  [[nodiscard]] std::vector<Slot> cells_of(const Row& row, const Slot& slot) const {
    return slots_between(row.grouping.rails, 8, slot.left + 6, slot.right - 6);
  }
  static const char* hue(std::int64_t number) {
    return kHues[static_cast<std::size_t>(number) % 8];
  }

  void draw_row(const Row& row) {
    double y = row.top - 8 - kLine * static_cast<double>(row.words.size());
    text(0, y, row.name,
         "class=\"on-lines\" font-size=\"15\" font-weight=\"600\" fill=\"currentColor\"");
    for (const std::string& line : row.words) {
      text(0, y += kLine, line, "class=\"on-lines\" font-size=\"12\" fill=\"currentColor\"");
    }
    const Grouping& by = row.grouping;
    const bool endpoints = &row == rows_.data();
    for (const Slot& slot : row.slots) {
      const double middle = (slot.left + slot.right) / 2, left = slot.left + 2;
      std::string label = by.noun.empty() ? "all" : fmt::format("{} {}", by.noun, slot.number + 1);
      if (endpoints && by.single) label = "on " + label;
      if (by.rails > 1) {
        box(left, row.top, slot.right - 2, row.low, "none");
        text(middle, row.top + 15, label,
             "font-size=\"12\" text-anchor=\"middle\" fill=\"currentColor\"");
        const std::vector<Slot> cells = cells_of(row, slot);
        for (const Slot& cell : cells) {
          box(cell.left + 1, row.top + 22, cell.right - 1, row.low - 5, hue(cell.number));
          text((cell.left + cell.right) / 2, row.top + 41,
               cell.right - cell.left > 46 ? fmt::format("rail {}", cell.number + 1)
                                           : std::to_string(cell.number + 1),
               "font-size=\"10\" text-anchor=\"middle\" fill=\"#14191d\"");
        }
        dots(cells, by.rails, row.top + 41);
        continue;
      }
      box(left, row.top, slot.right - 2, row.low, by.hued ? hue(slot.number) : row.color);
      const bool counted = row.each > 0 && (!by.single || endpoints);
      text(middle, row.top + (counted ? 17 : 24), label,
           "font-size=\"12\" text-anchor=\"middle\" fill=\"#14191d\"");
      if (counted) {
        text(middle, row.top + 33, endpoints ? grouped(row.each) : "× " + grouped(row.each),
             "font-size=\"12\" text-anchor=\"middle\" fill=\"#14191d\"");
      }
    }
    dots(row.slots, by.number, row.low - 14);
    draw_among(row);
  }

  /// Cables among groups alike, beneath them.
  void draw_among(const Row& row) {
    if (row.among.empty()) return;
    for (std::size_t i = 0; row.joined && i + 1 < row.slots.size(); ++i) {
      const double from = (row.slots[i].left + row.slots[i].right) / 2;
      const double to = (row.slots[i + 1].left + row.slots[i + 1].right) / 2;
      out_ += fmt::format(
          "<path d=\"M{:.1f},{:.1f}C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" fill=\"none\" "
          "stroke=\"currentColor\" stroke-opacity=\"0.5\"/>",
          from, row.low, from, row.low + 20, to, row.low + 20, to, row.low);
    }
    labels(row.among, row.low + 32);
  }

  void labels(const std::vector<std::string>& words, double y) {
    for (const std::string& label : words) {
      for (const std::string& line : wrapped_at(label, width_)) {
        text(width_ / 2, y, line,
             "class=\"on-lines\" font-size=\"13\" text-anchor=\"middle\" fill=\"currentColor\"");
        y += kLine;
      }
    }
  }

  void line(double x, double y, double to_x, double to_y, const char* color) {
    out_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-opacity=\"{}\"/>",
        x, y, to_x, to_y, color, color == std::string_view("currentColor") ? 0.35 : 0.9);
  }

  /// From a row to that beneath: groups alike each to their own, else all to all.
  void draw_links(std::size_t at) {
    const Row& upper = rows_[at];
    if (upper.below.empty()) return;
    const Row& lower = rows_[std::min(upper.lowest, at - 1)];
    const double bottom = lower.top - kName - kLine * static_cast<double>(lower.words.size()) - 4;
    const bool alike =
        upper.grouping.noun == lower.grouping.noun && upper.slots.size() == lower.slots.size();
    for (std::size_t i = 0; i < upper.slots.size(); ++i) {
      const Slot& high = upper.slots[i];
      for (std::size_t j = 0; j < lower.slots.size(); ++j) {
        if (alike && i != j) continue;
        const Slot& low = lower.slots[j];
        if (alike && upper.grouping.rails > 1) {
          for (const Slot& cell : cells_of(upper, high)) {
            const double x = (cell.left + cell.right) / 2;
            line(x, upper.low - 5, x, lower.top + 22, hue(cell.number));
          }
          continue;
        }
        line((high.left + high.right) / 2, upper.low, (low.left + low.right) / 2,
             alike ? lower.top : bottom,
             upper.grouping.hued && alike ? hue(high.number) : "currentColor");
      }
    }
    labels(upper.below, upper.low + (upper.among.empty() ? 0 : 20 + kLine * lines_of(upper.among)) +
                            kGap / 2 + 8);
  }

  const FabricCount& fabric_;
  bool broad_;
  double width_;
  std::vector<Row> rows_;  ///< from the endpoints up
  std::string out_;
};

}  // namespace

JoinedRows rows_of(const FabricCount& fabric, const LinkLayer& layer) {
  const auto row = [&](std::string_view name) -> std::size_t {
    for (std::size_t tier = 0; tier < fabric.switches.size(); ++tier) {
      if (fabric.switches[tier].name == name) return tier + 1;
    }
    return 0;
  };
  if (layer.host) return {0, fabric.switches.empty() ? std::size_t{0} : std::size_t{1}};
  const std::string_view name = layer.name;
  const std::size_t between = name.find('_');
  if (between != std::string_view::npos) {
    const std::size_t low = row(name.substr(0, between)), high = row(name.substr(between + 1));
    if (low > 0 && high > 0) return {low, high};
  }
  if (name == "inter_zone") return {row("leaf"), std::max(row("zone"), row("leaf"))};
  const std::size_t alike = name.ends_with("_cube") || name.ends_with("_cubes") ? 0 : 1;
  return {alike, alike};
}

present::Drawing network_drawing(const FabricCount& fabric) {
  return {.title = fmt::format("{}: tiers, groups and links", name_of(fabric.topology)),
          .svg = Picture(fabric, true).draw() + Picture(fabric, false).draw()};
}

}  // namespace planner::commands

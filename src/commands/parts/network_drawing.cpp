#include "planner/commands/parts/network_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using present::html_escaped;

// As wide as a telephone, so that no label has to be looked for; a wider page shows it as it is.
constexpr double kWidth = 350, kBox = 282, kLeft = 48, kName = 30, kLine = 16, kGap = 46;

std::string label_of(const LinkLayer& layer) {
  return fmt::format("{} {} links of {} Gb/s", grouped(layer.links), layer.name, layer.gbps);
}

class Picture {
 public:
  explicit Picture(const FabricCount& fabric) : fabric_(fabric) {}

  std::string draw() {
    write_boxes();
    double height = 24;
    for (std::size_t row = rows_.size(); row-- > 0;) {
      rows_[row].top = height;
      height += tall(row) + kGap + kLine * static_cast<double>(rows_[row].below.size());
    }
    for (const LinkLayer& layer : fabric_.layers) draw_layer(layer);
    for (std::size_t row = 0; row < rows_.size(); ++row) draw_box(row);
    height -= kGap - 8;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "width=\"{:.0f}\"><title>{} in {} tiers</title>{}</svg>",
        kWidth, height, kWidth, name_of(fabric_.topology), fabric_.tiers, out_);
  }

 private:
  /// A tier, or the endpoints at the bottom.
  struct Row {
    const char* color;
    std::int64_t planes;
    std::string name;
    std::vector<std::string> lines;  ///< beneath it in the box
    std::vector<std::string> below;  ///< labels of the cables to the row beneath
    int loops = 0;                   ///< layers that join it with itself
    std::size_t drawn = 0;           ///< layers to the row beneath
    double top = 0;
  };

  [[nodiscard]] double tall(std::size_t row) const {
    return kName + kLine * static_cast<double>(rows_[row].lines.size()) + 6;
  }

  void text(double y, const std::string& words, const char* more) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" {}>{}</text>",
                        kLeft + kBox / 2, y, more, html_escaped(words));
  }

  void write_boxes() {
    static constexpr const char* kColors[] = {"#f2b872", "#dd93b9", "#b39ad1"};
    rows_.push_back({.color = "#9cc3e6",
                     .planes = 1,
                     .name = fmt::format("{} endpoints", grouped(fabric_.endpoints)),
                     .lines = of_endpoints(),
                     .below = {}});
    for (std::size_t tier = 0; tier < fabric_.switches.size(); ++tier) {
      const SwitchTier& of = fabric_.switches[tier];
      rows_.push_back({.color = kColors[std::min<std::size_t>(tier, 2)],
                       .planes = fabric_.planes,
                       .name = fmt::format("{} {}", grouped(of.switches), of.name),
                       .lines = of_tier(of),
                       .below = {}});
    }
    for (const LinkLayer& layer : fabric_.layers) {
      if (layer.links == 0) continue;
      const auto [low, high] = rows_of(fabric_, layer);
      Row& upper = rows_[std::max(low, high)];
      (low == high ? upper.lines : upper.below).push_back(label_of(layer));
    }
  }

  /// One line, if there is anything to say.
  static std::vector<std::string> joined(const std::vector<std::string>& parts) {
    if (parts.empty()) return {};
    return {fmt::format("{}", fmt::join(parts, ", "))};
  }

  [[nodiscard]] std::vector<std::string> of_tier(const SwitchTier& of) const {
    std::vector<std::string> parts;
    if (of.radix > 0) parts.push_back(fmt::format("{} ports each", of.radix));
    if (fabric_.planes > 1) parts.push_back(fmt::format("{} planes", fabric_.planes));
    if (of.oversubscription) {
      parts.push_back(
          fmt::format("{} : {} down : up", of.oversubscription->down, of.oversubscription->up));
    }
    return joined(parts);
  }

  [[nodiscard]] std::vector<std::string> of_endpoints() const {
    std::vector<std::string> parts;
    if (fabric_.rails > 1) parts.push_back(fmt::format("{} rails", fabric_.rails));
    if (fabric_.units > 0) parts.push_back(fmt::format("{} units", grouped(fabric_.units)));
    if (fabric_.backup_endpoints > 0) {
      parts.push_back(fmt::format("{} in reserve", grouped(fabric_.backup_endpoints)));
    }
    return joined(parts);
  }

  void draw_box(std::size_t row) {
    const Row& of = rows_[row];
    // A sheet behind it for each further plane, three at most.
    for (std::int64_t i = std::min<std::int64_t>(of.planes - 1, 3); i >= 0; --i) {
      const double shift = 5 * static_cast<double>(i);
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" "
          "fill=\"{}\" stroke=\"currentColor\" stroke-opacity=\"0.35\"/>",
          kLeft + shift, of.top - shift, kBox, tall(row), of.color);
    }
    double y = of.top + 23;
    text(y, of.name, "font-size=\"15\" font-weight=\"600\" fill=\"#14191d\"");
    for (const std::string& line : of.lines) {
      text(y += kLine, line, "font-size=\"12\" fill=\"#14191d\"");
    }
  }

  /// Cables between two rows, at most a dozen lines for all of them.
  void draw_layer(const LinkLayer& layer) {
    if (layer.links == 0) return;
    const auto [low, high] = rows_of(fabric_, layer);
    if (low == high) {  // among switches, or endpoints, alike
      Row& row = rows_[high];
      const double reach = 26 + 14 * static_cast<double>(row.loops++);
      out_ += fmt::format(
          "<path d=\"M{:.1f},{:.1f} c-{:.0f},-18 -{:.0f},18 0,12\" fill=\"none\" "
          "stroke=\"currentColor\" stroke-opacity=\"0.6\"/>",
          kLeft, row.top + tall(high) / 2 - 6, reach, reach);
      return;
    }
    Row& upper = rows_[std::max(low, high)];
    const double from = rows_[std::min(low, high)].top, to = upper.top + tall(std::max(low, high));
    const int lines = static_cast<int>(std::clamp<std::int64_t>(layer.links, 1, 12));
    const double step = kBox / static_cast<double>(lines);
    for (int i = 0; i < lines; ++i) {
      const double x = kLeft + step * (static_cast<double>(i) + 0.5);
      const double end = kLeft + step * (static_cast<double>((i * 5 + 2) % lines) + 0.5);
      out_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
          "stroke=\"currentColor\" stroke-opacity=\"0.3\"/>",
          x, from, end, to);
    }
    // Once all lines of these rows are there, their labels on top of them.
    if (++upper.drawn < upper.below.size()) return;
    double y = to + (kGap + kLine) / 2 + 4;
    for (const std::string& label : upper.below) {
      text(y, label, "class=\"on-lines\" font-size=\"13\" fill=\"currentColor\"");
      y += kLine;
    }
  }

  const FabricCount& fabric_;
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
  return {.title = fmt::format("{}: tiers, planes and links", name_of(fabric.topology)),
          .svg = Picture(fabric).draw()};
}

}  // namespace planner::commands

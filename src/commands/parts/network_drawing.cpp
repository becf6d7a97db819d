#include "planner/commands/parts/network_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using present::html_escaped;

constexpr double kWidth = 720, kBox = 300, kTall = 46, kGap = 62, kLeft = 40;

std::string label_of(const LinkLayer& layer) {
  return fmt::format("{} {} links of {} Gb/s", grouped(layer.links), layer.name, layer.gbps);
}

class Picture {
 public:
  explicit Picture(const FabricCount& fabric) : fabric_(fabric) {}

  std::string draw() {
    const auto rows = static_cast<double>(fabric_.switches.size() + 1);
    height_ = 34 + rows * kTall + (rows - 1) * kGap + 20;
    for (std::size_t i = 0; i < fabric_.layers.size(); ++i) draw_layer(i);
    for (std::size_t tier = 0; tier < fabric_.switches.size(); ++tier) draw_tier(tier);
    draw_endpoints();
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "width=\"{:.0f}\"><title>{} in {} tiers</title>{}</svg>",
        kWidth, height_, kWidth, name_of(fabric_.topology), fabric_.tiers, out_);
  }

 private:
  /// Top of a row: 0 are the endpoints, at the bottom.
  [[nodiscard]] double top(std::size_t row) const {
    return height_ - 20 - kTall - static_cast<double>(row) * (kTall + kGap);
  }

  void text(double x, double y, const std::string& words, int size, const char* more = "") {
    out_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"currentColor\"{}>{}</text>", x, y,
        size, more, html_escaped(words));
  }

  void box(std::size_t row, const char* color, std::int64_t planes, const std::string& name,
           const std::string& aside) {
    const double y = top(row);
    // A sheet behind it for each further plane, three at most.
    for (std::int64_t i = std::min<std::int64_t>(planes - 1, 3); i >= 0; --i) {
      const double shift = 5 * static_cast<double>(i);
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" "
          "fill=\"{}\" stroke=\"currentColor\" stroke-opacity=\"0.35\"/>",
          kLeft + shift, y - shift, kBox, kTall, color);
    }
    out_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"15\" font-weight=\"600\" fill=\"#14191d\" "
        "text-anchor=\"middle\">{}</text>",
        kLeft + kBox / 2, y + kTall / 2 + 5, html_escaped(name));
    text(kLeft + kBox + 32, y + kTall / 2 + 4, aside, 13);
  }

  void draw_tier(std::size_t tier) {
    static constexpr const char* kColors[] = {"#f2b872", "#dd93b9", "#b39ad1"};
    const SwitchTier& of = fabric_.switches[tier];
    std::string aside = of.radix > 0 ? fmt::format("{} ports each", of.radix) : "";
    if (fabric_.planes > 1) aside += fmt::format(", {} planes", fabric_.planes);
    if (of.oversubscription) {
      aside +=
          fmt::format(", {} : {} down : up", of.oversubscription->down, of.oversubscription->up);
    }
    box(tier + 1, kColors[std::min<std::size_t>(tier, 2)], fabric_.planes,
        fmt::format("{} {}", grouped(of.switches), of.name), aside);
  }

  void draw_endpoints() {
    std::string aside = fabric_.rails > 1 ? fmt::format("{} rails", fabric_.rails) : "";
    if (fabric_.units > 0) {
      aside += fmt::format("{}{} units", aside.empty() ? "" : ", ", grouped(fabric_.units));
    }
    if (fabric_.backup_endpoints > 0) {
      aside += fmt::format("{}{} in reserve", aside.empty() ? "" : ", ",
                           grouped(fabric_.backup_endpoints));
    }
    box(0, "#9cc3e6", 1, fmt::format("{} endpoints", grouped(fabric_.endpoints)), aside);
  }

  /// Cables between two rows, at most a dozen lines for all of them.
  void draw_layer(std::size_t index) {
    const LinkLayer& layer = fabric_.layers[index];
    if (layer.links == 0) return;
    const auto [low, high] = rows_of(fabric_, layer);
    if (low == high) {  // among switches, or endpoints, alike
      const double y = top(high) + kTall / 2;
      const double shift = 14 * static_cast<double>(loops_[high]++);
      out_ += fmt::format(
          "<path d=\"M{:.1f},{:.1f} c-{:.0f},-18 -{:.0f},18 0,12\" fill=\"none\" "
          "stroke=\"currentColor\" stroke-opacity=\"0.6\"/>",
          kLeft, y - 6, 26 + shift, 26 + shift);
      text(kLeft + kBox + 32, top(high) + kTall / 2 + 20 + shift, label_of(layer), 12);
      return;
    }
    const double from = top(low), to = top(high) + kTall;
    const int lines = static_cast<int>(std::clamp<std::int64_t>(layer.links, 1, 12));
    const double step = kBox / static_cast<double>(lines);
    for (int i = 0; i < lines; ++i) {
      const double x = kLeft + step * (static_cast<double>(i) + 0.5);
      const double end = kLeft + step * (static_cast<double>((i * 5 + 2) % lines) + 0.5);
      out_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
          "stroke=\"currentColor\" stroke-opacity=\"0.4\"/>",
          x, from, end, to);
    }
    const std::size_t upper = std::max(low, high);
    const double shift = 16 * static_cast<double>(labels_[upper]++);
    text(kLeft + kBox + 32, (from + to) / 2 + 4 + shift, label_of(layer), 13);
  }

  const FabricCount& fabric_;
  double height_ = 0;
  std::string out_;
  std::map<std::size_t, int> loops_, labels_;
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

#include "planner/commands/build/paints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/present/html/page.hpp"

namespace planner::commands {

namespace {

/// Kinds of racks that have a colour of their own, and are no tier of switches.
constexpr std::array<std::pair<std::string_view, Paint>, 8> kFixed{
    {{site::kComputeRack, {"#7aa6cf", "", "nodes"}},
     {site::kSpareRack, {"#b9cfe3", "r", "nodes in reserve"}},
     {site::kDomainRack, {"#76b041", "n", "switches of HB domains"}},
     {site::kSidecar, {"#4fb3a5", "w", "coolant distribution"}},
     {site::kFrameRack, {"#f2a65a", "1", "switches on a backplane"}},
     {site::kStorageLoad, {"#b08968", "s", "storage"}},
     {site::kManagementLoad, {"#8fa3ad", "m", "management"}},
     {"other", {"#a7adb3", "o", "other racks"}}}};

const Paint* fixed_paint(const std::string& kind) {
  for (const auto& [name, paint] : kFixed) {
    if (name == kind) return &paint;
  }
  return nullptr;
}

/// Of a network beside that of the GPUs.
std::optional<Paint> paint_beside(const std::string& kind) {
  if (kind.starts_with("frontend-")) return Paint{"#c7b446", "f", "front-end network"};
  if (kind.starts_with("storage-")) return Paint{"#b08968", "s", "storage network"};
  if (kind.starts_with("management-")) return Paint{"#8fa3ad", "m", "management network"};
  return std::nullopt;
}

Paint paint_of(const BuildAnswer& answer, const std::string& kind) {
  if (const Paint* const fixed = fixed_paint(kind)) return *fixed;
  if (const auto beside = paint_beside(kind)) return *beside;
  // Tiers of switches from below: the first kind that comes among the racks is the lowest.
  static constexpr Paint kTiers[] = {{"#f2a65a", "1", "switches, tier 1 from below"},
                                     {"#c9679b", "2", "switches, tier 2"},
                                     {"#a58bcb", "3", "switches, tier 3"}};
  std::vector<std::string> tiers;
  for (const BuildAnswer::RackLine& rack : answer.racks) {
    const bool known = fixed_paint(rack.kind) != nullptr || paint_beside(rack.kind) ||
                       std::find(tiers.begin(), tiers.end(), rack.kind) != tiers.end();
    if (!known) {
      tiers.push_back(rack.kind);
    }
  }
  const auto at = std::find(tiers.begin(), tiers.end(), kind) - tiers.begin();
  return kTiers[std::min<std::ptrdiff_t>(at, 2)];
}

/// Text and lines follow the page; a file of its own brings the few rules along.
constexpr const char* kAloneStyle =
    "<style>svg{color-scheme:light dark}.ink{fill:#1d252c}.line{stroke:#7f8c96}"
    "text{font-family:system-ui,sans-serif}.on-lines{paint-order:stroke;stroke:#fff;"
    "stroke-width:4px;stroke-linejoin:round}"
    "@media (prefers-color-scheme:dark){.ink{fill:#e8ecef}.paper{fill:#14191d}"
    ".on-lines{stroke:#14191d}}</style>";

}  // namespace

std::string power_text(const BuildAnswer::RackLine& rack) {
  if (!rack.watts) return "power unknown";
  const std::string power = fmt::format("{:.1f} kW", *rack.watts / 1000);
  if (rack.cooling_w <= 0) return power;
  const std::string pumps = fmt::format("{:.1f} kW of pumps", rack.cooling_w / 1000);
  return *rack.watts > 0 ? power + " and " + pumps : pumps;
}

std::string svg_begun(double width, double height, bool alone, const std::string& title,
                      const char* kind) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "width=\"{:.0f}\" height=\"{:.0f}\"{}><title>{}</title>{}",
      width, height, width, height, alone ? "" : fmt::format(" class=\"{}\" role=\"img\"", kind),
      present::html_escaped(title),
      alone ? std::string(kAloneStyle) +
                  "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
            : std::string{});
}

std::string svg_text(double x, double y, int size, const std::string& words,
                     const std::string& more) {
  return fmt::format(
      "<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" "
      "fill=\"currentColor\"{}{}>{}</text>",
      x, y, size, more.empty() ? "" : " ", more, present::html_escaped(words));
}

std::map<std::string, Paint> paints_of(const BuildAnswer& answer) {
  std::map<std::string, Paint> paints;
  for (const BuildAnswer::RackLine& rack : answer.racks) {
    if (paints.count(rack.kind) == 0) paints.emplace(rack.kind, paint_of(answer, rack.kind));
  }
  return paints;
}

}  // namespace planner::commands

#include "planner/commands/build/paints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace planner::commands {

namespace {

/// Kinds of racks that have a colour of their own, and are no tier of switches.
constexpr std::array<std::pair<std::string_view, Paint>, 8> kFixed{
    {{"compute", {"#7aa6cf", ""}},
     {"spare", {"#b9cfe3", "r"}},
     {"nvlink", {"#76b041", "n"}},
     {"cdu", {"#4fb3a5", "w"}},
     {site::kFrameRack, {"#f2a65a", "1"}},
     {site::kStorageLoad, {"#b08968", "s"}},
     {site::kManagementLoad, {"#8fa3ad", "m"}},
     {"other", {"#a7adb3", "o"}}}};
const Paint* fixed_paint(const std::string& kind) {
  for (const auto& [name, paint] : kFixed) {
    if (name == kind) return &paint;
  }
  return nullptr;
}

Paint paint_of(const BuildAnswer& answer, const std::string& kind) {
  if (const Paint* const fixed = fixed_paint(kind)) return *fixed;
  if (kind.rfind("frontend-", 0) == 0) return {"#c7b446", "f"};
  if (kind.rfind("storage-", 0) == 0) return {"#b08968", "s"};
  if (kind.rfind("management-", 0) == 0) return {"#8fa3ad", "m"};
  // Tiers of switches from below: the first kind that comes among the racks is the lowest.
  static constexpr Paint kTiers[] = {{"#f2a65a", "1"}, {"#c9679b", "2"}, {"#7d5ba6", "3"}};
  std::vector<std::string> tiers;
  for (const BuildAnswer::RackLine& rack : answer.racks) {
    const bool known = fixed_paint(rack.kind) != nullptr ||
                       std::find(tiers.begin(), tiers.end(), rack.kind) != tiers.end();
    if (!known) {
      tiers.push_back(rack.kind);
    }
  }
  const auto at = std::find(tiers.begin(), tiers.end(), kind) - tiers.begin();
  return kTiers[std::min<std::ptrdiff_t>(at, 2)];
}

}  // namespace

std::string power_text(const BuildAnswer::RackLine& rack) {
  return rack.watts ? fmt::format("{:.1f} kW", *rack.watts / 1000) : "power unknown";
}

std::map<std::string, Paint> paints_of(const BuildAnswer& answer) {
  std::map<std::string, Paint> paints;
  for (const BuildAnswer::RackLine& rack : answer.racks) {
    if (paints.count(rack.kind) == 0) paints.emplace(rack.kind, paint_of(answer, rack.kind));
  }
  return paints;
}

}  // namespace planner::commands

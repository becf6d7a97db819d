#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

#include "planner/commands/build/build.hpp"
#include "planner/present/csv/csv.hpp"

// NetBox's import of racks and devices. Its devices have a role and a type: the type has to be
// there with interfaces p1, p2, …, those of network cards with a height of 0.
namespace planner::commands {

namespace {

using present::csv_field;

/// "leaf" of "leaf-12".
std::string_view role_of(std::string_view device) {
  return device.substr(0, device.rfind('-'));
}

constexpr const char* kUnknownMaker = "unknown";
constexpr int kRailInches = 19;  ///< between the rails, of EIA-310; the import asks for it

}  // namespace

std::string netbox_racks(const site::Build& built, const Site& site, const std::string& at) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "site,name,status,facility_id,width,u_height\r\n");
  for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{},{},planned,{},{},{:.0f}\r\n", csv_field(at),
                   built.plan.racks[i].name, built.floor.label(built.places[i]), kRailInches,
                   std::floor(site.rack_units));
  }
  return fmt::to_string(out);
}

std::string netbox_devices(const site::Build& built, const std::string& node_model,
                           const std::string& at) {
  const site::RackPlan& plan = built.plan;
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out),
                 "name,role,manufacturer,device_type,status,site,rack,face,position\r\n");
  for (const site::Rack& rack : plan.racks) {
    const bool of_load = rack.kind == site::kStorageLoad || rack.kind == site::kManagementLoad;
    if (rack.kind == site::kOtherRack || of_load) continue;
    for (const site::Content& content : rack.contents) {
      const std::string_view role = role_of(content.device);
      const bool node = role == "node" || role == "spare-node";
      fmt::format_to(std::back_inserter(out), "{},{},{},{},planned,{},{},front,{:.0f}\r\n",
                     content.device, role, kUnknownMaker,
                     node ? csv_field(node_model) : std::string{role} + " switch", csv_field(at),
                     rack.name, std::floor(content.unit) + 1);
    }
  }
  for (std::size_t kind = 0; kind < plan.wiring.kinds.size(); ++kind) {
    const site::DeviceKind& cards = plan.wiring.kinds[kind];
    if (cards.is_switch || cards.name == "hb-rack")
      continue;  // racks of an HB domain are no device
    for (std::int64_t card = 0; card < cards.count; ++card) {
      const auto rack =
          static_cast<std::size_t>(plan.rack_of[kind][static_cast<std::size_t>(card)]);
      fmt::format_to(std::back_inserter(out),
                     "{}-{},network card,{},network card,planned,{},{},,\r\n", cards.name, card,
                     kUnknownMaker, csv_field(at), plan.racks[rack].name);
    }
  }
  return fmt::to_string(out);
}

}  // namespace planner::commands

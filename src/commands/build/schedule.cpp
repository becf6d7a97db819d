#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "planner/commands/build/build.hpp"
#include "planner/present/csv/csv.hpp"

namespace planner::commands {

namespace {

using present::csv_field;
using site::Build;
using site::Link;
using site::WiredLayer;

/// One end of a cable.
struct End {
  const std::string* rack;
  std::int32_t place;
  float unit;
  const std::string* kind;
  std::uint32_t device, port;
};

End end_of(const Build& built, std::size_t kind, std::uint32_t device, std::uint32_t port) {
  const std::int32_t rack = built.plan.rack_of[kind][device];
  return {.rack = &built.plan.racks[rack].name,
          .place = built.places[rack],
          .unit = built.plan.unit_of[kind][device],
          .kind = &built.plan.wiring.kinds[kind].name,
          .device = device,
          .port = port};
}

/// Calls `write` for every cable but those inside HB domains, in the order of the layers.
template <class Write>
void each_cable(const Build& built, const Site& site, Write write) {
  const site::Lengths lengths(built.plan, site, built.floor, built.places);
  for (std::size_t l = 0; l < built.plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = built.plan.wiring.layers[l];
    if (!site::has_cables(layer) || layer.name == site::kDomainLayer) continue;
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const Link& link = layer.links[i];
      write(layer, end_of(built, layer.from, link.from, link.from_port),
            end_of(built, layer.to, link.to, link.to_port), built.laid.layers[l].medium[i],
            lengths.of(layer, link).metres);
    }
  }
}

/// Empty, with room for a line a cable.
std::string room_for(const Build& built) {
  constexpr std::size_t kLine = 112;
  std::string text;
  text.reserve(kLine * static_cast<std::size_t>(built.laid.cables + 1));
  return text;
}

}  // namespace

std::string cable_schedule(const Build& built, const Site& site, const site::Media& media,
                           const CablePart& part_of) {
  std::vector<std::vector<std::string>> bought;  // by layer and medium
  for (const WiredLayer& layer : built.plan.wiring.layers) {
    bought.emplace_back();
    for (std::size_t m = 0; m < media.all.size(); ++m) {
      bought.back().push_back(csv_field(part_of(layer.network, m, layer.gbps)));
    }
  }
  std::vector<std::string> labels;
  for (std::int64_t place = 0; place < built.floor.places(); ++place) {
    labels.push_back(built.floor.label(place));
  }
  std::string out = room_for(built);
  const auto add = [&out](auto format, const auto&... parts) {
    fmt::format_to(std::back_inserter(out), format, parts...);
  };
  add(
      FMT_COMPILE("cable,layer,from_rack,from_place,from_unit,from_device,from_port,to_rack,"
                  "to_place,to_unit,to_device,to_port,medium,part,required_m,sold_m\r\n"));
  std::int64_t number = 0;
  each_cable(
      built, site,
      [&](const WiredLayer& layer, const End& from, const End& to, int medium, double metres) {
        add(FMT_COMPILE("{},{}"), ++number, layer.name);
        for (const End* end : {&from, &to}) {
          add(FMT_COMPILE(",{},{},{:g},{}-{},{}"), *end->rack, labels[end->place], end->unit,
              *end->kind, end->device, end->port + 1);
        }
        if (medium < 0) {
          add(FMT_COMPILE(",,,{:.2f},\r\n"), metres);
          return;
        }
        const Medium& of = media.all[medium];
        const auto index = static_cast<std::size_t>(&layer - built.plan.wiring.layers.data());
        add(FMT_COMPILE(",{},{},{:.2f},{:g}\r\n"), csv_field(of.name), bought[index][medium],
            metres, site::sold_length(of.sold_m, metres));
      });
  return out;
}

std::string netbox_cables(const Build& built, const Site& site, const site::Media& media) {
  // NetBox, Import cables: both ends by device, type and name of the interface. It has no word for
  // a medium with its reach: the label says it.
  const auto type_of = [](MediumKind kind) {
    switch (kind) {
      case MediumKind::copper:
        return "dac-passive";
      case MediumKind::active_copper:
        return "dac-active";
      case MediumKind::active_optical:
        return "aoc";
      case MediumKind::multi_mode:
        return "mmf-om4";
      case MediumKind::single_mode:
        return "smf-os2";
    }
    return "";
  };
  std::string out = room_for(built);
  const auto add = [&out](auto format, const auto&... parts) {
    fmt::format_to(std::back_inserter(out), format, parts...);
  };
  add(
      FMT_COMPILE("side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,"
                  "type,status,label,length,length_unit\r\n"));
  std::int64_t number = 0;
  each_cable(
      built, site,
      [&](const WiredLayer& layer, const End& from, const End& to, int medium, double metres) {
        for (const End* end : {&from, &to}) {
          add(FMT_COMPILE("{}-{},dcim.interface,p{},"), *end->kind, end->device, end->port + 1);
        }
        const std::int64_t cable = ++number;
        if (medium < 0) {
          add(FMT_COMPILE(",planned,{}-{},{:.2f},m\r\n"), layer.name, cable, metres);
          return;
        }
        const Medium& of = media.all[medium];
        add(FMT_COMPILE("{},planned,{},{:g},m\r\n"), type_of(of.kind),
            csv_field(fmt::format(FMT_COMPILE("{}-{} {}"), layer.name, cable, of.name)),
            site::sold_length(of.sold_m, metres));
      });
  return out;
}

}  // namespace planner::commands

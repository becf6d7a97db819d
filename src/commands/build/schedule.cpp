#include <array>
#include <charconv>
#include <concepts>
#include <map>
#include <string_view>
#include <utility>

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
  std::int32_t rack;
  float unit;
  const std::string* kind;
  std::uint32_t device, port;
};

End end_of(const Build& built, std::size_t kind, std::uint32_t device, std::uint32_t port) {
  const std::int32_t rack = built.plan.rack_of[kind][device];
  return {.rack = rack,
          .unit = built.plan.unit_of[kind][device],
          .kind = &built.plan.wiring.kinds[kind].name,
          .device = device,
          .port = port};
}

/// How a cable is bought: a piece of a medium; nothing reaches where that is negative.
struct Sold {
  int medium = -1;
  std::int64_t fibres = 0;   ///< of a trunk; 0: no trunk
  std::int32_t shared = -1;  ///< the piece that carries others too; negative: its own
  double required_m = 0, sold_m = 0;
};

/// Calls `write` for every cable but those inside HB domains, in the order of the layers.
template <class Write>
void each_cable(const Build& built, const Site& site, const site::Media& media, Write write) {
  const site::Lengths lengths(built.plan, site, built.floor, built.places);
  for (std::size_t l = 0; l < built.plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = built.plan.wiring.layers[l];
    if (!site::has_cables(layer) || layer.name == site::kDomainLayer) continue;
    const site::LaidLayer& laid = built.laid.layers[l];
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const Link& link = layer.links[i];
      Sold sold{.medium = laid.medium[i],
                .shared = laid.shared.empty() ? -1 : laid.shared[i],
                .required_m = lengths.of(layer, link).metres};
      if (sold.shared >= 0) {
        sold.fibres = built.laid.shared[static_cast<std::size_t>(sold.shared)].fibres;
      }
      if (sold.medium >= 0) {
        sold.sold_m = built.laid.sold_length_of(l, i, sold.required_m, media);
      }
      write(layer, end_of(built, layer.from, link.from, link.from_port),
            end_of(built, layer.to, link.to, link.to_port), sold);
    }
  }
}

/// Lines of a file, a cable each: numbers as printf's %g and %.2f have them, which take most of the
/// time.
class Lines {
 public:
  explicit Lines(std::int64_t cables) {
    constexpr std::size_t kLine = 112;
    text_.reserve(kLine * static_cast<std::size_t>(cables + 1));
  }

  Lines& put(std::string_view words) {
    text_ += words;
    return *this;
  }
  template <std::integral Whole>
  Lines& put(Whole number) {
    return add([&](char* to, char* end) { return std::to_chars(to, end, number); });
  }
  Lines& put_general(double figure) {
    return add([&](char* to, char* end) {
      return std::to_chars(to, end, figure, std::chars_format::general, 6);
    });
  }
  Lines& put_hundredths(double figure) {
    return add([&](char* to, char* end) {
      return std::to_chars(to, end, figure, std::chars_format::fixed, 2);
    });
  }
  std::string take() { return std::move(text_); }

 private:
  template <class Write>
  Lines& add(Write write) {
    std::array<char, 400> digits;  // of any number
    text_.append(digits.data(), write(digits.data(), digits.data() + digits.size()).ptr);
    return *this;
  }

  std::string text_;
};

}  // namespace

std::string cable_schedule(const Build& built, const Site& site, const site::Media& media,
                           const CablePart& part_of) {
  std::vector<std::string> names;
  for (const Medium& medium : media.all) names.push_back(csv_field(medium.name));
  std::vector<std::int64_t> sizes{0};
  sizes.insert(sizes.end(), kTrunkFibres.begin(), kTrunkFibres.end());
  using Parts = std::vector<std::string>;             // by medium
  std::vector<std::map<std::int64_t, Parts>> bought;  // by layer, and fibres of a trunk
  for (const WiredLayer& layer : built.plan.wiring.layers) {
    bought.emplace_back();
    for (const std::int64_t fibres : sizes) {
      Parts& parts = bought.back()[fibres];
      for (std::size_t m = 0; m < media.all.size(); ++m) {
        parts.push_back(csv_field(part_of(layer.network, m, layer.gbps, fibres)));
      }
    }
  }
  std::vector<std::string> racks;  // with their places
  for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
    racks.push_back("," + built.plan.racks[i].name + "," + built.floor.label(built.places[i]) +
                    ",");
  }
  Lines out(built.laid.cables);
  out.put(
      "cable,layer,from_rack,from_place,from_unit,from_device,from_port,to_rack,to_place,to_unit,"
      "to_device,to_port,medium,part,required_m,sold_m,piece\r\n");
  std::int64_t number = 0, pieces = 0;
  std::vector<std::int64_t> shared(built.laid.shared.size(), 0);  // their numbers
  each_cable(
      built, site, media,
      [&](const WiredLayer& layer, const End& from, const End& to, const Sold& sold) {
        out.put(++number).put(",").put(layer.name);
        for (const End* end : {&from, &to}) {
          out.put(racks[static_cast<std::size_t>(end->rack)]).put_general(end->unit);
          out.put(",").put(*end->kind).put("-").put(end->device).put(",");
          out.put(end->port + 1);
        }
        if (sold.medium < 0) {
          out.put(",,,").put_hundredths(sold.required_m).put(",,\r\n");
          return;
        }
        std::int64_t own = 0;
        std::int64_t& piece = sold.shared < 0 ? own : shared[static_cast<std::size_t>(sold.shared)];
        if (piece == 0) piece = ++pieces;
        const auto layer_at = static_cast<std::size_t>(&layer - built.plan.wiring.layers.data());
        const auto medium = static_cast<std::size_t>(sold.medium);
        out.put(",").put(names[medium]).put(",");
        out.put(bought[layer_at].at(sold.fibres)[medium]).put(",");
        out.put_hundredths(sold.required_m).put(",").put_general(sold.sold_m);
        out.put(",").put(piece).put("\r\n");
      });
  return out.take();
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
  Lines out(built.laid.cables);
  out.put(
      "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status,"
      "label,length,length_unit\r\n");
  std::int64_t number = 0;
  each_cable(
      built, site, media,
      [&](const WiredLayer& layer, const End& from, const End& to, const Sold& sold) {
        for (const End* end : {&from, &to}) {
          out.put(*end->kind).put("-").put(end->device).put(",dcim.interface,p");
          out.put(end->port + 1).put(",");
        }
        const std::string label = layer.name + "-" + std::to_string(++number);
        if (sold.medium < 0) {
          out.put(",planned,").put(label).put(",").put_hundredths(sold.required_m).put(",m\r\n");
          return;
        }
        const Medium& of = media.all[static_cast<std::size_t>(sold.medium)];
        out.put(type_of(of.kind)).put(",planned,").put(csv_field(label + " " + of.name)).put(",");
        out.put_general(sold.sold_m).put(",m\r\n");
      });
  return out.take();
}

}  // namespace planner::commands

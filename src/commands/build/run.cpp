#include <fmt/format.h>

#include <algorithm>

#include "planner/catalog/site_files.hpp"
#include "planner/commands/build/build.hpp"
#include "planner/commands/parts/cluster_network.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/core/ceil_div.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/output.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using R = BuildRequest;

/// The site of the flags over that of the cluster file over that of the catalog, and which figures
/// somebody gave.
struct Chosen {
  Site site;
  std::vector<std::string> given;
};

Chosen site_of(const ClusterNetwork& at, const BuildRequest& request,
               const catalog::Catalog& catalog) {
  Chosen chosen;
  const auto put = [&](const SiteSettings& settings) {
    apply(settings, chosen.site);
    for (const auto& [index, value] : settings.figures) {
      chosen.given.emplace_back(site_figures()[index].key);
    }
    if (settings.power_units) chosen.given.emplace_back("power_units");
    if (settings.media) chosen.given.emplace_back("media");
  };
  const std::optional<BuildSettings>& build = at.cluster.build;
  if (request.site) {
    put(catalog::load_site(catalog, *request.site).settings);
  } else if (build && build->site) {
    put(named_at(at.file, "build.site", [&] {
          return catalog::load_site(catalog, *build->site);
        }).settings);
  }
  if (build) put(build->settings);
  put(request.settings);
  if (!chosen.site.switch_position) {
    const bool in_racks = topology_of(at.design) == Topology::meta_ai_zone;
    chosen.site.switch_position = in_racks ? SwitchPosition::tor : SwitchPosition::mid_row;
  }
  // A block holds whole bays.
  chosen.site.block_racks = std::max(chosen.site.block_racks, chosen.site.bay_racks);
  return chosen;
}

Chassis chassis_of(const ClusterNetwork& at, const catalog::Catalog& catalog,
                   std::vector<std::string>& warnings) {
  if (at.cluster.build && at.cluster.build->chassis) {
    return named_at(at.file, "build.chassis",
                    [&] { return catalog::load_chassis(catalog, *at.cluster.build->chassis); });
  }
  const std::vector<std::string> known = catalog.names(catalog::kinds::chassis);
  for (const std::string& name : {at.node ? at.node->name : std::string{}, at.system.name}) {
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      return catalog::load_chassis(catalog, name);
    }
  }
  const std::int64_t gpus = at.node ? at.node->accelerators : std::int64_t{8};
  warnings.push_back(fmt::format(
      "nothing is known of the chassis of {}: its weight, ports and power supplies are assumed",
      at.node ? at.node->name : at.system.name));
  return {.name = "assumed",
          .title = "assumed",
          .accelerators = gpus,
          .rack_units = std::max<std::int64_t>(1, gpus),
          .kg = 16 * static_cast<double>(gpus)};
}

Watts known_or(const std::optional<Watts>& known, Watts otherwise, const std::string& what,
               std::vector<std::string>& warnings) {
  if (known) return *known;
  warnings.push_back(
      fmt::format("the power of {} is not known: {:g} W stand in", what, otherwise.si()));
  return otherwise;
}

void add_switches(const ClusterNetwork& at, const FabricModels& models, const Site& site,
                  site::Hardware& hardware, std::vector<std::string>& warnings) {
  constexpr std::int64_t kPortsPerUnit = 128;
  for (std::size_t tier = 0; tier < at.count.switches.size(); ++tier) {
    const auto& model = tier > 0 && models.upper_switches ? models.upper_switches : models.switches;
    const std::string& name = at.count.switches[tier].name;
    hardware.switch_power.push_back(known_or(model ? model->power : std::nullopt,
                                             site.switch_w * units::W, "a " + name + " switch",
                                             warnings));
    const auto units = ceil_div(at.count.switches[tier].radix, kPortsPerUnit);
    hardware.switch_units.push_back(model && model->rack_units ? *model->rack_units : units);
  }
}

bool gave(const Chosen& chosen, std::string_view key) {
  return std::find(chosen.given.begin(), chosen.given.end(), key) != chosen.given.end();
}

site::Hardware hardware_of(const ClusterNetwork& at, const Chosen& chosen,
                           const catalog::Catalog& catalog, std::vector<std::string>& warnings) {
  const Site& site = chosen.site;
  const bool module_given = gave(chosen, "module_W");
  const Cluster& cluster = at.cluster;
  const FabricModels models = fabric_models(cluster.fabric_parts, at.file, catalog);
  site::Hardware hardware{.design = at.design,
                          .count = at.count,
                          .chassis = chassis_of(at, catalog, warnings),
                          .gpus = cluster.gpus,
                          .hb_domain = at.system.hb_domain};
  const Chassis& chassis = hardware.chassis;
  hardware.node_gpus = at.node ? at.node->accelerators : chassis.accelerators;
  hardware.nodes = ceil_div(cluster.gpus, hardware.node_gpus);
  hardware.node_units = at.node && at.node->rack_units ? *at.node->rack_units : chassis.rack_units;
  std::optional<Watts> power = cluster.node_power;
  if (!power && at.node) power = at.node->power;
  if (!power) {
    const double accelerator = at.system.accelerator.power.value_or(1000 * units::W).si();
    const double usual = 1.3 * accelerator * static_cast<double>(hardware.node_gpus);
    power = known_or(std::nullopt, chassis.power.value_or(usual * units::W), "a node", warnings);
  }
  hardware.node_power = *power * site.node_load;
  add_switches(at, models, site, hardware, warnings);
  const auto watts = [](const std::optional<Optic>& optic) {
    return optic ? optic->power : std::nullopt;
  };
  // As in the bill: a module of unknown power is not counted, unless a figure is given for it.
  const auto module = [&](const std::optional<Optic>& optic, const char* where) {
    if (const auto power_of_one = watts(optic)) return *power_of_one;
    if (module_given) return site.module_w * units::W;
    warnings.push_back(fmt::format(
        "the power of a module {} is not known: it is not counted (\"module_W\")", where));
    return Watts{};
  };
  if (at.count.cables.fibre > 0) {
    hardware.switch_module = module(models.switch_module, "in a switch");
    hardware.nic_module = module(models.nic_module, "at a card");
  }
  hardware.copper_link = watts(models.copper).value_or(Watts{});
  hardware.active_link = watts(models.active_optical).value_or(Watts{});
  if (const auto& storage = cluster.storage_nodes; storage && storage->power) {
    hardware.others.push_back(
        {storage->part, *storage->power * static_cast<double>(storage->quantity)});
  }
  for (const ExtraLine& line : cluster.extra_lines) {
    if (!line.power || *line.power <= Watts{}) continue;
    hardware.others.push_back({line.item, *line.power * static_cast<double>(line.quantity)});
  }
  return hardware;
}

/// Those of the site, or the usual ones for the speed of the ports.
site::Media media_of(const Site& site, std::int64_t gbps, const catalog::Catalog& catalog) {
  std::vector<std::string> names = site.media;
  if (names.empty() && gbps >= 400) {
    names = {"dac-800g", "acc-800g", "sr-800g", "dr-800g", "dr-500-800g", "fr-800g"};
  } else if (names.empty()) {
    names = {"dac-200g", "sr-100m", "dr-500m", "fr-2km"};
  }
  site::Media media;
  for (const std::string& name : names) media.all.push_back(catalog::load_medium(catalog, name));
  return media;
}

[[noreturn]] void refuse(const site::NoBuild& none, const std::string& cluster) {
  using Why = site::NoBuild::Why;
  Diagnostic error{.code = "infeasible"};
  switch (none.why) {
    case Why::node_fits_no_rack:
      error.message = fmt::format("{}: a node fits no rack: it needs {:g} {}, a rack has {:g}",
                                  cluster, none.need, none.unit, none.have);
      error.hint = "--rack-kw and --rack-units say what a rack takes";
      break;
    case Why::floor_too_small:
      error.message = fmt::format(
          "{}: the floor is too small: {:g} racks and their bays do not "
          "fit its {:g} places",
          cluster, none.need, none.have);
      error.hint = "more rows (--rows), or denser racks (--rack-kw)";
      break;
    case Why::too_many_cables:
      error.message = fmt::format("{}: {} cables: more than {} are not laid out one by one",
                                  cluster, grouped(static_cast<std::int64_t>(none.need)),
                                  grouped(static_cast<std::int64_t>(none.have)));
      error.hint = "a pod or a zone of it has fewer";
      break;
  }
  throw InfeasibleError(std::move(error));
}

std::string told(const site::Broken& broken) {
  const std::string remedy = broken.remedy.empty() ? "" : " (" + broken.remedy + ")";
  return fmt::format("{}: {} needs {} {}, {} there{}", broken.rule, broken.where,
                     amount(broken.need), broken.unit, amount(broken.have), remedy);
}

/// A limit that was given and is broken ends with 5, a cable that nothing reaches with 4; the rest
/// are warnings.
void judge(const std::vector<site::Broken>& broken, Context& context) {
  for (const site::Broken& one : broken) {
    if (one.rule == "reach") {
      context.fail(ExitCode::infeasible,
                   {.code = "infeasible",
                    .message = fmt::format("{}: a cable of {:.1f} m, and no medium reaches beyond "
                                           "{:g} m",
                                           one.where, one.need, one.have),
                    .hint = one.remedy});
    } else if (one.given) {
      context.fail(ExitCode::limit_exceeded,
                   {.code = "over-limit", .message = told({one}), .hint = ""});
    } else {
      context.warnings.push_back(told(one));
    }
  }
}

void add_inputs(const Chosen& chosen, BuildAnswer& answer) {
  for (const SiteFigure& figure : site_figures()) {
    const std::string key{figure.key};
    const auto value = std::visit(
        [&](auto member) -> std::optional<double> { return chosen.site.*member; }, figure.member);
    if (key == "module_W" && !gave(chosen, key)) continue;  // then it is not used
    if (value) answer.figures.emplace_back(key, *value);
    if (value && !gave(chosen, key)) answer.assumed.push_back(key);
  }
  answer.switch_position = name_of(*chosen.site.switch_position);
}

std::vector<BuildAnswer::BillLine> bill_of(const BuildAnswer& answer) {
  std::vector<BuildAnswer::BillLine> lines;
  for (const site::MediumUse& use : answer.cables.by_medium) {
    for (const site::SoldLength& sold : use.by_length) {
      lines.push_back({.part = use.medium, .length_m = sold.metres, .pieces = sold.pieces});
    }
  }
  return lines;
}

/// The files that are asked for beside the answer.
void write_files(const R& request, const BuildAnswer& answer, const site::Build& built,
                 const site::Hardware& hardware, const Site& site, const site::Media& media) {
  const auto write = [](const std::optional<std::string>& path, auto&& text) {
    if (path) json::write_file(*path, text());
  };
  write(request.cables, [&] { return cable_schedule(built, site, media); });
  write(request.netbox, [&] { return netbox_cables(built, site, media); });
  write(request.netbox_racks, [&] { return netbox_racks(built, site, answer.cluster); });
  write(request.netbox_devices, [&] { return netbox_devices(built, hardware, answer.cluster); });
  write(request.floor, [&] { return floor_svg(answer, true); });
  write(request.elevations, [&] { return elevations_svg(answer, true); });
}

std::vector<SweepLine> lines(const BuildAnswer& answer) {
  return {{.figures = {
               {"racks", "racks", present::count(static_cast<std::int64_t>(answer.racks.size()))},
               {"longest_m", "longest cable (m)", present::number(answer.cables.longest_m)},
               {"required_km", "cable (km)", present::number(answer.cables.required_m / 1000)},
               {"area_m2", "floor (m²)", present::number(answer.floor.area_m2)},
               {"it_MW", "IT (MW)", present::number(answer.power.it_w / 1e6)},
               {"gap", "over the bound (%)", present::number(100 * answer.gap)},
               {"broken", "rules broken",
                present::count(static_cast<std::int64_t>(answer.broken.size())), 0}}}};
}

}  // namespace

BuildAnswer build_cluster(const BuildRequest& request, Context& context) {
  if (request.files.size() != 1) usage_error("build takes one cluster file");
  const ClusterNetwork at = cluster_network(request.files.front(), context.catalog);
  const Chosen chosen = site_of(at, request, context.catalog);
  const site::Hardware hardware = hardware_of(at, chosen, context.catalog, context.warnings);
  const site::Media media = media_of(chosen.site, at.design.port_gbps, context.catalog);
  const site::BuildOptions how{
      .arrangement = request.arrangement.value_or(Arrangement::regular),
      .seed = static_cast<std::uint64_t>(request.seed),
      .stop = [&] { return context.stop != nullptr && context.stop->load(); },
      .progress =
          [&](std::int64_t done, std::int64_t total) {
            if (context.progress) {
              context.progress({.done = done, .total = total, .what = "rounds of swaps"});
            }
          }};
  const auto result = site::build(hardware, chosen.site, media, how);
  if (how.stop()) throw Interrupted();
  if (const auto* const none = std::get_if<site::NoBuild>(&result)) {
    refuse(*none, at.cluster.name);
  }
  const auto& built = std::get<site::Build>(result);
  BuildAnswer answer = answer_of(built, chosen.site);
  answer.cluster = at.cluster.name;
  answer.title = at.cluster.title;
  answer.gpus = at.cluster.gpus;
  answer.topology = name_of(topology_of(at.design));
  answer.arrangement = how.arrangement;
  answer.chassis = hardware.chassis.title;
  for (const Medium& medium : media.all) answer.media.push_back(medium.name);
  add_inputs(chosen, answer);
  answer.broken = broken_rules(built, hardware, chosen.site, media, how, chosen.given);
  if (request.bill) answer.bill = bill_of(answer);
  judge(answer.broken, context);
  write_files(request, answer, built, hardware, chosen.site, media);
  return answer;
}

Command build() {
  return erased(CommandOf<BuildRequest, BuildAnswer>{
      .name = "build",
      .summary = "racks, floor, every cable with its length, feeds and heat",
      .arguments = "FILE",
      .options = build_options(),
      .positional = &BuildRequest::files,
      .run = build_cluster,
      .fields = build_fields,
      .view = build_view,
      .lines = lines});
}

}  // namespace planner::commands

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "planner/catalog/site_files.hpp"
#include "planner/commands/build/bays.hpp"
#include "planner/commands/build/build.hpp"
#include "planner/commands/parts/broken_rules.hpp"
#include "planner/commands/parts/cluster_bill.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/commands/parts/remedy_prices.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/output.hpp"
#include "planner/present/text.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner::commands {

namespace {

/// How many there are: "1,024".
template <class Parts>
std::string counted(const Parts& parts) {
  return grouped(static_cast<std::int64_t>(parts.size()));
}

std::string told(const site::Broken& broken) {
  const std::string why = broken.why.empty() ? "" : ": " + broken.why;
  return broken_words(broken) + why + (broken.remedy.empty() ? "" : " (" + broken.remedy + ")");
}

/// A limit that was given and is broken ends with 5, a cable that nothing reaches with 4; the rest
/// are warnings.
void judge(const std::vector<site::Broken>& broken, Context& context) {
  for (const site::Broken& one : broken) {
    if (one.rule == "reach") {
      context.fail(ExitCode::infeasible,
                   {.code = "infeasible",
                    .message = fmt::format("{}: a cable of {} m, and no medium reaches beyond {} m",
                                           one.where, grouped(one.need, 1), amount(one.have)),
                    .hint = one.remedy});
    } else if (one.given) {
      context.fail(ExitCode::limit_exceeded,
                   {.code = "over-limit", .message = told({one}), .hint = ""});
    } else {
      context.warnings.push_back(told(one));
    }
  }
}

void add_inputs(const Physical& chosen, BuildAnswer& answer) {
  for (const SiteFigure& figure : site_figures()) {
    const std::string key{figure.key};
    const auto value = std::visit(
        [&](auto member) -> std::optional<double> { return chosen.site.*member; }, figure.member);
    if (value) answer.figures.emplace_back(key, *value);
    const bool known = chosen.gave(key) || (key == "pue" && !chosen.pue_of.empty());
    if (value && !known) answer.assumed.push_back(key);
  }
  if (!chosen.pue_of.empty()) answer.pue_of = chosen.pue_of;
  answer.switch_position = name_of(*chosen.site.switch_position);
}

/// Sources of the cluster file that nobody checked, of what is built here: readings of papers and
/// parts that stand in for others.
void add_unchecked(const Cluster& cluster, BuildAnswer& answer) {
  const auto is_built = [](const std::string& key) {
    return key.rfind("fabric", 0) == 0 || key.rfind("build", 0) == 0 || key == "node_power_W";
  };
  for (const SourceNote& note : cluster.sources) {
    if (note.verified) continue;
    std::string keys;
    for (const std::string& key : note.keys) {
      if (is_built(key)) keys += (keys.empty() ? "" : ", ") + key;
    }
    if (!keys.empty()) answer.notes.push_back(keys + ": " + note.source + " (unverified)");
  }
}

/// What the answer leaves out since nobody said it.
void add_left_out(const Cluster& cluster, const Site& site, BuildAnswer& answer) {
  std::vector<std::string> none;
  if (!cluster.storage_nodes && !cluster.storage_network) none.emplace_back("storage");
  if (!cluster.management_nodes && !cluster.management_network) none.emplace_back("management");
  if (!cluster.frontend) none.emplace_back("a front end");
  std::string names;
  for (std::size_t i = 0; i < none.size(); ++i) {
    names += (i == 0 ? "" : i + 1 == none.size() ? " and " : ", ") + none[i];
  }
  if (!none.empty()) {
    answer.notes.push_back(
        fmt::format("racks and cables of {} are not in it: the cluster file has none", names));
  }
  const auto beyond =
      std::count_if(site.keep_outs.begin(), site.keep_outs.end(), [&](const KeepOut& out) {
        return out.row > answer.floor.rows || out.to > answer.floor.places_per_row;
      });
  if (beyond > 0) {
    answer.notes.push_back(
        fmt::format("{} of the {} \"keep_outs\" reach beyond this floor of {} rows of {} places",
                    grouped(beyond), counted(site.keep_outs), grouped(answer.floor.rows),
                    grouped(answer.floor.places_per_row)));
  }
  if (site.power_units.empty()) return;
  std::set<std::int64_t> fed;
  for (const PowerUnit& unit : site.power_units) fed.insert(unit.racks.begin(), unit.racks.end());
  if (fed.size() < answer.racks.size()) {
    const auto without = static_cast<std::int64_t>(answer.racks.size() - fed.size());
    answer.notes.push_back(fmt::format("{} of {} racks hang on no unit of the power chain",
                                       grouped(without), counted(answer.racks)));
  }
}

/// The medium of the catalog with the shortest reach with which every cable would reach, where no
/// other place for the switches does it.
void heal_reach(const ClusterNetwork& at, const Physical& physical, SiteChoice choice,
                site::BuildOptions how, const catalog::Catalog& catalog, BuildAnswer& answer) {
  const auto reach = std::find_if(answer.broken.begin(), answer.broken.end(),
                                  [](const site::Broken& one) { return one.rule == "reach"; });
  if (reach == answer.broken.end() || !reach->remedy.empty()) return;
  how.judged = false;
  how.progress = {};
  std::vector<std::string> offered;
  for (const Medium& medium : physical.media.all) offered.push_back(medium.name);
  std::vector<Medium> others;
  for (const std::string& name : catalog.names(catalog::kinds::medium)) {
    Medium medium = catalog::load_medium(catalog, name);
    const bool known = std::find(offered.begin(), offered.end(), name) != offered.end();
    if (known || medium.is_copper() || medium.reach_m < reach->need) continue;
    others.push_back(std::move(medium));
  }
  std::stable_sort(others.begin(), others.end(),
                   [](const Medium& a, const Medium& b) { return a.reach_m < b.reach_m; });
  for (const Medium& medium : others) {
    choice.settings.media = offered;
    choice.settings.media->push_back(medium.name);
    std::vector<std::string> said;
    const Physical other = physical_of(at, choice, catalog, said);
    const auto with = site::build(other.hardware, other.site, other.media, how);
    const auto* const built = std::get_if<site::Build>(&with);
    if (built == nullptr || built->laid.beyond.cables > 0) continue;
    reach->remedy =
        fmt::format("with {} among the media: {} racks, longest cable {} m", medium.name,
                    counted(built->plan.racks), grouped(built->laid.longest_m, 1));
    return;
  }
}

/// Whether what a cooling unit carries is a figure of ours.
void say_cooling(const Physical& physical, BuildAnswer& answer) {
  const bool of_chassis =
      physical.hardware.chassis.sidecar_cooling && answer.racks_of(site::kSidecar) > 0;
  answer.power.cdu_limit_assumed = answer.power.cdus > 0 && !of_chassis && !physical.gave("cdu_kW");
}

/// Nodes that may draw less than they could: something has to hold them to it.
void add_caps(const Physical& physical, BuildAnswer& answer) {
  const double load = physical.site.node_load;
  if (load >= 1) return;
  answer.notes.push_back(
      fmt::format("nodes are planned with {:g} % of their rated power, {:.1f} of {:.1f} kW: their "
                  "caps have to be enforced, for a rack's circuits carry no more; how much that "
                  "slows the training is not known, so `cost` has power, money and times of nodes "
                  "at rated power",
                  100 * load, physical.hardware.node_power.si() / 1e3,
                  physical.hardware.node_rated.value_or(Watts{}).si() / 1e3));
}

/// Whose limit of power it is that does not do, where a site of the catalog has it.
void tell_limits(const BuildRequest& request, const Cluster& cluster,
                 const catalog::Catalog& catalog, BuildAnswer& answer) {
  const std::optional<std::string> named = request.site    ? request.site
                                           : cluster.build ? cluster.build->site
                                                           : std::nullopt;
  const bool over = std::any_of(answer.broken.begin(), answer.broken.end(),
                                [](const site::Broken& broken) { return !broken.why.empty(); });
  if (!named || !over) return;
  for (const SourceNote& note : catalog::load_site(catalog, *named).sources) {
    for (const std::string key : {"facility_MW", "hall_MW"}) {
      const auto& keys = note.keys;
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
      answer.notes.push_back(key + ": " + note.source);
    }
  }
}

std::vector<BuildAnswer::BillLine> bill_of(const BuildAnswer& answer) {
  std::vector<BuildAnswer::BillLine> lines;
  for (const site::MediumUse& use : answer.cables.by_medium) {
    for (const site::SoldTrunks& sold : use.trunks) {
      lines.push_back({.part = fmt::format("{}, trunk of {} fibres", use.medium, sold.fibres),
                       .length_m = sold.metres,
                       .pieces = sold.pieces});
    }
    for (const site::SoldLength& sold : use.by_length) {
      lines.push_back({.part = use.medium, .length_m = sold.metres, .pieces = sold.pieces});
    }
  }
  return lines;
}

/// Cables by medium and length, and everything that is bought with them.
void add_bill(const ClusterNetwork& at, const Physical& physical, const site::Laid& laid,
              Context& context, BuildAnswer& answer) {
  answer.bill = bill_of(answer);
  const PriceBook book =
      named_at(at.file, "prices", [&] { return load_prices(at.cluster.prices, context.catalog); });
  ClusterModels models = models_of(at, context.catalog);
  take_stand_ins(physical, models);
  models.links = laid_parts(at, physical, laid, models.fabric, book);
  answer.materials = billed(at, models, book);
  answer.price_book = book.title;
  const std::string remark =
      price_remark(*answer.materials, capex_of(at, *answer.materials).known());
  if (!remark.empty()) context.warnings.push_back(remark);
}

/// @param at, physical  outlive what is returned
CablePart cable_parts(const ClusterNetwork& at, const Physical& physical,
                      const catalog::Catalog& catalog) {
  return [&at, &physical, own = fabric_models(at.cluster.fabric_parts, at.file, catalog)](
             std::size_t network, std::size_t medium, std::int64_t gbps, std::int64_t fibres) {
    const FabricModels& models = network == 0 ? own : at.beside[network - 1].models;
    const std::int64_t ports = physical.hardware.of(network).design.cabling.ports_per_switch_module;
    const Part cord = cable_part(physical.media_models[medium], gbps, ports, models);
    return fibres > 0 ? trunk_of(cord, fibres).id : cord.id;
  };
}

/// @throws UsageError  two files beside the answer are one, or one of them is its place
void tell_files_apart(const BuildRequest& request) {
  const std::pair<const char*, const std::optional<std::string>*> kGiven[] = {
      {"--cables", &request.cables},
      {"--floor", &request.floor},
      {"--elevations", &request.elevations},
      {"--netbox", &request.netbox},
      {"--netbox-racks", &request.netbox_racks},
      {"--netbox-devices", &request.netbox_devices}};
  std::map<std::string, const char*> taken;
  for (const auto& [flag, path] : kGiven) {
    if (!*path) continue;
    if (**path == "-") usage_error(fmt::format("{}: - is where the answer goes", flag), "a file");
    const auto [other, is_new] = taken.emplace(**path, flag);
    if (!is_new) {
      usage_error(fmt::format("{}: {} is the file of {} too", flag, **path, other->second),
                  "a file for each");
    }
  }
}

/// The files that are asked for beside the answer.
void write_files(const BuildRequest& request, const BuildAnswer& answer, const site::Build& built,
                 const Physical& physical, const std::string& node, const std::string& cables) {
  const Site& site = physical.site;
  const site::Media& media = physical.media;
  const auto write = [](const std::optional<std::string>& path, auto&& text) {
    if (path) json::write_file(*path, text());
  };
  write(request.cables, [&]() -> const std::string& { return cables; });
  write(request.netbox, [&] { return netbox_cables(built, site, media); });
  write(request.netbox_racks, [&] { return netbox_racks(built, site, answer.cluster); });
  write(request.netbox_devices, [&] { return netbox_devices(built, node, answer.cluster); });
  write(request.floor, [&] { return floor_svg(answer, true); });
  write(request.elevations, [&] { return elevations_svg(answer, true); });
}

std::vector<SweepLine> lines(const BuildAnswer& answer) {
  return {{.figures = {
               {"racks", "racks", present::count(static_cast<std::int64_t>(answer.racks.size()))},
               {"longest_m", "longest cable (m)", present::number(answer.cables.longest_m)},
               {"required_km", "cable (km)", present::number(answer.cables.required_m / 1000)},
               {"area_m2", "floor (m²)", present::number(answer.floor.area_m2)},
               {"used_m2", "of it used (m²)", present::number(answer.floor.used_m2)},
               {"it_MW", "IT (MW)", present::number(answer.power.it_w / 1e6)},
               {"gap", "over the bound (%)", present::number(100 * answer.gap)},
               {"broken", "rules broken",
                present::count(static_cast<std::int64_t>(answer.broken.size())), 0}}}};
}

}  // namespace

BuildAnswer build_cluster(const BuildRequest& request, Context& context) {
  if (request.files.size() != 1) usage_error("build takes one cluster file");
  tell_files_apart(request);
  const ClusterNetwork at = cluster_network(request.files.front(), context.catalog);
  const SiteChoice choice{
      .site = request.site, .settings = request.settings, .by_length = request.bill};
  const Physical physical = physical_of(at, choice, context.catalog, context.warnings);
  const site::Hardware& hardware = physical.hardware;
  const Site& site = physical.site;
  const site::Media& media = physical.media;
  site::BuildOptions how{
      .arrangement = request.arrangement.value_or(Arrangement::regular),
      .seed = static_cast<std::uint64_t>(request.seed),
      .stop = [&] { return context.stop != nullptr && context.stop->load(); },
      .progress =
          [&](std::int64_t done, std::int64_t total) {
            if (context.progress) {
              context.progress({.done = done, .total = total, .what = "rounds of swaps"});
            }
          }};
  const site::Build built = stand(physical, at.cluster.name, how);
  BuildAnswer answer = answer_of(built, site);
  answer.cluster = at.cluster.name;
  answer.title = at.cluster.title;
  answer.gpus = at.cluster.gpus;
  answer.topology = name_of(topology_of(at.design));
  answer.arrangement = how.arrangement;
  answer.chassis = hardware.chassis.title;
  for (const Medium& medium : media.all) answer.media.push_back(medium.name);
  answer.power.unknown = physical.unknown_power;
  add_inputs(physical, answer);
  const CablePart part_of = cable_parts(at, physical, context.catalog);
  std::string cables, bays;
  how.priced = pricing(at, physical, built.laid, context.catalog);
  // What is broken has remedies, each a building of its own: all cables are written meanwhile.
  for_each_index(3, 0, [&](std::size_t i) {
    if (i == 0) answer.broken = broken_rules(built, hardware, site, media, how, physical.given);
    if (i == 1 && request.cables) cables = cable_schedule(built, site, media, part_of);
    if (i == 2) bays = better_bays(built, physical, how);
  });
  heal_reach(at, physical, choice, how, context.catalog, answer);
  explain_power(physical, at.cluster, answer.broken);
  tell_limits(request, at.cluster, context.catalog, answer);
  if (!bays.empty()) answer.notes.push_back(bays);
  add_caps(physical, answer);
  say_cooling(physical, answer);
  add_left_out(at.cluster, site, answer);
  add_unchecked(at.cluster, answer);
  if (request.bill) add_bill(at, physical, built.laid, context, answer);
  judge(answer.broken, context);
  write_files(request, answer, built, physical, at.node ? at.node->title : hardware.chassis.title,
              cables);
  return answer;
}

Command build() {
  return erased(CommandOf<BuildRequest, BuildAnswer>{
      .name = "build",
      .summary = "racks, floor, every cable with its length, feeds and heat",
      .arguments = "FILE",
      .shows_money = true,
      .options = build_options(),
      .positional = &BuildRequest::files,
      .run = build_cluster,
      .fields = build_fields,
      .view = build_view,
      .lines = lines});
}

}  // namespace planner::commands

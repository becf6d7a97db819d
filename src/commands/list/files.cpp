#include "planner/commands/list/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "planner/catalog/site_files.hpp"

namespace planner::commands {

namespace {

std::string summary(const TransformerSpec& model) {
  const double total = total_parameters(model) / 1e9;
  if (!model.moe) return fmt::format("{:.1f} B parameters", total);
  const std::int64_t sequence = model.reference_run ? model.reference_run->sequence : 0;
  return fmt::format("{:.1f} B parameters, {:.1f} B active", total,
                     active_parameters(model, sequence) / 1e9);
}

std::string summary(const System& system) {
  return fmt::format("{} · HB domain {} at {:g} GB/s · network {:g} GB/s", system.accelerator.name,
                     system.hb_domain, system.hb_bandwidth.in(units::GBps),
                     system.network_bandwidth.in(units::GBps));
}

std::string summary(const Accelerator& accelerator) {
  const std::optional<FlopsPerSecond> peak = accelerator.datasheet.at(Precision::bf16);
  return fmt::format("{}{:g} GB at {:g} GB/s",
                     peak ? fmt::format("{:g} TFLOP/s bf16 · ", peak->in(units::TFLOPs)) : "",
                     accelerator.memory.in(units::GB),
                     accelerator.memory_bandwidth.in(units::GBps));
}

std::string summary(const Node& node) {
  return fmt::format("{} × {} · {} NICs at {:g} GB/s", node.accelerators, node.accelerator,
                     node.nics, node.nic_bandwidth.in(units::GBps));
}

std::string summary(const StorageSystem& storage) {
  return fmt::format("{} nodes · {} SSDs of {:g} TB · {} NICs at {:g} GB/s", storage.nodes,
                     storage.nodes * storage.ssds, storage.ssd_capacity.in(1000 * units::GB),
                     storage.nodes * storage.nics, storage.nic_bandwidth.in(units::GBps));
}

std::string summary(const SwitchModel& model) {
  return fmt::format("{} × {} Gb/s{}{}", model.ports, model.port_gbps,
                     model.rack_units ? fmt::format(" · {} RU", *model.rack_units) : "",
                     model.power ? fmt::format(" · {:g} W", model.power->in(units::W)) : "");
}

std::string_view word(OpticKind kind) {
  switch (kind) {
    case OpticKind::transceiver:
      return "transceiver";
    case OpticKind::copper:
      return "copper cable";
    case OpticKind::active_optical:
      return "active optical cable";
    case OpticKind::fibre:
      return "fibre";
  }
  return "";
}

std::string summary(const Optic& optic) {
  std::string text{word(optic.kind)};
  if (optic.port_gbps) text += fmt::format(" · {} × {} Gb/s", optic.ports, *optic.port_gbps);
  if (optic.reach_m) text += fmt::format(" · {:g} m", *optic.reach_m);
  if (optic.power) text += fmt::format(" · {:g} W", optic.power->in(units::W));
  return text;
}

std::string summary(const Nic& nic) {
  return fmt::format("{} × {} Gb/s{}", nic.ports, nic.port_gbps,
                     nic.power ? fmt::format(" · {:g} W", nic.power->in(units::W)) : "");
}

std::string summary(const PriceBook& book) {
  return fmt::format("{} · {} prices in {}", book.title,
                     book.prices.size() + book.switch_ports.size() + book.transceiver_ends.size(),
                     book.currency == Currency::relative ? "relative units" : "US dollars");
}

std::string summary(const Economics& economics) {
  return fmt::format("{} · {:g} years", economics.title, economics.horizon_years);
}

std::string summary(const CollectiveLibrary& library) {
  return fmt::format("{} · {:g} % of the HB links, {:g} % of the network", library.title,
                     100 * library.hb_efficiency, 100 * library.network_efficiency);
}

std::string summary(const Cluster& cluster) {
  return fmt::format("{} · {} GPUs · {} · {}", cluster.system, cluster.gpus,
                     name_of(topology_of(cluster.fabric)), cluster.prices);
}

std::string summary(const Calibration& calibration) {
  return fmt::format("{} · {} constants", calibration.title, calibration.values.size());
}

std::string summary(const FailureRates& rates) {
  return fmt::format("{} · {} rate{}", rates.title, rates.components.size(),
                     rates.components.size() == 1 ? "" : "s");
}

std::string summary(const SiteFile& site) {
  std::string text = site.title;
  for (const auto& [index, value] : site.settings.figures) {
    const SiteFigure& figure = site_figures()[index];
    if (figure.key == "rack_kW") text += fmt::format(" · {:g} kW a rack", value);
    if (figure.key == "facility_MW") text += fmt::format(" · {:g} MW", value);
  }
  return text;
}

std::string summary(const Chassis& chassis) {
  return fmt::format(
      "{} units · {:g} kg{}{}", chassis.rack_units, chassis.kg,
      chassis.liquid_share > 0 ? fmt::format(" · {:g} % liquid", 100 * chassis.liquid_share) : "",
      chassis.domain_switch_racks > 0
          ? fmt::format(" · {} switch racks a domain", chassis.domain_switch_racks)
          : "");
}

std::string summary(const Medium& medium) {
  return fmt::format("{} · {:g} m", name_of(medium.kind), medium.reach_m);
}

std::string summary(const Brief& brief) {
  std::string runs;
  for (const BriefRun& run : brief.runs) {
    runs += fmt::format("{}{} · {:g} tokens", runs.empty() ? "" : ", then ", run.model, run.tokens);
  }
  return fmt::format("{} · least {}", runs, name_of(brief.minimise));
}

template <auto load>
CatalogItem loaded(const catalog::Catalog& catalog, const std::string& ref) {
  return (catalog.*load)(ref);
}

template <auto load>
CatalogItem loaded_file(const catalog::Catalog& catalog, const std::string& ref) {
  return load(catalog, ref);
}

CatalogItem loaded_model(const catalog::Catalog& catalog, const std::string& ref) {
  return catalog.load_model(ref).spec;
}

constexpr auto kFiles = std::to_array<CatalogFiles>({
    {catalog::kinds::model, loaded_model},
    {catalog::kinds::system, loaded<&catalog::Catalog::load_system>},
    {catalog::kinds::accelerator, loaded<&catalog::Catalog::load_accelerator>},
    {catalog::kinds::node, loaded<&catalog::Catalog::load_node>},
    {catalog::kinds::switch_model, loaded<&catalog::Catalog::load_switch>},
    {catalog::kinds::optic, loaded<&catalog::Catalog::load_optic>},
    {catalog::kinds::nic, loaded<&catalog::Catalog::load_nic>},
    {catalog::kinds::price_book, loaded<&catalog::Catalog::load_price_book>},
    {catalog::kinds::economics, loaded<&catalog::Catalog::load_economics>},
    {catalog::kinds::collectives, loaded<&catalog::Catalog::load_collectives>},
    {catalog::kinds::cluster, loaded<&catalog::Catalog::load_cluster>},
    {catalog::kinds::calibration, loaded<&catalog::Catalog::load_calibration>},
    {catalog::kinds::storage, loaded<&catalog::Catalog::load_storage>},
    {catalog::kinds::rates, loaded<&catalog::Catalog::load_rates>},
    {catalog::kinds::site, loaded_file<catalog::load_site>},
    {catalog::kinds::chassis, loaded_file<catalog::load_chassis>},
    {catalog::kinds::medium, loaded_file<catalog::load_medium>},
    {catalog::kinds::brief, loaded_file<catalog::load_brief>},
});

}  // namespace

std::span<const CatalogFiles> catalog_files() {
  return kFiles;
}

const CatalogFiles* files_named(std::string_view word) {
  const auto* const found = std::find_if(kFiles.begin(), kFiles.end(), [&](const auto& files) {
    return files.kind.plural == word || files.kind.noun == word;
  });
  return found == kFiles.end() ? nullptr : found;
}

std::vector<std::string> list_kinds() {
  std::vector<std::string> names;
  for (const CatalogFiles& files : kFiles) names.emplace_back(files.kind.plural);
  return names;
}

std::string summary(const CatalogItem& item) {
  return std::visit([](const auto& entry) { return summary(entry); }, item);
}

std::string title(const CatalogItem& item) {
  return std::visit([](const auto& entry) { return entry.title; }, item);
}

}  // namespace planner::commands

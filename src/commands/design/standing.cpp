#include <map>

#include "planner/catalog/documents.hpp"
#include "planner/catalog/site_files.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/broken_rules.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/commands/parts/facility.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/commands/parts/remedy_prices.hpp"
#include "planner/network/count.hpp"

// Designs in the building of a brief, laid out as `cost` does it.
namespace planner::commands {

namespace {

using design::Standing, design::StandingResult;

/// The cluster of a design as its file would have it.
ClusterNetwork network_of(const design::SystemOption& option, const Cluster& cluster) {
  ClusterNetwork at{.file = {}, .cluster = cluster, .system = option.system(), .node = option.node};
  at.design = cluster.fabric;
  at.design.gpus = endpoints_of(cluster, at.node);
  at.count = std::get<FabricCount>(count_fabric(at.design));
  return at;
}

class LayingOut {
 public:
  LayingOut(const BuildSettings& build, const PriceBook& book, const catalog::Catalog& catalog,
            const std::atomic<bool>* stop)
      : build_(build), book_(book), catalog_(catalog), stop_(stop) {}

  StandingResult operator()(const design::SystemOption& option, Cluster cluster) {
    const std::string key = catalog::to_json(option.system()).dump() + option.node.name +
                            catalog::to_json(cluster).dump();
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    cluster.build = build_;
    return known_.emplace(key, laid_out(network_of(option, cluster))).first->second;
  }

 private:
  [[nodiscard]] StandingResult laid_out(const ClusterNetwork& at) const {
    std::vector<std::string> of_racks;  // `build` tells it
    const Physical physical = physical_of(at, {}, catalog_, of_racks);
    const auto result = site::build(physical.hardware, physical.site, physical.media,
                                    {.judged = false, .stop = [this] { return is_set(stop_); }});
    if (is_set(stop_)) throw Interrupted();
    const auto* const built = std::get_if<site::Build>(&result);
    if (built == nullptr || built->laid.beyond.cables > 0) return nullptr;
    const auto racks = static_cast<std::int64_t>(built->plan.racks.size());
    if (site::last_rack(physical.site.power_units) > racks) return nullptr;
    FabricModels models = fabric_models(at.cluster.fabric_parts, at.file, catalog_);
    put_stand_ins(physical.site, models);
    const site::FeedLosses feeds = site::feed_losses(built->plan, physical.hardware, physical.site,
                                                     built->floor, built->places);
    return std::make_shared<const Standing>(
        Standing{.links = laid_parts(at, physical, built->laid, models, book_).front(),
                 .racks = racks,
                 .feeds = feeds.known ? std::optional(feeds.feeds) : std::nullopt,
                 .feed_hosts = feeds.hosts,
                 .longest_m = built->laid.longest_m});
  }

  const BuildSettings& build_;
  PriceBook book_;
  const catalog::Catalog& catalog_;
  const std::atomic<bool>* stop_;
  std::map<std::string, StandingResult> known_;
};

/// That what the building names is there.
void check_names(const BuildSettings& build, const catalog::Catalog& catalog) {
  if (build.site) static_cast<void>(catalog::load_site(catalog, *build.site));
  if (build.chassis) static_cast<void>(catalog::load_chassis(catalog, *build.chassis));
  for (const std::string& medium : build.settings.media.value_or(std::vector<std::string>{})) {
    static_cast<void>(catalog::load_medium(catalog, medium));
  }
}

}  // namespace

void stand_in(const BuildSettings& build, const catalog::Catalog& catalog,
              const std::atomic<bool>* stop, design::Space& space) {
  check_names(build, catalog);
  if (const auto pue = other_pue(build, space.economics, catalog)) {
    space.economics.pue = Estimate<double>::exactly(*pue);
  }
  const Site site = site_of(build, catalog);
  for (design::SystemOption& system : space.systems) {
    for (design::NetworkOption& network : system.networks) put_stand_ins(site, network.models);
  }
  const auto laying = std::make_shared<LayingOut>(build, space.book, catalog, stop);
  space.stand = [laying](const design::SystemOption& option, const Cluster& cluster) {
    return (*laying)(option, cluster);
  };
}

std::vector<site::Broken> broken_in(const design::SystemOption& option, const Cluster& cluster,
                                    const catalog::Catalog& catalog,
                                    const std::atomic<bool>* stop) {
  std::vector<std::string> told;  // `build` tells it
  const ClusterNetwork at = network_of(option, cluster);
  const Physical physical = physical_of(at, {}, catalog, told);
  site::BuildOptions how{.stop = [stop] { return is_set(stop); }};
  const auto result = site::build(physical.hardware, physical.site, physical.media, how);
  const auto* const built = std::get_if<site::Build>(&result);
  if (built == nullptr || is_set(stop)) return {};
  how.priced = pricing(at, physical, built->laid, catalog);
  std::vector<site::Broken> broken = site::broken_rules(*built, physical.hardware, physical.site,
                                                        physical.media, how, physical.given);
  explain_power(physical, cluster, broken);
  return broken;
}

}  // namespace planner::commands

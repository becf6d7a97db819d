#include "planner/commands/parts/fabric_fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/json/compared_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

const FieldTable<Ratio>& ratio_table() {
  static const FieldTable<Ratio> kTable{
      .type = "ratio",
      .doc = "bandwidth towards the hosts against bandwidth upwards",
      .fields = {required("down", &Ratio::down, whole(), "towards the hosts"),
                 required("up", &Ratio::up, whole(), "towards the rest of the network")},
      .open = true};
  return kTable;
}

const FieldTable<CableCount>& cable_table() {
  using C = CableCount;
  static const FieldTable<C> kTable{
      .type = "cables",
      .doc = "cables by kind",
      .fields = {required("copper", &C::copper, whole(), "DAC"),
                 required("active_optical", &C::active_optical, whole(), "AOC"),
                 required("fibre", &C::fibre, whole(), "with transceivers")},
      .open = true};
  return kTable;
}

const FieldTable<FailureImpact>& failure_table() {
  using F = FailureImpact;
  static const FieldTable<F> kTable{
      .type = "failure",
      .doc = "what one failed part takes with it",
      .fields = {naming(required("part", &F::part, any_text(), "the fullest of its kind")),
                 required("gpus_cut_off", &F::gpus_cut_off, whole(), "without any port"),
                 required("gpus_slowed", &F::gpus_slowed, whole(), "with less bandwidth"),
                 required("links_lost", &F::links_lost, whole(), "of the links they share"),
                 required("links_shared", &F::links_shared, whole(), "by the slowed GPUs")},
      .open = true};
  return kTable;
}

const FieldTable<SwitchTier>& tier_table() {
  using T = SwitchTier;
  static const FieldTable<T> kTable{
      .type = "switch tier",
      .doc = "switches alike",
      .fields = {required("tier", &T::name, any_text(), "its name"),
                 required("switches", &T::switches, whole(), "in it"),
                 required("ports", &T::radix, whole(), "of each, at the port speed"),
                 required("oversubscription", &T::oversubscription, or_null(object(ratio_table())),
                          "of the fullest switch; null: the top")},
      .open = true};
  return kTable;
}

const FieldTable<LinkLayer>& layer_table() {
  using L = LinkLayer;
  static const FieldTable<L> kTable{
      .type = "link layer",
      .doc = "the links between two kinds of part",
      .fields = {required("layer", &L::name, any_text(), "its name"),
                 required("links", &L::links, whole(), "in it"),
                 required("gbps", &L::gbps, whole(), "of each, per direction"),
                 required("cable", &L::cable, json::choice(kCableKinds), "how each is made"),
                 required("host", &L::host, boolean(), "one end is an endpoint")},
      .open = true};
  return kTable;
}

bool is_sum(std::string_view key) {
  return key == "total" || key == "inter_switch";
}

/// Named counts and their sums. Of an answer that was saved without the tables of tiers and layers
/// these counts are all that is known of them.
template <class Named>
Field<FabricCount> counts(std::string key, std::vector<Named> FabricCount::*parts,
                          std::int64_t Named::*count, auto sums, std::string doc) {
  using Counts = std::vector<std::pair<std::string, std::int64_t>>;
  const Codec<Counts> codec = named(whole());
  return {key,
          std::move(doc),
          true,
          [=](const JsonNode& node, FabricCount& fabric, const ReadContext& context) {
            const std::optional<Counts> read = codec.read(node, context);
            if (!read) return false;
            for (const auto& [name, value] : *read) {
              if (is_sum(name)) continue;
              Named part{.name = name};
              part.*count = value;
              (fabric.*parts).push_back(std::move(part));
            }
            return true;
          },
          [=](const FabricCount& fabric, Json& out) {
            Counts all;
            for (const Named& part : fabric.*parts) all.emplace_back(part.name, part.*count);
            for (auto& sum : sums(fabric)) all.push_back(std::move(sum));
            codec.write(all, json::detail::member(out, key));
          },
          codec.description()};
}

}  // namespace

const FieldTable<FabricCount>& fabric_fields() {
  using F = FabricCount;
  using Sums = std::vector<std::pair<std::string, std::int64_t>>;
  static const FieldTable<F> kTable = [] {
    std::array<Topology, std::variant_size_v<TopologyOptions>> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Topology>(i);
    const auto switch_sums = [](const F& f) { return Sums{{"total", f.total_switches()}}; };
    const auto link_sums = [](const F& f) {
      return Sums{{"inter_switch", f.inter_switch_links()}, {"total", f.total_links()}};
    };
    return FieldTable<F>{
        .type = "fabric",
        .doc = "the parts of a network",
        .fields = {required("topology", &F::topology, json::choice(all), "kind of network"),
                   required("endpoints", &F::endpoints, whole(), "GPUs with a port, or cards"),
                   required("backup_endpoints", &F::backup_endpoints, whole(), "in reserve"),
                   required("tiers", &F::tiers, whole(), "of switches"),
                   required("planes", &F::planes, whole(), "disjoint networks"),
                   required("rails", &F::rails, whole(), "networks by GPU of a domain"),
                   required("radix", &F::radix, whole(), "ports of a switch"),
                   required("units", &F::units, whole(), "segments, pods, zones; 0: none"),
                   counts("switches", &F::switches, &SwitchTier::switches, switch_sums,
                          "by tier, and in all"),
                   counts("links", &F::layers, &LinkLayer::links, link_sums,
                          "by layer, and in all"),
                   required("transceivers", &F::transceivers, whole(), "logical ends"),
                   required("modules", &F::modules, whole(), "physical parts"),
                   required("cables", &F::cables, object(cable_table()), "by kind"),
                   required("max_endpoints", &F::max_endpoints, whole(), "that it could hold"),
                   required("oversubscription", &F::oversubscription, object(ratio_table()),
                            "of the worst tier"),
                   required("bisection_gbps", &F::bisection_gbps, or_null(whole()),
                            "between two halves, per direction; null: no closed form is known"),
                   required("max_hops", &F::max_hops, whole(), "switches on the longest way"),
                   required("failures", &F::failures, list(object(failure_table())),
                            "what one failed part takes with it"),
                   aside(optional("switch_tiers", &F::switches, list(object(tier_table())),
                                  "tier by tier")),
                   aside(optional("link_layers", &F::layers, list(object(layer_table())),
                                  "layer by layer"))},
        .open = true};
  }();
  return kTable;
}

}  // namespace planner::commands

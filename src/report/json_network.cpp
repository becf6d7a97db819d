#include "planner/report/json_network.hpp"

#include <nlohmann/json.hpp>

#include "planner/report/json_parts.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Ratio& ratio) {
  return {{"down", ratio.down}, {"up", ratio.up}};
}

Json switches(const FabricCount& count) {
  Json json = Json::object();
  for (const SwitchTier& tier : count.switches) json[tier.name] = tier.switches;
  json["total"] = count.total_switches();
  return json;
}

Json links(const FabricCount& count) {
  Json json = Json::object();
  for (const LinkLayer& layer : count.layers) json[layer.name] = layer.links;
  json["inter_switch"] = count.inter_switch_links();
  json["total"] = count.total_links();
  return json;
}

Json to_json(const FailureImpact& impact) {
  return {{"part", impact.part},
          {"gpus_cut_off", impact.gpus_cut_off},
          {"gpus_slowed", impact.gpus_slowed},
          {"links_lost", impact.links_lost},
          {"links_shared", impact.links_shared}};
}

/// Sums by category; a category with a line that has no price is null, its known part is not a
/// total.
Json cost_json(const NetworkCost& cost) {
  Json json = Json::object();
  for (const PartCategory category :
       {PartCategory::switches, PartCategory::transceivers, PartCategory::cables}) {
    json[std::string{name_of(category)}] = 0;
  }
  for (const CategoryCost& sum : cost.categories) {
    json[std::string{name_of(sum.category)}] =
        sum.total.at_least() ? Json(nullptr) : Json(sum.total.amount.expected.dollars());
  }
  json["total"] = cost.total.amount.expected.dollars();
  json["total_low"] = cost.total.amount.low.dollars();
  json["total_high"] = cost.total.amount.high.dollars();
  json["at_least"] = cost.total.at_least();
  return json;
}

}  // namespace

Json bill_lines(const BillOfMaterials& bill) {
  Json list = Json::array();
  // A book of relative units has no dollars.
  const std::string ending = bill.currency == Currency::relative ? "_relative" : "_usd";
  for (const BillLine& line : bill.lines) {
    list.push_back(
        {{"item", line.part.title},
         {"category", name_of(line.part.category)},
         {"quantity", line.quantity},
         {"unit_price" + ending,
          line.unit_price ? Json(line.unit_price->expected.dollars()) : Json(nullptr)},
         {"unit_price_range", line.unit_price ? dollars(*line.unit_price) : Json(nullptr)},
         {"total" + ending, line.total ? Json(line.total->expected.dollars()) : Json(nullptr)},
         {"power_w", line.power ? Json(line.power->in(units::W)) : Json(nullptr)},
         {"included_in", text_or_null(line.included_in)},
         {"source", line.origin.source},
         {"as_of", line.origin.as_of},
         {"verified", line.origin.verified},
         {"note", or_null(line.origin.note)}});
  }
  return list;
}

Json fabric_json(const FabricCount& count) {
  Json json{{"topology", name_of(count.topology)},
            {"endpoints", count.endpoints},
            {"backup_endpoints", count.backup_endpoints},
            {"tiers", count.tiers},
            {"planes", count.planes},
            {"rails", count.rails},
            {"radix", count.radix},
            {"units", count.units},
            {"switches", switches(count)},
            {"links", links(count)},
            {"transceivers", count.transceivers},
            {"modules", count.modules},
            {"cables",
             {{"copper", count.cables.copper},
              {"active_optical", count.cables.active_optical},
              {"fibre", count.cables.fibre}}},
            {"max_endpoints", count.max_endpoints},
            {"oversubscription", to_json(count.oversubscription)},
            {"bisection_gbps", or_null(count.bisection_gbps)},
            {"max_hops", count.max_hops},
            {"failures", Json::array()}};
  for (const FailureImpact& impact : count.failures) json["failures"].push_back(to_json(impact));
  return json;
}

Json to_json(const NetworkResult& result) {
  Json json = fabric_json(result.count);
  if (result.cost) {
    const bool relative = result.cost->bill.currency == Currency::relative;
    json[relative ? "cost_relative" : "cost_usd"] = cost_json(*result.cost);
    json["price_book"] = result.cost->book.title;
    json["price_book_notes"] = result.cost->book.notes;
    json["unpriced_lines"] = result.cost->total.missing;
    json["lines"] = bill_lines(result.cost->bill);
  }
  return json;
}

}  // namespace planner

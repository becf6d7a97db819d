#include "planner/api/request.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

/// By tier or layer, and in all.
Json counts_with(const Json& sums) {
  Json counts = object(sums);
  counts["additionalProperties"] = count();
  return counts;
}

Json category_sums() {
  return object({{"switches", or_null(figure())},
                 {"transceivers", or_null(figure())},
                 {"cables", or_null(figure())},
                 {"total", figure()},
                 {"total_low", figure()},
                 {"total_high", figure()},
                 {"at_least", flag()}},
                {{"other", or_null(figure())}});
}

Json bill_line(const std::string& unit) {
  return object({{"item", word()},
                 {"category", word()},
                 {"quantity", count()},
                 {"unit_price" + unit, or_null(figure())},
                 {"unit_price_range", or_null(range_of(figure()))},
                 {"total" + unit, or_null(figure())},
                 {"power_w", or_null(figure())},
                 {"included_in", or_null(word())},
                 {"source", word()},
                 {"as_of", word()},
                 {"verified", flag()},
                 {"note", or_null(word())}});
}

Json break_even() {
  return object({{"rent_usd_per_year", range_of(figure())},
                 {"after_days", range_of(or_null(figure()))},
                 {"utilisation", range_of(figure())},
                 {"at_least", flag()}});
}

Json training() {
  return object({{"iteration_time_s", figure()},
                 {"timing", one_of(kTimings)},
                 {"days", or_null(figure())},
                 {"cost_per_run_usd", or_null(figure())},
                 {"cost_per_million_tokens_usd", or_null(figure())},
                 {"at_least", flag()},
                 {"energy_MWh", or_null(figure())},
                 {"co2_kg", or_null(figure())},
                 {"strategies", count()},
                 {"feasible", count()},
                 {"workload", object({{"model", word()},
                                      {"model_title", word()},
                                      {"global_batch", count()},
                                      {"sequence", count()},
                                      {"precision", word()},
                                      {"bytes_per_parameter", figure()},
                                      {"tokens", or_null(figure())}})},
                 {"plan", see("plan")}});
}

Json source_notes() {
  return list_of(object(
      {{"keys", list_of(word())}, {"source", word()}, {"as_of", word()}, {"verified", flag()}}));
}

}  // namespace

Json fabric() {
  return object(
      {{"topology", word()},
       {"endpoints", count()},
       {"backup_endpoints", count()},
       {"tiers", count()},
       {"planes", count()},
       {"rails", count()},
       {"radix", count()},
       {"units", count()},
       {"switches", counts_with({{"total", count()}})},
       {"links", counts_with({{"inter_switch", count()}, {"total", count()}})},
       {"transceivers", described(count(), "logical ends")},
       {"modules", described(count(), "physical parts")},
       {"cables", object({{"copper", count()}, {"active_optical", count()}, {"fibre", count()}})},
       {"max_endpoints", count()},
       {"oversubscription", object({{"down", count()}, {"up", count()}})},
       {"bisection_gbps", or_null(figure())},
       {"max_hops", count()},
       {"failures", list_of(object({{"part", word()},
                                    {"gpus_cut_off", count()},
                                    {"gpus_slowed", count()},
                                    {"links_lost", count()},
                                    {"links_shared", count()}}))}});
}

Json bill_lines() {
  return list_of(any_of({bill_line("_usd"), bill_line("_relative")}));
}

Json network() {
  return with(fabric(), Json::object(),
              {{"cost_usd", category_sums()},
               {"cost_relative", category_sums()},
               {"price_book", word()},
               {"price_book_notes", list_of(word())},
               {"unpriced_lines", count()},
               {"lines", see("bill_lines")}});
}

Json cluster() {
  Json in_dollars{{"capex_usd", figure()}, {"capex_range_usd", range_of(figure())}};
  Json relative{{"capex_relative", figure()}, {"capex_range_relative", range_of(figure())}};
  Json cluster = object(
      {{"name", word()},
       {"title", word()},
       {"gpus", count()},
       {"relative_performance", or_null(figure())},
       {"system", word()},
       {"node", or_null(word())},
       {"price_book", word()},
       {"price_book_notes", list_of(word())},
       {"currency", word()},
       {"lines", see("bill_lines")},
       {"capex_by_category",
        map_of(object({{"amount", range_of(figure())}, {"unpriced_lines", count()}}))},
       {"opex_usd_per_year", or_null(figure())},
       {"opex_by_item_usd_per_year", map_of(or_null(range_of(figure())))},
       {"opex_left_out", list_of(word())},
       {"tco_usd", or_null(figure())},
       {"tco_years", or_null(figure())},
       {"cost_per_gpu_hour_usd", or_null(figure())},
       {"break_even", or_null(break_even())},
       {"unpriced_lines", count()},
       {"at_least", flag()},
       {"power_w",
        object(
            {{"it", figure()}, {"facility", or_null(figure())}, {"lines_without_power", count()}})},
       {"training", or_null(training())},
       {"fabric", see("fabric")},
       {"system_spec", see("system")},
       {"economics", or_null(see("economics"))},
       {"notes", list_of(word())},
       {"sources", source_notes()},
       {"warnings", list_of(word())}},
      {{"expected", see("forecast")}});
  return any_of({with(cluster, in_dollars), with(cluster, relative)});
}

Json compare() {
  return object({{"verdict", word()},
                 {"what_would_change_it", list_of(word())},
                 {"clusters", list_of(see("cluster_report"))}});
}

}  // namespace planner::result_schemas

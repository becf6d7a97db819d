#include "planner/api/request.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/fabric_fields.hpp"
#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

namespace {

using namespace shape;

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
  Json schema;
  json::describe_object(commands::fabric_fields(), schema);
  return schema;
}

Json bill_lines() {
  Json schema;
  commands::bill_lines().describe(schema);
  return schema;
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

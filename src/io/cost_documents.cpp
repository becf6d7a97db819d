#include "planner/io/cost_documents.hpp"

#include <nlohmann/json.hpp>

#include "planner/io/collective_table.hpp"
#include "planner/io/cost_tables.hpp"

namespace planner::io {

namespace {

template <class T>
Json written(const Table<T>& table, const T& value) {
  Json out;
  write_object(table, value, out);
  return out;
}

}  // namespace

SwitchModel parse_switch(std::string_view text, std::string_view source_name) {
  return parse_document(switch_table(), {source_name, text});
}

Optic parse_optic(std::string_view text, std::string_view source_name) {
  return parse_document(optic_table(), {source_name, text});
}

Nic parse_nic(std::string_view text, std::string_view source_name) {
  return parse_document(nic_table(), {source_name, text});
}

PriceBook parse_price_book(std::string_view text, std::string_view source_name) {
  return parse_document(price_book_table(), {source_name, text});
}

Economics parse_economics(std::string_view text, std::string_view source_name) {
  return parse_document(economics_table(), {source_name, text});
}

CollectiveLibrary parse_collectives(std::string_view text, std::string_view source_name) {
  return parse_document(collective_library_table(), {source_name, text});
}

Cluster parse_cluster(std::string_view text, std::string_view source_name) {
  return parse_document(cluster_table(), {source_name, text});
}

FailureRates parse_rates(std::string_view text, std::string_view source_name) {
  return parse_document(rates_table(), {source_name, text});
}

Json to_json(const SwitchModel& model) {
  return written(switch_table(), model);
}
Json to_json(const Optic& optic) {
  return written(optic_table(), optic);
}
Json to_json(const Nic& nic) {
  return written(nic_table(), nic);
}
Json to_json(const PriceBook& book) {
  return written(price_book_table(), book);
}
Json to_json(const Economics& economics) {
  return written(economics_table(), economics);
}
Json to_json(const CollectiveLibrary& library) {
  return written(collective_library_table(), library);
}
Json to_json(const Cluster& cluster) {
  return written(cluster_table(), cluster);
}
Json to_json(const FailureRates& rates) {
  return written(rates_table(), rates);
}

}  // namespace planner::io

#include "planner/catalog/site_files.hpp"

#include "planner/catalog/tables/site.hpp"
#include "planner/catalog/written.hpp"

namespace planner::catalog {

SiteFile parse_site(std::string_view text, std::string_view source_name) {
  return json::parse_document(site_table(), {source_name, text});
}
Chassis parse_chassis(std::string_view text, std::string_view source_name) {
  return json::parse_document(chassis_table(), {source_name, text});
}
Medium parse_medium(std::string_view text, std::string_view source_name) {
  return json::parse_document(medium_table(), {source_name, text});
}

SiteFile load_site(const Catalog& catalog, const std::string& ref) {
  const CatalogFile file = catalog.read(kinds::site, ref);
  return parse_site(file.text, file.source_name);
}
Chassis load_chassis(const Catalog& catalog, const std::string& ref) {
  const CatalogFile file = catalog.read(kinds::chassis, ref);
  return parse_chassis(file.text, file.source_name);
}
Medium load_medium(const Catalog& catalog, const std::string& ref) {
  const CatalogFile file = catalog.read(kinds::medium, ref);
  return parse_medium(file.text, file.source_name);
}

nlohmann::ordered_json to_json(const SiteFile& site) {
  return written(site_table(), site);
}
nlohmann::ordered_json to_json(const Chassis& chassis) {
  return written(chassis_table(), chassis);
}
nlohmann::ordered_json to_json(const Medium& medium) {
  return written(medium_table(), medium);
}

}  // namespace planner::catalog

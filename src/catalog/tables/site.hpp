#pragma once

#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/site.hpp"

namespace planner::catalog {

const json::FieldTable<SiteFile>& site_table();
const json::FieldTable<Chassis>& chassis_table();
const json::FieldTable<Medium>& medium_table();
/// The key "build" of a cluster file.
const json::FieldTable<BuildSettings>& build_table();

}  // namespace planner::catalog

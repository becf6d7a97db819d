#pragma once

#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/site.hpp"

namespace planner::catalog {

const json::Table<SiteFile>& site_table();
const json::Table<Chassis>& chassis_table();
const json::Table<Medium>& medium_table();
/// The key "build" of a cluster file.
const json::Table<BuildSettings>& build_table();

}  // namespace planner::catalog

// The catalog that planner is shipped with, read once.
#pragma once

#include "planner/catalog/catalog.hpp"

namespace planner::testing {

inline const catalog::Catalog& shipped() {
  static const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  return catalog;
}

}  // namespace planner::testing

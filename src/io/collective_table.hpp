#pragma once

#include "planner/domain/collective_library.hpp"
#include "planner/io/field_table.hpp"

namespace planner::io {

const Table<CollectiveLibrary>& collective_library_table();

}  // namespace planner::io

#pragma once

#include "planner/domain/reliability.hpp"
#include "planner/domain/routing.hpp"
#include "planner/domain/sharing.hpp"
#include "planner/io/field_table.hpp"

// What a cluster file says of its job.
namespace planner::io {

const Table<RoutingSettings>& routing_table();
const Table<SharingSettings>& sharing_table();
const Table<ReliabilitySettings>& recovery_table();

}  // namespace planner::io

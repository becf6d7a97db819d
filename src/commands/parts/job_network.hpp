#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/routing.hpp"

namespace planner::commands {

/// The network that options describe, of a job on a system. One that nobody describes is
/// rail-optimized, with a port for each of the system's cards.
/// @param cluster_gpus  of the whole network; nothing: those of the nodes that the job stands on
/// @param of_domain  GPUs of an HB domain that the job has of each
/// @param assumed  gets the options that nobody gave
/// @throws UsageError, InputError and InfeasibleError where it cannot be built
job::JobOnNetwork network_of_job(job::FabricChoice asked,
                                 const std::optional<std::int64_t>& cluster_gpus,
                                 const System& system, std::int64_t job_gpus,
                                 std::int64_t of_domain, const catalog::Catalog& catalog,
                                 std::vector<std::string>& assumed,
                                 std::vector<std::string>& warnings);

}  // namespace planner::commands

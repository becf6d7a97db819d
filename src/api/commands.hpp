#pragma once

#include "planner/api/cluster_report.hpp"
#include "planner/api/response.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/core/usage.hpp"
#include "planner/search/space.hpp"

// The commands behind answer(). They may throw InputError and UsageError.
namespace planner {

Response cost(const Request& request, const catalog::Catalog& catalog, const Control& control);
Response compare(const Request& request, const catalog::Catalog& catalog, const Control& control);
/// CPU-side all-reduce on a PCIe node, its overlap with training, and its storage.
/// One row for each value of the varied parameters; rows that fail keep their errors.
Response sweep(const Request& request, const Control& control);
/// A saved answer, to be rendered again.
Response report(const Request& request);
/// Two saved answers of one kind, figure by figure.
Response diff(const Request& request);
Response schema(const Request& request);
/// What `schema` knows: every type of file, and the JSON that goes in and comes out.
std::vector<std::string> schema_types();

/// Everything that follows from a cluster file: parts, money, power, the training run.
/// Throws InfeasibleError where its network cannot be built, or its run never finishes.
/// @param request  its options of routing and failures go before the file's
ClusterReport report_cluster(const std::string& ref, const Request& request,
                             const catalog::Catalog& catalog, const Control& control);

/// Throws the UsageError of a list of GPU counts where one is needed.
void one_gpu_count(const Request& request);

/// Changes a system as --hb-domain and its like ask.
void override_system(const Request& request, System& system);

}  // namespace planner

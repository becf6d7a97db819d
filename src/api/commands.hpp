#pragma once

#include "planner/api/cluster_report.hpp"
#include "planner/api/response.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/commands/usage.hpp"
#include "planner/search/space.hpp"

// The commands behind answer(). They may throw InputError and UsageError.
namespace planner {

Response optimize(const Request& request, const catalog::Catalog& catalog, const Control& control);
Response estimate(const Request& request, const catalog::Catalog& catalog);
Response collective(const Request& request, const catalog::Catalog& catalog);
Response cost(const Request& request, const catalog::Catalog& catalog, const Control& control);
Response compare(const Request& request, const catalog::Catalog& catalog, const Control& control);
/// CPU-side all-reduce on a PCIe node, its overlap with training, and its storage.
Response hfreduce(const Request& request, const catalog::Catalog& catalog);
Response reliability(const Request& request, const catalog::Catalog& catalog);
Response routing(const Request& request, const catalog::Catalog& catalog);
/// One row for each value of the varied parameters; rows that fail keep their errors.
Response sweep(const Request& request, const Control& control);
Response validate(const Request& request, const catalog::Catalog& catalog, const Control& control);
/// Constants fitted to measured runs, or taken from benchmarks.
Response calibrate(const Request& request, const catalog::Catalog& catalog, const Control& control);
/// A saved answer, to be rendered again.
Response report(const Request& request);
/// Two saved answers of one kind, figure by figure.
Response diff(const Request& request);
Response show(const Request& request, const catalog::Catalog& catalog);
Response schema(const Request& request);
/// What `schema` knows: every type of file, and the JSON that goes in and comes out.
std::vector<std::string> schema_types();

/// Everything that follows from a cluster file: parts, money, power, the training run.
/// Throws InfeasibleError where its network cannot be built, or its run never finishes.
/// @param request  its options of routing and failures go before the file's
ClusterReport report_cluster(const std::string& ref, const Request& request,
                             const catalog::Catalog& catalog, const Control& control);

/// Memory as it is needed and had: "84.94 GB", "20114 GB".
std::string memory_words(Bytes memory);

/// The keys that a node does not say and HFReduce needs, quoted: without these, a bound that may be
/// the tightest would be missing.
std::string missing_reduce_figures(const Node& node);

/// Throws the UsageError of a list of GPU counts where one is needed.
void one_gpu_count(const Request& request);

/// Looks names up and fills defaults in.
/// @param warnings  gets what the user should know about the inputs
ResolvedInputs resolve(const Request& request, const catalog::Catalog& catalog,
                       std::vector<std::string>& warnings);

/// What a plan costs where the request has a price of its GPUs.
std::optional<PaidPlan> paid_plan(const Request& request, const Workload& workload,
                                  const Plan& plan, const catalog::Catalog& catalog);
/// Changes a system as --hb-domain and its like ask.
void override_system(const Request& request, System& system);

/// Says how many GPUs of partly used HB domains stay idle, if any.
void warn_about_idle_gpus(const ResolvedInputs& inputs, std::vector<std::string>& warnings);

/// search(), but throws Interrupted where the user has ended it: a part of a search is no answer.
SearchResult search_all(const Workload& workload, const SearchSpace& space,
                        const SearchOptions& options);

/// The axes as the request pins them.
SearchSpace search_space(const Request& request, const Workload& workload);

}  // namespace planner

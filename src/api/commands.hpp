#pragma once

#include "planner/api/cluster_report.hpp"
#include "planner/api/response.hpp"
#include "planner/io/catalog.hpp"
#include "planner/search/space.hpp"

// The commands behind answer(). They may throw InputError and UsageError.
namespace planner {

Response optimize(const Request& request, const io::Catalog& catalog, const Control& control);
Response estimate(const Request& request, const io::Catalog& catalog);
Response network(const Request& request, const io::Catalog& catalog);
Response cost(const Request& request, const io::Catalog& catalog, const Control& control);
Response compare(const Request& request, const io::Catalog& catalog, const Control& control);
/// One row for each value of the varied parameters; rows that fail keep their errors.
Response sweep(const Request& request, const Control& control);
Response validate(const Request& request, const io::Catalog& catalog);
/// A saved answer, to be rendered again.
Response report(const Request& request);
/// Two saved answers of one kind, figure by figure.
Response diff(const Request& request);
Response list(const Request& request, const io::Catalog& catalog);
Response show(const Request& request, const io::Catalog& catalog);
Response schema(const Request& request);

/// Everything that follows from a cluster file: parts, money, power, the training run.
/// Throws InfeasibleError where its network cannot be built.
ClusterReport report_cluster(const std::string& file, const io::Catalog& catalog,
                             const Control& control);

/// What the user is told about a network that cannot be built.
Diagnostic fabric_error(const FabricProblem& problem);

/// "1 line has", "2 lines have".
std::string lines_have(std::int64_t lines);

/// Throws the UsageError of a missing or contradictory option.
[[noreturn]] void usage_error(std::string message, std::string hint = {});

/// Looks names up and fills defaults in.
/// @param warnings  gets what the user should know about the inputs
ResolvedInputs resolve(const Request& request, const io::Catalog& catalog,
                       std::vector<std::string>& warnings);

/// Says how many GPUs of partly used HB domains stay idle, if any.
void warn_about_idle_gpus(const ResolvedInputs& inputs, std::vector<std::string>& warnings);

/// search(), but throws Interrupted where the user has ended it: a part of a search is no answer.
SearchResult search_all(const Workload& workload, const SearchSpace& space,
                        const SearchOptions& options);

/// The axes as the request pins them. Throws UsageError for axes the timing model does not have.
SearchSpace search_space(const Request& request);

}  // namespace planner

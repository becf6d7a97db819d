#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/domain/bill.hpp"
#include "planner/domain/cost.hpp"
#include "planner/domain/fabric.hpp"

namespace planner::job {

/// A network as somebody asks for it: what is not said is the topology's own.
struct FabricChoice {
  std::optional<Topology> topology;
  std::optional<std::int64_t> gpus, hb_domain, radix, port_gbps;
  /// What only some topologies take, by the name of the option: "rails".
  std::map<std::string, InputValue> inputs;
};

/// The network that is asked for.
/// @param warnings  gets what changes nothing
/// @throws UsageError without a topology, or where the topology has no such figure
FabricDesign design_of(const FabricChoice& choice, std::vector<std::string>& warnings);

/// See Workload: of a rail-only network and where HPN's second tier is kRailEach, as many as there
/// are planes where GPUs are on one of several each.
std::int64_t rails_apart(const FabricDesign& design);

/// What the user is told about a network that cannot be built.
Diagnostic fabric_error(const FabricProblem& problem);

/// The network of options, counted.
/// @throws UsageError and InfeasibleError where it cannot be built
FabricCount counted(const FabricDesign& design);

/// Says where a count leaves out links whose number nobody gave.
void warn_about_unknown_links(const FabricDesign& design, std::vector<std::string>& warnings);

/// Says that hosts in reserve, whose ports and links are counted, are not bought with the network.
void warn_about_reserve(const FabricCount& count, std::vector<std::string>& warnings);

/// A network's parts at the prices of a book.
struct PricedNetwork {
  std::string book;                ///< its title
  std::vector<std::string> notes;  ///< the book's
  BillOfMaterials bill;
  std::vector<CategoryCost> categories;
  Total total;
};

/// @param models  what its parts are bought as
/// @throws InputError "cannot-price"
PricedNetwork price_network(const FabricDesign& design, const FabricCount& count,
                            const FabricModels& models, const PriceBook& book);

/// "1 line has no price", "2 lines have no price".
std::string unpriced(std::int64_t lines);
/// That --require-prices is not met.
Diagnostic unpriced_error(std::string message);

}  // namespace planner::job

#pragma once

#include "planner/commands/command.hpp"
#include "planner/job/fabric.hpp"

namespace planner::commands {

struct NetworkRequest {
  job::FabricChoice fabric;
  std::optional<std::string> prices;
  std::optional<std::string> switches, modules, nic_modules;   ///< parts of the catalog
  std::optional<double> switch_port_price, transceiver_price;  ///< US dollars
  bool require_prices = false;
  std::optional<std::string> dot;  ///< a file to write
};

struct NetworkAnswer {
  FabricCount count;
  std::int64_t port_gbps = 0;  ///< 0: an answer that was saved without it
  std::optional<job::PricedNetwork> priced{};
};

NetworkAnswer count_network(const NetworkRequest& request, Context& context);
const json::FieldTable<NetworkAnswer>& network_fields();
present::Document network_view(const NetworkAnswer& answer);

/// The network as a graph for Graphviz: every switch and endpoint with the links between them,
/// where there are few enough to be drawn; else by tier, as many as there are.
std::string network_dot(const FabricDesign& design, const FabricCount& count);

/// `planner network`: counts and prices one network.
Command network();

}  // namespace planner::commands

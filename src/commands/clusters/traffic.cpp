#include <fmt/format.h>

#include "planner/commands/clusters/clusters.hpp"

namespace planner::commands {

namespace {

using namespace present;

/// The sections of one plan, beyond the terminal.
void add_details(const TrafficSummary& traffic, Document& document) {
  Document sections;
  add_traffic(traffic, sections);
  for (Block& block : sections.blocks) document.detail(std::move(block.content));
}

}  // namespace

void add_cluster_traffic(const Clusters& clusters, Document& document) {
  const std::vector<std::string> names = short_names(clusters);
  const bool several = clusters.size() > 1;
  bool headed = false;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!clusters[i].training || !clusters[i].training->traffic) continue;
    const TrafficSummary& traffic = *clusters[i].training->traffic;
    const std::string lead = several ? fmt::format("[{}] ", i + 1) : "";
    if (!headed) document.blocks.push_back({Section{"Rail-only for this plan"}, Where::terminal});
    headed = true;
    document.blocks.push_back(
        {Text{.text = traffic.rail_only.sentence, .lead = lead}, Where::terminal});
    document.detail(Section{several ? "Traffic: " + names[i] : "Traffic of the plan"});
    add_details(traffic, document);
  }
}

}  // namespace planner::commands

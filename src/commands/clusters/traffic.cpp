#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/clusters/clusters.hpp"

namespace planner::commands {

namespace {

using namespace present;

/// The sections of one plan, beyond the terminal.
void add_details(const TrafficSummary& traffic, Document& document) {
  Document sections;
  add_traffic(traffic, sections);
  for (Block& block : sections.blocks) {
    if (block.where != Where::terminal) document.detail(std::move(block.content));
  }
}

/// What rails alone make of the plans: each sentence once, with the clusters that it is of.
void add_sentences(const Clusters& clusters, Document& document) {
  std::vector<std::pair<std::string, std::string>> sentences;  // numbers of clusters beside each
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto& training = clusters[i].training;
    if (!training || !training->traffic) continue;
    const std::string& sentence = training->traffic->rail_only.sentence;
    const auto same = std::find_if(sentences.begin(), sentences.end(),
                                   [&](const auto& one) { return one.second == sentence; });
    const std::string number = fmt::format("[{}] ", i + 1);
    if (same != sentences.end()) {
      same->first += number;
    } else {
      sentences.emplace_back(number, sentence);
    }
  }
  if (sentences.empty()) return;
  document.blocks.push_back({Section{"Rail-only for this plan"}, Where::terminal});
  for (auto& [numbers, sentence] : sentences) {
    const std::string lead = clusters.size() > 1 ? numbers : "";
    document.blocks.push_back({Text{.text = sentence, .lead = lead}, Where::terminal});
  }
}

}  // namespace

void add_cluster_traffic(const Clusters& clusters, Document& document) {
  const std::vector<std::string> names = short_names(clusters);
  add_sentences(clusters, document);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!clusters[i].training || !clusters[i].training->traffic) continue;
    document.detail(Section{clusters.size() > 1 ? "Traffic: " + names[i] : "Traffic of the plan"});
    add_details(*clusters[i].training->traffic, document);
  }
}

}  // namespace planner::commands

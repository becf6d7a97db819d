#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/clusters/clusters.hpp"

namespace planner::commands {

void add_cluster_traffic(const Clusters& clusters, present::Document& document) {
  // Each sentence once, with the clusters that it is of.
  std::vector<std::pair<std::string, std::string>> sentences;  // their numbers beside each
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
  document.add(present::Section{"Rail-only for this plan"});
  for (auto& [numbers, sentence] : sentences) {
    const std::string lead = clusters.size() > 1 ? numbers : "";
    document.add(present::Text{.text = sentence, .lead = lead});
  }
}

}  // namespace planner::commands

#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/compare/compare.hpp"
#include "planner/commands/parts/network_drawing.hpp"

namespace planner::commands {

namespace {

using namespace present;

/// The words that all titles begin with: "GPT-1T on 32,768 GPUs".
std::string common_words(const Clusters& clusters, const std::string& short_name) {
  const std::string& title = clusters.front().title;
  if (!title.ends_with(short_name)) return {};
  std::string words = title.substr(0, title.size() - short_name.size());
  const std::size_t end = words.find_last_not_of(" ,:");
  return words.substr(0, end == std::string::npos ? 0 : end + 1);
}

/// Numbers stand for the clusters on a terminal, where titles would not fit above their columns.
void add_legend(const Clusters& clusters, Document& document) {
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const ClusterSummary& cluster = clusters[i];
    document.blocks.push_back(
        {Text{.text = fmt::format("{}: {}", cluster.title, name_of(cluster.fabric.topology)),
              .lead = fmt::format("[{}] ", i + 1),
              .apart = i == 0},
         Where::terminal});
  }
  document.blocks.push_back({Text{.text = {}, .indent = 0}, Where::terminal});
}

void add_networks(const Clusters& clusters, const std::vector<std::string>& names,
                  Document& document) {
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const auto draw = [&](const FabricCount& fabric, const std::string& of) {
      Drawing drawing = network_drawing(fabric);
      drawing.title = of + ", " + drawing.title;
      document.detail(std::move(drawing));
    };
    draw(clusters[i].fabric, names[i]);
    for (const auto& [beside, fabric] : clusters[i].beside) draw(fabric, names[i] + ": " + beside);
  }
}

void add_bills(const Clusters& clusters, const std::vector<std::string>& names,
               Document& document) {
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].buys()) {
      document.detail(Section{"Bill of materials: " + names[i], clusters[i].price_book});
      document.detail(cluster_bill(clusters[i], names[i]));
    }
    const std::string title = what_if_title(clusters, i);
    if (auto calculation = calculation_of(clusters[i], title, names[i])) {
      add_what_if(clusters[i], title, *std::move(calculation), document);
    }
  }
}

/// What is to be said of each cluster, once where it is the same of all.
void add_of_each(const Clusters& clusters, std::string (*words_of)(const ClusterSummary&),
                 Document& document) {
  std::vector<std::string> words;
  for (const ClusterSummary& cluster : clusters) words.push_back(words_of(cluster));
  const bool alike = std::all_of(words.begin(), words.end(),
                                 [&](const std::string& one) { return one == words.front(); });
  if (alike) words.resize(1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty()) continue;
    document.add(
        Text{.text = words[i], .lead = alike ? std::string{} : fmt::format("[{}] ", i + 1)});
  }
}

}  // namespace

Document compare_view(const CompareAnswer& answer) {
  const auto& [verdict, clusters] = answer.result;
  const std::vector<std::string> names = short_names(clusters);
  Document document{.title = fmt::format("{} clusters compared", clusters.size()),
                    .kicker = common_words(clusters, names.front())};
  document.add(Text{.text = verdict.sentence, .indent = 0});
  add_legend(clusters, document);
  document.blocks.push_back({short_comparison(clusters), Where::terminal});
  add_of_each(
      clusters, [](const ClusterSummary& one) { return left_out_words(one.left_out); }, document);
  add_of_each(clusters, capital_words, document);
  add_first_page(clusters, document);
  document.detail(Section{"Side by side"});
  document.detail(comparison(clusters));
  add_networks(clusters, names, document);
  add_cluster_charts(clusters, document);
  add_bills(clusters, names, document);
  if (!verdict.turns.empty()) {
    document.add(Section{"What would change it"});
    document.add(List{verdict.turns});
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].outlook) add_what_decides(*clusters[i].outlook, names[i], document);
  }
  add_nearest_runs(clusters, document);
  add_cluster_traffic(clusters, document);
  add_behaviour(clusters, document);
  add_basis(clusters, document);
  return document;
}

}  // namespace planner::commands

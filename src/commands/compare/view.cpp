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
      document.detail(Section{title, "change a figure, and what follows from it changes"});
      document.detail(*std::move(calculation));
    }
  }
}

/// What no total holds: said once where it is the same of all.
void add_left_out_of_totals(const Clusters& clusters, Document& document) {
  const auto& first = clusters.front().left_out;
  const bool alike = std::all_of(clusters.begin(), clusters.end(),
                                 [&](const auto& one) { return one.left_out == first; });
  const std::size_t said = alike ? 1 : clusters.size();
  for (std::size_t i = 0; i < said; ++i) {
    std::string words = left_out_words(clusters[i].left_out);
    if (words.empty()) continue;
    document.add(Text{.text = std::move(words),
                      .lead = alike ? std::string{} : fmt::format("[{}] ", i + 1)});
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
  add_left_out_of_totals(clusters, document);
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

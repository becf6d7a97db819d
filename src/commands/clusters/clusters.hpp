#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/commands/options/failures.hpp"
#include "planner/commands/options/routing.hpp"
#include "planner/commands/parts/finance_fields.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/parts/nearest_runs.hpp"
#include "planner/commands/parts/traffic.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/verdict.hpp"

// What `cost` and `compare` share: clusters, what they cost, and what they train.
namespace planner::commands {

/// What is asked in place of what the cluster files say: the same of all.
struct WhatIf {
  std::optional<std::string> model, prices, economics;
  std::optional<double> tokens;
  std::optional<std::int64_t> global_batch, sequence, gpus;
  std::optional<Ratio> oversubscription;
  std::vector<std::pair<std::string, double>> part_prices;  ///< US dollars of one
  std::optional<double> electricity, pue, utilisation, years, cost_of_capital;

  bool operator==(const WhatIf&) const = default;
};

std::vector<OptionOf<WhatIf>> what_if_options();
/// The cluster of a file as it is asked about.
/// @throws UsageError  where it has nothing of that kind
void change(Cluster& cluster, const WhatIf& asked, std::vector<std::string>& warnings);
void change(PriceBook& book, const WhatIf& asked);
void change(std::optional<Economics>& economics, const std::string& cluster, const WhatIf& asked);
/// Says which of the parts that were given a price the bill does not have.
void warn_about_unbought(const WhatIf& asked, const BillOfMaterials& bill,
                         std::vector<std::string>& warnings);

struct ClusterRequest {
  std::vector<std::string> files;
  WhatIf what_if;
  RoutingChoice routing;
  FailureChoice failures;
  bool require_prices = false;
  bool by_length = false;            ///< as of a file that has a building
  std::optional<double> confidence;  ///< of the days and dollars told
};

std::vector<OptionOf<ClusterRequest>> cluster_options();

/// A cluster with everything that follows from it, as answers tell it.
struct ClusterSummary {
  struct Run {
    std::string model, model_title;
    std::int64_t global_batch = 0, sequence = 0;
    Precision precision = Precision::bf16;
    double bytes_per_parameter = 0;
    std::optional<double> tokens{};

    bool operator==(const Run&) const = default;
  };
  /// What the run takes is without failures.
  struct Training {
    Plan plan;
    job::GpuUse use;
    LinkLoad links = LinkLoad::balanced;    ///< in the time
    std::optional<NetworkTier> tightest{};  ///< of links that all GPUs send over at once
    std::int64_t strategies = 0, feasible = 0;
    Run run;
    std::optional<Seconds> time{};
    std::optional<Estimate<Money>> cost{};
    std::optional<Estimate<Usd>> per_million_tokens{};
    std::optional<Joules> energy{};
    std::optional<double> co2_kg{};
    bool at_least = false;                          ///< the cost
    std::optional<Estimate<Seconds>> time_range{};  ///< 80 of 100 lie within
    std::optional<TrafficSummary> traffic{};        ///< of the plan on the cluster's network
    std::optional<NearestRow> nearest{};  ///< of the measured runs; the calibrated model's
  };
  struct AgainstRent {
    BreakEven when;
    bool at_least = false;
  };
  std::string name, title;
  std::int64_t gpus = 0;
  std::optional<std::int64_t> gpus_in_nodes{};  ///< of whole nodes, without spares, where more
  /// Bought or rented, in whole nodes, spares among them; nothing: no more than `gpus`.
  std::optional<std::int64_t> bought_gpus{};
  std::optional<double> relative_performance{};  ///< of one GPU
  bool performance_computed = false;             ///< by the training times of the clusters compared
  std::optional<job::CostPerformance> cost_performance{};  ///< against the first
  std::optional<std::string> node{};
  std::optional<CloudPrice> rent{};  ///< of the GPUs; nothing: they are bought
  std::string price_book;
  std::vector<std::string> price_book_notes{};
  Currency currency = Currency::usd;
  BillOfMaterials bill;
  Total capex;
  std::optional<Estimate<Money>> capex_range{}, opex_range{};  ///< 80 of 100 lie within
  std::vector<CategoryCost> categories{};
  Total opex_per_year;
  std::vector<OpexLine> opex{};
  std::vector<OpexItem> left_out{};  ///< of the yearly costs: nobody gave them
  std::optional<double> tco_years{};
  std::optional<Estimate<Money>> tco{};
  std::optional<Estimate<Money>> residual{};  ///< what the parts sell for then: not in the TCO
  std::optional<Financed> financed{};
  std::optional<Estimate<Usd>> per_gpu_hour{};
  std::vector<RentOrBuy> rent_or_buy{};
  std::optional<AgainstRent> break_even{};
  PowerDraw power;
  std::optional<Training> training{};
  std::optional<ForecastSummary> expected{};
  std::optional<job::Outlook> outlook{};
  FabricCount fabric;
  std::vector<std::pair<std::string, FabricCount>> beside{};  ///< other networks, by name
  System system;
  std::optional<Economics> economics{};
  std::vector<std::string> notes{};
  std::vector<SourceNote> sources{};
  std::vector<std::string> warnings{};

  /// Whether anything is bought: rented GPUs come with all that is around them.
  [[nodiscard]] bool buys() const { return !rent || !bill.lines.empty(); }
  /// Whether figures of money over years are lower bounds.
  [[nodiscard]] bool at_least() const { return capex.at_least() || opex_per_year.at_least(); }
  /// Whether figures of power are.
  [[nodiscard]] bool power_at_least() const { return power.lines_without_power > 0; }
};

/// The cluster of a file, by name or path, as the request has it behave.
/// @throws InputError, located in the file, UsageError, InfeasibleError and Interrupted
job::ClusterReport report_cluster(const std::string& ref, const ClusterRequest& request,
                                  Context& context);
/// Tells the cluster's own warnings and that lines have no price; fails where all prices are
/// required.
void remark_on(const job::ClusterReport& report, bool require_prices, Context& context);

ClusterSummary summary_of(const job::ClusterReport& report);
/// Puts the measured run most like each cluster's beside it.
/// @param reports  what the clusters are summaries of
void find_nearest_runs(std::span<const job::ClusterReport> reports, const catalog::Catalog& catalog,
                       std::span<ClusterSummary> clusters);
const json::FieldTable<ClusterSummary>& cluster_fields();

/// What a sweep shows of it.
std::vector<SweepFigure> cluster_figures(const ClusterSummary& cluster);

using Clusters = std::vector<ClusterSummary>;

/// Names that tell clusters apart in columns and charts: their titles, or else their files' names,
/// without the words that all begin with.
std::vector<std::string> short_names(const Clusters& clusters);
/// Whether the iterations of all that train anything can be compared.
bool all_train_the_same(const Clusters& clusters);
/// Whether their runs have equally many tokens too, so that days and dollars can be.
bool all_run_as_long(const Clusters& clusters);
/// Of the network alone; nothing where it is not known.
std::optional<Total> network_cost(const ClusterSummary& cluster);
/// A sum of prices for people: "at least $1.2 M ($1.0 M–$1.4 M)"; unknown without any price, and
/// "not priced" where what is missing may be a fifth of it.
present::Cell total_cell(const Total& sum, Currency currency);

/// "balanced links": what a time takes its network to carry.
std::string_view links_words(LinkLoad load);
/// "on demand", "for one year".
std::string term_words(RentTerm term);
/// Of one GPU for an hour: "$2.10 ($1.90 to $2.40)".
present::Cell rent_cell(const CloudPrice& rent);
/// The price book, and of when its prices are that the bill took: "…: 2024-03 to 2026-10".
std::string dated_prices(const ClusterSummary& cluster);

// Blocks of a document.

/// What somebody signs: what is bought, what it costs and takes and how sure that is, what moves it
/// most, what to know of it. Not on a terminal.
void add_first_page(const Clusters& clusters, present::Document& document);
/// Clusters side by side, the first as the reference.
present::Table comparison(const Clusters& clusters);
/// Its rows that a terminal has, under numbers in the place of names.
present::Table short_comparison(const Clusters& clusters);
void add_cluster_charts(const Clusters& clusters, present::Document& document);
/// The calculation under its title, with what its totals leave out.
void add_what_if(const ClusterSummary& cluster, const std::string& title,
                 present::Calculation calculation, present::Document& document);
/// What the cost of capital does to the figures, or that nobody gave one; empty: nothing is owned
/// over years, or a dearer rate may move them either way.
std::string capital_words(const ClusterSummary& cluster);
/// How parts without a price get one: "--price gh200=USD …, or a book …", in relative units a book
/// alone; empty: all have one.
std::string priced_by(const ClusterSummary& cluster);
/// "in no total, for nobody gave it: staff"; empty where everything is there.
std::string left_out_words(const std::vector<OpexItem>& items);
/// "2 terms of three years are paid, 6 years of rent, for 4 years"; empty where all that is paid
/// for is looked at.
std::string terms_words(const ClusterSummary& cluster);
/// "16,384 GPUs"; "100 GPUs asked for, 144 bought": whole nodes and spares.
std::string gpus_words(const ClusterSummary& cluster);
/// "9,984 of 10,000 GPUs, 16 idle"; nothing where all are used.
std::string idle_words(const ClusterSummary& cluster);
present::Bill cluster_bill(const ClusterSummary& cluster, std::string title);
/// "What if", of several clusters with the name of one: the title of its calculation.
std::string what_if_title(const Clusters& clusters, std::size_t which);
/// From prices to the cost of the run, for a reader to change; nothing without a total cost, and
/// with taxes.
/// @param bill  title of its bill
std::optional<present::Calculation> calculation_of(const ClusterSummary& cluster, std::string title,
                                                   std::string bill);
/// What tokens cost and the run draws with its failures, all as expected; nothing where these are
/// not counted, or what it takes without them is not known.
std::vector<json::Field<ClusterSummary>> expected_use_fields();
void add_expected_use(const ClusterSummary& cluster, present::Document& document);
/// Routing, and what to improve next, where somebody asks.
void add_behaviour(const Clusters& clusters, present::Document& document);
/// Whether rails alone would carry what each cluster's plan sends. What it sends `traffic` tells.
void add_cluster_traffic(const Clusters& clusters, present::Document& document);
/// The measured runs most like the clusters', each once.
void add_nearest_runs(const Clusters& clusters, present::Document& document);
/// Assumptions, what is not known, and sources: each once, with the clusters that it is of.
void add_basis(const Clusters& clusters, present::Document& document);

}  // namespace planner::commands

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/commands/options/failures.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/parts/outlook.hpp"
#include "planner/cost/finance.hpp"
#include "planner/design/recommend.hpp"
#include "planner/design/rent.hpp"
#include "planner/domain/brief.hpp"
#include "planner/site/build.hpp"

// `design`: what to buy, from a deadline and a budget.
namespace planner::commands {

struct DesignRequest {
  std::vector<std::string> files;  ///< the brief; none: the options are
  std::optional<std::string> model;
  std::optional<std::int64_t> sequence;
  std::optional<double> tokens;
  std::vector<std::int64_t> global_batch;
  std::optional<Precision> precision;
  std::optional<double> within_days, budget, tco_budget, run_budget;  ///< US dollars
  std::optional<Watts> power, facility_power;
  std::optional<std::int64_t> max_gpus;
  std::vector<std::string> systems;
  std::optional<Measure> minimise;
  std::vector<Measure> front;
  std::optional<double> confidence;
  std::optional<std::int64_t> top;
  std::optional<double> time_limit;  ///< seconds
  std::optional<std::string> prices, economics;
  FailureChoice failures;
  bool no_bounds = false;
  std::optional<std::int64_t> threads;
  std::optional<std::string> write_cluster, state;
};

std::vector<OptionOf<DesignRequest>> design_options();

/// The file of the brief that is asked for; nothing: options say it all.
/// @throws UsageError where several are named, InputError where it cannot be read
std::optional<catalog::CatalogFile> brief_file(const DesignRequest& request,
                                               const catalog::Catalog& catalog);

/// The brief that is asked for: the file's, and what options say in its place.
/// @throws UsageError for what is missing, InputError for what is wrong with the file
Brief brief_of(const DesignRequest& request, const std::optional<catalog::CatalogFile>& file,
               const catalog::Catalog& catalog);

/// Something that is not in the space, and why.
struct LeftOut {
  std::string kind;  ///< "system", "switch", "optic"
  std::string name, reason;
  std::optional<double> wins_below{};  ///< US dollars a node; nothing: not asked, or never
};

/// A system that lacks nothing but the price of its node.
struct UnpricedSystem {
  std::string name;
  design::SystemOption option;
};

/// A brief with all that it names looked up.
struct OpenSpace {
  design::Space space;
  std::vector<std::string> systems;                ///< as the brief names them
  std::vector<std::vector<std::string>> warnings;  ///< of each system's timing
  std::vector<LeftOut> left_out;
  std::vector<UnpricedSystem> unpriced;
  std::string price_book;
  std::vector<std::string> model_titles;  ///< of each run
  std::vector<std::string> price_book_notes;
};

/// @param file  of the brief, if it has one
/// @throws InputError for names that are not known, located in the file where it has them
OpenSpace open_space(const Brief& brief, const std::optional<catalog::CatalogFile>& file,
                     const catalog::Catalog& catalog, std::vector<std::string>& warnings,
                     const std::atomic<bool>* stop = nullptr);

/// Has clusters stand in a building: laid out as `cost` does it, each once.
/// @param build  outlives the space
/// @throws InputError for names that are not known
void stand_in(const BuildSettings& build, const catalog::Catalog& catalog,
              const std::atomic<bool>* stop, design::Space& space);

/// Rules that a cluster breaks in its building, as `build` of its file says.
/// @param cluster  with a building
std::vector<site::Broken> broken_in(const design::SystemOption& option, const Cluster& cluster,
                                    const catalog::Catalog& catalog, const std::atomic<bool>* stop);

/// One of several runs on a design.
struct RunSummary {
  std::string name, model_title;
  std::int64_t global_batch = 0, used_gpus = 0;
  Plan plan;
  Seconds time{};              ///< with its failures where there are any
  Seconds without_failures{};  ///< the same without any
  Estimate<Seconds> time_range{};
  Seconds confident_time{};  ///< in so many cases
  Money cost;                ///< of owning, for it
  Joules energy{};
  std::optional<double> co2_kg{};
};

/// A design as answers tell it. Of several runs one after the other money, days and energy are
/// their sums, and what is of one plan is the longest run's: the one that is in the cluster's file.
struct DesignSummary {
  /// What money and days stay within in so many cases.
  struct AtConfidence {
    double confidence = 0;
    Seconds time{};
    Money capex, tco, run_cost;
  };
  Cluster cluster;
  std::string system_title, node_title;
  std::int64_t gpus = 0, used_gpus = 0, nodes = 0;
  std::int64_t standing_by = 0;  ///< of those that the run does not use: gpus_standing_by()
  Plan plan;
  Seconds lead{};                  ///< from the order until it runs
  std::vector<RunSummary> runs{};  ///< where there are several
  Seconds time{};                  ///< of all runs, with their failures where there are any
  Seconds without_failures{};      ///< the same without any
  Estimate<Seconds> time_range{};
  std::optional<ForecastSummary> expected{};  ///< what failures make of it
  /// As `cost` of its cluster tells it: model, failures and prices, each by itself; of the best
  /// alone.
  std::optional<job::Outlook> outlook{};
  /// What is bought, line by line; of the best alone.
  struct Purchase {
    BillOfMaterials bill;
    Total capex;
    FabricCount fabric;
    /// In the building of the brief, where there is one.
    std::optional<std::int64_t> racks{};
    std::optional<double> longest_cable_m{};
    std::optional<std::vector<site::Broken>> broken{};  ///< rules that it breaks there
  };
  std::optional<Purchase> purchase{};
  /// The fastest plan on the same cluster that surely fits the memory, of the best alone; nothing:
  /// the plan itself does, or none.
  struct SurelyFitting {
    Plan plan;
    Seconds without_failures{};  ///< of the run
  };
  std::optional<SurelyFitting> surely_fitting{};
  /// What becomes of the GPUs that are there already.
  struct Owned {
    std::int64_t kept_gpus = 0;
    Money kept;    ///< what these would sell for: it is in the purchase
    Money sold;    ///< what the others bring
    Money to_pay;  ///< what is bought less what is sold; may be negative
  };
  std::optional<Owned> owned{};
  Estimate<Money> capex, tco;
  std::optional<Financed> financed{};  ///< the TCO, where money costs something or is taxed
  Money run_cost;
  AtConfidence at_confidence;
  Watts it{};
  std::optional<Watts> facility{};
  Joules energy{};
  std::optional<double> co2_kg{};

  /// Of all runs, from the order on.
  [[nodiscard]] Seconds from_order() const { return lead + time; }
  /// What it is judged by.
  [[nodiscard]] const Estimate<Money>& owning() const { return cost_of_owning(financed, tco); }
};

struct SystemBest {
  std::string system;
  std::optional<DesignSummary> best{};  ///< nothing: none is within the limits
  std::optional<Money> node_price{};    ///< expected
  std::optional<double> wins_below{};   ///< US dollars a node; nothing: it is the best, or never
};

/// What the best becomes with another limit.
struct OtherLimit {
  double limit = 0;  ///< in the unit of the brief's key
  std::optional<DesignSummary> design{};
};
/// What a limit costs, and what the next of it buys.
struct LimitMargin {
  Measure limit = Measure::tco;
  double limited_to = 0, needed = 0;  ///< of it, and by the best
  bool binds = false;                 ///< without it there is a better one
  OtherLimit looser{}, tighter{};
  std::optional<DesignSummary> without{};
};
/// A price, and where within its range another design wins.
struct PriceFlip {
  struct Turn {
    double at = 0;
    DesignSummary design;
  };
  std::string part;                   ///< key in the price book, or "electricity"
  double now = 0, low = 0, high = 0;  ///< US dollars a piece, or a kWh
  std::optional<Turn> below{}, above{};
};

struct RelaxedLimit {
  Measure limit = Measure::tco;
  double limited_to = 0;           ///< in the unit of the brief's key
  std::optional<double> needed{};  ///< nothing: giving it up alone would not do
  std::optional<DesignSummary> design{};
};

/// The run on rented GPUs.
struct RentedRun {
  std::string system;
  RentTerm term = RentTerm::on_demand;  ///< of several the first
  std::optional<RentTerms> mixed{};     ///< terms of several kinds, one after the other
  std::int64_t gpus = 0, used_gpus = 0, global_batch = 0;
  Plan plan;
  Seconds time{};
  Estimate<Money> cost;
  Seconds confident_time{};
  Money confident_cost;
};

/// When owning costs less than renting, of runs like one, one after the other.
struct BuyingRuns {
  std::int64_t most = 0;                ///< that there is time for
  std::optional<std::int64_t> from{};   ///< so many on; nothing: not of `most` either
  Money rent{};                         ///< the least of so many, or of `most`
  std::string system{};                 ///< that is rented for it; empty: there is no time for one
  RentTerm term = RentTerm::on_demand;  ///< of several the first
  std::optional<RentTerms> mixed{};     ///< terms of several kinds, one after the other
  std::int64_t gpus = 0;
};

struct DesignAnswer {
  Brief brief;
  std::string model_title, price_book;  ///< of several runs all titles
  std::vector<std::string> price_book_notes;
  std::optional<DesignSummary> best{};
  std::vector<DesignSummary> top{};
  std::vector<DesignSummary> front{};
  std::vector<SystemBest> by_system{};
  design::Certificate search;
  std::optional<design::Certificate> front_search{};
  /// "net present cost, at 9 % a year, after tax": what owning is judged by; nothing: the total
  /// cost of ownership
  std::optional<std::string> judged_by{};
  std::vector<RelaxedLimit> relax{};
  std::vector<LimitMargin> margins{};
  std::vector<PriceFlip> flips{};
  std::vector<RentedRun> rent{};
  std::optional<BuyingRuns> buying_pays{};
  std::vector<LeftOut> left_out{};
  std::vector<OpexItem> opex_left_out{};  ///< of the yearly costs: nobody gave them
};

/// What owning is judged by where money costs nothing and nothing is taxed.
inline const std::string kTotalCost = "total cost of ownership";

/// What a search has found so far, and what may still be found: "$421 M, gap 3.2 %".
std::string progress_words(const design::DesignProgress& progress);
/// A figure of the search in the unit of the brief's key; of money whole cents that hold it.
double in_brief_unit(Measure measure, double figure);

/// What is told of what was found.
void tell(const design::Recommendation& found, const OpenSpace& open, DesignAnswer& answer,
          Context& context);
RentedRun told_rent(const design::Rented& rented, const OpenSpace& open);
BuyingRuns told_buying(const design::BuyingPays& pays, const OpenSpace& open);

DesignAnswer design_clusters(const DesignRequest& request, Context& context);
const json::FieldTable<DesignAnswer>& design_fields();
const json::FieldTable<RunSummary>& run_fields();
const json::FieldTable<RentedRun>& rented_run_fields();
const json::FieldTable<BuyingRuns>& buying_fields();
present::Document design_view(const DesignAnswer& answer);

/// "8 of 10 cases", "95 of 100 cases".
std::string cases_words(double share);
/// A limit in words: "90 days", "$600 M", "30 MW".
/// @param judged_by  DesignAnswer's
std::string limit_words(Measure limit, double value,
                        const std::optional<std::string>& judged_by = {});
/// One that is just enough: rounded up, and in more digits.
std::string enough_words(Measure limit, double value,
                         const std::optional<std::string>& judged_by = {});
/// "rail-only, oversubscribed 3 : 1 on qm9700".
std::string network_words(const Cluster& cluster);
/// "mma4z00-ns, om4-fibre"; empty: none is named.
std::string optics_words(const Cluster& cluster);
/// As much of a network as tells it from others of as many GPUs of its system and of its topology:
/// ", oversubscribed 3 : 1, qm9700". Empty: no other is like it.
std::string set_apart(const DesignSummary& design, const std::vector<const DesignSummary*>& others);
/// "least total cost of ownership", "least net present cost, at 9 % a year".
std::string least(Measure measure, const std::optional<std::string>& judged_by);
/// The purchase, less what owned GPUs bring.
Money to_pay(const DesignSummary& design);
/// "$421 M to buy", "$12 M to pay"; where more is sold than bought: "$2.5 M left of the sale".
std::string paid_words(const DesignSummary& design);
present::Cell megawatts_cell(Watts watts);
present::Cell days_cell(Seconds time);
/// What the limits cost, and what the next of each buys.
void add_margins(const DesignAnswer& answer, present::Document& document);
/// The best designs in order; one alone is told elsewhere, and is a row only for programs.
void add_best_designs(const DesignAnswer& answer, present::Document& document);
/// The front that was asked for.
void add_front(const DesignAnswer& answer, present::Document& document);
/// The best of each system, and which have none within the limits.
void add_by_system(const DesignAnswer& answer, present::Document& document);
/// Probability of fitting the memory from which on a plan surely does, for one who buys by it.
inline constexpr double kSurelyFits = 0.9;
/// What else the headline must say: how likely the plan is to fit, and what the run alone is worth
/// beside renting.
void add_reservations(const DesignAnswer& answer, present::Document& document);
/// The plan that surely fits, where the best may not.
void add_surely_fitting(const DesignSummary& design, present::Document& document);
/// What each of several runs makes of the cluster.
void add_runs(const DesignSummary& best, present::Document& document);
/// "total cost of ownership", "net present cost, at 9 % a year, after tax": what designs are judged
/// by.
std::string owning_words(const DesignSummary& design);
/// Whether figures of owning are lower bounds: nobody gave something that is paid each year.
bool owning_at_least(const DesignAnswer& answer);
/// What the yearly costs leave out.
void add_opex_left_out(const DesignAnswer& answer, present::Document& document);
/// Renting in the place of buying.
void add_rent(const DesignAnswer& answer, present::Document& document);
/// Prices at which the recommendation changes.
void add_flips(const DesignAnswer& answer, present::Document& document);
/// The front as a chart, of its first two measures; nothing for less than two designs.
std::optional<present::Chart> front_chart(const DesignAnswer& answer);

Command design();

}  // namespace planner::commands

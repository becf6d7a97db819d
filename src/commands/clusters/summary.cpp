#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/job/verdict.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

constexpr std::size_t kLongName = 26;  // what fits under a bar of a chart

ClusterSummary::Run run_of(const Workload& workload) {
  return {.model = workload.model.name,
          .model_title = workload.model.title,
          .global_batch = workload.run.global_batch,
          .sequence = workload.run.sequence,
          .precision = workload.run.precision,
          .bytes_per_parameter = workload.run.bytes_per_parameter,
          .tokens = workload.run.tokens};
}

ClusterSummary::Training training_of(const job::ClusterReport& report) {
  const job::ClusterTraining& training = *report.training;
  ClusterSummary::Training summary{.plan = training.plan,
                                   .use = training.use,
                                   .links = link_load(training.workload),
                                   .tightest = job::tightest_tier(training),
                                   .strategies = training.strategies,
                                   .feasible = training.feasible,
                                   .run = run_of(training.workload),
                                   .at_least = report.cost.at_least()};
  if (training.totals) summary.time = training.totals->time;
  if (training.traffic) {
    summary.traffic = summary_of(*training.traffic, training.plan.time.total());
  }
  if (!report.cost.run) return summary;
  const RunCost& run = *report.cost.run;
  summary.cost = run.cost;
  summary.per_million_tokens = run.per_million_tokens;
  if (run.energy) summary.energy = run.energy->expected;
  if (run.co2_kg) summary.co2_kg = run.co2_kg->expected;
  return summary;
}

/// In whole cents, the expected amount as it is.
Estimate<Money> in_cents(const Estimate<Usd>& range, Money expected) {
  const auto money = [&](Usd amount) {
    return Money::from_dollars(amount.in(units::usd)).value_or(expected);
  };
  return {money(range.low), expected, money(range.high)};
}

template <class Q>
void narrow(std::optional<Estimate<Money>>& amount, const std::optional<job::Likely<Q>>& likely) {
  if (amount && likely) amount = in_cents(likely->range, amount->expected);
}

/// The ends that 80 of 100 cases lie between, in the place of all prices at one end together.
void add_ranges(const job::Outlook& outlook, ClusterSummary& summary) {
  if (outlook.capex) {
    summary.capex_range = in_cents(outlook.capex->range, summary.capex.amount.expected);
    summary.capex.amount = *summary.capex_range;
  }
  if (outlook.opex_per_year) {
    Estimate<Money>& opex = summary.opex_per_year.amount;
    summary.opex_range = opex = in_cents(outlook.opex_per_year->range, opex.expected);
  }
  narrow(summary.tco, outlook.tco);
  if (outlook.gpu_hour && summary.per_gpu_hour) {
    const Estimate<Usd>& hour = outlook.gpu_hour->range;
    summary.per_gpu_hour = hour;
    if (summary.financed) {
      for (Estimate<Money>* paid : {&summary.financed->present_cost, &summary.financed->per_year}) {
        const Usd expected = in_dollars(paid->expected);
        *paid = in_cents(
            {hour.low / hour.expected * expected, expected, hour.high / hour.expected * expected},
            paid->expected);
      }
    }
  }
  if (summary.expected) add_ranges(outlook, *summary.expected);
  summary.outlook = outlook;
  if (!summary.training) return;
  ClusterSummary::Training& training = *summary.training;
  if (outlook.ideal_days) training.time_range = outlook.ideal_days->range;
  narrow(training.cost, outlook.ideal_cost);
  if (training.per_million_tokens && outlook.ideal_cost) {
    const double millions = *training.run.tokens / 1e6;
    const Estimate<Usd>& run = outlook.ideal_cost->range;
    training.per_million_tokens = {run.low / millions, training.per_million_tokens->expected,
                                   run.high / millions};
  }
}

std::optional<std::int64_t> more_than_asked(const Cluster& cluster, std::int64_t gpus) {
  return gpus > cluster.gpus ? std::optional(gpus) : std::nullopt;
}

bool all_distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

/// Cuts off the words that all names begin with, but never a whole name, and never all that a
/// person would know one by: its letters.
void drop_common_start(std::vector<std::string>& names, char between) {
  const std::string first = names.front();
  std::size_t common = first.size();
  for (const std::string& name : names) {
    const auto end = std::mismatch(name.begin(), name.end(), first.begin(), first.end());
    common = std::min(common, static_cast<std::size_t>(end.first - name.begin()));
  }
  const std::size_t space = first.rfind(between, common == 0 ? 0 : common - 1);
  const std::size_t start = common == 0 || space == std::string::npos ? 0 : space + 1;
  const auto has_letters = [start](const std::string& name) {
    return std::any_of(name.begin() + static_cast<std::ptrdiff_t>(start), name.end(),
                       [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  };
  if (!std::all_of(names.begin(), names.end(), has_letters)) return;
  for (std::string& name : names) name.erase(0, start);
}

/// Whether a dearer rate is sure to lower the net present cost and to raise the cost of an hour:
/// all that comes after the purchase is paid, nothing of it for the rate itself. What comes back,
/// by resale or off taxes, counts less too, and nodes that are rented are paid as they are used.
bool falls_with_dear_money(const ClusterSummary& cluster) {
  const bool sold = cluster.residual && cluster.residual->high > Money{};
  const bool by_rate = std::any_of(cluster.opex.begin(), cluster.opex.end(), [](const auto& line) {
    return line.item == OpexItem::building;
  });
  return !cluster.rent && cluster.economics->tax_rate.value_or(0) == 0 && !sold && !by_rate &&
         cluster.opex_per_year.amount.expected > Money{};
}

/// Whether all runs have the same of something.
bool alike(const Clusters& clusters, auto&& what) {
  const ClusterSummary::Run* first = nullptr;
  for (const ClusterSummary& cluster : clusters) {
    if (!cluster.training) continue;
    if (first == nullptr) first = &cluster.training->run;
    if (what(cluster.training->run) != what(*first)) return false;
  }
  return true;
}

}  // namespace

ClusterSummary summary_of(const job::ClusterReport& report) {
  const Cluster& cluster = report.cluster;
  const CostBreakdown& cost = report.cost;
  ClusterSummary summary{.name = cluster.name,
                         .title = cluster.title,
                         .gpus = cluster.gpus,
                         .relative_performance = report.performance(),
                         .performance_computed = report.computed_performance.has_value(),
                         .rent = report.rent,
                         .price_book = report.price_book,
                         .price_book_notes = report.price_book_notes,
                         .currency = cost.currency,
                         .bill = report.bill,
                         .capex = cost.capex,
                         .categories = cost.categories,
                         .opex_per_year = cost.opex_per_year,
                         .opex = cost.opex,
                         .left_out = cost.left_out,
                         .financed = cost.financed,
                         .per_gpu_hour = cost.per_gpu_hour,
                         .rent_or_buy = cost.rent_or_buy,
                         .power = cost.power,
                         .fabric = report.fabric,
                         .beside = report.beside,
                         .system = report.system,
                         .economics = report.economics,
                         .notes = cluster.notes,
                         .sources = cluster.sources,
                         .warnings = report.warnings};
  if (report.node) summary.node = report.node->name;
  summary.gpus_in_nodes =
      more_than_asked(cluster, job::supply_of(cluster, report.system, report.node).bought);
  summary.bought_gpus = more_than_asked(cluster, gpus_paid_for(report.cluster, report.node));
  if (cost.ownership) {
    summary.tco_years = cost.ownership->horizon_years;
    summary.tco = cost.ownership->total;
    summary.residual = cost.ownership->residual;
  }
  if (cost.break_even) summary.break_even = {*cost.break_even, cost.at_least()};
  if (report.training) summary.training = training_of(report);
  if (report.forecast) summary.expected = summary_of(*report.forecast);
  add_ranges(report.outlook, summary);
  return summary;
}

std::vector<std::string> short_names(const Clusters& clusters) {
  std::vector<std::string> names, files;
  for (const ClusterSummary& cluster : clusters) {
    names.push_back(cluster.title);
    files.push_back(cluster.name);
  }
  if (clusters.size() < 2) return names;
  drop_common_start(names, ' ');
  const bool fit = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return display_width(name) <= kLongName;
  });
  if (fit && all_distinct(names)) return names;
  drop_common_start(files, '-');
  if (all_distinct(files)) return files;
  for (std::size_t i = 0; i < files.size(); ++i) files[i] += fmt::format(" [{}]", i + 1);
  return files;
}

bool all_train_the_same(const Clusters& clusters) {
  return alike(clusters, [](const ClusterSummary::Run& run) {
    return job::TrainedIteration{run.model, run.global_batch, run.sequence, run.precision};
  });
}

bool all_run_as_long(const Clusters& clusters) {
  return alike(clusters, [](const ClusterSummary::Run& run) { return run.tokens; });
}

std::optional<Total> network_cost(const ClusterSummary& cluster) {
  const std::optional<Total> sum = network_total(cluster.categories);
  return sum && sum->amount.high > Money{} ? sum : std::nullopt;
}

present::Cell total_cell(const Total& sum, Currency currency) {
  if (!sum.known()) return present::unknown("not priced");
  return present::at_least(sum.at_least(), present::money(sum.amount, currency));
}

std::string_view links_words(LinkLoad load) {
  switch (load) {
    case LinkLoad::balanced:
      return "balanced links";
    case LinkLoad::all_at_once:
      return "all GPUs sending at once";
    case LinkLoad::routed:
      return "as routed";
  }
  return {};
}

std::string term_words(RentTerm term) {
  switch (term) {
    case RentTerm::on_demand:
      return "on demand";
    case RentTerm::one_year:
      return "for one year";
    case RentTerm::three_years:
      return "for three years";
  }
  return {};
}

present::Cell rent_cell(const CloudPrice& rent) {
  const auto& [low, expected, high] = rent.rent;
  return present::usd({low * units::hour, expected * units::hour, high * units::hour});
}

std::string capital_words(const ClusterSummary& cluster) {
  if (!cluster.tco || !cluster.economics) return {};
  if (!cluster.economics->cost_of_capital) {
    return "money costs nothing here, for nobody gave a cost of capital (--cost-of-capital)";
  }
  if (*cluster.economics->cost_of_capital == 0 || !falls_with_dear_money(cluster)) return {};
  return fmt::format(
      "the dearer money is, the less counts today what is paid later: the net present cost of the "
      "same payments falls, while {}",
      cluster.training && cluster.training->cost ? "an hour and a run cost more"
                                                 : "an hour costs more");
}

std::string priced_by(const ClusterSummary& cluster) {
  for (const BillLine& line : cluster.bill.lines) {
    if (!line.unpriced()) continue;
    if (cluster.currency == Currency::relative) {
      return "--prices BOOK gives a price book with its key";
    }
    return fmt::format(
        "--price \"{}=USD\" gives a part a price, --prices BOOK a price book with its key",
        line.part.id);
  }
  return {};
}

std::string left_out_words(const std::vector<OpexItem>& items) {
  std::vector<std::string_view> names;
  for (const OpexItem item : items) names.push_back(name_of(item));
  if (names.empty()) return {};
  return fmt::format("in no total, for nobody gave it: {}", fmt::join(names, ", "));
}

std::string terms_words(const ClusterSummary& cluster) {
  if (!cluster.rent || cluster.rent->term == RentTerm::on_demand || !cluster.economics) return {};
  const RentTerm term = cluster.rent->term;
  const double years = cluster.economics->horizon_years, paid = years_paid(term, years);
  if (paid == years) return {};
  const double terms = paid / years_paid(term, 0.01);
  return fmt::format("{:g} term{} of {} {} paid, {:g} year{} of rent, for {:g} year{}", terms,
                     terms == 1 ? "" : "s", term == RentTerm::one_year ? "one year" : "three years",
                     terms == 1 ? "is" : "are", paid, paid == 1 ? "" : "s", years,
                     years == 1 ? "" : "s");
}

present::Bill cluster_bill(const ClusterSummary& cluster, std::string title) {
  return shown_bill(cluster.bill, cluster.capex, std::move(title), cluster.price_book);
}

std::vector<SweepFigure> cluster_figures(const ClusterSummary& cluster) {
  const auto plain = [](double value) { return present::number(value); };
  const bool relative = cluster.currency == Currency::relative;
  const Currency currency = cluster.currency;
  const auto bound = [currency](bool at_least, double amount) {
    return present::at_least(at_least, present::plain_money(amount, currency));
  };
  std::vector<SweepFigure> figures;
  if (cluster.training) {
    figures.push_back(
        {"iteration_time_s", "iteration (s)", plain(cluster.training->plan.time.total().si())});
  }
  figures.push_back({relative ? "capex_relative" : "capex_usd",
                     fmt::format("capex ({})", present::money_unit(currency)),
                     cluster.capex.known()
                         ? bound(cluster.capex.at_least(), cluster.capex.amount.expected.dollars())
                         : present::unknown("not priced")});
  if (cluster.tco) {
    figures.push_back({"tco_usd", fmt::format("TCO ({})", present::money_unit(currency)),
                       bound(cluster.at_least(), cluster.tco->expected.dollars())});
  }
  if (cluster.financed) {
    figures.push_back(
        {"npv_usd", fmt::format("net present cost ({})", present::money_unit(currency)),
         bound(cluster.at_least(), cluster.financed->present_cost.expected.dollars())});
  }
  if (cluster.financed && cluster.per_gpu_hour) {
    figures.push_back(
        {"cost_per_gpu_hour_usd", fmt::format("a GPU-hour ({})", present::money_unit(currency)),
         present::at_least(
             cluster.at_least(),
             plain(present::shown_amount(cluster.per_gpu_hour->expected.in(units::usd))))});
  }
  figures.push_back(
      {"unpriced_lines", "lines without a price", present::count(cluster.capex.missing), 0});
  if (!cluster.training) return figures;
  const ClusterSummary::Training& training = *cluster.training;
  if (const auto& evidence = training.plan.evidence) {
    const bool measured = evidence->measured();
    figures.push_back({"measured", "run measured",
                       present::said(present::count(measured ? 1 : 0), measured ? "yes" : "no"),
                       1});
  }
  if (training.time) {
    figures.push_back({"days", "days without failures", plain(training.time->in(units::day))});
  }
  if (cluster.expected) {
    for (SweepFigure& figure : forecast_figures(*cluster.expected, cluster.outlook)) {
      figures.push_back(std::move(figure));
    }
  }
  if (training.cost) {
    const bool known = cluster.outlook && cluster.outlook->cost;  // with failures, where they count
    figures.push_back(
        {"cost_per_run_usd", fmt::format("cost per run ({})", present::money_unit(currency)),
         bound(training.at_least, known ? cluster.outlook->cost->range.expected.in(units::usd)
                                        : training.cost->expected.dollars())});
  }
  return figures;
}

}  // namespace planner::commands

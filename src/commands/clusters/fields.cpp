
#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/fabric_fields.hpp"
#include "planner/commands/parts/finance_fields.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/opex.hpp"
#include "planner/cost/unpriced.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using S = ClusterSummary;

/// What is expected of a range that has a key of its own.
template <class T, class V>
Field<T> expected_of(std::string key, std::optional<Estimate<V>> T::*range, Codec<V> codec,
                     std::string doc) {
  return computed<T>(
      std::move(key),
      [range](const T& from) {
        return from.*range ? std::optional((from.*range)->expected) : std::nullopt;
      },
      [range](T& into, const std::optional<V>& value) {
        if (value) into.*range = Estimate<V>::exactly(*value);
      },
      or_null(codec), std::move(doc));
}

const FieldTable<S::Run>& run_table() {
  using R = S::Run;
  static const FieldTable<R> kTable{
      .type = "workload",
      .doc = "what is trained",
      .fields = {required("model", &R::model, any_text(), "name"),
                 required("model_title", &R::model_title, any_text(), "as people know it"),
                 required("global_batch", &R::global_batch, whole(), "sequences per iteration"),
                 required("sequence", &R::sequence, whole(), "tokens"),
                 required("precision", &R::precision, json::choice(kPrecisions),
                          "of matrix products"),
                 required("bytes_per_parameter", &R::bytes_per_parameter, figure(),
                          "of the closed form"),
                 required("tokens", &R::tokens, or_null(figure()), "of the run; null: not known")},
      .open = true};
  return kTable;
}

const FieldTable<job::GpuUse>& use_table() {
  using U = job::GpuUse;
  static const FieldTable<U> kTable{
      .type = "use",
      .doc = "how the job stands in the HB domains",
      .fields = {required("gpus", &U::gpus, whole(), "of the job"),
                 required("as_one", &U::as_one, whole(), "used as one HB domain"),
                 required("per_domain", &U::per_domain, whole(), "of each domain that it uses"),
                 required("domains", &U::domains, whole(), "that it stands in")},
      .open = true};
  return kTable;
}

const FieldTable<NetworkTier>& tier_table() {
  using T = NetworkTier;
  static const FieldTable<T> kTable{
      .type = "tier",
      .doc = "of an oversubscribed network",
      .fields = {required("beyond_gpus", &T::gpus, whole(), "that groups reach over"),
                 required("bandwidth_share", &T::bandwidth_share, figure(),
                          "of the network cards' that they get")},
      .open = true};
  return kTable;
}

const FieldTable<S::Training>& training_table() {
  using T = S::Training;
  static const FieldTable<T> kTable{
      .type = "training",
      .doc = "the best strategy of the cluster's run, without failures",
      .fields =
          {shown<T>(
               "iteration_time_s", [](const T& t) { return t.plan.time.total(); },
               measure(units::second), "of the best strategy"),
           shown<T>(
               "timing", [](const T& t) { return t.plan.timing; }, json::choice(kTimings),
               "the timing model"),
           required("days", &T::time, or_null(measure(units::day)), "null: no number of tokens"),
           expected_of("cost_per_run_usd", &T::cost, dollars(), "its share of the cluster's cost"),
           expected_of("cost_per_million_tokens_usd", &T::per_million_tokens, measure(units::usd),
                       "its share of the cluster's cost, for each million tokens"),
           required("at_least", &T::at_least, boolean(), "whether the cost is a lower bound"),
           required("energy_MWh", &T::energy, or_null(measure(1000 * units::kWh)),
                    "at the meter; null: not known"),
           required("co2_kg", &T::co2_kg, or_null(figure()), "of that energy; null: not known"),
           required("strategies", &T::strategies, whole(), "legal ones"),
           required("feasible", &T::feasible, whole(), "those that fit the memory"),
           required("workload", &T::run, object(run_table()), "what is trained"),
           optional("links", &T::links, json::choice(kLinkLoads), kLinksDoc),
           optional("oversubscribed", &T::tightest, object(tier_table()),
                    "of links all at once: the tier that is charged most"),
           optional("use", &T::use, object(use_table()), "of the GPUs that are there"),
           required("plan", &T::plan, object(plan_fields()), "the best strategy"),
           optional("traffic", &T::traffic, object(traffic_summary_fields()),
                    "what it sends in an iteration, on the cluster's network"),
           optional("nearest_run", &T::nearest, object(nearest_row_fields()),
                    "the measured run most like it"),
           optional("cost_per_run_range_usd", &T::cost, spread(dollars()),
                    "80 of 100 lie within, by time and prices"),
           optional("cost_per_million_tokens_range_usd", &T::per_million_tokens,
                    spread(measure(units::usd)), "80 of 100 lie within, by time and prices"),
           optional("days_range", &T::time_range, spread(measure(units::day)),
                    "80 of 100 lie within")},
      .open = true};
  return kTable;
}

const FieldTable<Total>& sum_table() {
  static const FieldTable<Total> kTable{
      .type = "sum",
      .doc = "of the lines of a category",
      .fields = {shown<Total>(
                     "amount",
                     [](const Total& sum) {
                       return sum.known() ? std::optional(sum.amount) : std::nullopt;
                     },
                     or_null(spread(dollars())),
                     "of what is priced; null: what is not may be a fifth of it"),
                 required("unpriced_lines", &Total::missing, whole(), "lines without a price")},
      .open = true};
  return kTable;
}

/// An object by the names of categories, in their order.
std::vector<std::pair<std::string, Total>> by_category(const S& summary) {
  std::vector<std::pair<std::string, Total>> sums;
  for (const CategoryCost& sum : summary.categories) {
    sums.emplace_back(name_of(sum.category), sum.total);
  }
  return sums;
}

/// An object by the names of the items; those that this version does not know are passed over.
Codec<std::vector<OpexLine>> opex_lines() {
  using Pairs = std::vector<std::pair<std::string, std::optional<Estimate<Money>>>>;
  return written_as<std::vector<OpexLine>>(
      named(or_null(spread(dollars()))),
      [](const std::vector<OpexLine>& lines) {
        Pairs pairs;
        for (const OpexLine& line : lines) pairs.emplace_back(name_of(line.item), line.per_year);
        return pairs;
      },
      [](const Pairs& pairs) {
        std::vector<OpexLine> lines;
        for (const auto& [name, per_year] : pairs) {
          const auto item = value_named(name, kOpexItems);
          if (item) lines.push_back({.item = *item, .per_year = per_year});
        }
        return lines;
      });
}

const FieldTable<S::AgainstRent>& break_even_table() {
  using A = S::AgainstRent;
  const auto when = [](auto& found) -> auto& {
    return found.when;
  };
  static const FieldTable<A> kTable{
      .type = "break even",
      .doc = "buying against renting the same GPUs for the hours in which they are used",
      .fields = {lifted<A, BreakEven>(when, required("rent_usd_per_year", &BreakEven::rent_per_year,
                                                     spread(dollars()), "of all GPUs")),
                 lifted<A, BreakEven>(
                     when,
                     required("after_days", &BreakEven::after, spread(or_null(measure(units::day))),
                              "from then on until tco_years buying, sold "
                              "again at the end of the time looked at, costs "
                              "less than renting on demand for the hours "
                              "used, as in rent_or_buy; 0: from the first "
                              "day; null: not within them; 80 of 100 lie "
                              "within")),
                 lifted<A, BreakEven>(
                     when, required("utilisation", &BreakEven::utilisation, spread(figure()),
                                    "share of the hours of tco_years from which on buying costs "
                                    "less, resale counted")),
                 required("at_least", &A::at_least, boolean(), "lines have no price")},
      .open = true};
  return kTable;
}

const FieldTable<job::CostPerformance>& cost_performance_table() {
  using P = job::CostPerformance;
  static const FieldTable<P> kTable{
      .type = "cost_performance",
      .doc = "performance of a GPU over the cost of its share of a node, relative",
      .fields = {required("performance", &P::performance, figure(), "against the first cluster"),
                 required("node_cost", &P::cost, figure(), "against the first cluster, per GPU"),
                 required("ratio", &P::ratio, figure(), "of the two"),
                 required("computed", &P::computed, boolean(),
                          "whether the performance is, or is given by the files")},
      .open = true};
  return kTable;
}

const FieldTable<PowerDraw>& power_table() {
  using P = PowerDraw;
  static const FieldTable<P> kTable{
      .type = "power",
      .doc = "rated power of the parts",
      .fields = {computed<P>(
                     "it",
                     [](const P& power) {
                       return power.it == Watts{} && power.lines_without_power > 0
                                  ? std::nullopt
                                  : std::optional(power.it);
                     },
                     [](P& power, const std::optional<Watts>& watts) {
                       power.it = watts.value_or(Watts{});
                     },
                     or_null(measure(units::W)), "of the parts; null: not known"),
                 computed<P>(
                     "facility",
                     [](const P& power) {
                       return power.facility ? std::optional(power.facility->expected)
                                             : std::nullopt;
                     },
                     [](P& power, const std::optional<Watts>& watts) {
                       if (watts) power.facility = Estimate<Watts>::exactly(*watts);
                     },
                     or_null(measure(units::W)), "times the PUE; null: not known"),
                 required("lines_without_power", &P::lines_without_power, whole(),
                          "lines that are in neither")},
      .open = true};
  return kTable;
}

/// The keys of the sum of prices, which end in the book's unit.
void add_capex(Currency currency, std::vector<Field<S>>& fields) {
  const std::string ending = currency == Currency::relative ? "_relative" : "_usd";
  const auto add = [&](std::string key, auto part, auto codec, const char* doc) {
    const auto amount = [part](const S& s) {
      return s.capex.known() ? std::optional(part(s.capex.amount)) : std::nullopt;
    };
    fields.push_back(when([currency](const S& s) { return s.currency == currency; },
                          shown<S>(key + ending, amount, or_null(codec), doc)));
  };
  add(
      "capex", [](const Estimate<Money>& of) { return of.expected; }, dollars(),
      "of what is priced; null: what is not may be a fifth of it");
  fields.push_back(when(
      [currency](const S& s) { return s.currency == currency; },
      computed<S>(
          "capex_range" + ending,
          [](const S& s) { return s.capex.known() ? std::optional(s.capex.amount) : std::nullopt; },
          [](S& s, const std::optional<Estimate<Money>>& range) { s.capex_range = range; },
          or_null(spread(dollars())), "80 of 100 lie within")));
}

/// What is not read follows from what is.
void complete(S& summary) {
  const Total unknown{.amount = {}, .missing = 1};
  summary.bill.currency = summary.currency;
  summary.capex = capex(summary.bill).value_or(unknown);
  summary.categories = capex_by_category(summary.bill).value_or(std::vector<CategoryCost>{});
  for (OpexLine& line : summary.opex) {
    line.at_least = line.per_year && is_lower_bound(line.item, summary.power, summary.capex);
  }
  summary.opex_per_year = total_of(summary.opex, summary.left_out).value_or(unknown);
  if (summary.capex_range) summary.capex.amount = *summary.capex_range;
  if (summary.opex_range) summary.opex_per_year.amount = *summary.opex_range;
}

std::vector<Field<S>> money_fields() {
  std::vector<Field<S>> fields;
  for (const Currency currency : kCurrencies) add_capex(currency, fields);
  for (Field<S>& field : std::vector<Field<S>>{
           shown<S>("capex_by_category", by_category, named(object(sum_table())),
                    "sums by category"),
           shown<S>(
               "opex_usd_per_year",
               [](const S& s) {
                 return any_known(s.opex) ? std::optional(s.opex_per_year.amount.expected)
                                          : std::nullopt;
               },
               or_null(dollars()), "null: no economics, or no item is known"),
           required("opex_by_item_usd_per_year", &S::opex, opex_lines(), "null: not known"),
           required("opex_left_out", &S::left_out, list(json::choice(kOpexItems)),
                    "nobody gave them"),
           expected_of("tco_usd", &S::tco, dollars(), "total cost of ownership"),
           required("tco_years", &S::tco_years, or_null(figure()), "counted over so long"),
           expected_of("cost_per_gpu_hour_usd", &S::per_gpu_hour, measure(units::usd),
                       "of the hours that are used"),
           optional("financed", &S::financed, object(financed_table()),
                    "with a cost of capital or a tax rate: the cost of an hour rests on it"),
           optional("rent_or_buy", &S::rent_or_buy, list(object(rent_or_buy_table())),
                    "by months, each worth what it is on the day of the purchase"),
           required("break_even", &S::break_even, or_null(object(break_even_table())),
                    "null: no rent to compare with"),
           younger(shown<S>(
               "not_priced", [](const S& s) { return not_priced(s.bill); }, text_or_null(),
               "which lines have no price, with the keys that a price book needs; null: none")),
           shown<S>(
               "unpriced_lines", [](const S& s) { return s.capex.missing; }, whole(),
               "lines without a price"),
           shown<S>(
               "at_least", [](const S& s) { return s.at_least(); }, boolean(),
               "whether figures of money are lower bounds"),
           optional("tco_range_usd", &S::tco, spread(dollars()), "80 of 100 lie within"),
           optional("residual_usd", &S::residual, spread(dollars()),
                    "what the parts sell for after these years, taken off the TCO; all prices low "
                    "or high together"),
           optional("opex_range_usd_per_year", &S::opex_range, spread(dollars()),
                    "80 of 100 lie within"),
           optional("cost_per_gpu_hour_range_usd", &S::per_gpu_hour, spread(measure(units::usd)),
                    "80 of 100 lie within")}) {
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace

const FieldTable<ClusterSummary>& cluster_fields() {
  static const FieldTable<S> kTable = [] {
    const auto bill = [](auto& summary) -> auto& {
      return summary.bill;
    };
    FieldTable<S> table{
        .type = "cluster",
        .doc = "a cluster with everything that follows from it",
        .fields = {naming(required("name", &S::name, any_text(), "of its file")),
                   required("title", &S::title, any_text(), "as people know it"),
                   required("gpus", &S::gpus, whole(), "GPUs, by whose hours money is told"),
                   optional(
                       "bought_gpus", &S::bought_gpus, whole(),
                       "or rented, in whole nodes, spares among them; left out: no more than gpus"),
                   optional("gpus_in_nodes", &S::gpus_in_nodes, whole(),
                            "of whole nodes, without spares; left out: no more than gpus"),
                   younger(shown<S>(
                       "used_gpus",
                       [](const S& s) {
                         return s.training ? std::optional(s.training->use.gpus) : std::nullopt;
                       },
                       or_null(whole()), "of them, by the run; null: it has none")),
                   required("relative_performance", &S::relative_performance, or_null(figure()),
                            "of one GPU, in a unit that the clusters compared share"),
                   optional("performance_computed", &S::performance_computed, boolean(),
                            "by the training times of the clusters compared, or as their files "
                            "say"),
                   optional("cost_performance", &S::cost_performance,
                            object(cost_performance_table()), "against the first cluster"),
                   shown<S>(
                       "system", [](const S& s) { return s.system.name; }, any_text(), "name"),
                   required("node", &S::node, or_null(any_text()), "name of what is bought"),
                   optional("rent", &S::rent, object(catalog::cloud_price_table()),
                            "what one of its GPUs is rented at, with all around it; left out: "
                            "they are bought"),
                   required("price_book", &S::price_book, any_text(), "whose prices they are"),
                   required("price_book_notes", &S::price_book_notes, list(any_text()),
                            "what its reader should know"),
                   required("currency", &S::currency, json::choice(kCurrencies),
                            "what prices count"),
                   lifted<S, BillOfMaterials>(bill, bill_lines())},
        .complete = complete,
        .open = true};
    for (Field<S>& field : money_fields()) table.fields.push_back(std::move(field));
    for (Field<S>& field : fields_of_outlook(&S::outlook)) table.fields.push_back(std::move(field));
    for (Field<S>& field : expected_use_fields()) table.fields.push_back(std::move(field));
    for (Field<S>& field : std::vector<Field<S>>{
             required("power_w", &S::power, object(power_table()), "rated power of the parts"),
             required("training", &S::training, or_null(object(training_table())),
                      "null: nothing to train, or no strategy fits"),
             optional("expected", &S::expected, object(forecast_fields()),
                      "with routing, storage and failures"),
             required("fabric", &S::fabric, object(fabric_fields()), "the network, counted"),
             optional("networks_beside", &S::beside, named(object(fabric_fields())),
                      "those of its own beside it, counted: frontend, storage, management"),
             required("system_spec", &S::system, object(catalog::whole_system_table()),
                      "as its file says it"),
             required("economics", &S::economics, or_null(object(catalog::economics_table())),
                      "null: none"),
             required("notes", &S::notes, list(any_text()), "of the cluster's file"),
             required("sources", &S::sources, list(object(catalog::source_note_table())),
                      "of the cluster's file"),
             required("warnings", &S::warnings, list(any_text()), "of this cluster")}) {
      table.fields.push_back(std::move(field));
    }
    return table;
  }();
  return kTable;
}

}  // namespace planner::commands

#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/plans/plans.hpp"

// Fields of runs, on what is bought and on what is rented.
namespace planner::commands {

using namespace json;

namespace {

Codec<Seconds> in_days() {
  return measure(units::day);
}

}  // namespace

const FieldTable<RunSummary>& run_fields() {
  using R = RunSummary;
  static const FieldTable<R> kTable{
      .type = "run_of_design",
      .doc = "one of several runs on a design",
      .fields = {required("name", &R::name, any_text(), "in the brief"),
                 required("model_title", &R::model_title, any_text(), "as people know it"),
                 required("global_batch", &R::global_batch, whole(), "sequences per iteration"),
                 required("used_gpus", &R::used_gpus, whole(), "of those that are bought"),
                 required("plan", &R::plan, object(plan_fields()), "the best strategy on them"),
                 required("days", &R::time, in_days(), "with its failures where there are rates"),
                 required("days_without_failures", &R::without_failures, in_days(), "of the same"),
                 required("days_range", &R::time_range, spread(in_days()), "80 % of such runs"),
                 required("days_at_confidence", &R::confident_time, in_days(), "in so many cases"),
                 required("cost_usd", &R::cost, dollars(), "of the TCO, for it"),
                 required("energy_MWh", &R::energy, measure(1000 * units::kWh), "that it takes"),
                 required("co2_kg", &R::co2_kg, or_null(figure()), "of it; null: not known")},
      .open = true};
  return kTable;
}

const FieldTable<BuyingRuns>& buying_fields() {
  using B = BuyingRuns;
  static const FieldTable<B> kTable{
      .type = "buying_pays",
      .doc = "when owning costs less than renting",
      .fields = {required("most_runs", &B::most, whole(), "in the hours that GPUs are used"),
                 required("from_runs", &B::from, or_null(whole()),
                          "so many on; null: not of all that there is time for"),
                 required("rent_usd", &B::rent, dollars(), "least, of so many runs"),
                 added("rented_system", &B::system, any_text(), "for it; empty: no time for one"),
                 added("rented_term", &B::term, json::choice(kRentTerms),
                       "that it is rented for, of several the first"),
                 optional("mixed_rent", &B::mixed, object(rent_terms_table()),
                          "terms of several kinds, one after the other"),
                 added("rented_gpus", &B::gpus, whole(), "paid for")},
      .open = true};
  return kTable;
}

const FieldTable<RentedRun>& rented_run_fields() {
  using R = RentedRun;
  static const FieldTable<R> kTable{
      .type = "rented_run",
      .doc = "the run on rented GPUs, on a network that is taken for one of full bandwidth",
      .fields = {required("system", &R::system, any_text(), "as the catalog names it"),
                 required("term", &R::term, json::choice(kRentTerms),
                          "that it is rented for, of several the first"),
                 optional("mixed_rent", &R::mixed, object(rent_terms_table()),
                          "terms of several kinds, one after the other, where they cost less than "
                          "each alone"),
                 required("gpus", &R::gpus, whole(), "paid for, in whole nodes"),
                 required("used_gpus", &R::used_gpus, whole(), "that the run uses"),
                 required("global_batch", &R::global_batch, whole(), "sequences per iteration"),
                 required("plan", &R::plan, object(plan_fields()), "the best strategy on them"),
                 required("days", &R::time, in_days(), "of the run"),
                 shown<R>(
                     "cost_usd", [](const R& r) { return r.cost.expected; }, dollars(),
                     "of the run's hours, or of whole terms; worth today and after tax as what is "
                     "owned"),
                 required("cost_range_usd", &R::cost, spread(dollars()), "by the rents"),
                 required("days_at_confidence", &R::confident_time, in_days(), "in so many cases"),
                 required("cost_at_confidence_usd", &R::confident_cost, dollars(),
                          "in so many cases")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

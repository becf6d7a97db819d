
#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/parts/failures.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using F = FailureSummary;

constexpr std::array kSteps{Step::checkpoint_stall, Step::checkpoint_durable,
                            Step::detect,           Step::diagnose,
                            Step::restart,          Step::repair};

const FieldTable<ComponentCounts>& counts_table() {
  using C = ComponentCounts;
  static const FieldTable<C> kTable{
      .type = "counts",
      .doc = "parts that can fail",
      .fields = {required("gpus", &C::gpus, whole(), "of the job"),
                 required("nodes", &C::nodes, whole(), "servers"),
                 required("nics", &C::nics, whole(), "network cards"),
                 required("links", &C::links, whole(), "or pairs"),
                 required("switches", &C::switches, whole(), "or pairs"),
                 optional("upper_switches", &C::upper_switches, whole(),
                          "aggregation and core, of one chip"),
                 optional("chassis_switches", &C::chassis_switches, whole(), "modular"),
                 optional("feeds", &C::feeds, whole(),
                          "power feeds of rows whose loss takes nodes with it")},
      .open = true};
  return kTable;
}

const FieldTable<SparePolicy>& spares_table() {
  using S = SparePolicy;
  static const FieldTable<S> kTable{
      .type = "spares",
      .doc = "nodes kept ready",
      .fields = {required("spares", &S::spares, whole(), "units in all"),
                 required("pools", &S::pools, whole(), "that share none"),
                 required("repair_h", &S::repair, or_null(measure(units::hour)), "mean"),
                 required("crews", &S::crews, or_null(whole()), "repairs at once, of all pools"),
                 required("repair_visits_days", &S::visits, or_null(measure(units::day)),
                          "between two"),
                 optional("unit_gpus", &S::unit_gpus, whole(), "that a spare replaces at once"),
                 optional("unit_trays", &S::unit_trays, whole(), "parts that fail one by one"),
                 optional("spare_trays", &S::spare_trays, whole(), "of these, in each unit"),
                 optional("hosts_per_switch", &S::switch_hosts, whole(),
                          "that an access switch takes with it"),
                 optional("hosts_per_feed", &S::feed_hosts, whole(),
                          "that a power feed takes with it")},
      .open = true};
  return kTable;
}

const FieldTable<F::Component>& component_table() {
  using C = F::Component;
  static const FieldTable<C> kTable{
      .type = "component",
      .doc = "what fails",
      .fields = {required("component", &C::name, any_text(), "which"),
                 required("action", &C::action, json::choice(kFailureActions), "what it does"),
                 required("mttf_h", &C::hours_between, or_null(figure()),
                          "hours in which the job runs; null: never"),
                 required("failures_per_30_days", &C::per_month, figure(), "of the calendar"),
                 required("share_of_crashes", &C::crashes, or_null(figure()),
                          "null: crashes none")},
      .open = true};
  return kTable;
}

const FieldTable<Waste>& waste_table() {
  static const FieldTable<Waste> kTable = [] {
    FieldTable<Waste> table{
        .type = "waste", .doc = "shares of the calendar that do not advance the job", .open = true};
    for (const WasteCause& cause : kWasteCauses) {
      const LostCauseNames& names = names_of(cause.cause);
      table.fields.push_back(
          required(std::string{names.key}, cause.share, figure(), std::string{names.words}));
    }
    return table;
  }();
  return kTable;
}

const FieldTable<F::ByHazard>& hazard_table() {
  using H = F::ByHazard;
  static const FieldTable<H> kTable{
      .type = "hazards",
      .doc =
          "availability by the hours in which what waits for a spare fails: they bound the truth",
      .fields = {required("running", &H::running, figure(), "never while the job waits"),
                 required("all", &H::all, figure(), "as always")},
      .open = true};
  return kTable;
}

const FieldTable<F::Days>& days_table() {
  using D = F::Days;
  using Point = std::pair<double, double>;
  static const FieldTable<Point> kPoint{
      .type = "point",
      .doc = "a chance to be done by a day",
      .fields = {required("days", &Point::first, figure(), "of the calendar"),
                 required("probability", &Point::second, figure(), "to be done")},
      .open = true};
  static const FieldTable<D> kTable{
      .type = "days",
      .doc = "how long the run takes",
      .fields = {required("ideal", &D::ideal, measure(units::day), "without failures"),
                 required("mean", &D::mean, measure(units::day), "on average"),
                 required("p50", &D::p50, measure(units::day), "half of the runs are done"),
                 required("p95", &D::p95, measure(units::day), "95 of 100 runs are done"),
                 required("distribution", &D::distribution, list(object(kPoint)), "of the days")},
      .open = true};
  return kTable;
}

const FieldTable<job::AdvisedIntervals>& advised_table() {
  using A = job::AdvisedIntervals;
  static const FieldTable<A> kTable{
      .type = "intervals",
      .doc = "between checkpoints, by formula",
      .fields = {required("optimal", &A::optimal, measure(units::second), "exact"),
                 required("young", &A::young, measure(units::second), "Young 1974"),
                 required("daly", &A::daly, measure(units::second), "Daly 2006")},
      .open = true};
  return kTable;
}

const FieldTable<F>& improve_table() {
  using I = Improvement;
  static const FieldTable<I> kStep{
      .type = "step",
      .doc = "what shortening a step is worth",
      .fields = {required("step", &I::step, json::choice(kSteps), "of checkpoint or recovery"),
                 required("takes_s", &I::takes, measure(units::second), "now"),
                 required("availability_per_second", &I::per_second, figure(), "gained"),
                 required("availability_of_a_tenth_less", &I::a_tenth, figure(), "gained")},
      .open = true};
  using G = F::Gain;
  static const FieldTable<G> kGain{
      .type = "gain",
      .doc = "what fewer failures are worth",
      .fields = {required("component", &G::component, any_text(), "that fails"),
                 required("availability_of_a_tenth_fewer", &G::a_tenth, figure(), "gained")},
      .open = true};
  static const FieldTable<F> kTable{
      .type = "improve_next",
      .doc = "what to improve next",
      .fields = {required("steps", &F::improve, list(object(kStep)), "best first"),
                 required("failures", &F::fewer, list(object(kGain)), "by component")},
      .open = true};
  return kTable;
}

const FieldTable<job::IntervalPoint>& point_table() {
  using P = job::IntervalPoint;
  static const FieldTable<P> kTable{
      .type = "point",
      .doc = "availability at an interval",
      .fields = {required("interval_s", &P::interval, measure(units::second), "of checkpoints"),
                 required("availability", &P::availability, figure(), "there")},
      .open = true};
  return kTable;
}

const FieldTable<job::FailureMoney>& money_table() {
  using M = job::FailureMoney;
  const auto maybe = or_null(measure(units::usd));
  static const FieldTable<M> kTable{
      .type = "cost",
      .doc = "at the price of a GPU-hour, spares included",
      .fields = {required("per_failure_usd", &M::per_failure, measure(units::usd), "work lost too"),
                 required("ideal_run_usd", &M::ideal, maybe, "without failures"),
                 required("mean_run_usd", &M::mean, maybe, "on average"),
                 required("p95_run_usd", &M::p95, maybe, "in 95 of 100 runs"),
                 optional("optical_switches_usd", &M::optical_switches, measure(units::usd),
                          "their ports, once")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<FailureInputs>& failure_inputs_fields() {
  using I = FailureInputs;
  static const FieldTable<I> kTable{
      .type = "reliability_inputs",
      .doc = "a job's exposure to failures",
      .fields =
          {required("rates", &I::rates, object(catalog::rates_table()), "as their file says them"),
           required("counts", &I::counts, object(counts_table()), "parts that can fail"),
           required("tor", &I::tor, json::choice(kAccessLinks), "access switches of a card"),
           required("checkpoint_stall_s", &I::stall, measure(units::second), "of training"),
           optional("checkpoint_stall_range_s", &I::stall_range, spread(measure(units::second)),
                    "where nobody knows it: ranges count it, the other figures do not and are "
                    "bounds"),
           required("checkpoint_durable_s", &I::durable, measure(units::second), "then"),
           required("restart_s", &I::restart, measure(units::second), "of the job"),
           shown<I>(
               "recovery_can_fail", [](const I& i) { return i.recovery == RecoveryMode::restart; },
               boolean(), "a failure during the recovery starts all of it over"),
           optional("recovery", &I::recovery, json::choice(kRecoveryModes),
                    "what a failure during the recovery does"),
           optional("hazard_while_down", &I::hazard, json::choice(kDownHazards),
                    "hours in which what waits for a spare fails"),
           optional("link_loss", &I::link_loss, json::choice(kLinkLosses), "one of two links down"),
           optional("running_share", &I::running_share, figure(),
                    "of its calendar in which the job of the rates ran"),
           required("spares", &I::spares, or_null(object(spares_table())), "null: always at hand"),
           required("assumed", &I::assumed, list(any_text()), "options that nobody gave")},
      .open = true};
  return kTable;
}

const FieldTable<FailureSummary>& failure_summary_fields() {
  static const FieldTable<F> kTable{
      .type = "reliability",
      .doc = "what failures make of a job",
      .fields =
          {required("mttf_h", &F::hours_between, or_null(figure()),
                    "between crashes, hours in which the job runs; null: none"),
           required("wall_between_failures_h", &F::wall_hours_between, or_null(figure()),
                    "the same in hours of the calendar"),
           required("by_component", &F::components, list(object(component_table())), "what fails"),
           required("checkpoint_interval_s", &F::interval, or_null(measure(units::second)),
                    "null: none are taken"),
           required("advised_intervals_s", &F::advised, or_null(object(advised_table())),
                    "null: nothing crashes the job"),
           required("recovery_s", &F::recovery, measure(units::second), "of a crash"),
           required("availability", &F::availability, figure(), "time that is work that stays"),
           optional("availability_range", &F::availability_range, spread(figure()),
                    "80 of 100, the rates being another cluster's and some times not known"),
           optional("availability_by_hazard", &F::by_hazard, object(hazard_table()),
                    "where spares are repaired"),
           required("waste", &F::waste, object(waste_table()), "the rest of the time"),
           required("failures_per_30_days", &F::per_month, figure(), "crashes"),
           required("failures_expected", &F::expected, or_null(figure()), "crashes of the run"),
           required("days", &F::days, or_null(object(days_table())), "of the run"),
           optional("days_range", &F::days_range, spread(measure(units::day)),
                    "80 of 100, the run's own failures too"),
           required("p_spares_ok", &F::spares_ok, or_null(figure()), "that they suffice"),
           required("spares_for_99_percent", &F::spares_for_99, or_null(whole()), "nodes"),
           group("improve_next", improve_table(), "what to improve next"),
           required("availability_by_interval", &F::by_interval, list(object(point_table())),
                    "of checkpoints"),
           optional("cost", &F::money, object(money_table()), "where a price is given")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

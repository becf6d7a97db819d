
#include "planner/commands/parts/outlook.hpp"

namespace planner::commands {

namespace {

using namespace json;
using job::Decides;
using job::DoneBy;
using job::Likely;
using job::Outlook;

template <class Q>
FieldTable<Likely<Q>> likely_table(Q unit) {
  using L = Likely<Q>;
  return {
      .type = "likely",
      .doc = "an amount that is not known exactly",
      .fields = {required("range", &L::range, spread(measure(unit)), "80 of 100 lie within"),
                 required("at_confidence", &L::at_confidence, measure(unit), "so many stay within"),
                 required("p95", &L::p95, measure(unit), "95 of 100 stay within"),
                 optional("median", &L::median, measure(unit), "50 of 100 stay within")},
      .open = true};
}

const FieldTable<Likely<Seconds>>& likely_days() {
  static const FieldTable<Likely<Seconds>> kTable = likely_table(units::day);
  return kTable;
}

const FieldTable<Likely<Usd>>& likely_dollars() {
  static const FieldTable<Likely<Usd>> kTable = likely_table(units::usd);
  return kTable;
}

const FieldTable<Decides>& decides_table() {
  using D = Decides;
  static const FieldTable<D> kTable{
      .type = "cause",
      .doc = "what one cause moves, from end to end of 80 of 100, all else as expected",
      .fields = {required("cause", &D::cause, any_text(), "what is not known"),
                 optional("days", &D::days, spread(measure(units::day)), "of the run"),
                 optional("cost_per_run_usd", &D::cost, spread(measure(units::usd)), "of the run"),
                 optional("tco_usd", &D::tco, spread(measure(units::usd)), "of the cluster"),
                 optional("npv_usd", &D::present, spread(measure(units::usd)),
                          "net present cost of the cluster")},
      .open = true};
  return kTable;
}

const FieldTable<DoneBy>& done_by_table() {
  static const FieldTable<DoneBy> kTable{
      .type = "done_by",
      .doc = "the chance that the run is done by a day",
      .fields = {required("days", &DoneBy::time, measure(units::day), "since its start"),
                 required("probability", &DoneBy::chance, figure(), "that it is done")},
      .open = true};
  return kTable;
}

template <class Q>
std::optional<Q> at_confidence(const std::optional<Likely<Q>>& likely) {
  return likely ? std::optional(likely->at_confidence) : std::nullopt;
}

const FieldTable<Outlook>& at_confidence_table() {
  static const FieldTable<Outlook> kTable{
      .type = "at_confidence",
      .doc = "what a share of all runs stay within: one-sided",
      .fields = {shown<Outlook>(
                     "confidence", [](const Outlook& o) { return o.confidence; }, figure(),
                     "the share"),
                 shown<Outlook>(
                     "days", [](const Outlook& o) { return at_confidence(o.days); },
                     or_null(measure(units::day)), "null: no run"),
                 shown<Outlook>(
                     "tco_usd", [](const Outlook& o) { return at_confidence(o.tco); },
                     or_null(measure(units::usd)), "null: not known"),
                 when([](const Outlook& o) { return o.present.has_value(); },
                      shown<Outlook>(
                          "npv_usd", [](const Outlook& o) { return o.present->at_confidence; },
                          measure(units::usd), "net present cost")),
                 shown<Outlook>(
                     "cost_per_run_usd", [](const Outlook& o) { return at_confidence(o.cost); },
                     or_null(measure(units::usd)), "null: not known")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<Outlook>& outlook_fields() {
  using O = Outlook;
  const auto days = object(likely_days());
  const auto dollars = object(likely_dollars());
  static const FieldTable<O> kTable{
      .type = "outlook",
      .doc =
          "the model of the iteration, failures and prices together: independent causes, one "
          "draw of each; a range of prices counts as that of 80 of 100",
      .fields = {required("confidence", &O::confidence, figure(), "of at_confidence"),
                 optional("days_without_failures", &O::ideal_days, days, "of the run"),
                 optional("days", &O::days, days, "of the run"),
                 optional("cost_per_run_without_failures_usd", &O::ideal_cost, dollars,
                          "of the run"),
                 optional("cost_per_run_usd", &O::cost, dollars, "of the run"),
                 optional("capex_usd", &O::capex, dollars, "of the cluster"),
                 optional("opex_usd_per_year", &O::opex_per_year, dollars, "of the cluster"),
                 optional("tco_usd", &O::tco, dollars, "of the cluster"),
                 optional("npv_usd", &O::present, dollars, "net present cost of the cluster"),
                 optional("cost_per_gpu_hour_usd", &O::gpu_hour, dollars, "of the cluster"),
                 optional("what_decides", &O::decides, list(object(decides_table())),
                          "the largest swing first"),
                 optional("done_by", &O::done_by, list(object(done_by_table())), "of the run")},
      .open = true};
  return kTable;
}

std::vector<Field<Outlook>> outlook_figures() {
  using O = Outlook;
  const auto has = [](auto member) {
    return [member](const O& outlook) { return (outlook.*member).has_value(); };
  };
  return {
      when(has(&O::days), shown<O>(
                              "days_range", [](const O& o) { return o.days->range; },
                              spread(measure(units::day)), "80 of 100 runs lie within")),
      when(has(&O::cost), shown<O>(
                              "cost_per_run_range_usd", [](const O& o) { return o.cost->range; },
                              spread(measure(units::usd)), "80 of 100 runs lie within")),
      shown<O>(
          "at_confidence", [](const O& o) { return o; }, object(at_confidence_table()),
          "what so many runs stay within")};
}

}  // namespace planner::commands

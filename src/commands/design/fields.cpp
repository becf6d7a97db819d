#include <nlohmann/json.hpp>

#include "planner/catalog/briefs.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using D = DesignSummary;

Codec<Seconds> days() {
  return measure(units::day);
}

const Table<D::AtConfidence>& confidence_table() {
  using A = D::AtConfidence;
  static const Table<A> kTable{
      .type = "at_confidence",
      .doc =
          "what it stays within in so many cases: time by the timing model's interval, money by "
          "the prices, all of them together",
      .fields = {required("confidence", &A::confidence, figure(), "share of cases"),
                 required("days", &A::time, days(), "of the run"),
                 required("capex_usd", &A::capex, dollars(), "paid on the day of the purchase"),
                 required("tco_usd", &A::tco, dollars(), "total cost of ownership"),
                 required("cost_per_run_usd", &A::run_cost, dollars(), "of it, for the run")},
      .open = true};
  return kTable;
}

const Table<D>& power_table() {
  static const Table<D> kTable{
      .type = "power",
      .doc = "rated",
      .fields = {required("it", &D::it, measure(units::W), "of nodes and network"),
                 required("facility", &D::facility, or_null(measure(units::W)),
                          "with cooling; null: not known")},
      .open = true};
  return kTable;
}

const Table<D>& design_table() {
  static const Table<D> kTable{
      .type = "design",
      .doc = "a cluster that can be bought, and what the run makes of it",
      .fields = {required("cluster", &D::cluster, object(catalog::cluster_table()), "as its file"),
                 required("system", &D::system_title, any_text(), "as people know it"),
                 required("node", &D::node_title, any_text(), "what is bought, as people know it"),
                 required("nodes", &D::nodes, whole(), "bought"),
                 required("gpus", &D::gpus, whole(), "bought"),
                 required("used_gpus", &D::used_gpus, whole(), "that the run uses"),
                 required("plan", &D::plan, object(plan_fields()), "the best strategy on them"),
                 required("days", &D::time, days(), "of the run, without failures"),
                 required("days_range", &D::time_range, spread(days()),
                          "80 % of such runs, by the timing model's interval"),
                 shown<D>(
                     "capex_usd", [](const D& d) { return d.capex.expected; }, dollars(),
                     "paid on the day of the purchase"),
                 required("capex_range_usd", &D::capex, spread(dollars()), "by the prices"),
                 shown<D>(
                     "tco_usd", [](const D& d) { return d.tco.expected; }, dollars(),
                     "total cost of ownership"),
                 required("tco_range_usd", &D::tco, spread(dollars()), "by the prices"),
                 required("cost_per_run_usd", &D::run_cost, dollars(), "of the TCO, for the run"),
                 required("at_confidence", &D::at_confidence, object(confidence_table()),
                          "what the limits are held against"),
                 group("power_w", power_table(), "rated"),
                 required("energy_MWh", &D::energy, measure(1000 * units::kWh), "of the run"),
                 required("co2_kg", &D::co2_kg, or_null(figure()), "of the run; null: not known")},
      .open = true};
  return kTable;
}

const Table<SystemBest>& system_table() {
  using S = SystemBest;
  static const Table<S> kTable{
      .type = "system_best",
      .doc = "the best design of one system",
      .fields = {required("system", &S::system, any_text(), "as the catalog names it"),
                 required("best", &S::best, or_null(object(design_table())),
                          "null: none is within the limits")},
      .open = true};
  return kTable;
}

const Table<RelaxedLimit>& relax_table() {
  using R = RelaxedLimit;
  static const Table<R> kTable{
      .type = "relax",
      .doc = "one limit given up as far as it takes, all others kept",
      .fields = {required("limit", &R::limit, json::choice(kMeasures), "which"),
                 required("limited_to", &R::limited_to, figure(), "in dollars, days, MW or GPUs"),
                 required("needed", &R::needed, or_null(figure()),
                          "the least that would do; null: giving it up alone would not do"),
                 required("design", &R::design, or_null(object(design_table())),
                          "that needs so much")},
      .open = true};
  return kTable;
}

const Table<LeftOut>& left_out_table() {
  using L = LeftOut;
  static const Table<L> kTable{
      .type = "left_out",
      .doc = "something that is not in the space",
      .fields = {required("kind", &L::kind, any_text(), "system, switch or topology"),
                 required("name", &L::name, any_text(), "as the catalog names it"),
                 required("reason", &L::reason, any_text(), "why")},
      .open = true};
  return kTable;
}

const Table<design::Certificate>& bounded_table() {
  using C = design::Certificate;
  static const Table<C> kTable{
      .type = "bounded",
      .doc = "designs that were ruled out without a search, by what",
      .fields = {required("limits", &C::over_limits, whole(), "their parts are over a limit"),
                 required("work", &C::by_work, whole(),
                          "their GPUs cannot do the work in a time that matters"),
                 required("full_network", &C::by_full_network, whole(),
                          "nor on a network of full bandwidth"),
                 required("parts", &C::by_parts, whole(),
                          "their parts are no better than what is found")},
      .open = true};
  return kTable;
}

const Table<design::Certificate>& certificate_table() {
  using C = design::Certificate;
  static const Table<C> kTable{
      .type = "certificate",
      .doc = "how the space was covered: each design is counted once",
      .fields = {required("designs", &C::designs, whole(), "in the space"),
                 required("searched", &C::searched, whole(), "whose strategies were searched"),
                 group("bounded", bounded_table(), "ruled out without a search"),
                 required("illegal", &C::no_network, whole(), "whose network cannot be built"),
                 required("unpriced", &C::unpriced, whole(), "that lack a price or power"),
                 required("not_reached", &C::not_reached, whole(), "the time ran out before"),
                 required("searches", &C::searches, whole(),
                          "exact searches of all strategies that were made"),
                 shown<C>(
                     "proved", [](const C& c) { return c.proved(); }, boolean(),
                     "nothing in the space is better"),
                 required("bound", &C::bound, or_null(figure()),
                          "what was not reached has no less of the first measure (cents, days, W, "
                          "J, kg or GPUs); null: all was reached")},
      .open = true};
  return kTable;
}

const Table<DesignAnswer>& inputs_table() {
  using A = DesignAnswer;
  static const Table<A> kTable{
      .type = "design_inputs",
      .doc = "what it is for",
      .fields = {required("brief", &A::brief, object(catalog::brief_table()),
                          "as its file and options say it"),
                 required("model_title", &A::model_title, any_text(), "as people know it"),
                 required("price_book", &A::price_book, any_text(), "whose prices they are"),
                 required("price_book_notes", &A::price_book_notes, list(any_text()),
                          "what its reader should know")},
      .open = true};
  return kTable;
}

const Table<DesignAnswer>& result_table() {
  using A = DesignAnswer;
  static const Table<A> kTable{
      .type = "design_result",
      .doc = "what to buy",
      .fields = {required("best", &A::best, or_null(object(design_table())),
                          "null: nothing is within the limits"),
                 required("top", &A::top, list(object(design_table())), "best first"),
                 required("front", &A::front, list(object(design_table())),
                          "designs that no other beats in all measures, by the first"),
                 required("by_system", &A::by_system, list(object(system_table())),
                          "the best of each system"),
                 required("search", &A::search, object(certificate_table()),
                          "how the space was covered"),
                 optional("front_search", &A::front_search, object(certificate_table()),
                          "the same of the front"),
                 required("relax", &A::relax, list(object(relax_table())),
                          "what would have to give, where nothing fits"),
                 required("left_out", &A::left_out, list(object(left_out_table())),
                          "what is not in the space")},
      .open = true};
  return kTable;
}

}  // namespace

const Table<DesignAnswer>& design_fields() {
  using A = DesignAnswer;
  static const Table<A> kTable{.type = "answer",
                               .doc = "an answer of design",
                               .fields = {group("inputs", inputs_table(), "what it is for"),
                                          group("result", result_table(), "what to buy")},
                               .open = true};
  return kTable;
}

}  // namespace planner::commands


#include "planner/catalog/briefs.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/broken_rules.hpp"
#include "planner/commands/parts/fabric_fields.hpp"
#include "planner/commands/parts/finance_fields.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using D = DesignSummary;

Codec<Seconds> days() {
  return measure(units::day);
}

const FieldTable<D::AtConfidence>& confidence_table() {
  using A = D::AtConfidence;
  static const FieldTable<A> kTable{
      .type = "at_confidence",
      .doc =
          "what it stays within in so many cases: time by the timing model's interval and by "
          "failures, money by the prices, all of them together",
      .fields = {required("confidence", &A::confidence, figure(), "share of cases"),
                 required("days", &A::time, days(), "of the run"),
                 required("capex_usd", &A::capex, dollars(), "paid on the day of the purchase"),
                 required("tco_usd", &A::tco, dollars(),
                          "total cost of ownership; net present cost where money costs something "
                          "or is taxed"),
                 required("cost_per_run_usd", &A::run_cost, dollars(), "of it, for the run")},
      .open = true};
  return kTable;
}

const FieldTable<D>& power_table() {
  static const FieldTable<D> kTable{
      .type = "power",
      .doc = "rated",
      .fields = {required("it", &D::it, measure(units::W), "of nodes and network"),
                 required("facility", &D::facility, or_null(measure(units::W)),
                          "with cooling; null: not known")},
      .open = true};
  return kTable;
}

const FieldTable<D::Purchase>& purchase_table() {
  using P = D::Purchase;
  static const FieldTable<P> kTable{
      .type = "purchase",
      .doc = "what is bought, line by line",
      .fields = {lifted<P, BillOfMaterials>(
                     [](auto& purchase) -> auto& { return purchase.bill; }, bill_lines()),
                 required("fabric", &P::fabric, object(fabric_fields()), "the network, counted"),
                 optional("racks", &P::racks, whole(), "in the building of the brief"),
                 optional("longest_cable_m", &P::longest_cable_m, figure(), "there"),
                 optional("broken", &P::broken, list(object(broken_fields())),
                          "rules that it breaks there, as `build` of its file says")},
      .open = true};
  return kTable;
}

const FieldTable<D::Owned>& owned_table() {
  using O = D::Owned;
  static const FieldTable<O> kTable{
      .type = "owned",
      .doc = "what becomes of the GPUs that are there already",
      .fields = {required("kept_gpus", &O::kept_gpus, whole(), "of the cluster"),
                 required("kept_usd", &O::kept, dollars(),
                          "what these would sell for: in the purchase and in the TCO"),
                 required("sold_usd", &O::sold, dollars(), "what the others bring"),
                 required("to_pay_usd", &O::to_pay, dollars(),
                          "what is bought less what is sold: what the limit on the purchase is "
                          "held against; negative: more is sold than bought")},
      .open = true};
  return kTable;
}

const FieldTable<D::SurelyFitting>& surely_fitting_table() {
  using F = D::SurelyFitting;
  static const FieldTable<F> kTable{
      .type = "surely_fitting",
      .doc = "the fastest plan on the same cluster that fits the memory in 9 of 10 cases",
      .fields = {required("plan", &F::plan, object(plan_fields()), "that fits"),
                 required("days_without_failures", &F::without_failures, days(), "of the run")},
      .open = true};
  return kTable;
}

const FieldTable<D>& design_table() {
  static const FieldTable<D> kTable{
      .type = "design",
      .doc = "a cluster that can be bought, and what the run makes of it",
      .fields = {required("cluster", &D::cluster, object(catalog::cluster_table()), "as its file"),
                 required("system", &D::system_title, any_text(), "as people know it"),
                 required("node", &D::node_title, any_text(), "what is bought, as people know it"),
                 required("nodes", &D::nodes, whole(), "bought"),
                 required("gpus", &D::gpus, whole(), "bought"),
                 required("used_gpus", &D::used_gpus, whole(), "that the run uses"),
                 required(
                     "standing_by", &D::standing_by, whole(),
                     "of the others: its spares, where something fails, else those of whole HB "
                     "domains"),
                 required("plan", &D::plan, object(plan_fields()),
                          "the best strategy on them; of several runs the longest one's"),
                 optional("runs", &D::runs, list(object(run_fields())),
                          "where there are several, one after the other"),
                 required("days", &D::time, days(),
                          "of all runs, with their failures where the brief has rates"),
                 required("lead_days", &D::lead, days(),
                          "from the order until the cluster runs, where the brief says so"),
                 shown<D>(
                     "days_from_order", [](const D& d) { return d.from_order(); }, days(),
                     "lead time and runs: what a limit on days is held against"),
                 required("days_without_failures", &D::without_failures, days(), "of the same run"),
                 required("days_range", &D::time_range, spread(days()),
                          "80 % of such runs, by the timing model's interval and by failures"),
                 shown<D>(
                     "capex_usd", [](const D& d) { return d.capex.expected; }, dollars(),
                     "paid on the day of the purchase"),
                 required("capex_range_usd", &D::capex, spread(dollars()),
                          "all prices low, all high"),
                 shown<D>(
                     "tco_usd", [](const D& d) { return d.tco.expected; }, dollars(),
                     "total cost of ownership"),
                 required("tco_range_usd", &D::tco, spread(dollars()), "all prices low, all high"),
                 optional("financed", &D::financed, object(financed_table()),
                          "where money costs something or is taxed: what designs are judged by"),
                 required("cost_per_run_usd", &D::run_cost, dollars(), "of the TCO, for the run"),
                 required("at_confidence", &D::at_confidence, object(confidence_table()),
                          "what the limits are held against"),
                 group("power_w", power_table(), "rated"),
                 required("energy_MWh", &D::energy, measure(1000 * units::kWh), "of the run"),
                 required("co2_kg", &D::co2_kg, or_null(figure()), "of the run; null: not known"),
                 optional("owned", &D::owned, object(owned_table()),
                          "of a brief with GPUs that are there already"),
                 optional("expected", &D::expected, object(forecast_fields()),
                          "what failures make of the run, of the best design"),
                 optional("outlook", &D::outlook, object(outlook_fields()),
                          "of the best design: as cost of its cluster has it"),
                 optional("purchase", &D::purchase, object(purchase_table()),
                          "what is bought, line by line, of the best design"),
                 optional("surely_fitting", &D::surely_fitting, object(surely_fitting_table()),
                          "where the plan of the best design fits less surely")},
      .open = true};
  return kTable;
}

const FieldTable<SystemBest>& system_table() {
  using S = SystemBest;
  static const FieldTable<S> kTable{
      .type = "system_best",
      .doc = "the best design of one system",
      .fields = {required("system", &S::system, any_text(), "as the catalog names it"),
                 required("best", &S::best, or_null(object(design_table())),
                          "null: none is within the limits"),
                 required("node_price_usd", &S::node_price, or_null(dollars()), "expected, now"),
                 required(
                     "wins_below_usd", &S::wins_below, or_null(figure()),
                     "a firm price of its node below which it would be the best, all else as it "
                     "is; null: it is the best, or not even for nothing, or not asked")},
      .open = true};
  return kTable;
}

const FieldTable<RelaxedLimit>& relax_table() {
  using R = RelaxedLimit;
  static const FieldTable<R> kTable{
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

const FieldTable<OtherLimit>& other_limit_table() {
  using O = OtherLimit;
  static const FieldTable<O> kTable{
      .type = "other_limit",
      .doc = "the best with another limit, all others kept",
      .fields = {required("limit", &O::limit, figure(), "in dollars, days, MW or GPUs"),
                 required("best", &O::design, or_null(object(design_table())),
                          "null: nothing fits")},
      .open = true};
  return kTable;
}

const FieldTable<LimitMargin>& margin_table() {
  using M = LimitMargin;
  static const FieldTable<M> kTable{
      .type = "margin",
      .doc = "what a limit costs, and what the next of it buys",
      .fields = {required("limit", &M::limit, json::choice(kMeasures), "which"),
                 required("limited_to", &M::limited_to, figure(), "in dollars, days, MW or GPUs"),
                 required("needed", &M::needed, figure(), "by the best, in so many cases"),
                 required("binds", &M::binds, boolean(), "without it there is a better one"),
                 required("looser", &M::looser, object(other_limit_table()), "by a tenth"),
                 required("tighter", &M::tighter, object(other_limit_table()), "by a tenth"),
                 required("without", &M::without, or_null(object(design_table())),
                          "the best without this limit")},
      .open = true};
  return kTable;
}

const FieldTable<PriceFlip::Turn>& turn_table() {
  using T = PriceFlip::Turn;
  static const FieldTable<T> kTable{
      .type = "turn",
      .doc = "where another design wins",
      .fields = {required("at_usd", &T::at, figure(), "the price, found to 0.5 %"),
                 required("best", &T::design, object(design_table()), "from there on")},
      .open = true};
  return kTable;
}

const FieldTable<PriceFlip>& flip_table() {
  using F = PriceFlip;
  static const FieldTable<F> kTable{
      .type = "flip",
      .doc = "a price, all else as it is, and where another design wins",
      .fields = {required("part", &F::part, any_text(), "key in the price book, or electricity"),
                 required("now_usd", &F::now, figure(), "of a piece, or a kWh"),
                 required("low_usd", &F::low, figure(), "to which it was looked at, below"),
                 required("high_usd", &F::high, figure(), "to which it was looked at, above"),
                 required("below", &F::below, or_null(object(turn_table())),
                          "null: none down to there"),
                 required("above", &F::above, or_null(object(turn_table())),
                          "null: none up to there")},
      .open = true};
  return kTable;
}

const FieldTable<LeftOut>& left_out_table() {
  using L = LeftOut;
  static const FieldTable<L> kTable{
      .type = "left_out",
      .doc = "something that is not in the space",
      .fields = {required("kind", &L::kind, any_text(), "system, switch or optic"),
                 required("name", &L::name, any_text(), "as the catalog names it"),
                 required("reason", &L::reason, any_text(), "why"),
                 required(
                     "wins_below_usd", &L::wins_below, or_null(figure()),
                     "of a system without a price: that of its node below which it would be the "
                     "best; null: not even for nothing, or not asked")},
      .open = true};
  return kTable;
}

const FieldTable<design::Certificate>& bounded_table() {
  using C = design::Certificate;
  static const FieldTable<C> kTable{
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

const FieldTable<design::Certificate>& certificate_table() {
  using C = design::Certificate;
  static const FieldTable<C> kTable{
      .type = "certificate",
      .doc = "how the space was covered: each design is counted once",
      .fields = {required("designs", &C::designs, whole(), "in the space"),
                 required("searched", &C::searched, whole(), "whose strategies were searched"),
                 group("bounded", bounded_table(), "ruled out without a search"),
                 required("illegal", &C::no_network, whole(), "whose network cannot be built"),
                 required("unpriced", &C::unpriced, whole(), "that lack a price or power"),
                 optional("lacking", &C::lacks, any_text(), "what the first of these lack"),
                 required("not_reached", &C::not_reached, whole(), "the time ran out before"),
                 required("searches", &C::searches, whole(),
                          "exact searches of all strategies that were made"),
                 shown<C>(
                     "proved", [](const C& c) { return c.proved(); }, boolean(),
                     "nothing in the space is better"),
                 required("bound", &C::bound, or_null(figure()),
                          "what was not reached has no less of the first measure (cents, days, W, "
                          "J, kg or GPUs); null: all was reached"),
                 optional("gap", &C::gap, figure(),
                          "of a best that is not proved: by what share of its first measure "
                          "another may have less")},
      .open = true};
  return kTable;
}

const FieldTable<DesignAnswer>& inputs_table() {
  using A = DesignAnswer;
  static const FieldTable<A> kTable{
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

const FieldTable<DesignAnswer>& result_table() {
  using A = DesignAnswer;
  static const FieldTable<A> kTable{
      .type = "design_result",
      .doc = "what to buy",
      .fields =
          {required("best", &A::best, or_null(object(design_table())),
                    "null: nothing is within the limits"),
           required("top", &A::top, list(object(design_table())), "best first"),
           required("front", &A::front, list(object(design_table())),
                    "designs that no other beats in all measures, by the first"),
           required("by_system", &A::by_system, list(object(system_table())),
                    "the best of each system"),
           required("search", &A::search, object(certificate_table()), "how the space was covered"),
           optional("front_search", &A::front_search, object(certificate_table()),
                    "the same of the front"),
           required("relax", &A::relax, list(object(relax_table())),
                    "what would have to give, where nothing fits"),
           required("margins", &A::margins, list(object(margin_table())),
                    "of each limit: whether it binds, and what the next of it buys"),
           required("flips", &A::flips, list(object(flip_table())),
                    "prices, and where another design wins"),
           required(
               "rent", &A::rent, list(object(rented_run_fields())),
               "renting in its place, within the limits on days and GPUs and on all that may be "
               "paid: the best of each system and term"),
           optional("buying_pays", &A::buying_pays, object(buying_fields()),
                    "of runs like this one after the other, within the horizon"),
           required("left_out", &A::left_out, list(object(left_out_table())),
                    "what is not in the space"),
           optional("opex_left_out", &A::opex_left_out, list(json::choice(kOpexItems)),
                    "of the yearly costs: nobody gave them, and no total has them"),
           optional("judged_by", &A::judged_by, any_text(),
                    "what limits and rankings of the cost of owning are held against, where that "
                    "is not the total cost of ownership")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<DesignAnswer>& design_fields() {
  using A = DesignAnswer;
  static const FieldTable<A> kTable{.type = "answer",
                                    .doc = "an answer of design",
                                    .fields = {group("inputs", inputs_table(), "what it is for"),
                                               group("result", result_table(), "what to buy")},
                                    .open = true};
  return kTable;
}

}  // namespace planner::commands

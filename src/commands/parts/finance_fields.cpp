#include "planner/commands/parts/finance_fields.hpp"

#include <fmt/format.h>

#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/option.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/compared_field.hpp"

namespace planner::commands {

using namespace json;

const FieldTable<Financed>& financed_table() {
  using F = Financed;
  static const FieldTable<F> kTable{
      .type = "financed",
      .doc = "the total cost of ownership brought to the day of the purchase",
      .fields = {required("cost_of_capital", &F::cost_of_capital, figure(), "per year"),
                 required("tax_rate", &F::tax_rate, figure(), "on profits"),
                 required("npv_usd", &F::present_cost, spread(dollars()), "net present cost"),
                 required("per_year_usd", &F::per_year, spread(dollars()),
                          "the same in equal payments")},
      .open = true};
  return kTable;
}

const FieldTable<RentOrBuy>& rent_or_buy_table() {
  using R = RentOrBuy;
  using Pairs = std::vector<std::pair<std::string, Estimate<Money>>>;
  static const Codec<std::vector<R::Rent>> kRents = written_as<std::vector<R::Rent>>(
      named(spread(dollars())),
      [](const std::vector<R::Rent>& rents) {
        Pairs pairs;
        for (const R::Rent& rent : rents) pairs.emplace_back(name_of(rent.term), rent.cost);
        return pairs;
      },
      [](const Pairs& pairs) {
        std::vector<R::Rent> rents;
        for (const auto& [name, cost] : pairs) {
          if (const auto term = value_named(name, kRentTerms)) rents.push_back({*term, cost});
        }
        return rents;
      });
  using M = R::Mixed;
  static const FieldTable<M> kMixed{
      .type = "terms one after the other",
      .doc = "the cheapest, where it costs less than each kind of term alone",
      .fields = {required("three_years", &M::three_years, whole(), "terms, first"),
                 required("one_year", &M::one_year, whole(), "terms, then"),
                 required("on_demand_years", &M::on_demand_years, figure(), "what is left"),
                 required("cost_usd", &M::cost, spread(dollars()), "of all")},
      .open = true};
  static const FieldTable<R> kTable{
      .type = "rent or buy",
      .doc = "the whole cluster until a month, bought and sold again, or rented",
      .fields = {required("months", &R::months, figure(), "since the purchase"),
                 required("buy_usd", &R::buy, spread(dollars()), "capex - residual + opex"),
                 required("rent_usd", &R::rents, kRents, "of all hours, of whole terms"),
                 optional("mixed_rent", &R::mixed, object(kMixed),
                          "the cheapest terms one after the other"),
                 optional("utilisation", &R::utilisation, spread(figure()),
                          "from which on buying costs less than renting on demand")},
      .open = true};
  return kTable;
}

std::string financed_words(const std::optional<Financed>& financed) {
  if (!financed) return {};
  std::string words;
  if (financed->cost_of_capital > 0) {
    words = fmt::format(", at {:g} % a year", 100 * financed->cost_of_capital);
  }
  if (financed->tax_rate > 0) words += ", after tax";
  return words;
}

}  // namespace planner::commands

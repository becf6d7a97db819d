#include "planner/commands/parts/finance_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/option.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

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

const FieldTable<RentTerms>& rent_terms_table() {
  using T = RentTerms;
  static const FieldTable<T> kTable{
      .type = "terms one after the other",
      .doc = "of which whole ones are paid, used or not",
      .fields = {required("three_years", &T::three_years, whole(), "terms, first"),
                 required("one_year", &T::one_year, whole(), "terms, then"),
                 required("on_demand_years", &T::on_demand_years, figure(), "what is left")},
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
  static const FieldTable<M> kMixed = [] {
    const auto terms = [](auto& mixed) -> auto& {
      return mixed.terms;
    };
    FieldTable<M> table{.type = "terms one after the other, with their cost",
                        .doc = "the cheapest, where it costs less than each kind of term alone",
                        .fields = {},
                        .open = true};
    for (const Field<RentTerms>& field : rent_terms_table().fields) {
      table.fields.push_back(lifted<M, RentTerms>(terms, field));
    }
    table.fields.push_back(required("cost_usd", &M::cost, spread(dollars()), "of all"));
    return table;
  }();
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

std::string rent_terms_words(const RentTerms& terms) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, const char* years) {
    if (count <= 0) return;
    const char* const word = !parts.empty() ? "" : count == 1 ? " term" : " terms";
    parts.push_back(fmt::format("{}{} of {}", count, word, years));
  };
  add(terms.three_years, "three years");
  add(terms.one_year, "one year");
  if (terms.on_demand_years > 0) {
    parts.push_back(fmt::format("{:.3g} years on demand", terms.on_demand_years));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace planner::commands

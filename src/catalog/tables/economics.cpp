#include <algorithm>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/origin_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/economics_figures.hpp"
#include "planner/json/estimate_codec.hpp"

namespace planner::catalog {

using namespace json;

namespace {

/// The key of a figure, in its range.
struct FigureField {
  const EconomicsFigure& figure;

  [[nodiscard]] Field<Economics> field(auto member, auto codec) const {
    return optional(std::string{figure.key}, member, std::move(codec), std::string{figure.doc});
  }
  [[nodiscard]] Range range() const { return {figure.least, figure.most}; }

  template <class Rate>
  Field<Economics> operator()(const EconomicsRate<Rate>& rate) const {
    return field(rate.member, estimate(quantity(rate.unit, range())));
  }
  Field<Economics> operator()(std::optional<Estimate<double>> Economics::*member) const {
    return field(member, estimate(number(range())));
  }
  Field<Economics> operator()(std::optional<double> Economics::*member) const {
    return field(member, number(range()));
  }
  Field<Economics> operator()(double Economics::*member) const {
    return field(member, number(range()));
  }
  Field<Economics> operator()(bool Economics::*member) const { return field(member, boolean()); }
  Field<Economics> operator()(Depreciation Economics::*member) const {
    return field(member, choice(kDepreciations));
  }
  Field<Economics> operator()(std::vector<double> Economics::*member) const {
    return field(member, list(number(range())));
  }
};

/// A rent that is there twice; null: none.
const CloudPrice* twice(const Economics& economics) {
  for (const CloudPrice& price : economics.cloud) {
    if (rent_of(economics, price.accelerator, price.term) != &price) return &price;
  }
  return nullptr;
}

/// From 1 on, no year's share is above the one before it.
bool falls(const std::vector<double>& shares) {
  double before = 1;
  for (const double share : shares) {
    if (share > before) return false;
    before = share;
  }
  return true;
}

std::vector<Check<Economics>> checks() {
  using E = Economics;
  const auto say = [](const char* text) { return [text](const E&) { return std::string(text); }; };
  return {
      {.keys = {"building_usd_per_MW", "building_years"},
       .holds = [](const E& e) { return e.building.has_value() == e.building_years.has_value(); },
       .message = say("needs \"building_years\", and the other way round")},
      {.keys = {"building_usd_per_MW", "colocation_usd_per_kW_month",
                "rack_rental_usd_per_rack_month"},
       .holds = [](const E& e) { return !e.building || (!e.colocation && !e.rack_rental); },
       .message = say("who has an own building rents no space: leave one out")},
      {.keys = {"residual_by_year"},
       .holds = [](const E& e) { return falls(e.residual_by_year); },
       .message = say("a part is worth no more than a year before")},
      {.keys = {"residual_by_year", "horizon_years"},
       .holds =
           [](const E& e) {
             return e.residual_by_year.empty() ||
                    static_cast<double>(e.residual_by_year.size()) >= e.horizon_years;
           },
       .message = say("has fewer years than \"horizon_years\"")},
      {.keys = {"cloud"},
       .holds = [](const E& e) { return twice(e) == nullptr; },
       .message =
           [](const E& e) {
             const CloudPrice& again = *twice(e);
             return in_quotes(again.accelerator) + " has two rents, " +
                    std::string(name_of(again.term));
           }},
  };
}

}  // namespace

const FieldTable<DisplayCurrency>& display_currency_table() {
  using D = DisplayCurrency;
  static const FieldTable<D> table{
      "display currency",
      "A currency to show dollars in, at a rate that somebody gives",
      {required("currency", &D::code, text(), "its code by ISO 4217: EUR"),
       required("exchange_rate", &D::rate, number({kLeastExchangeRate, kMostExchangeRate}),
                "of it for one US dollar"),
       required("exchange_date", &D::rate_as_of, text(), "day of the rate: 2026-11-20")},
      {{.keys = {"currency"},
        .holds =
            [](const D& d) {
              const auto codes = currency_codes();
              return std::find(codes.begin(), codes.end(), d.code) != codes.end();
            },
        .message =
            [](const D& d) { return in_quotes(d.code) + " is no code of a currency (ISO 4217)"; }},
       {.keys = {"exchange_date"},
        .holds = [](const D& d) { return is_day(d.rate_as_of); },
        .message =
            [](const D& d) {
              return "must be a day like 2026-11-20, not " + in_quotes(d.rate_as_of);
            }}}};
  return table;
}

const FieldTable<CloudPrice>& cloud_price_table() {
  using C = CloudPrice;
  static const FieldTable<C> table{
      "cloud price",
      "What renting one GPU costs",
      with_origin<C>({required("accelerator", &C::accelerator, text(), "name in the catalog"),
                      optional("term", &C::term, choice(kRentTerms), "that it is rented for"),
                      required("usd_per_gpu_hour", &C::rent,
                               estimate(quantity(units::usd / units::hour, Range::positive(1e12))),
                               "of one GPU")}),
      {derived_is_not_verified<C>()}};
  return table;
}

const FieldTable<Economics>& economics_table() {
  using E = Economics;
  static const FieldTable<E> table = [] {
    std::vector<Field<E>> fields{name_field<E>(), title_field<E>()};
    for (const EconomicsFigure& figure : economics_figures()) {
      fields.push_back(std::visit(FigureField{figure}, figure.member));
    }
    fields.push_back(
        optional("cloud", &E::cloud, list(object(cloud_price_table())), "renting GPUs elsewhere"));
    fields.push_back(optional("shown_in", &E::shown_in, object(display_currency_table()),
                              "the currency that answers show dollars in"));
    fields.push_back(sources_field<E>());
    return FieldTable<E>{"economics",       "What running a cluster costs, and how long it is used",
                         std::move(fields), checks(),
                         check_source_keys, complete_title<E>};
  }();
  return table;
}

}  // namespace planner::catalog

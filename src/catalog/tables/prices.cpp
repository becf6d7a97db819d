#include <set>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/origin_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/json/estimate_codec.hpp"

namespace planner::catalog {

using namespace json;

namespace {

/// Read only to be compared with the book's: written once, for the whole book.
Field<Price> currency_field() {
  Field<Price> field = optional("currency", &Price::currency, choice(kCurrencies),
                                "the book's, which all its prices have");
  field.written_by([](const Price&, Json&) {});
  return field;
}

/// What one piece, port or metre costs. No part of a training cluster is as dear as a thousand
/// racks of it: more is a sum, or cents.
Codec<Money> of_one() {
  constexpr double kMostDollars = 1e9;
  const Codec<Money> one =
      checked(money(), [](const Money& amount, const JsonNode& node, const ReadContext& context) {
        if (amount.dollars() <= kMostDollars) return true;
        context.report(node, "out-of-range",
                       "must be at most 1000000000, got " + shortest(amount.dollars()),
                       "the price of one piece, in dollars or the book's unit: not of all "
                       "together, and not in cents");
        return false;
      });
  return described(one, number({0.01, kMostDollars}).description());
}

const FieldTable<Price>& price_table() {
  using P = Price;
  static const FieldTable<P> table{
      "price",
      "The price of one part",
      with_origin<P>({required("part", &P::part, text(), "name in the catalog"),
                      required("price", &P::amount, or_null(estimate(of_one())),
                               "of one, in the book's currency; null: not known"),
                      currency_field(),
                      optional("category", &P::category, choice(kPartCategories),
                               "of a part that is in no catalog"),
                      optional("price_per_m", &P::per_metre, estimate(of_one()),
                               "more for each metre of a cable whose length is known")}),
      {derived_is_not_verified<P>()}};
  return table;
}

const FieldTable<PortPrice>& port_price_table() {
  using P = PortPrice;
  static const FieldTable<P> table{
      "port price",
      "A price per port of one speed",
      with_origin<P>(
          {required("port_gbps", &P::port_gbps, integer(1, 1'000'000), "Gb/s"),
           required("price", &P::amount, estimate(of_one()), "of one, in the book's currency")}),
      {derived_is_not_verified<P>()}};
  return table;
}

const FieldTable<Inclusion>& inclusion_table() {
  using I = Inclusion;
  static const FieldTable<I> table{
      "inclusion",
      "Parts that cost nothing more, because other prices hold them",
      {required("category", &I::category, choice(kPartCategories), "the parts"),
       required("within", &I::within, choice(kPartCategories), "where their cost is")},
      {{.keys = {"within", "category"},
        .holds = [](const I& i) { return i.category != i.within; },
        .message = [](const I&) { return std::string("must be another category"); }}}};
  return table;
}

std::optional<std::string> twice(const std::vector<Price>& prices) {
  std::set<std::string> seen;
  for (const Price& price : prices) {
    if (!seen.insert(price.part).second) return price.part;
  }
  return std::nullopt;
}

bool each_speed_once(const std::vector<PortPrice>& prices) {
  std::set<std::int64_t> seen;
  for (const PortPrice& price : prices) {
    if (!seen.insert(price.port_gbps).second) return false;
  }
  return true;
}

/// Reports every price in another currency than the book's.
void check_currencies(const JsonNode& book, const ReadContext& context) {
  const JsonNode* const own = book.find("currency");
  const JsonNode* const prices = book.find("prices");
  const auto* const wanted = own == nullptr ? nullptr : own->get<std::string>();
  const auto* const list = prices == nullptr ? nullptr : prices->get<JsonNode::Array>();
  if (wanted == nullptr || list == nullptr) return;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const JsonNode* const other = (*list)[i].find("currency");
    const auto* const got = other == nullptr ? nullptr : other->get<std::string>();
    if (got == nullptr || *got == *wanted) continue;
    context.member("prices")
        .element(i)
        .member("currency")
        .report(*other, "mixed-currency",
                "the book is in " + in_quotes(*wanted) + ", not " + in_quotes(*got),
                "put prices of another currency into a book of their own");
  }
}

void give_currency(PriceBook& book) {
  complete_title(book);
  for (Price& price : book.prices) price.currency = book.currency;
}

}  // namespace

const FieldTable<PriceBook>& price_book_table() {
  using B = PriceBook;
  static const FieldTable<B> table{
      "price_book",
      "Unit prices of one origin and currency",
      {name_field<B>(), title_field<B>(),
       required("currency", &B::currency, choice(kCurrencies), "of every price in it"),
       optional("prices", &B::prices, list(object(price_table())), "of parts by name"),
       optional("switch_ports", &B::switch_ports, list(object(port_price_table())),
                "per port, for switches without a price of their own; all ports are paid"),
       optional("transceiver_ends", &B::transceiver_ends, list(object(port_price_table())),
                "per end of an optical link; with any, modules are not billed"),
       optional("included", &B::included, list(object(inclusion_table())),
                "categories whose cost is inside another's"),
       optional("notes", &B::notes, list(text()), "what a reader of the totals should know")},
      {{.keys = {"prices"},
        .holds = [](const B& b) { return !twice(b.prices); },
        .message = [](const B& b) { return in_quotes(*twice(b.prices)) + " has two prices"; }},
       {.keys = {"switch_ports"},
        .holds = [](const B& b) { return each_speed_once(b.switch_ports); },
        .message = [](const B&) { return std::string("two prices for one speed"); }},
       {.keys = {"transceiver_ends"},
        .holds = [](const B& b) { return each_speed_once(b.transceiver_ends); },
        .message = [](const B&) { return std::string("two prices for one speed"); }}},
      check_currencies,
      give_currency};
  return table;
}

}  // namespace planner::catalog

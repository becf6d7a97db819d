#include <algorithm>
#include <iterator>

#include "planner/commands/network/network.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/commands/parts/fabric_fields.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using job::PricedNetwork;

constexpr PartCategory kAlwaysSummed[] = {PartCategory::switches, PartCategory::transceivers,
                                          PartCategory::cables};

/// The sum of a category: null while one of its lines has no price, as its known part is no total.
Field<PricedNetwork> sum_of(PartCategory category) {
  const auto find = [category](const PricedNetwork& priced) {
    return std::find_if(priced.categories.begin(), priced.categories.end(),
                        [category](const CategoryCost& sum) { return sum.category == category; });
  };
  const auto amount = [find](const PricedNetwork& priced) -> std::optional<Money> {
    const auto sum = find(priced);
    if (sum == priced.categories.end()) return Money{};
    if (sum->total.at_least()) return std::nullopt;
    return sum->total.amount.expected;
  };
  const auto add = [category](PricedNetwork& priced, std::optional<Money> known) {
    CategoryCost sum{.category = category};
    sum.total.missing = known ? 0 : 1;
    sum.total.amount = Estimate<Money>::exactly(known.value_or(Money{}));
    priced.categories.push_back(sum);
  };
  auto field = computed<PricedNetwork>(std::string{name_of(category)}, amount, add,
                                       or_null(dollars()), "null: a line has no price");
  const bool always = std::find(std::begin(kAlwaysSummed), std::end(kAlwaysSummed), category) !=
                      std::end(kAlwaysSummed);
  if (always) return field;
  return when(
      [find](const PricedNetwork& priced) { return find(priced) != priced.categories.end(); },
      std::move(field));
}

/// An end of the total's range; null where the total is.
Field<PricedNetwork> total_end(const char* key, Money Estimate<Money>::*end, const char* doc) {
  auto field = computed<PricedNetwork>(
      key,
      [end](const PricedNetwork& priced) {
        return priced.total.known() ? std::optional(priced.total.amount.*end) : std::nullopt;
      },
      [end](PricedNetwork& priced, std::optional<Money> amount) {
        if (amount) priced.total.amount.*end = *amount;
      },
      or_null(dollars()), doc);
  field.required = false;
  field.always_written = true;
  return field;
}

const FieldTable<PricedNetwork>& sums_table() {
  using P = PricedNetwork;
  static const FieldTable<P> kTable = [] {
    FieldTable<P> table{.type = "sums", .doc = "sums by category", .open = true};
    for (const PartCategory category : kAlwaysSummed) table.fields.push_back(sum_of(category));
    for (const PartCategory category : kPartCategories) {
      const auto same = [category](const Field<P>& field) {
        return field.key == name_of(category);
      };
      if (std::none_of(table.fields.begin(), table.fields.end(), same)) {
        table.fields.push_back(sum_of(category));
      }
    }
    table.fields.push_back(computed<P>(
        "total",
        [](const P& priced) {
          return priced.total.known() ? std::optional(priced.total.amount.expected) : std::nullopt;
        },
        [](P& priced, std::optional<Money> amount) {
          priced.total.unbounded = !amount;
          priced.total.amount = Estimate<Money>::exactly(amount.value_or(Money{}));
        },
        or_null(dollars()), "null while what has no price may be a fifth of it"));
    table.fields.push_back(total_end("total_low", &Estimate<Money>::low, "the least"));
    table.fields.push_back(total_end("total_high", &Estimate<Money>::high, "the most"));
    table.fields.push_back(shown<P>(
        "at_least", [](const P& priced) { return priced.total.at_least(); }, boolean(),
        "lines without a price are in no sum"));
    return table;
  }();
  return kTable;
}

/// A book of relative units has no dollars.
Field<PricedNetwork> sums(Currency currency) {
  return group(currency == Currency::relative ? "cost_relative" : "cost_usd", sums_table(),
               "sums by category");
}

/// A field of the bill, which only an answer with prices has.
template <class Part, class Access>
Field<NetworkAnswer> priced(Access part, const Field<Part>& field,
                            std::optional<Currency> only = std::nullopt) {
  Field<NetworkAnswer> all{
      field.key,
      field.doc,
      false,
      [part, field](const JsonNode& node, NetworkAnswer& answer, const ReadContext& context) {
        if (!answer.priced) answer.priced.emplace();
        return field.read(node, part(*answer.priced), context);
      },
      [part, field](const NetworkAnswer& answer, Json& out) {
        field.write(part(*answer.priced), out);
      },
      field.describe};
  return when(
      [only](const NetworkAnswer& answer) {
        return answer.priced && (!only || answer.priced->bill.currency == *only);
      },
      std::move(all));
}

const FieldTable<NetworkAnswer>& result_fields() {
  using P = PricedNetwork;
  static const FieldTable<NetworkAnswer> kTable = [] {
    const auto itself = [](auto& network) -> auto& {
      return network;
    };
    const auto bill = [](auto& network) -> auto& {
      return network.bill;
    };
    const auto total = [](auto& network) -> auto& {
      return network.total;
    };
    FieldTable<NetworkAnswer> table{.type = "network", .doc = "a network, counted", .open = true};
    for (const Field<FabricCount>& field : fabric_fields().fields) {
      table.fields.push_back(lifted<NetworkAnswer, FabricCount>(
          [](auto& answer) -> auto& { return answer.count; }, field));
    }
    table.fields.push_back(
        optional("port_gbps", &NetworkAnswer::port_gbps, whole(), "Gb/s per direction of a port"));
    for (const Currency currency : kCurrencies) {
      table.fields.push_back(priced<P>(itself, sums(currency), currency));
    }
    table.fields.push_back(
        priced<P>(itself, required("price_book", &P::book, any_text(), "whose prices they are")));
    table.fields.push_back(priced<P>(
        itself,
        required("price_book_notes", &P::notes, list(any_text()), "what its reader should know")));
    table.fields.push_back(priced<Total>(
        total, required("unpriced_lines", &Total::missing, whole(), "lines without a price")));
    table.fields.push_back(priced<BillOfMaterials>(bill, bill_lines()));
    return table;
  }();
  return kTable;
}

}  // namespace

const FieldTable<NetworkAnswer>& network_fields() {
  static const FieldTable<NetworkAnswer> kTable{
      .type = "answer",
      .doc = "an answer of network",
      .fields = {group("result", result_fields(), "the network")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

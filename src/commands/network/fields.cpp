#include <nlohmann/json.hpp>

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

/// Sums by category; a category with a line that has no price is null, its known part is not a
/// total.
void write_sums(const PricedNetwork& priced, Json& json) {
  json = Json::object();
  for (const PartCategory category : kAlwaysSummed) json[std::string{name_of(category)}] = 0;
  for (const CategoryCost& sum : priced.categories) {
    json[std::string{name_of(sum.category)}] =
        sum.total.at_least() ? Json(nullptr) : Json(sum.total.amount.expected.dollars());
  }
  const auto& [low, expected, high] = priced.total.amount;
  const auto of_total = [&](Money amount) {
    return priced.total.known() ? Json(amount.dollars()) : Json(nullptr);
  };
  json["total"] = of_total(expected);
  json["total_low"] = of_total(low);
  json["total_high"] = of_total(high);
  json["at_least"] = priced.total.at_least();
}

bool read_sums(const JsonNode& node, PricedNetwork& priced, const ReadContext& context) {
  if (!json::detail::expect_object(node, context)) return false;
  const auto amount = [&](std::string_view key) {
    const JsonNode* const value = node.find(key);
    if (value == nullptr || value->is_null()) return std::optional<Money>{};
    return dollars().read(*value, context.member(key));
  };
  for (const PartCategory category : kPartCategories) {
    const JsonNode* const value = node.find(name_of(category));
    if (value == nullptr) continue;
    CategoryCost sum{.category = category};
    if (value->is_null()) {
      sum.total.missing = 1;
    } else if (const auto dollars_of = amount(name_of(category))) {
      sum.total.amount = Estimate<Money>::exactly(*dollars_of);
    }
    priced.categories.push_back(sum);
  }
  const auto low = amount("total_low"), expected = amount("total"), high = amount("total_high");
  if (node.find("total") == nullptr) {
    context.report(node, "missing-key", "the key \"total\" is missing");
    return false;
  }
  priced.total.unbounded = !expected;
  const Money middle = expected.value_or(Money{});
  priced.total.amount = {low.value_or(middle), middle, high.value_or(middle)};
  return true;
}

void describe_sums(Json& schema) {
  schema["type"] = "object";
  for (const PartCategory category : kAlwaysSummed) {
    schema["properties"][std::string{name_of(category)}]["type"] = {"number", "null"};
  }
  for (const char* key : {"total", "total_low", "total_high"}) {
    schema["properties"][key]["type"] = {"number", "null"};
  }
  schema["properties"]["at_least"]["type"] = "boolean";
  schema["required"] = {"switches",  "transceivers", "cables",  "total",
                        "total_low", "total_high",   "at_least"};
}

/// A book of relative units has no dollars.
Field<PricedNetwork> sums(Currency currency) {
  const std::string key = currency == Currency::relative ? "cost_relative" : "cost_usd";
  return {key,
          "sums by category; null while one of its lines has no price, of the total while they may "
          "be a fifth of it",
          true,
          read_sums,
          [key](const PricedNetwork& priced, Json& out) {
            write_sums(priced, json::detail::member(out, key));
          },
          describe_sums};
}

/// A field of the bill, which only an answer with prices has.
template <class Part, class Access>
Field<NetworkAnswer> priced(Access part, Field<Part> field,
                            std::optional<Currency> only = std::nullopt) {
  Field<NetworkAnswer> all{field.key,
                           field.doc,
                           false,
                           [part, read = field.read](const JsonNode& node, NetworkAnswer& answer,
                                                     const ReadContext& context) {
                             if (!answer.priced) answer.priced.emplace();
                             return read(node, part(*answer.priced), context);
                           },
                           [part, write = field.write](const NetworkAnswer& answer, Json& out) {
                             write(part(*answer.priced), out);
                           },
                           field.describe};
  return when(
      [only](const NetworkAnswer& answer) {
        return answer.priced && (!only || answer.priced->bill.currency == *only);
      },
      std::move(all));
}

const Table<NetworkAnswer>& result_fields() {
  using P = PricedNetwork;
  static const Table<NetworkAnswer> kTable = [] {
    const auto itself = [](auto& network) -> auto& {
      return network;
    };
    const auto bill = [](auto& network) -> auto& {
      return network.bill;
    };
    const auto total = [](auto& network) -> auto& {
      return network.total;
    };
    Table<NetworkAnswer> table{.type = "network", .doc = "a network, counted", .open = true};
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

const Table<NetworkAnswer>& network_fields() {
  static const Table<NetworkAnswer> kTable{
      .type = "answer",
      .doc = "an answer of network",
      .fields = {group("result", result_fields(), "the network")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

#include <nlohmann/json.hpp>

#include "planner/commands/parts/bill.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

/// What `quantity` pieces cost.
std::optional<Estimate<Money>> total_of(const Estimate<Money>& each, std::int64_t quantity) {
  const auto low = each.low.times(quantity), expected = each.expected.times(quantity),
             high = each.high.times(quantity);
  if (!low || !expected || !high) return std::nullopt;
  return Estimate<Money>{*low, *expected, *high};
}

/// The expected amount of a range under a key of its own.
Field<BillLine> expected(const std::string& key, std::optional<Estimate<Money>> BillLine::*amount,
                         const char* doc) {
  return shown<BillLine>(
      key,
      [amount](const BillLine& line) {
        const auto& range = line.*amount;
        return range ? std::optional(range->expected) : std::nullopt;
      },
      or_null(dollars()), doc);
}

/// What a line costs follows from its price; a line without either has none.
void complete_total(BillLine& line) {
  if (line.unit_price) line.total = total_of(*line.unit_price, line.quantity);
}

FieldTable<BillLine> line_table(const std::string& ending) {
  using L = BillLine;
  const auto part = [](auto& line) -> auto& {
    return line.part;
  };
  const auto origin = [](auto& line) -> auto& {
    return line.origin;
  };
  const auto watts = measure(units::W);
  return {
      .type = "bill line",
      .doc = "one line of a bill of materials",
      .fields = {lifted<L, Part>(part,
                                 naming(required("item", &Part::title, any_text(), "the part"))),
                 lifted<L, Part>(part, required("category", &Part::category,
                                                json::choice(kPartCategories), "group of parts")),
                 lifted<L, Part>(part,
                                 optional("part", &Part::id, any_text(), "its key in price books")),
                 lifted<L, Part>(
                     part, optional("length_m", &Part::length_m, figure(), "of a cable, as sold")),
                 required("quantity", &L::quantity, whole(), "pieces"),
                 expected("unit_price" + ending, &L::unit_price, "of one piece"),
                 required("unit_price_range", &L::unit_price, or_null(spread(dollars())),
                          "null: no price, or in another line's"),
                 expected("total" + ending, &L::total, "of all pieces"),
                 required("power_w", &L::power, or_null(watts), "of all pieces"),
                 required("included_in", &L::included_in, text_or_null(),
                          "the line whose price holds this one's"),
                 lifted<L, PriceSource>(
                     origin, required("source", &PriceSource::source, any_text(), "of the price")),
                 lifted<L, PriceSource>(origin, required("as_of", &PriceSource::as_of, any_text(),
                                                         "date of the price")),
                 lifted<L, PriceSource>(origin, required("verified", &PriceSource::verified,
                                                         boolean(), "read at the source")),
                 lifted<L, PriceSource>(
                     origin, required("note", &PriceSource::note, or_null(any_text()), "to know")),
                 lifted<L, PriceSource>(
                     origin, optional("derived_from", &PriceSource::derived_from, any_text(),
                                      "nobody published the price: what it was made from")),
                 optional("at_most" + ending, &L::at_most, dollars(),
                          "without a price: of all pieces at the book's highest of their kind")},
      .complete = complete_total,
      .open = true};
}

const FieldTable<BillLine>& line_table(Currency currency) {
  static const FieldTable<BillLine> kDollars = line_table("_usd"),
                                    kRelative = line_table("_relative");
  return currency == Currency::relative ? kRelative : kDollars;
}

/// The currency by the keys of the first line.
bool is_relative(const JsonNode& lines) {
  const auto* const array = lines.get<JsonNode::Array>();
  return array != nullptr && !array->empty() &&
         array->front().find("unit_price_relative") != nullptr;
}

}  // namespace

Codec<Money> dollars() {
  const Codec<double> plain = figure();
  return {[plain](const JsonNode& node, const ReadContext& context) -> std::optional<Money> {
            const std::optional<double> value = plain.read(node, context);
            if (!value) return std::nullopt;
            const std::optional<Money> amount = Money::from_dollars(*value);
            if (!amount) context.report(node, "out-of-range", "is no amount of money");
            return amount;
          },
          [plain](const Money& amount, Json& out) { plain.write(amount.dollars(), out); },
          plain.description()};
}

Field<BillOfMaterials> bill_lines() {
  return {"lines",
          "the bill of materials",
          true,
          [](const JsonNode& node, BillOfMaterials& bill, const ReadContext& context) {
            bill.currency = is_relative(node) ? Currency::relative : Currency::usd;
            auto lines = list(object(line_table(bill.currency))).read(node, context);
            if (lines) bill.lines = *std::move(lines);
            return lines.has_value();
          },
          [](const BillOfMaterials& bill, Json& out) {
            list(object(line_table(bill.currency)))
                .write(bill.lines, json::detail::member(out, "lines"));
          },
          [](Json& schema) {
            for (const Currency currency : kCurrencies) {
              Json lines;
              list(object(line_table(currency))).describe(lines);
              schema["anyOf"].push_back(std::move(lines));
            }
          }};
}

}  // namespace planner::commands

#include "planner/commands/parts/bill.hpp"

#include <algorithm>

#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

std::string note_of(const PriceSource& origin) {
  std::string note = origin.derived_from ? "derived from " + *origin.derived_from : "";
  if (origin.note) note += (note.empty() ? "" : "; ") + *origin.note;
  return note;
}

namespace {

/// The first of the earlier lines that are of the same part at the same price.
std::optional<std::size_t> same_price(const BillOfMaterials& bill, const BillLine& line) {
  if (line.part.id.empty() || !line.unit_price) return std::nullopt;
  const auto first = std::find_if(bill.lines.begin(), bill.lines.end(), [&](const BillLine& other) {
    return other.part.id == line.part.id && other.unit_price == line.unit_price;
  });
  if (&*first == &line) return std::nullopt;
  return static_cast<std::size_t>(first - bill.lines.begin());
}

}  // namespace

present::Bill shown_bill(const BillOfMaterials& bill, const Total& total, std::string title,
                         std::string prices) {
  present::Bill shown{.title = std::move(title),
                      .prices = std::move(prices),
                      .money = present::money_words(bill.currency)};
  const auto amount = [&](const std::optional<Estimate<Money>>& range, const std::string& missing) {
    if (!range) return present::unknown(missing);
    return present::said(present::money(*range, bill.currency),
                         present::dollars(range->expected, bill.currency).text);
  };
  for (const BillLine& line : bill.lines) {
    const std::string missing = line.included_in.empty() ? "no price" : "in " + line.included_in;
    const bool ask = line.unpriced() && !line.part.id.empty();
    shown.lines.push_back(
        {.item = ask ? line.part.title + " (part key " + line.part.id + ")" : line.part.title,
         .category = std::string{name_of(line.part.category)},
         .quantity = line.quantity,
         .unit_price = amount(line.unit_price, missing),
         .total = amount(line.total, missing),
         .power = line.power ? present::number(line.power->in(units::W), "W")
                             : present::unknown("unknown"),
         .included_in = line.included_in,
         .priced_as = same_price(bill, line),
         .source = line.origin.source,
         .as_of = line.origin.as_of,
         .note = note_of(line.origin),
         .verified = line.origin.verified});
  }
  shown.total = total.known()
                    ? present::at_least(total.at_least(),
                                        present::dollars(total.amount.expected, bill.currency))
                    : present::unknown("not priced");
  return shown;
}

}  // namespace planner::commands

#include <fmt/format.h>

#include "planner/report/document.hpp"
#include "planner/report/text.hpp"

namespace planner {

namespace {

void add_counts(const Json& counts, const std::string& section, DataTable& table) {
  if (!counts.is_object()) return;
  for (const auto& [name, count] : counts.items()) table.rows.push_back({section, name, count});
}

DataTable counts(const Json& network) {
  DataTable table{.title = "Counts", .header = {"section", "item", "quantity"}};
  add_counts(needed(network, {"switches"}), "switches", table);
  add_counts(needed(network, {"links"}), "links", table);
  for (const char* ends : {"transceivers", "modules"}) {
    table.rows.push_back({"link ends", ends, needed(network, {ends})});
  }
  add_counts(at(network, {"cables"}), "cables", table);
  return table;
}

/// Totals of a priced network by category, for the foot of the bill.
std::string total_words(const Json& network) {
  const bool relative = currency_of(network) == "relative";
  const Json& cost = at(network, {relative ? "cost_relative" : "cost_usd"});
  const std::optional<double> total = number(cost, {"total"});
  if (!total) return {};
  return (number(network, {"unpriced_lines"}).value_or(0) > 0 ? "Total: at least " : "Total: ") +
         full_money(*total, relative) + (relative ? " (relative units)." : ".");
}

}  // namespace

Document network_document(const Json& answer) {
  const Json& network = needed(answer, {"result"});
  Document document{.title =
                        fmt::format("{} network for {} endpoints", text(network, {"topology"}),
                                    grouped(needed(network, {"endpoints"}).get<std::int64_t>()))};
  document.tables.push_back(counts(network));
  if (at(network, {"lines"}).is_array()) {
    document.tables.push_back(bill_table(network));
    name_missing_prices(document.tables.back());
    if (std::string total = total_words(network); !total.empty()) {
      document.notes.push_back(std::move(total));
    }
    document.notes.push_back("Price book: " + text(network, {"price_book"}) + ".");
    add_texts(at(network, {"price_book_notes"}), document.notes);
  }
  return document;
}

DataTable network_data(const Json& answer) {
  const Json& network = needed(answer, {"result"});
  DataTable table = counts(network);
  if (!at(network, {"lines"}).is_array()) return table;
  const DataTable bill = bill_table(network);
  table.header.insert(table.header.end(), bill.header.begin() + 3, bill.header.end());
  for (auto& row : table.rows) row.resize(table.header.size());
  for (const auto& line : bill.rows) {
    std::vector<Json> row{"bill: " + line[1].get<std::string>(), line[0], line[2]};
    row.insert(row.end(), line.begin() + 3, line.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace planner

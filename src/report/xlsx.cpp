#include "planner/report/xlsx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/report/document.hpp"
#include "planner/report/sweep_view.hpp"
#include "planner/report/workbook.hpp"

namespace planner {

namespace {

// Columns of a bill.
enum Column : lxw_col_t {
  item,
  category,
  quantity,
  price_low,
  price,
  price_high,
  total_low,
  total,
  total_high,
  included,
  source,
  as_of,
};
constexpr lxw_row_t kFirstLine = 4;  // under title, price book and headings
constexpr const char* kNoPrice = "no price";

struct Formats {
  lxw_format *bold, *count, *money, *bold_money, *general;
};

struct Amounts {
  double low = 0, expected = 0, high = 0;
};
using Bound = double Amounts::*;
constexpr std::array<Bound, 3> kBounds{&Amounts::low, &Amounts::expected, &Amounts::high};

/// A bill on its sheet: where it is, and what it comes to now.
struct BillSheet {
  lxw_worksheet* sheet = nullptr;
  lxw_row_t total_row = 0;  ///< the sums; the count of unpriced lines is one below
  Amounts sum;
  double unpriced = 0;

  [[nodiscard]] std::string range(lxw_col_t column) const {
    const lxw_row_t last = std::max(kFirstLine, total_row - 1);
    return cell_name(kFirstLine, column) + ":" + cell_name(last, column);
  }
  [[nodiscard]] std::string outside_range(lxw_col_t column) const {
    return '\'' + std::string{sheet->name} + "'!" + range(column);
  }
};

/// A line's unit price; nothing: not known, or in another line's.
std::optional<Amounts> unit_price(const Json& line) {
  const Json& expected = money_at(line, "unit_price");
  if (!expected.is_number()) return std::nullopt;
  const Json& range = at(line, {"unit_price_range"});
  const double amount = expected.get<double>();
  return Amounts{.low = number(range, {"low"}).value_or(amount),
                 .expected = amount,
                 .high = number(range, {"high"}).value_or(amount)};
}

/// Sums of cents carry no fractions of them.
double to_the_cent(double amount) {
  return std::round(amount * 100) / 100;
}

/// The total of a line for each of the three prices: quantity times price, or words.
void write_totals(const Json& line, lxw_row_t row, const Formats& formats, BillSheet& bill) {
  const std::optional<Amounts> unit = unit_price(line);
  const std::string holder = text(line, {"included_in"});
  const double pieces = number(line, {"quantity"}).value_or(0);
  const char* const words = holder.empty() ? kNoPrice : "included";
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    const auto price_column = static_cast<lxw_col_t>(price_low + i);
    const auto total_column = static_cast<lxw_col_t>(total_low + i);
    const std::string amount = cell_name(row, price_column);
    const std::string formula =
        fmt::format("=IF(ISNUMBER({0}),{1}*{0},\"{2}\")", amount, cell_name(row, quantity), words);
    Json now = words;
    if (unit) {
      worksheet_write_number(bill.sheet, row, price_column, (*unit).*kBounds[i], formats.money);
      now = to_the_cent(pieces * (*unit).*kBounds[i]);
      bill.sum.*kBounds[i] += now.get<double>();
    }
    write_formula(bill.sheet, row, total_column, formula, now, formats.money);
  }
  if (!unit && holder.empty()) ++bill.unpriced;
}

void write_line(const Json& line, lxw_row_t row, const Formats& formats, BillSheet& bill) {
  write_text(bill.sheet, row, item, text(line, {"item"}));
  write_text(bill.sheet, row, category, text(line, {"category"}));
  write_value(bill.sheet, row, quantity, needed(line, {"quantity"}), formats.count);
  write_totals(line, row, formats, bill);
  write_text(bill.sheet, row, included, text(line, {"included_in"}));
  write_text(bill.sheet, row, source, text(line, {"source"}));
  write_text(bill.sheet, row, as_of, text(line, {"as_of"}));
}

void write_headings(const Json& cluster, const Formats& formats, lxw_worksheet* sheet) {
  write_text(sheet, 0, item, text(cluster, {"title"}), formats.bold);
  const std::string unit = currency_of(cluster);
  write_text(
      sheet, 1, item,
      fmt::format("Prices in {}: {}. Change a price and all totals follow.",
                  unit == "relative" ? "relative units" : unit, text(cluster, {"price_book"})));
  const std::array<const char*, 12> headings{
      "item",       "category", "quantity",    "unit price, low", "unit price", "unit price, high",
      "total, low", "total",    "total, high", "included in",     "source",     "as of"};
  for (std::size_t i = 0; i < headings.size(); ++i) {
    write_text(sheet, kFirstLine - 1, static_cast<lxw_col_t>(i), headings[i], formats.bold);
  }
  worksheet_set_column(sheet, item, item, 56, nullptr);
  worksheet_set_column(sheet, category, quantity, 14, nullptr);
  worksheet_set_column(sheet, price_low, price_high, 16, nullptr);
  worksheet_set_column(sheet, total_low, total_high, 20, nullptr);
  worksheet_set_column(sheet, included, included, 20, nullptr);
  worksheet_set_column(sheet, source, source, 60, nullptr);
  worksheet_set_column(sheet, as_of, as_of, 12, nullptr);
  worksheet_freeze_panes(sheet, kFirstLine, 1);
  worksheet_set_landscape(sheet);
  worksheet_fit_to_pages(sheet, 1, 0);
}

BillSheet write_bill(const Json& cluster, const Formats& formats, lxw_worksheet* sheet) {
  BillSheet bill{.sheet = sheet};
  write_headings(cluster, formats, sheet);
  lxw_row_t row = kFirstLine;
  for (const Json& line : needed_array(cluster, {"lines"})) write_line(line, row++, formats, bill);
  bill.total_row = row;
  write_text(sheet, row, item, "total", formats.bold);
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    const auto column = static_cast<lxw_col_t>(total_low + i);
    bill.sum.*kBounds[i] = to_the_cent(bill.sum.*kBounds[i]);
    if (row == kFirstLine) continue;  // no lines, no range
    write_formula(sheet, row, column, "=SUM(" + bill.range(column) + ")", bill.sum.*kBounds[i],
                  formats.bold_money);
  }
  write_text(sheet, row + 1, item, "lines without a price (the total is a lower bound)");
  write_formula(sheet, row + 1, total,
                fmt::format("=COUNTIF({},\"{}\")", bill.range(total), kNoPrice), bill.unpriced,
                formats.count);
  return bill;
}

/// One row of the summary whose cells follow the bills.
void write_live_row(lxw_worksheet* sheet, lxw_row_t row, const std::string& name,
                    const std::vector<BillSheet>& bills, auto&& formula, auto&& value,
                    lxw_format* format) {
  write_text(sheet, row, 0, name);
  for (std::size_t i = 0; i < bills.size(); ++i) {
    write_formula(sheet, row, static_cast<lxw_col_t>(i + 1), formula(bills[i]), value(i), format);
  }
}

lxw_row_t write_live_rows(lxw_worksheet* sheet, lxw_row_t row, const std::vector<Json>& clusters,
                          const std::vector<BillSheet>& bills, const Formats& formats) {
  const auto known = [](const Json& cluster, const std::string& name) {
    return at(cluster, {"capex_by_category", name}).is_object();
  };
  for (const char* name : {"compute", "nics", "switches", "transceivers", "cables", "network",
                           "storage", "facility", "other"}) {
    if (std::none_of(clusters.begin(), clusters.end(),
                     [&](const Json& c) { return known(c, name); })) {
      continue;
    }
    write_live_row(
        sheet, row++, fmt::format("capex, {}", name), bills,
        [&](const BillSheet& bill) {
          return fmt::format("=SUMIF({},\"{}\",{})", bill.outside_range(category), name,
                             bill.outside_range(total));
        },
        [&](std::size_t i) -> Json {
          return number(clusters[i], {"capex_by_category", name, "amount", "expected"}).value_or(0);
        },
        formats.money);
  }
  const std::array<const char*, 3> names{"capex, low", "capex", "capex, high"};
  for (std::size_t k = 0; k < kBounds.size(); ++k) {
    write_live_row(
        sheet, row++, names[k], bills,
        [&](const BillSheet& bill) {
          return "=" + cell_name(bill.sheet, bill.total_row, static_cast<lxw_col_t>(total_low + k));
        },
        [&](std::size_t i) -> Json { return bills[i].sum.*kBounds[k]; }, formats.bold_money);
  }
  write_live_row(
      sheet, row++, "lines without a price", bills,
      [&](const BillSheet& bill) { return "=" + cell_name(bill.sheet, bill.total_row + 1, total); },
      [&](std::size_t i) -> Json { return bills[i].unpriced; }, formats.count);
  return row;
}

void write_summary(const Json& answer, const std::vector<Json>& clusters,
                   const std::vector<BillSheet>& bills, const Formats& formats,
                   lxw_worksheet* sheet) {
  const bool many = clusters.size() > 1;
  write_text(sheet, 0, 0, many ? "Clusters compared" : text(clusters.front(), {"title"}),
             formats.bold);
  write_text(sheet, 1, 0, text(answer, {"result", "verdict"}));
  const std::vector<std::string> names = short_names(clusters);
  for (std::size_t i = 0; i < names.size(); ++i) {
    write_text(sheet, 3, static_cast<lxw_col_t>(i + 1), names[i], formats.bold);
  }
  lxw_row_t row = 4;
  write_text(sheet, row++, 0, "Capital cost: follows the bills", formats.bold);
  row = write_live_rows(sheet, row, clusters, bills, formats) + 1;
  write_text(sheet, row++, 0, "As planner computed it: does not follow changed prices",
             formats.bold);
  for (const Fact& fact : cluster_facts(clusters)) {
    if (fact.name.starts_with("capex") || fact.name == "lines without a price") continue;
    write_text(sheet, row, 0,
               fact.unit.empty() ? fact.name : fmt::format("{} ({})", fact.name, fact.unit));
    for (std::size_t i = 0; i < fact.values.size(); ++i) {
      write_value(sheet, row, static_cast<lxw_col_t>(i + 1), fact.values[i], formats.general);
    }
    ++row;
  }
  worksheet_set_column(sheet, 0, 0, 44, nullptr);
  worksheet_set_column(sheet, 1, static_cast<lxw_col_t>(clusters.size()), 26, nullptr);
  worksheet_freeze_panes(sheet, 4, 1);
  worksheet_fit_to_pages(sheet, 1, 0);
}

/// A table under its title, as figures to calculate with.
void write_table(lxw_worksheet* sheet, const std::string& title, const DataTable& table,
                 const Formats& formats, lxw_format* figures) {
  constexpr lxw_row_t kHeader = 3;
  constexpr double kNarrowest = 12, kWidest = 60;
  write_text(sheet, 0, 0, title, formats.bold);
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const auto column = static_cast<lxw_col_t>(i);
    write_text(sheet, kHeader, column, table.header[i], formats.bold);
    std::size_t width = table.header[i].size() + 2;
    lxw_row_t row = kHeader;
    for (const std::vector<Json>& cells : table.rows) {
      write_value(sheet, ++row, column, cells[i], figures);
      if (cells[i].is_string())
        width = std::max(width, cells[i].get_ref<const std::string&>().size());
    }
    worksheet_set_column(sheet, column, column,
                         std::clamp(static_cast<double>(width), kNarrowest, kWidest), nullptr);
  }
  worksheet_freeze_panes(sheet, kHeader + 1, 0);
  worksheet_fit_to_pages(sheet, 1, 0);
}

/// A network's counts, and its bill where it has prices.
void write_network(const Json& answer, const Formats& formats, Workbook& book) {
  const Document document = network_document(answer);
  write_table(book.add_sheet("Counts"), document.title, document.tables.front(), formats,
              formats.count);
  const Json& network = needed(answer, {"result"});
  if (!at(network, {"lines"}).is_array()) return;
  Json priced = network;
  priced["title"] = document.title;
  write_bill(priced, formats, book.add_sheet("Bill of materials"));
}

void write_sweep(const Json& answer, const Formats& formats, Workbook& book) {
  const DataTable table = sweep_data(answer);
  lxw_worksheet* const sheet = book.add_sheet("Sweep");
  write_table(sheet, table.title, table, formats, formats.general);
  write_text(sheet, 1, 0, shared_by_all(answer));
}

Formats formats_of(Workbook& book) {
  return {.bold = book.format("General", true),
          .count = book.format("#,##0"),
          .money = book.format("#,##0.00"),
          .bold_money = book.format("#,##0.00", true),
          .general = book.format("#,##0.####")};
}

void write_clusters(const Json& answer, const Formats& formats, Workbook& book) {
  const std::vector<Json> clusters = clusters_of(answer);
  if (clusters.empty()) needed_bill(answer);
  lxw_worksheet* const summary = book.add_sheet("Summary");
  std::vector<BillSheet> bills;
  const std::vector<std::string> names = short_names(clusters);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const bool named = clusters.size() > 1 && !names[i].empty();
    bills.push_back(
        write_bill(clusters[i], formats, book.add_sheet(named ? names[i] : "Bill of materials")));
  }
  write_summary(answer, clusters, bills, formats, summary);
}

}  // namespace

std::string render_xlsx(const Json& answer) {
  Workbook book;
  const Formats formats = formats_of(book);
  const std::string command = text(answer, {"command"});
  if (command == "network") {
    write_network(answer, formats, book);
  } else if (command == "sweep") {
    write_sweep(answer, formats, book);
  } else {
    write_clusters(answer, formats, book);
  }
  return book.finish();
}

}  // namespace planner

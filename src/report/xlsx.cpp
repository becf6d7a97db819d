#include "planner/report/xlsx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/present/xlsx/bill_sheet.hpp"
#include "planner/report/document.hpp"
#include "planner/report/sweep_view.hpp"

namespace planner {

namespace {

using namespace present;

/// A cell of a document that is still JSON.
void write_value(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, const Json& value,
                 lxw_format* format) {
  if (value.is_number()) {
    worksheet_write_number(sheet, row, column, value.get<double>(), format);
  } else if (value.is_boolean()) {
    worksheet_write_boolean(sheet, row, column, value.get<bool>() ? 1 : 0, format);
  } else if (!value.is_null()) {
    write_text(sheet, row, column, value.is_string() ? value.get<std::string>() : value.dump(),
               format);
  }
}

Bill bill_of(const Json& cluster) {
  Bill bill{.title = planner::text(cluster, {"title"}),
            .prices = planner::text(cluster, {"price_book"}),
            .currency = is_relative(cluster) ? Currency::relative : Currency::usd};
  for (const Json& line : needed_array(cluster, {"lines"})) {
    Cell unit;
    if (const Json& price_now = money_at(line, "unit_price"); price_now.is_number()) {
      unit.value = price_now.get<double>();
      const auto low = planner::number(line, {"unit_price_range", "low"});
      const auto high = planner::number(line, {"unit_price_range", "high"});
      if (low && high) unit.ends = {*low, *high};
    }
    bill.lines.push_back({.item = planner::text(line, {"item"}),
                          .category = planner::text(line, {"category"}),
                          .quantity = needed(line, {"quantity"}).get<std::int64_t>(),
                          .unit_price = std::move(unit),
                          .total = {},
                          .included_in = planner::text(line, {"included_in"}),
                          .source = planner::text(line, {"source"}),
                          .as_of = planner::text(line, {"as_of"})});
  }
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
                          const std::vector<BillSheet>& bills, const SheetFormats& formats) {
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
        [&](std::size_t i) {
          return planner::number(clusters[i], {"capex_by_category", name, "amount", "expected"})
              .value_or(0);
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
        [&](std::size_t i) { return bills[i].sum.*kBounds[k]; }, formats.bold_money);
  }
  write_live_row(
      sheet, row++, "lines without a price", bills,
      [&](const BillSheet& bill) { return "=" + cell_name(bill.sheet, bill.total_row + 1, total); },
      [&](std::size_t i) { return bills[i].unpriced; }, formats.count);
  return row;
}

void write_summary(const Json& answer, const std::vector<Json>& clusters,
                   const std::vector<BillSheet>& bills, const SheetFormats& formats,
                   lxw_worksheet* sheet) {
  const bool many = clusters.size() > 1;
  write_text(sheet, 0, 0, many ? "Clusters compared" : planner::text(clusters.front(), {"title"}),
             formats.bold);
  write_text(sheet, 1, 0, planner::text(answer, {"result", "verdict"}));
  const std::vector<std::string> names = short_names(clusters);
  for (std::size_t i = 0; i < names.size(); ++i) {
    write_text(sheet, 3, static_cast<lxw_col_t>(i + 1), names[i], formats.bold);
  }
  lxw_row_t row = 4;
  write_text(sheet, row++, 0, "Capital cost: follows the bills", formats.bold);
  row = write_live_rows(sheet, row, clusters, bills, formats) + 1;
  write_text(sheet, row++, 0, "As planner computed it: does not follow changed prices",
             formats.bold);
  for (const planner::Fact& fact : cluster_facts(clusters)) {
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
                 const SheetFormats& formats, lxw_format* figures) {
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

void write_sweep(const Json& answer, const SheetFormats& formats, Workbook& book) {
  const DataTable table = sweep_data(answer);
  lxw_worksheet* const sheet = book.add_sheet("Sweep");
  write_table(sheet, table.title, table, formats, formats.general);
  write_text(sheet, 1, 0, shared_by_all(answer));
}

void write_clusters(const Json& answer, const SheetFormats& formats, Workbook& book) {
  const std::vector<Json> clusters = clusters_of(answer);
  if (clusters.empty()) needed_bill(answer);
  lxw_worksheet* const summary = book.add_sheet("Summary");
  std::vector<BillSheet> bills;
  const std::vector<std::string> names = short_names(clusters);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const bool named = clusters.size() > 1 && !names[i].empty();
    bills.push_back(write_bill(bill_of(clusters[i]), formats,
                               book.add_sheet(named ? names[i] : "Bill of materials")));
  }
  write_summary(answer, clusters, bills, formats, summary);
}

}  // namespace

std::string render_xlsx(const Json& answer) {
  Workbook book;
  const SheetFormats formats = formats_of(book);
  const std::string command = planner::text(answer, {"command"});
  if (command == "sweep") {
    write_sweep(answer, formats, book);
  } else {
    write_clusters(answer, formats, book);
  }
  return book.finish();
}

}  // namespace planner

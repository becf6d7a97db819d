#include "planner/present/xlsx/bill_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr double kItemWidth = 34, kSourceWidth = 44;  // characters
constexpr const char* kNoPrice = "no price";
constexpr const char* kNotPriced = "not priced";

/// A line's unit price; nothing: not known, or in another line's.
std::optional<Amounts> unit_price(const Bill::Line& line) {
  const std::optional<double> expected = line.unit_price.number();
  if (!expected) return std::nullopt;
  const Ends ends = line.unit_price.ends.value_or(Ends{*expected, *expected});
  return Amounts{.low = ends.low, .expected = *expected, .high = ends.high};
}

/// Sums of cents carry no fractions of them.
double to_the_cent(double amount) {
  return std::round(amount * 100) / 100;
}

/// A number to change; of a part that an earlier line has, that line's.
void write_price(const Bill::Line& line, double price, lxw_row_t row, lxw_col_t column,
                 const SheetFormats& formats, lxw_worksheet* sheet) {
  if (!line.priced_as) {
    worksheet_write_number(sheet, row, column, price, formats.money);
    return;
  }
  const auto first = static_cast<lxw_row_t>(kFirstLine + *line.priced_as);
  write_formula(sheet, row, column, "=" + cell_name(first, column), price, formats.money);
}

/// The total of a line for each of the three prices: quantity times price, or words.
void write_line_totals(const Bill::Line& line, lxw_row_t row, const SheetFormats& formats,
                       BillSheet& bill) {
  const std::optional<Amounts> unit = unit_price(line);
  const auto pieces = static_cast<double>(line.quantity);
  const char* const words = line.included_in.empty() ? kNoPrice : "included";
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    const auto price_column = static_cast<lxw_col_t>(price_low + i);
    const auto total_column = static_cast<lxw_col_t>(total_low + i);
    const std::string amount = cell_name(row, price_column);
    const std::string formula =
        fmt::format("=IF(ISNUMBER({0}),{1}*{0},\"{2}\")", amount, cell_name(row, quantity), words);
    if (!unit) {
      write_formula(bill.sheet, row, total_column, formula, words, formats.money);
      continue;
    }
    write_price(line, (*unit).*kBounds[i], row, price_column, formats, bill.sheet);
    const double now = to_the_cent(pieces * (*unit).*kBounds[i]);
    write_formula(bill.sheet, row, total_column, formula, now, formats.money);
    bill.sum.*kBounds[i] += now;
  }
  if (!unit && line.included_in.empty()) ++bill.unpriced;
}

/// Power of one piece, and of all by the quantity; words where nobody knows it.
void write_line_power(const Bill::Line& line, lxw_row_t row, const SheetFormats& formats,
                      BillSheet& bill) {
  const std::optional<double> all = line.power.number();
  if (!all || line.quantity <= 0) return write_text(bill.sheet, row, power_all, line.power.text);
  worksheet_write_number(bill.sheet, row, power_each, *all / static_cast<double>(line.quantity),
                         formats.general);
  write_formula(bill.sheet, row, power_all,
                fmt::format("={}*{}", cell_name(row, quantity), cell_name(row, power_each)), *all,
                formats.general);
  bill.power += *all;
}

/// As high as its longest text takes: not every program finds that by itself.
void set_height(const Bill::Line& line, lxw_row_t row, lxw_worksheet* sheet) {
  constexpr double kOfLine = 15, kMost = 6;  // points, lines
  const auto lines = [](const std::string& text, double width) {
    return std::ceil(1.1 * static_cast<double>(display_width(text)) / width);
  };
  const double most = std::max(lines(line.item, kItemWidth), lines(line.source, kSourceWidth));
  worksheet_set_row(sheet, row, kOfLine * std::clamp(most, 1.0, kMost), nullptr);
}

void write_line(const Bill::Line& line, lxw_row_t row, const SheetFormats& formats,
                BillSheet& bill) {
  set_height(line, row, bill.sheet);
  write_text(bill.sheet, row, item, line.item, formats.wrapped);
  write_text(bill.sheet, row, category, line.category);
  worksheet_write_number(bill.sheet, row, quantity, static_cast<double>(line.quantity),
                         formats.count);
  write_line_totals(line, row, formats, bill);
  write_text(bill.sheet, row, included, line.included_in);
  write_text(bill.sheet, row, source, line.source, formats.wrapped);
  write_text(bill.sheet, row, as_of, line.as_of);
  write_line_power(line, row, formats, bill);
}

void write_headings(const Bill& bill, const SheetFormats& formats, lxw_worksheet* sheet) {
  write_text(sheet, 0, item, bill.title, formats.bold);
  write_text(sheet, 1, item,
             fmt::format("Prices in {}: {}. Change a price and all totals follow.", bill.money,
                         bill.prices));
  const std::array<const char*, 14> headings{"item",
                                             "category",
                                             "quantity",
                                             "unit price, low",
                                             "unit price",
                                             "unit price, high",
                                             "total, low",
                                             "total",
                                             "total, high",
                                             "included in",
                                             "source",
                                             "as of",
                                             "power of one (W)",
                                             "power (W)"};
  for (std::size_t i = 0; i < headings.size(); ++i) {
    write_text(sheet, kFirstLine - 1, static_cast<lxw_col_t>(i), headings[i], formats.heading);
  }
  // As narrow as what they hold, so that a printed page can be read.
  worksheet_set_column(sheet, item, item, kItemWidth, nullptr);
  worksheet_set_column(sheet, category, category, 12, nullptr);
  worksheet_set_column(sheet, quantity, quantity, 9, nullptr);
  worksheet_set_column(sheet, price_low, price_high, 12, nullptr);
  worksheet_set_column(sheet, total_low, total_high, 17, nullptr);
  worksheet_set_column(sheet, included, included, 10, nullptr);
  worksheet_set_column(sheet, source, source, kSourceWidth, nullptr);
  worksheet_set_column(sheet, as_of, as_of, 10, nullptr);
  worksheet_set_column(sheet, power_each, power_all, 12, nullptr);
  worksheet_freeze_panes(sheet, kFirstLine, 1);
  print_on_a4(sheet);
}

/// Whether all lines of a category have a price, or need none.
bool priced(const Bill& bill, const std::string& category) {
  return std::none_of(bill.lines.begin(), bill.lines.end(), [&](const Bill::Line& line) {
    return line.category == category && line.included_in.empty() && !line.unit_price.number();
  });
}

bool nothing_besides(const BillSheet&) {
  return false;
}

/// One row of figures that follow the bills; of a bill without a total, words until it has one.
/// @param besides  whether a figure of such a bill is known nevertheless
void write_live_row(const std::vector<BillSheet>& bills, const std::string& name,
                    lxw_format* format, lxw_worksheet* sheet, lxw_row_t row, auto&& formula,
                    auto&& value, auto&& besides) {
  write_text(sheet, row, 0, name);
  for (std::size_t i = 0; i < bills.size(); ++i) {
    const auto column = static_cast<lxw_col_t>(i + 1);
    if (bills[i].bill->total.known() || besides(bills[i])) {
      write_formula(sheet, row, column, formula(bills[i]), value(bills[i]), format);
    } else {
      write_formula(sheet, row, column, formula(bills[i]), kNotPriced, format);
    }
  }
}

/// In the order of the bills; each once.
std::vector<std::string> categories_of(const std::vector<BillSheet>& bills) {
  std::vector<std::string> all;
  for (const PartCategory category : kPartCategories) {
    const auto has = [&](const BillSheet& on) {
      const auto& lines = on.bill->lines;
      return std::any_of(lines.begin(), lines.end(), [&](const Bill::Line& line) {
        return line.category == name_of(category);
      });
    };
    if (std::any_of(bills.begin(), bills.end(), has)) all.emplace_back(name_of(category));
  }
  return all;
}

double sum_of(const Bill& bill, const std::string& category) {
  double sum = 0;
  for (const Bill::Line& line : bill.lines) {
    if (line.category == category) sum += line.total.number().value_or(0);
  }
  return to_the_cent(sum);
}

}  // namespace

SheetFormats formats_of(Workbook& book) {
  return {.bold = book.format("General", true),
          .count = book.format("#,##0"),
          .bold_count = book.format("#,##0", true),
          .money = book.format("#,##0.00"),
          .bold_money = book.format("#,##0.00", true),
          .general = book.format("#,##0.####"),
          .bold_general = book.format("#,##0.####", true),
          .wrapped = book.wrapped(),
          .heading = book.wrapped(true),
          .tenths = book.format("#,##0.0"),
          .cents = book.format("0.00"),
          .small = book.format("0.####")};
}

lxw_format* SheetFormats::of(double value) const {
  const double size = std::abs(value);
  if (size >= 1000 || value == std::round(value)) return count;
  if (size >= 10) return tenths;
  return size >= 1 ? cents : small;
}

std::string BillSheet::range(lxw_col_t column) const {
  const lxw_row_t last = std::max(kFirstLine, total_row - 1);
  return cell_name(kFirstLine, column) + ":" + cell_name(last, column);
}

std::string BillSheet::outside_range(lxw_col_t column) const {
  return '\'' + std::string{sheet->name} + "'!" + range(column);
}

BillSheet write_bill(const Bill& bill, const SheetFormats& formats, lxw_worksheet* sheet) {
  BillSheet on{.bill = &bill, .sheet = sheet};
  write_headings(bill, formats, sheet);
  lxw_row_t row = kFirstLine;
  for (const Bill::Line& line : bill.lines) write_line(line, row++, formats, on);
  on.total_row = row;
  write_text(sheet, row, item, "total", formats.bold);
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    const auto column = static_cast<lxw_col_t>(total_low + i);
    on.sum.*kBounds[i] = to_the_cent(on.sum.*kBounds[i]);
    if (row == kFirstLine) continue;  // no lines, no range
    if (bill.total.known()) {
      write_formula(sheet, row, column, "=SUM(" + on.range(column) + ")", on.sum.*kBounds[i],
                    formats.bold_money);
    } else {  // until every line has a price
      write_formula(sheet, row, column,
                    fmt::format("=IF(COUNTIF({0},\"{1}\")=0,SUM({0}),\"{2}\")", on.range(column),
                                kNoPrice, kNotPriced),
                    kNotPriced, formats.bold_money);
    }
  }
  if (row > kFirstLine) {
    write_formula(sheet, row, power_all, "=SUM(" + on.range(power_all) + ")", on.power,
                  formats.general);
  }
  write_text(sheet, row + 1, item, "lines without a price (the total is a lower bound)");
  write_formula(sheet, row + 1, total,
                fmt::format("=COUNTIF({},\"{}\")", on.range(total), kNoPrice), on.unpriced,
                formats.count);
  return on;
}

lxw_row_t write_totals(const std::vector<BillSheet>& bills, const SheetFormats& formats,
                       lxw_worksheet* sheet, lxw_row_t row) {
  write_text(sheet, row, 0, "Follows what is changed", formats.bold);
  for (std::size_t i = 0; i < bills.size(); ++i) {
    write_text(sheet, row, static_cast<lxw_col_t>(i + 1), bills[i].bill->title, formats.bold);
  }
  for (const std::string& name : categories_of(bills)) {
    write_live_row(
        bills, "capex, " + name, formats.count, sheet, ++row,
        [&](const BillSheet& on) {
          const std::string sum = fmt::format("SUMIF({},\"{}\",{})", on.outside_range(category),
                                              name, on.outside_range(total));
          if (on.bill->total.known() || priced(*on.bill, name)) return "=" + sum;
          return fmt::format("=IF(COUNTIF({},\"{}\")=0,{},\"{}\")", on.outside_range(total),
                             kNoPrice, sum, kNotPriced);
        },
        [&](const BillSheet& on) { return sum_of(*on.bill, name); },
        [&](const BillSheet& on) { return priced(*on.bill, name); });
  }
  const std::array<const char*, 3> names{"all low: capex", "capex", "all high: capex"};
  for (std::size_t k = 0; k < kBounds.size(); ++k) {
    write_live_row(
        bills, names[k], formats.bold_count, sheet, ++row,
        [&](const BillSheet& on) {
          return "=" + cell_name(on.sheet, on.total_row, static_cast<lxw_col_t>(total_low + k));
        },
        [&](const BillSheet& on) { return on.sum.*kBounds[k]; }, nothing_besides);
  }
  write_live_row(
      bills, "lines without a price", formats.count, sheet, ++row,
      [&](const BillSheet& on) { return "=" + cell_name(on.sheet, on.total_row + 1, total); },
      [&](const BillSheet& on) { return on.unpriced; }, [](const BillSheet&) { return true; });
  return row + 1;
}

}  // namespace planner::present

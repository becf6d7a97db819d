#include "planner/present/cell.hpp"

#include <fmt/format.h>

#include <utility>

#include "planner/present/blocks.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

/// An amount of dollars, or of relative units, in the currency that is shown.
double shown(Money amount, Currency currency) {
  return shown_amount(amount.dollars(), currency);
}

std::string text_of(Money amount, Currency currency) {
  return amount_text(shown(amount, currency), money_unit(currency));
}

}  // namespace

std::optional<double> Cell::number() const {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  if (const auto* const real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

Cell words(std::string text) {
  return {.value = text, .text = std::move(text)};
}

Cell unknown(std::string text) {
  return {.text = std::move(text)};
}

Cell none() {
  return unknown("–");
}

Cell yes_no(bool value) {
  return {.value = value, .text = value ? "yes" : "no"};
}

Cell count(std::int64_t value) {
  return {.value = value, .text = grouped(value)};
}

Cell number(double value, std::string unit) {
  std::string text = significant(value) + (unit.empty() ? "" : " " + unit);
  return {.value = value, .unit = std::move(unit), .text = std::move(text)};
}

Cell share(double value) {
  return {.value = 100 * value, .unit = "%", .text = percent(value)};
}

Cell time(Seconds value) {
  return {.value = value.si(), .unit = "s", .text = duration(value)};
}

Cell days(Seconds value) {
  const double days = value.in(units::day);
  const bool between = days >= 1 && days < 2;  // a duration has hours there
  return {
      .value = days, .unit = "days", .text = between ? in_days(value) + " days" : duration(value)};
}

Cell memory(Bytes value) {
  return {.value = value.in(units::GB), .unit = "GB", .text = gigabytes(value) + " GB"};
}

Cell money(Money amount, Currency currency) {
  return {.value = shown(amount, currency),
          .unit = money_unit(currency),
          .text = text_of(amount, currency)};
}

Cell money(const Estimate<Money>& amount, Currency currency) {
  Cell cell = money(amount.expected, currency);
  if (amount.exact()) return cell;
  cell.ends = {shown(amount.low, currency), shown(amount.high, currency)};
  cell.text +=
      fmt::format(" ({})", range_text(text_of(amount.low, currency), text_of(amount.high, currency),
                                      money_unit(currency)));
  return cell;
}

Cell dollars(Money amount, Currency currency) {
  return said(money(amount, currency),
              whole_amount_text(shown(amount, currency), money_unit(currency)));
}

Cell usd(const Estimate<Usd>& amount) {
  const std::string unit = money_unit();
  const auto value = [](Usd dollars) { return shown_amount(dollars.in(units::usd)); };
  const auto text = [&](Usd dollars) { return precise_amount_text(value(dollars), unit); };
  Cell cell{.value = value(amount.expected), .unit = unit, .text = text(amount.expected)};
  if (amount.exact()) return cell;
  cell.ends = {value(amount.low), value(amount.high)};
  cell.text += fmt::format(" ({} to {})", text(amount.low), text(amount.high));
  return cell;
}

Cell plain_money(double amount, Currency currency) {
  return number(shown_amount(amount, currency));
}

Cell money_rate(double dollars, const std::string& per) {
  return number(shown_amount(dollars), money_unit() + per);
}

Cell said(Cell cell, std::string text) {
  cell.text = std::move(text);
  return cell;
}

Cell at_least(bool bound, Cell cell) {
  if (!bound || !cell.known()) return cell;
  cell.at_least = true;
  cell.text.insert(0, kAtLeast);
  return cell;
}

}  // namespace planner::present

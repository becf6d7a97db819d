#include "planner/present/cell.hpp"

#include <fmt/format.h>

#include <utility>

#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr double kWordsFrom = 1e6;  // dollars: "$1.2 M" from here on

std::string unit_of(Currency currency) {
  return currency == Currency::relative ? "relative" : "USD";
}

std::string money_text(Money amount, Currency currency) {
  const double value = amount.dollars();
  if (currency == Currency::relative) return significant(value);
  return value < kWordsFrom ? "$" + grouped(amount.in_cents() / 100) : "$" + with_prefix(value);
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
  return {.value = value.in(units::day), .unit = "days", .text = duration(value)};
}

Cell memory(Bytes value) {
  return {.value = value.in(units::GB), .unit = "GB", .text = gigabytes(value) + " GB"};
}

Cell money(Money amount, Currency currency) {
  return {
      .value = amount.dollars(), .unit = unit_of(currency), .text = money_text(amount, currency)};
}

Cell money(const Estimate<Money>& amount, Currency currency) {
  Cell cell = money(amount.expected, currency);
  if (amount.exact()) return cell;
  cell.ends = {amount.low.dollars(), amount.high.dollars()};
  cell.text +=
      fmt::format(" ({}–{})", money_text(amount.low, currency), money_text(amount.high, currency));
  return cell;
}

Cell dollars(Money amount, Currency currency) {
  return said(money(amount, currency), currency == Currency::relative
                                           ? significant(amount.dollars())
                                           : "$" + grouped(amount.in_cents() / 100));
}

Cell usd(const Estimate<Usd>& amount) {
  const auto text = [](Usd dollars) {
    const double value = dollars.in(units::usd);
    return "$" + (value < kWordsFrom ? significant(value) : with_prefix(value));
  };
  Cell cell{.value = amount.expected.in(units::usd), .unit = "USD", .text = text(amount.expected)};
  if (amount.exact()) return cell;
  cell.ends = {amount.low.in(units::usd), amount.high.in(units::usd)};
  cell.text += fmt::format(" ({} to {})", text(amount.low), text(amount.high));
  return cell;
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

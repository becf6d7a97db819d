#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "planner/core/money.hpp"
#include "planner/core/quantity.hpp"
#include "planner/domain/estimate.hpp"
#include "planner/domain/price.hpp"

// A figure as people read it and programs calculate with it. Every format but JSON shows cells, so
// a figure reads alike in all of them: people get the words, programs the value in its unit.
// Dollars become the currency that is shown (currency.hpp) where a cell is made of them.
namespace planner::present {

/// Both ends of a figure's range, in the unit of its value.
struct Ends {
  double low = 0, high = 0;

  bool operator==(const Ends&) const = default;
};

struct Cell {
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

  Value value{};       ///< nothing: not known
  std::string unit{};  ///< of the value: "s", "USD", "%"; empty: a plain number or words
  std::string text{};  ///< for people, with its unit, range and bound: "at least $1.2 M"
  std::optional<Ends> ends{};
  bool at_least = false;  ///< a lower bound
  /// The row of a calculation of the document that it is the figure of, "What if/tco": title and
  /// key; empty: of none.
  std::string follows{};

  [[nodiscard]] bool is_number() const {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
  }
  [[nodiscard]] bool known() const { return !std::holds_alternative<std::monostate>(value); }
  /// The value of a number, whole or not.
  [[nodiscard]] std::optional<double> number() const;

  bool operator==(const Cell&) const = default;
};

/// Words; an empty text is an empty cell.
Cell words(std::string text);
/// Nobody knows it; `text` says so: "unknown", "no price".
Cell unknown(std::string text = "unknown");
/// Does not apply: "–".
Cell none();
/// "yes" or "no".
Cell yes_no(bool value);
/// "32,768".
Cell count(std::int64_t value);
/// Three significant digits and the unit: "3.42 GB/s".
Cell number(double value, std::string unit = {});
/// A share as a percentage: "46.4 %".
Cell share(double value);
/// In its natural unit, in seconds for programs: "3.42 s", "2.1 h".
Cell time(Seconds value);
/// In days for programs, in its natural unit for people.
Cell days(Seconds value);
/// "54.7 GB".
Cell memory(Bytes value);
/// "$72.8 M", to the dollar below a million; relative units are plain numbers.
Cell money(Money amount, Currency currency = Currency::usd);
/// Money with its range where there is one: "$1.2 M ($1.0 M–$1.4 M)".
Cell money(const Estimate<Money>& amount, Currency currency = Currency::usd);
/// To the dollar at any size: "$49,020,928".
Cell dollars(Money amount, Currency currency = Currency::usd);

/// Dollars that are no whole cents, with their range where there is one: "$3.00", "$1.23 M ($1.1 M
/// to $1.4 M)".
Cell usd(const Estimate<Usd>& amount);
/// An amount as a number alone, under a heading that says its unit.
Cell plain_money(double amount, Currency currency = Currency::usd);
/// Dollars per something: "0.0852 USD/kWh"; `per` is "/kWh".
Cell money_rate(double dollars, const std::string& per = {});

/// The cell in other words for people.
Cell said(Cell cell, std::string text);
/// A lower bound, where `bound` says so: "at least $1.2 M".
Cell at_least(bool bound, Cell cell);

}  // namespace planner::present

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "planner/domain/display_currency.hpp"
#include "planner/domain/price.hpp"

// The one place that knows which currency dollars are shown in. Figures are in dollars wherever
// they are computed and kept; cells, and what charts are drawn of, are in the currency shown.
namespace planner::present {

/// While it lives, this thread shows dollars in that currency; nothing: as dollars.
class ShownIn {
 public:
  explicit ShownIn(std::optional<DisplayCurrency> currency);
  ~ShownIn();
  ShownIn(const ShownIn&) = delete;
  ShownIn& operator=(const ShownIn&) = delete;

 private:
  std::optional<DisplayCurrency> before_;
};

/// The unit of amounts that are shown: "USD", "EUR"; "relative".
std::string money_unit(Currency currency = Currency::usd);
/// "US dollars", "EUR", "relative units".
std::string money_words(Currency currency = Currency::usd);
/// Dollars as an amount of that unit; relative amounts are what they are.
double shown_amount(double amount, Currency currency = Currency::usd);

/// What stands before an amount: "$", "€", "NOK "; nothing before a relative one.
std::string currency_sign(std::string_view unit);
/// An amount of a unit: "$72.8 M", in wholes below a million; "−$2.5 M".
std::string amount_text(double amount, std::string_view unit);
/// "$49,020,928": whole, what is less than one left out; below a thousand with cents: "$42.50".
std::string whole_amount_text(double amount, std::string_view unit);
/// "$1.2 M–$1.4 M"; letters before an amount are said once: "NOK 1.2 M–1.4 M".
std::string range_text(const std::string& low, std::string_view high, std::string_view unit);
/// With three significant digits below a million: "$3.00".
std::string precise_amount_text(double amount, std::string_view unit);

}  // namespace planner::present

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace planner {

/// The currency that dollars are shown in, at a rate that somebody gives: planner ships none.
struct DisplayCurrency {
  std::string code;        ///< of ISO 4217: "EUR"
  double rate = 0;         ///< of it for one US dollar
  std::string rate_as_of;  ///< the day of the rate: "2026-11-20"

  bool operator==(const DisplayCurrency&) const = default;
};

/// The rates that make sense: the dearest currency is worth 3.3 dollars, the cheapest a millionth.
inline constexpr double kLeastExchangeRate = 1e-6, kMostExchangeRate = 1e9;

/// The codes of the currencies of the world, in order, without the dollar of the United States.
std::span<const std::string_view> currency_codes();

/// Whether the calendar has a day that is written so: "2026-11-20".
bool is_day(std::string_view text);

/// "Amounts are in EUR, at 0.92 for a US dollar on 2026-11-20, a rate that was given."
std::string note_of(const DisplayCurrency& currency);

}  // namespace planner

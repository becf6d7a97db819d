#include "planner/present/currency.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr double kWordsFrom = 1e6;  // "$1.2 M" from here on
constexpr const char* kDollars = "USD";
constexpr const char* kRelative = "relative";

/// Of this thread: answers of other threads are shown as these ask.
std::optional<DisplayCurrency>& shown() {
  thread_local std::optional<DisplayCurrency> currency;
  return currency;
}

/// The sign of an amount stands before that of its currency, and 0 has none.
std::string signed_text(bool negative, std::string_view unit, const std::string& digits) {
  return (negative && digits != "0" ? "−" : "") + currency_sign(unit) + digits;
}

}  // namespace

ShownIn::ShownIn(std::optional<DisplayCurrency> currency)
    : before_(std::exchange(shown(), std::move(currency))) {}

ShownIn::~ShownIn() {
  shown() = std::move(before_);
}

std::string money_unit(Currency currency) {
  if (currency == Currency::relative) return kRelative;
  return shown() ? shown()->code : kDollars;
}

std::string money_words(Currency currency) {
  if (currency == Currency::relative) return "relative units";
  return shown() ? shown()->code : "US dollars";
}

double shown_amount(double amount, Currency currency) {
  return shown() && currency != Currency::relative ? amount * shown()->rate : amount;
}

std::string currency_sign(std::string_view unit) {
  if (unit == kRelative) return "";
  if (unit == kDollars) return "$";
  if (unit == "EUR") return "€";
  if (unit == "GBP") return "£";
  return std::string(unit) + " ";
}

std::string amount_text(double amount, std::string_view unit) {
  if (unit == kRelative) return significant(amount);
  const double size = std::abs(amount);
  if (size < kWordsFrom) return whole_amount_text(amount, unit);
  return signed_text(amount < 0, unit, with_prefix(size));
}

std::string whole_amount_text(double amount, std::string_view unit) {
  if (unit == kRelative) return significant(amount);
  constexpr double kBeyondInt64 = 9223372036854775808.0;
  constexpr double kHair = 1e-6;        // that a product with a rate may be short of a whole
  constexpr double kCentsBelow = 1000;  // of a piece, so that pieces times its price is the total
  const double cents = std::round(100 * std::abs(amount));
  if (std::abs(amount) < kCentsBelow && std::fmod(cents, 100) != 0) {
    return signed_text(amount < 0, unit, fmt::format("{:.2f}", cents / 100));
  }
  const double size = std::floor(std::abs(amount) + kHair);
  return signed_text(
      amount < 0, unit,
      size < kBeyondInt64 ? grouped(static_cast<std::int64_t>(size)) : significant(size));
}

std::string range_text(const std::string& low, std::string_view high, std::string_view unit) {
  const std::string sign = currency_sign(unit);
  const bool repeats = sign.ends_with(' ') && low.starts_with(sign) && high.starts_with(sign);
  return fmt::format("{}–{}", low, repeats ? high.substr(sign.size()) : high);
}

std::string precise_amount_text(double amount, std::string_view unit) {
  const double size = std::abs(amount);
  return signed_text(amount < 0, unit, size < kWordsFrom ? significant(size) : with_prefix(size));
}

}  // namespace planner::present

#include "planner/commands/options/currency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "planner/commands/options/machine.hpp"
#include "planner/core/closest_match.hpp"

namespace planner::commands {

namespace {

constexpr const char* kCurrency = "currency";
constexpr const char* kRate = "exchange-rate";
constexpr const char* kDate = "exchange-date";
constexpr const char* kDollars = "USD";

using Problem = std::optional<std::string>;

Problem code_problem(std::string_view text) {
  const auto codes = currency_codes();
  if (text == kDollars || std::find(codes.begin(), codes.end(), text) != codes.end()) return {};
  std::string upper{text};
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::vector<std::string> known{codes.begin(), codes.end()};
  known.emplace_back(kDollars);
  const auto meant = closest_match(upper, known);
  return fmt::format("\"{}\" is no code of a currency (ISO 4217){}", text,
                     meant ? fmt::format("; did you mean {}?", *meant) : "");
}

Parsed<double> parse_rate(std::string_view text) {
  Parsed<double> rate = parse_positive(text, kMostExchangeRate);
  if (rate.value && *rate.value < kLeastExchangeRate) {
    return {.value = {}, .error = fmt::format("must be at least {}", kLeastExchangeRate)};
  }
  return rate;
}

Problem rate_problem(std::string_view text) {
  Parsed<double> rate = parse_rate(text);
  return rate.value ? Problem{} : Problem{std::move(rate.error)};
}

Problem date_problem(std::string_view text) {
  return is_day(text) ? Problem{}
                      : Problem{fmt::format("must be a day like 2026-11-20, not \"{}\"", text)};
}

/// What the call says of an option, the last time that it does.
std::optional<std::string> text_of(const Call& call, const char* name,
                                   Problem (*problem)(std::string_view)) {
  const auto found = std::find_if(call.options.rbegin(), call.options.rend(),
                                  [name](const auto& option) { return option.first == name; });
  if (found == call.options.rend()) return std::nullopt;
  if (const auto wrong = problem(found->second)) usage_error(fmt::format("--{}: {}", name, *wrong));
  return found->second;
}

std::string words_of(const std::optional<DisplayCurrency>& currency) {
  return currency
             ? fmt::format("{} at {} on {}", currency->code, currency->rate, currency->rate_as_of)
             : "US dollars";
}

}  // namespace

std::vector<Command::Option> currency_options() {
  return {{{.name = kCurrency,
            .value = "CODE",
            .help = "show dollars in it (EUR), at a rate that you give",
            .group = kAnswer},
           code_problem},
          {{.name = kRate,
            .value = "X",
            .help = "of that currency for a US dollar: 0.92",
            .group = kAnswer,
            .least = kLeastExchangeRate,
            .most = kMostExchangeRate},
           rate_problem},
          {{.name = kDate, .value = "DAY", .help = "of the rate: 2026-11-20", .group = kAnswer},
           date_problem}};
}

ShownCurrency asked_currency(const Call& call) {
  const auto code = text_of(call, kCurrency, code_problem);
  const auto rate = text_of(call, kRate, rate_problem);
  const auto date = text_of(call, kDate, date_problem);
  if (!code && !rate && !date) return {};
  if (!code) {
    usage_error(fmt::format("--{} needs --{}", rate ? kRate : kDate, kCurrency),
                "--currency EUR --exchange-rate 0.92 --exchange-date 2026-11-20");
  }
  if (*code == kDollars) {
    if (rate || date) usage_error("--currency USD: dollars need no exchange rate");
    return {.asked = true};
  }
  if (!rate || !date) {
    usage_error(fmt::format("--currency {} needs --{}", *code, rate ? kDate : kRate),
                "planner has no rates: say which one, and of which day");
  }
  return {.currency =
              DisplayCurrency{.code = *code, .rate = *parse_rate(*rate).value, .rate_as_of = *date},
          .asked = true};
}

void show_in(const std::optional<DisplayCurrency>& of_file, Context& context) {
  ShownCurrency& shown = context.shown_in;
  if (shown.asked) return;
  if (shown.of_file && shown.currency != of_file) {
    throw InputError(
        Diagnostic{.code = "mixed-currency",
                   .message = fmt::format("economics files are to be shown in {} and in {}",
                                          words_of(shown.currency), words_of(of_file)),
                   .hint = "say which for all: --currency, --exchange-rate and --exchange-date, or "
                           "--currency USD"});
  }
  shown = {.currency = of_file, .of_file = true};
}

std::optional<DisplayCurrency> common_currency(const std::vector<const Answered*>& answers) {
  const bool alike = std::all_of(answers.begin(), answers.end(), [&](const Answered* answer) {
    return answer->shown_in == answers.front()->shown_in;
  });
  return alike && !answers.empty() ? answers.front()->shown_in : std::nullopt;
}

}  // namespace planner::commands

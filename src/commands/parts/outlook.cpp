#include "planner/commands/parts/outlook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;
using job::Decides;
using job::Likely;
using job::Outlook;

constexpr double kLeastSwing = 5e-4;  // prints as 0.1 %
constexpr std::size_t kMostCauses = 8;

Cell dollars_cell(Usd amount, bool bound) {
  return present::at_least(bound, usd(Estimate<Usd>::exactly(amount)));
}

/// What a row of "How sure" shows of each figure.
struct Row {
  std::string name;
  std::function<Cell(const Likely<Seconds>&, bool bound)> time;
  std::function<Cell(const Likely<Usd>&, bool bound)> money;
  bool as_expected = false;
};

/// A row of one amount of each figure, which answers of older programs may lack.
template <class Of>
Row row_of(std::string name, Of of) {
  return {std::move(name),
          [=](const Likely<Seconds>& likely, bool bound) {
            const std::optional<Seconds> known = of(likely);
            return known ? present::at_least(bound, said_in_days(*known)) : none();
          },
          [=](const Likely<Usd>& likely, bool bound) {
            const std::optional<Usd> known = of(likely);
            return known ? dollars_cell(*known, bound) : none();
          }};
}

std::vector<Row> rows_of(const Outlook& outlook) {
  std::vector<Row> rows{
      row_of("all as expected", [](const auto& likely) { return likely.range.expected; }),
      row_of("50 of 100 stay within", [](const auto& likely) { return likely.median; }),
      {"80 of 100 lie in",
       [](const Likely<Seconds>& likely, bool) { return range_cell(likely.range); },
       [](const Likely<Usd>& likely, bool bound) { return range_cell(likely.range, bound); }},
      row_of(of_hundred(outlook.confidence) + " stay within",
             [](const auto& likely) { return likely.at_confidence; })};
  rows.front().as_expected = true;
  if (outlook.confidence != 0.95) {
    const auto by_share = outlook.confidence < 0.95 ? rows.end() : rows.end() - 1;
    rows.insert(by_share,
                row_of("95 of 100 stay within", [](const auto& likely) { return likely.p95; }));
  }
  return rows;
}

/// Whether an amount has a range.
template <class Q>
bool varies(const std::optional<Likely<Q>>& likely) {
  return likely && !likely->range.exact();
}

std::string owning_title(bool present) {
  return present ? "net present cost" : "total cost";
}

void add_how_sure(const Outlook& outlook, LowerBounds bounds, const std::string& run_money,
                  Document& document) {
  const bool any = varies(outlook.days) || varies(outlook.cost) || varies(outlook.owning());
  if (!any) return;
  document.add(Section{"How sure", "model, failures and prices together" +
                                       (run_money.empty() ? "" : "; the run" + run_money)});
  Table table{.header = {""}};
  if (outlook.days) table.header.emplace_back("days");
  const char* const bound = bounds.money ? ", at least" : "";  // of a whole column
  if (outlook.cost) table.header.push_back(std::string{"the run"} + bound);
  const auto& owning = outlook.owning();
  if (owning) table.header.push_back(owning_title(outlook.present.has_value()) + bound);
  for (const Row& row : rows_of(outlook)) {
    const bool run = row.as_expected && bounds.expected;
    std::vector<Cell> cells{words(row.name)};
    if (outlook.days) cells.push_back(row.time(*outlook.days, run));
    if (outlook.cost) cells.push_back(row.money(*outlook.cost, run && !bounds.money));
    if (owning) cells.push_back(row.money(*owning, false));
    table.add(std::move(cells));
  }
  document.add(std::move(table));
}

template <class Q>
Cell ends_cell(const std::optional<Estimate<Q>>& range) {
  return range ? range_cell(*range) : none();
}

/// The causes that move something by what can be seen, the first few.
std::vector<Decides> shown_causes(const Outlook& outlook) {
  std::vector<Decides> shown;
  for (const Decides& cause : outlook.decides) {
    if (cause.swing() >= kLeastSwing && shown.size() < kMostCauses) shown.push_back(cause);
  }
  return shown;
}

using Ends = std::optional<Estimate<double>>;
struct Moved {
  std::string what;
  Measured quantity;
  Ends (*of)(const Decides&);
};

template <class Q, class Unit>
Ends in_units(const std::optional<Estimate<Q>>& range, Unit unit) {
  if (!range) return std::nullopt;
  return Estimate<double>{range->low.in(unit), range->expected.in(unit), range->high.in(unit)};
}

Ends shown(const std::optional<Estimate<Usd>>& range) {
  return in_units(range, units::usd / shown_amount(1));
}

const std::optional<Estimate<Usd>>& owning_of(const Decides& cause) {
  return cause.present ? cause.present : cause.tco;
}

/// "what_decides", and of which cluster: an anchor of a page.
std::string chart_name(const std::string& cluster) {
  std::string name = "what_decides";
  if (!cluster.empty()) name += '_';
  for (const char c : cluster) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

Moved moved_of(const Outlook& outlook) {
  if (outlook.cost) {
    return {"the cost of the run", Measured::money,
            [](const Decides& cause) { return shown(cause.cost); }};
  }
  if (outlook.days) {
    return {"the days of the run", Measured::days,
            [](const Decides& cause) { return in_units(cause.days, units::day); }};
  }
  return {"the " + owning_title(outlook.present.has_value()), Measured::money,
          [](const Decides& cause) { return shown(owning_of(cause)); }};
}

}  // namespace

OptionInfo confidence_info() {
  return {.name = "confidence",
          .value = "SHARE",
          .help = "of runs that stay within the days and dollars told",
          .group = kAnswer,
          .fallback = fmt::to_string(job::kUsualConfidence)};
}

std::string of_hundred(double share) {
  return fmt::format("{:g} of 100", 100 * share);
}

std::string range_words(const std::optional<Estimate<Seconds>>& range) {
  if (!range || range->exact()) return {};
  return fmt::format(" ({})", interval_text(range->low, range->high));
}

Cell range_cell(const Estimate<Seconds>& range) {
  Cell cell = present::days(range.expected);
  if (range.exact()) return said_in_days(range.expected);
  cell.ends = present::Ends{range.low.in(units::day), range.high.in(units::day)};
  const std::string low = in_days(range.low), high = in_days(range.high);
  const bool beyond = low == high && in_days(range.expected) == high;
  cell.text = beyond ? high + " days" : fmt::format("{}–{} days", low, high);
  return cell;
}

Cell range_cell(const Estimate<Usd>& range, bool at_least) {
  const auto text = [](Usd amount) { return usd(Estimate<Usd>::exactly(amount)).text; };
  Cell cell = usd(Estimate<Usd>::exactly(range.expected));
  if (!range.exact()) {
    const auto value = [](Usd amount) { return shown_amount(amount.in(units::usd)); };
    cell.ends = present::Ends{value(range.low), value(range.high)};
    cell.text = range_text(text(range.low), text(range.high), money_unit());
  }
  return present::at_least(at_least, std::move(cell));
}

void add_what_decides(const Outlook& outlook, const std::string& name, Document& document) {
  const std::vector<Decides> causes = shown_causes(outlook);
  if (causes.size() < 2) return;
  document.add(Section{name.empty() ? "What decides" : "What decides: " + name,
                       "each from end to end of 80 of 100, all else as expected"});
  const auto any = [&](auto part) {
    return std::any_of(causes.begin(), causes.end(),
                       [=](const Decides& cause) { return (cause.*part).has_value(); });
  };
  const bool days = any(&Decides::days), cost = any(&Decides::cost),
             present = any(&Decides::present), owning = present || any(&Decides::tco);
  Table table{.header = {""}};
  if (days) table.header.emplace_back("days");
  if (cost) table.header.emplace_back("the run");
  if (owning) table.header.push_back(owning_title(present));
  for (const Decides& cause : causes) {
    std::vector<Cell> cells{words(cause.cause)};
    if (days) cells.push_back(ends_cell(cause.days));
    if (cost) cells.push_back(ends_cell(cause.cost));
    if (owning) cells.push_back(ends_cell(owning_of(cause)));
    table.add(std::move(cells));
  }
  document.add(std::move(table));
}

void add_outlook(const Outlook& outlook, LowerBounds bounds, Document& document,
                 const std::string& run_money) {
  add_how_sure(outlook, bounds, run_money, document);
  add_what_decides(outlook, {}, document);
}

std::optional<Chart> decides_chart(const Outlook& outlook, const std::string& name) {
  const Moved moved = moved_of(outlook);
  std::vector<RangeBar> bars;
  double expected = 0;
  for (const Decides& cause : shown_causes(outlook)) {
    const Ends ends = moved.of(cause);
    if (!ends || ends->exact()) continue;
    expected = ends->expected;
    bars.push_back({cause.cause, ends->low, ends->high});
  }
  if (bars.size() < 2) return std::nullopt;
  std::stable_sort(bars.begin(), bars.end(), [](const RangeBar& a, const RangeBar& b) {
    return a.high - a.low > b.high - b.low;
  });
  std::string title = fmt::format("{} decides {} most", bars.front().name, moved.what);
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  if (!name.empty()) title.insert(0, name + ": ");
  return range_bars({.name = chart_name(name),
                     .title = title,
                     .subtitle = "Each cause from its low to its high end, 80 of 100 cases, all "
                                 "else as expected",
                     .bars = std::move(bars),
                     .middle = expected,
                     .quantity = moved.quantity});
}

}  // namespace planner::commands

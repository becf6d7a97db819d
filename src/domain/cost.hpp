#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/domain/bill.hpp"
#include "planner/domain/economics.hpp"

namespace planner {

/// A sum of what is known; "at least" while anything is missing.
struct Total {
  Estimate<Money> amount;
  std::int64_t missing = 0;  ///< lines or items without an amount, or with an incomplete one
  Money missing_at_most{};   ///< of the lines that are missing and have a bound
  bool unbounded = false;    ///< a missing line has none, or is the GPUs or nodes themselves

  [[nodiscard]] bool at_least() const { return missing > 0; }
  /// Whether `amount` may be called a total, or "at least" one: what is missing is less than a
  /// fifth of the whole, at the highest prices of its kind.
  [[nodiscard]] bool known() const {
    return missing == 0 ||
           (!unbounded && missing_at_most.dollars() < 0.25 * amount.expected.dollars());
  }
  bool operator==(const Total&) const = default;
};

struct CategoryCost {
  PartCategory category = PartCategory::other;
  Total total;

  bool operator==(const CategoryCost&) const = default;
};

/// What is paid each year.
enum class OpexItem {
  rent,  ///< of GPUs, with all that is around them
  electricity,
  colocation,
  rack_rental,
  building,  ///< an own one: its share of a year, by its life and the cost of capital
  maintenance,
  insurance,
  staff,
  site_staff,  ///< by IT power
};
inline constexpr std::array kOpexItems{
    OpexItem::rent,        OpexItem::electricity, OpexItem::colocation,
    OpexItem::rack_rental, OpexItem::building,    OpexItem::maintenance,
    OpexItem::insurance,   OpexItem::staff,       OpexItem::site_staff};

/// As in answers: "rack_rental".
std::string_view name_of(OpexItem item);

struct OpexLine {
  OpexItem item = OpexItem::electricity;
  std::optional<Estimate<Money>> per_year{};  ///< nothing: a figure it needs is missing
  bool at_least = false;                      ///< something it is computed from is incomplete

  bool operator==(const OpexLine&) const = default;
};

/// Rated power of the parts.
struct PowerDraw {
  Watts it{};
  std::optional<Estimate<Watts>> facility{};  ///< IT times PUE; nothing without either
  std::int64_t lines_without_power = 0;       ///< bill lines that are not in `it`

  bool operator==(const PowerDraw&) const = default;
};

/// What the parts are worth at the end, and everything paid over the horizon.
struct Ownership {
  double horizon_years = 0;
  Estimate<Money> residual;  ///< of the parts at the horizon
  Estimate<Money> opex;      ///< of all years
  Estimate<Money> total;     ///< capex - residual + opex

  bool operator==(const Ownership&) const = default;
};

/// The same with what money costs: all payments brought to the day of the purchase.
struct Financed {
  double cost_of_capital = 0;  ///< per year
  double tax_rate = 0;
  Estimate<Money> present_cost;  ///< capex + opex - residual, discounted
  Estimate<Money> per_year;      ///< as equal payments at the ends of the horizon's years

  bool operator==(const Financed&) const = default;
};

/// ", at 9 % a year, after tax": what such a figure has in it besides what is paid; empty: nothing.
std::string financed_words(const std::optional<Financed>& financed);
/// "net present cost, at 9 % a year, after tax".
std::string present_cost_words(const Financed& financed);

/// The whole cluster until a month, bought and sold again, or rented.
struct RentOrBuy {
  struct Rent {
    RentTerm term = RentTerm::on_demand;
    Estimate<Money> cost;  ///< of all hours; of whole terms

    bool operator==(const Rent&) const = default;
  };
  /// Terms of different lengths.
  struct Mixed {
    RentTerms terms;
    Estimate<Money> cost;

    bool operator==(const Mixed&) const = default;
  };
  double months = 0;
  Estimate<Money> buy;  ///< capex - residual + opex
  std::vector<Rent> rents;
  std::optional<Mixed> mixed{};  ///< the cheapest, where it costs less than each term alone
  /// Share of the hours from which on buying costs less than renting on demand; nothing: no rent
  /// on demand is known.
  std::optional<Estimate<double>> utilisation{};

  bool operator==(const RentOrBuy&) const = default;
};

/// Buying against renting the same GPUs for the hours in which they are used.
struct BreakEven {
  Estimate<Money> rent_per_year;
  /// From then on until the horizon buying costs less, sold again when the time looked at ends: low
  /// is the soonest. Nothing: not within the horizon.
  Estimate<std::optional<Seconds>> after;
  /// Share of the horizon's hours from which on buying costs less; above 1: not within the horizon.
  Estimate<double> utilisation;

  bool operator==(const BreakEven&) const = default;
};

/// One training run on the cluster.
struct RunCost {
  std::int64_t gpus = 0;
  Seconds duration{};
  std::optional<Estimate<Money>> cost{};
  std::optional<Estimate<Usd>> per_million_tokens{};
  std::optional<Estimate<Joules>> energy{};  ///< at the meter, PUE included
  std::optional<Estimate<double>> co2_kg{};

  bool operator==(const RunCost&) const = default;
};

/// Everything a cluster costs.
struct CostBreakdown {
  Currency currency = Currency::usd;
  std::optional<CloudPrice> rent{};      ///< of the GPUs; nothing: they are bought
  std::vector<CategoryCost> categories;  ///< those with lines, in the order of PartCategory
  Total capex;                           ///< their sum; missing: unpriced lines
  PowerDraw power;
  std::vector<OpexLine> opex;
  std::vector<OpexItem> left_out;  ///< of the yearly costs: nobody gave them
  Total opex_per_year;
  // In relative units, nothing from here on: dollars per year do not add to them.
  std::optional<Ownership> ownership{};  ///< nothing where capex is not known
  std::optional<Financed> financed{};    ///< nothing without a cost of capital or a tax rate
  std::optional<Estimate<Usd>> per_gpu_hour{};
  std::vector<RentOrBuy> rent_or_buy{};   ///< by months; none without a rent
  std::optional<BreakEven> break_even{};  ///< nothing without a rent, or a price of the nodes
  std::optional<RunCost> run{};

  /// Whether a figure of money is a lower bound.
  [[nodiscard]] bool at_least() const { return capex.at_least() || opex_per_year.at_least(); }
  bool operator==(const CostBreakdown&) const = default;
};

enum class CostRule {
  mixed_currency,  ///< two currencies in one sum
  too_large,       ///< beyond ±92 quadrillion dollars
  out_of_range,    ///< an input that no bill can have: a negative quantity
  wrong_part,      ///< a part that does not fit where it is to go
};

/// Why there is no bill or no total.
struct CostProblem {
  CostRule rule = CostRule::out_of_range;
  std::string subject;   ///< the part or the figure: "sn5600", "capex"
  std::string detail{};  ///< of a wrong part: what it is and what is needed

  bool operator==(const CostProblem&) const = default;
};

/// One sentence.
std::string to_string(const CostProblem& problem);

using BillResult = std::variant<BillOfMaterials, CostProblem>;
using CostResult = std::variant<CostBreakdown, CostProblem>;

}  // namespace planner

#include <fmt/format.h>

#include <cmath>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/cost/residual.hpp"

// A cluster's money as formulas, from its prices to the cost of its run: the arithmetic of the cost
// room, cents rounded where it rounds them.
namespace planner::commands {

namespace {

using namespace present;

constexpr double kMonths = 12;
const double kYearHours = units::year.in(units::hour);

/// Rows in the order in which they are added; formulas name those before them.
class Rows {
 public:
  void given(std::string key, std::string name, Cell value) {
    rows_.push_back({std::move(key), std::move(name), std::move(value), {}});
  }
  void given(std::string key, std::string name, double value, std::string unit = {}) {
    given(std::move(key), std::move(name), number(value, std::move(unit)));
  }
  void follows(std::string key, std::string name, Cell value, std::string formula) {
    rows_.push_back({std::move(key), std::move(name), std::move(value), std::move(formula)});
  }
  std::vector<Calculation::Row> take() && { return std::move(rows_); }

 private:
  std::vector<Calculation::Row> rows_;
};

double expected(const std::optional<Estimate<Money>>& amount) {
  return amount ? amount->expected.dollars() : 0;
}

/// What a year costs, item by item, each with the figure that it follows from.
class Yearly {
 public:
  Yearly(const ClusterSummary& cluster, Rows& rows)
      : cluster_(cluster), of_(*cluster.economics), rows_(rows) {}

  /// @return the sum's formula
  std::string add() {
    for (const OpexLine& line : cluster_.opex) {
      if (line.per_year) add(line);
    }
    return sum_.empty() ? "0" : sum_;
  }

 private:
  void add(const OpexLine& line) {
    const std::string name = std::string{name_of(line.item)} + " per year";
    const std::string key = std::string{name_of(line.item)} + "_per_year";
    const std::string formula = formula_of(line.item);
    if (formula.empty()) {
      rows_.given(key, name, money_rate(expected(line.per_year)));
    } else {
      rows_.follows(key, name, money_rate(expected(line.per_year)), "cents(" + formula + ")");
    }
    sum_ += (sum_.empty() ? "" : " + ") + key;
  }

  /// Whether the figures that an item follows from are there.
  [[nodiscard]] bool has_figures(OpexItem item) const {
    switch (item) {
      case OpexItem::electricity:
        return of_.electricity && of_.pue;
      case OpexItem::colocation:
        return of_.colocation.has_value();
      case OpexItem::site_staff:
        return of_.staff_by_power.has_value();
      case OpexItem::building:
        return of_.building && of_.building_years;
      case OpexItem::maintenance:
        return of_.maintenance.has_value();
      case OpexItem::insurance:
        return of_.insurance.has_value();
      case OpexItem::rent:
      case OpexItem::rack_rental:
      case OpexItem::staff:
        break;
    }
    return false;
  }

  /// Adds what may be changed of an item. Empty: it is given by the year.
  std::string formula_of(OpexItem item) {
    if (!has_figures(item)) return {};
    const std::string hours = fmt::format("{}", kYearHours);
    const auto monthly = [](UsdPerJoule price) {
      return (price * units::kW * units::year).in(units::usd) / kMonths;
    };
    switch (item) {
      case OpexItem::electricity:
        rows_.given("electricity", "electricity",
                    money_rate((of_.electricity->expected * units::kWh).in(units::usd), "/kWh"));
        rows_.given("pue", "PUE", of_.pue->expected);
        rows_.given("load", "draw over rated power", of_.load);
        return "it_kw * pue * load * " + hours + " * electricity";
      case OpexItem::colocation:
        rows_.given("colocation", "colocation",
                    money_rate(monthly(of_.colocation->expected), " per kW and month"));
        return "it_kw * 12 * colocation";
      case OpexItem::site_staff:
        rows_.given("site_staff", "staff of the site",
                    money_rate(monthly(of_.staff_by_power->expected), " per kW and month"));
        return "it_kw * 12 * site_staff";
      case OpexItem::building:
        rows_.given("building", "building",
                    money_rate((units::kW * of_.building->expected).in(units::usd), " per kW"));
        rows_.given("building_years", "that lasts", *of_.building_years, "years");
        return "it_kw * building * if(capital_cost, capital_cost / (1 - 1 / (1 + capital_cost) ^ "
               "building_years), 1 / building_years)";
      case OpexItem::maintenance:
        rows_.given("maintenance", "maintenance", of_.maintenance->expected,
                    "of the capex per year");
        return "capex * maintenance";
      case OpexItem::insurance:
        rows_.given("insurance", "insurance", of_.insurance->expected, "of the capex per year");
        return "capex * insurance";
      case OpexItem::rent:
      case OpexItem::rack_rental:
      case OpexItem::staff:
        break;
    }
    return {};
  }

  const ClusterSummary& cluster_;
  const Economics& of_;
  Rows& rows_;
  std::string sum_;
};

void add_ownership(const ClusterSummary& cluster, Rows& rows) {
  const Economics& economics = *cluster.economics;
  const double years = economics.horizon_years, capex = cluster.capex.amount.expected.dollars();
  const double left = residual_share(economics, years);
  const bool by_line =
      economics.residual_by_year.empty() && economics.depreciation == Depreciation::straight_line;
  if (by_line) {
    rows.given("life", "depreciation of the parts", economics.depreciation_years, "years");
    rows.follows("left", "residual share", number(left), "max(0, 1 - years / life)");
  } else {
    rows.given("left", "residual share at the horizon", left);
  }
  rows.follows("residual", "residual value", money_rate(left * capex), "cents(capex * left)");
  rows.follows("tco", "total cost of ownership", money_rate(expected(cluster.tco)),
               "capex - residual + cents(opex * years)");
}

/// In equal payments of a year, which is the total cost over the years where money costs nothing.
void add_hour(const ClusterSummary& cluster, Rows& rows) {
  const double years = cluster.economics->horizon_years;
  const double yearly = cluster.financed ? cluster.financed->per_year.expected.dollars()
                                         : expected(cluster.tco) / years;
  rows.follows("discount", "factor of the horizon",
               number(std::pow(1 + cluster.economics->cost_of_capital.value_or(0), years)),
               "(1 + capital_cost) ^ years");
  double payments = years;
  if (const double rate = cluster.economics->cost_of_capital.value_or(0); rate > 0) {
    const double whole = std::floor(years);
    payments =
        (1 - std::pow(1 + rate, -whole)) / rate + (years - whole) * std::pow(1 + rate, -years);
  }
  rows.follows("payments", "payments of one a year, today", number(payments),
               "if(capital_cost, (1 - 1 / (1 + capital_cost) ^ int(years)) / capital_cost + "
               "(years - int(years)) / discount, years)");
  rows.follows(
      "per_year", "cost in equal payments of a year", money_rate(yearly),
      "if(capital_cost, cents((capex + opex * payments - residual / discount) / payments), "
      "tco / years)");
  rows.follows("gpu_hour", "cost of a GPU-hour",
               money_rate(cluster.per_gpu_hour->expected.in(units::usd)),
               fmt::format("per_year / (gpus * {} * utilisation)", kYearHours));
}

/// The run as it is to be expected, the spares that it pays for included.
void add_run(const ClusterSummary& cluster, Rows& rows) {
  const bool known =
      cluster.training && cluster.outlook && cluster.outlook->days && cluster.outlook->cost;
  if (!known) return;
  const double days = cluster.outlook->days->range.expected.in(units::day);
  const double cost = cluster.outlook->cost->range.expected.in(units::usd);
  const double hour = cluster.per_gpu_hour->expected.in(units::usd);
  if (!(hour > 0) || !(days > 0)) return;
  constexpr double kDayHours = 24;
  rows.given("days", "days of the run", days, "days");
  rows.given("run_gpus", "GPUs that the run pays for", cost / hour / kDayHours / days);
  rows.follows("run_cost", "cost of the run", money_rate(cost),
               "cents(gpu_hour * run_gpus * days * 24)");
  const double millions = cluster.training->run.tokens.value_or(0) / 1e6;
  if (millions <= 0) return;
  rows.given("millions", "tokens of the run", millions, "million");
  rows.follows("per_million", "cost of a million tokens", money_rate(cost / millions),
               "run_cost / millions");
}

void add_rent(const ClusterSummary& cluster, Rows& rows) {
  const CloudPrice* const rent =
      rent_of(*cluster.economics, cluster.system.accelerator.name, RentTerm::on_demand);
  if (rent == nullptr) return;
  const double hour = (rent->rent.expected * units::hour).in(units::usd);
  rows.given("rent", "rent of a GPU-hour, on demand", money_rate(hour));
  const double all =
      static_cast<double>(cluster.gpus) * kYearHours * cluster.economics->horizon_years * hour;
  rows.follows("break_even", "use from which buying costs less",
               number(expected(cluster.tco) / all),
               fmt::format("tco / (rent * gpus * {} * years)", kYearHours));
}

}  // namespace

std::optional<Calculation> calculation_of(const ClusterSummary& cluster, std::string title,
                                          std::string bill) {
  // It starts from the bill: without one there is nothing to change.
  const bool known = cluster.buys() && cluster.economics && cluster.tco && cluster.per_gpu_hour;
  // Taxes follow the book value of each year, which no single formula has.
  if (!known || cluster.economics->tax_rate) return std::nullopt;
  const Economics& economics = *cluster.economics;
  Rows rows;
  rows.follows("capex", "capital cost", money_rate(cluster.capex.amount.expected.dollars()),
               kBillTotal);
  rows.follows("it_kw", "IT power", number(cluster.power.it.in(units::kW), "kW"),
               fmt::format("{} / 1000", kBillPower));
  rows.given("gpus", "GPUs", static_cast<double>(cluster.gpus));
  rows.given("years", "horizon", economics.horizon_years, "years");
  rows.given("capital_cost", "cost of capital per year", economics.cost_of_capital.value_or(0));
  rows.given("utilisation", "share of the hours that are used", economics.utilisation);
  const std::string opex = Yearly(cluster, rows).add();
  rows.follows("opex", "opex per year", money_rate(cluster.opex_per_year.amount.expected.dollars()),
               opex);
  add_ownership(cluster, rows);
  add_hour(cluster, rows);
  add_run(cluster, rows);
  if (!cluster.rent) add_rent(cluster, rows);
  return Calculation{std::move(title), std::move(bill), std::move(rows).take()};
}

}  // namespace planner::commands

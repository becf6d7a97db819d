#include <fmt/format.h>

#include <cmath>

#include "planner/commands/clusters/calculation_rows.hpp"
#include "planner/commands/clusters/clusters.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/cost/residual.hpp"
#include "planner/present/calculation_keys.hpp"

// A cluster's money as formulas, from its prices to the cost of its run: the arithmetic of the cost
// room, cents rounded where it rounds them.
namespace planner::commands {

namespace {

using namespace present;

constexpr double kMonths = 12;
const std::string kItKilowatts = "it_mw * 1000";
constexpr const char* kPaymentsFormula =
    "if(capital_cost, (1 - 1 / (1 + capital_cost) ^ int(years)) / capital_cost + "
    "(years - int(years)) / discount, years)";
const double kYearHours = units::year.in(units::hour);

double expected(const std::optional<Estimate<Money>>& amount) {
  return amount ? amount->expected.dollars() : 0;
}

/// What a year costs, item by item, each with the figure that it follows from.
class Yearly {
 public:
  Yearly(const ClusterSummary& cluster, CalculationRows& rows)
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
      rows_.given(key, name, amount_range(*line.per_year));
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
    const auto monthly = [](const Estimate<UsdPerJoule>& price) {
      return ranged(price, [](UsdPerJoule one) {
        return money_rate((one * units::kW * units::year).in(units::usd) / kMonths,
                          " per kW and month");
      });
    };
    switch (item) {
      case OpexItem::electricity:
        rows_.given("electricity", "electricity", ranged(*of_.electricity, [](UsdPerJoule price) {
                      return money_rate((price * units::kWh).in(units::usd), "/kWh");
                    }));
        rows_.given("pue", "PUE", plain_range(*of_.pue));
        rows_.given("load", "draw over rated power", of_.load);
        return kItKilowatts + " * pue * load * " + hours + " * electricity";
      case OpexItem::colocation:
        rows_.given("colocation", "colocation", monthly(*of_.colocation));
        return kItKilowatts + " * 12 * colocation";
      case OpexItem::site_staff:
        rows_.given("site_staff", "staff of the site", monthly(*of_.staff_by_power));
        return kItKilowatts + " * 12 * site_staff";
      case OpexItem::building:
        rows_.given("building", "building", ranged(*of_.building, [](UsdPerWatt price) {
                      return money_rate((units::kW * price).in(units::usd), " per kW");
                    }));
        rows_.given("building_years", "that lasts", *of_.building_years, "years");
        return kItKilowatts +
               " * building * if(capital_cost, capital_cost / (1 - 1 / (1 + capital_cost) ^ "
               "building_years), 1 / building_years)";
      case OpexItem::maintenance:
        rows_.given("maintenance", "maintenance",
                    plain_range(*of_.maintenance, "of the capex per year"));
        return "capex * maintenance";
      case OpexItem::insurance:
        rows_.given("insurance", "insurance", plain_range(*of_.insurance, "of the capex per year"));
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
  CalculationRows& rows_;
  std::string sum_;
};

/// The years between which the residual share runs along a line.
std::vector<double> residual_years(const Economics& economics) {
  const bool given = !economics.residual_by_year.empty();
  const double last =
      given ? static_cast<double>(economics.residual_by_year.size()) : economics.depreciation_years;
  std::vector<double> years;
  for (double year = 1; year < last; year += 1) years.push_back(year);
  years.push_back(last);
  return years;
}

/// The residual share after each of those years, to be changed.
/// @return the formula of that at the horizon: from year to year along a line, then as it is
std::string add_residuals(const Economics& economics, CalculationRows& rows) {
  std::string formula = "1", before = "1";
  double from = 0;
  for (const double year : residual_years(economics)) {
    const std::string key = fmt::format("left_{}", rows.size());
    rows.given(key, fmt::format("residual share after {:g} years", year),
               residual_share(economics, year));
    formula += fmt::format(" + ({} - {}) * max(0, min(1, (years - {}) / {}))", key, before, from,
                           year - from);
    before = key;
    from = year;
  }
  return formula;
}

void add_ownership(const ClusterSummary& cluster, CalculationRows& rows) {
  const Economics& economics = *cluster.economics;
  const double years = economics.horizon_years, capex = cluster.capex.amount.expected.dollars();
  const double left = residual_share(economics, years);
  const bool by_line =
      economics.residual_by_year.empty() && economics.depreciation == Depreciation::straight_line;
  std::string formula = "max(0, 1 - years / life)";
  if (by_line) {
    rows.given("life", "depreciation of the parts", economics.depreciation_years, "years");
  } else {
    formula = add_residuals(economics, rows);
  }
  rows.follows("left", "residual share", number(left), std::move(formula));
  rows.follows("residual", "residual value", money_rate(left * capex), "cents(capex * left)");
  rows.follows("tco", "total cost of ownership", money_rate(expected(cluster.tco)),
               "capex - residual + cents(opex * years)");
}

/// The total cost of ownership where money costs nothing.
double present_cost_of(const ClusterSummary& cluster) {
  return cluster.financed ? cluster.financed->present_cost.expected.dollars()
                          : expected(cluster.tco);
}

/// In equal payments of a year, which is the total cost over the years where money costs nothing.
double paid_each_year(const ClusterSummary& cluster) {
  return cluster.financed ? cluster.financed->per_year.expected.dollars()
                          : expected(cluster.tco) / cluster.economics->horizon_years;
}

void add_hour(const ClusterSummary& cluster, CalculationRows& rows) {
  const double years = cluster.economics->horizon_years;
  rows.follows("discount", "what 1 today grows to over the horizon",
               number(std::pow(1 + cluster.economics->cost_of_capital.value_or(0), years)),
               "(1 + capital_cost) ^ years");
  rows.follows("payments", "what 1 a year over the horizon is worth today",
               number(payments(cluster.economics->cost_of_capital.value_or(0), years)),
               kPaymentsFormula);
  if (cluster.financed) {
    rows.follows("npv", "net present cost", money_rate(present_cost_of(cluster)),
                 "cents(capex + opex * payments - residual / discount)");
  }
  rows.follows(
      "per_year", "cost in equal payments of a year", money_rate(paid_each_year(cluster)),
      "if(capital_cost, cents((capex + opex * payments - residual / discount) / payments), "
      "tco / years)");
  rows.follows("gpu_hour", "cost of a GPU-hour",
               money_rate(cluster.per_gpu_hour->expected.in(units::usd)),
               fmt::format("per_year / (gpus * {} * utilisation)", kYearHours));
}

/// The run as it is to be expected, the spares that it pays for included.
void add_run(const ClusterSummary& cluster, CalculationRows& rows) {
  const bool known =
      cluster.training && cluster.outlook && cluster.outlook->days && cluster.outlook->cost;
  if (!known) return;
  const double days = cluster.outlook->days->range.expected.in(units::day);
  const auto& ideal = cluster.training->time;
  const double cost = cluster.outlook->cost->range.expected.in(units::usd);
  const double hour = cluster.per_gpu_hour->expected.in(units::usd);
  if (!(hour > 0) || !(days > 0) || !ideal) return;
  constexpr double kDayHours = 24;
  rows.given("ideal_days", "days of the run without failures, on the GPUs that it has now",
             ideal->in(units::day), "days");
  rows.given("advancing", "share of them that failures and uneven links leave",
             ideal->in(units::day) / days);
  rows.follows("days", "days of the run", number(days, "days"), "ideal_days / advancing");
  const double paid = cost / hour / kDayHours / days;
  const double hair = 0.01 / hour / kDayHours / days + 1e-9 * paid;  // of costs in whole cents
  const double whole = std::round(paid);
  rows.given("run_gpus", "GPUs that the run pays for",
             std::abs(paid - whole) < hair ? whole : paid);
  rows.follows("run_cost", "cost of the run", money_rate(cost),
               "cents(gpu_hour * run_gpus * days * 24)");
  const double millions = cluster.training->run.tokens.value_or(0) / 1e6;
  if (millions <= 0) return;
  rows.given("millions", "tokens of the run", millions, "million");
  rows.follows("per_million", "cost of a million tokens", money_rate(cost / millions),
               "run_cost / millions");
}

/// GPUs follow the nodes, which are the bill's first line; those of a rented cluster are given.
void add_gpus(const ClusterSummary& cluster, CalculationRows& rows) {
  const auto gpus = static_cast<double>(cluster.gpus);
  const auto& lines = cluster.bill.lines;
  const bool nodes = !lines.empty() && lines.front().part.category == PartCategory::compute &&
                     lines.front().quantity > 0;
  if (cluster.rent || !nodes) return rows.given("gpus", "GPUs", gpus);
  const double each = std::ceil(gpus / static_cast<double>(lines.front().quantity));
  const double unused = each * static_cast<double>(lines.front().quantity) - gpus;
  std::string formula = fmt::format("{} * {}", kBillNodes, each);
  if (unused > 0) formula += fmt::format(" - {}", unused);
  rows.follows("gpus", "GPUs", number(gpus), std::move(formula));
}

void add_rent(const ClusterSummary& cluster, CalculationRows& rows) {
  const CloudPrice* const rent =
      rent_of(*cluster.economics, cluster.system.accelerator.name, RentTerm::on_demand);
  if (rent == nullptr) return;
  const double hour = (rent->rent.expected * units::hour).in(units::usd);
  rows.given("rent", "rent of a GPU-hour, on demand", money_rate(hour));
  const std::int64_t in_nodes =
      cluster.gpus_in_nodes.value_or(cluster.gpus);  // whole ones are rented
  const std::string gpus = in_nodes == cluster.gpus
                               ? std::string("gpus")
                               : fmt::format("(gpus + {})", in_nodes - cluster.gpus);
  rows.follows("break_even", "use from which buying costs less",
               number(paid_each_year(cluster) / (real(in_nodes) * kYearHours * hour)),
               fmt::format("per_year / (rent * {} * {})", gpus, kYearHours));
}

/// What is given of GPUs that are rented with all around them, and the years of rent that are paid.
void add_rented(const ClusterSummary& cluster, CalculationRows& rows) {
  const Economics& economics = *cluster.economics;
  const RentTerm term = cluster.rent->term;
  const double years = economics.horizon_years;
  const bool whole_terms = term != RentTerm::on_demand;
  rows.given("gpus", "GPUs", static_cast<double>(cluster.gpus));
  rows.given("rented", "GPUs of whole nodes, spares among them",
             real(cluster.bought_gpus.value_or(cluster.gpus)));
  rows.given("rent", "rent of a GPU-hour", ranged(cluster.rent->rent, [](UsdPerSecond rent) {
               return money_rate((rent * units::hour).in(units::usd));
             }));
  rows.given("term", "term, 0 on demand", whole_terms ? years_paid(term, 1e-3) : 0, "years");
  rows.given("years", "horizon", years, "years");
  rows.given("capital_cost", "cost of capital per year", economics.cost_of_capital.value_or(0));
  rows.given("utilisation", "share of the hours that are used", economics.utilisation);
  rows.follows(
      "paid", "years of rent that are paid",
      number(whole_terms ? years_paid(term, years) : years * economics.utilisation, "years"),
      "if(term, 0 - int(0 - years / if(term, term, 1)) * term, years * utilisation)");
}

/// The run by its hours, and what the others cost that nobody uses if it is all there is.
void add_idle_hours(const ClusterSummary& cluster, CalculationRows& rows) {
  if (!cluster.training || !cluster.outlook || !cluster.outlook->cost) return;
  const double all = present_cost_of(cluster);
  rows.follows("whole_run", "cost of the run, if it is all that runs", money_rate(all), "npv");
  rows.follows("idle", "of it, hours that nobody uses",
               money_rate(all - cluster.outlook->cost->range.expected.in(units::usd)),
               "npv - run_cost");
}

/// From the rent of an hour to the cost of the run: whole terms are paid, used or not.
std::optional<Calculation> rented_calculation(const ClusterSummary& cluster, std::string title) {
  const Economics& economics = *cluster.economics;
  CalculationRows rows;
  add_rented(cluster, rows);
  std::string opex;
  for (const OpexLine& line : cluster.opex) {
    if (!line.per_year) return std::nullopt;
    const std::string key = std::string{name_of(line.item)} + "_per_year";
    const std::string name = std::string{name_of(line.item)} + ", for each year of the horizon";
    opex += (opex.empty() ? "" : " + ") + key;
    if (line.item == OpexItem::rent) {
      rows.follows(key, name, money_rate(expected(line.per_year)),
                   fmt::format("cents(rented * {} * paid / years * rent)", kYearHours));
    } else {
      rows.given(key, name, amount_range(*line.per_year));
    }
  }
  rows.follows("opex", "opex per year", money_rate(cluster.opex_per_year.amount.expected.dollars()),
               opex);
  rows.follows("tco", "total cost of ownership", money_rate(expected(cluster.tco)),
               "cents(opex * years)");
  const double worth = payments(economics.cost_of_capital.value_or(0), economics.horizon_years);
  rows.follows("discount", "what 1 today grows to over the horizon",
               number(std::pow(1 + economics.cost_of_capital.value_or(0), economics.horizon_years)),
               "(1 + capital_cost) ^ years");
  rows.follows("payments", "what 1 a year over the horizon is worth today", number(worth),
               kPaymentsFormula);
  rows.follows(
      "rent_worth", "worth of rents against equal payments of the horizon",
      number(rent_worth(economics, cluster.rent->term)),
      "if(term, if(capital_cost, (1 - 1 / (1 + capital_cost) ^ paid) / capital_cost, paid) "
      "/ (paid / years * payments), 1)");
  rows.follows("npv", "net present cost", money_rate(present_cost_of(cluster)),
               "cents((opex + cents(rent_per_year * rent_worth) - rent_per_year) * payments)");
  rows.follows("gpu_hour", "cost of a GPU-hour",
               money_rate(cluster.per_gpu_hour->expected.in(units::usd)),
               fmt::format("npv / payments / (gpus * {} * utilisation)", kYearHours));
  add_run(cluster, rows);
  add_idle_hours(cluster, rows);
  return Calculation{std::move(title), {}, std::move(rows).take()};
}

}  // namespace

std::optional<Calculation> calculation_of(const ClusterSummary& cluster, std::string title,
                                          std::string bill) {
  const bool known = cluster.economics && cluster.tco && cluster.per_gpu_hour;
  // Taxes follow the book value of each year, which no single formula has.
  if (!known || cluster.economics->tax_rate) return std::nullopt;
  if (!cluster.buys()) return rented_calculation(cluster, std::move(title));
  const Economics& economics = *cluster.economics;
  CalculationRows rows;
  rows.follows("capex", "capital cost", money_rate(cluster.capex.amount.expected.dollars()),
               kBillTotal);
  const auto megawatts = [](Watts watts) { return number(watts.in(1e6 * units::W), "MW"); };
  rows.follows("it_mw", "IT power", megawatts(cluster.power.it),
               fmt::format("{} / 1000000", kBillPower));
  add_gpus(cluster, rows);
  // Beyond the last of them nobody gave a residual value.
  const auto& shares = economics.residual_by_year;
  rows.given("years", "horizon", economics.horizon_years,
             shares.empty() ? "years" : fmt::format("years, up to {}", shares.size()));
  rows.given("capital_cost", "cost of capital per year", economics.cost_of_capital.value_or(0));
  rows.given("utilisation", "share of the hours that are used", economics.utilisation);
  const std::string opex = Yearly(cluster, rows).add();
  if (cluster.power.facility && rows.has("pue")) {
    rows.follows("facility_mw", "power, with cooling", megawatts(cluster.power.facility->expected),
                 "it_mw * pue");
  }
  rows.follows("opex", "opex per year", money_rate(cluster.opex_per_year.amount.expected.dollars()),
               opex);
  add_ownership(cluster, rows);
  add_hour(cluster, rows);
  add_run(cluster, rows);
  if (!cluster.rent) add_rent(cluster, rows);
  return Calculation{std::move(title), std::move(bill), std::move(rows).take()};
}

}  // namespace planner::commands

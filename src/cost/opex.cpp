#include "planner/cost/opex.hpp"

#include <algorithm>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/rent_terms.hpp"

namespace planner::inline cost {
namespace {

using Yearly = std::optional<Estimate<Usd>>;  ///< nothing: a figure it needs is missing

/// Facility energy of a year times its price.
Yearly electricity(const Economics& economics, const PowerDraw& power) {
  if (!economics.electricity || !power.facility) return std::nullopt;
  return each(
      [&economics](Watts facility, UsdPerJoule price) {
        return facility * economics.load * units::year * price;
      },
      *power.facility, *economics.electricity);
}

/// Reserved IT power times its price: capacity is rented whether it is drawn or not.
Yearly by_power(const Estimate<UsdPerJoule>& price, const PowerDraw& power) {
  if (power.it == Watts{} && power.lines_without_power > 0) return std::nullopt;
  return each([&power](UsdPerJoule rate) { return power.it * units::year * rate; }, price);
}

Yearly rack_rental(const Estimate<UsdPerSecond>& price, std::optional<std::int64_t> racks) {
  if (!racks) return std::nullopt;
  const auto count = static_cast<double>(*racks);
  return each([count](UsdPerSecond rate) { return count * rate * units::year; }, price);
}

Yearly building(const Economics& economics, const PowerDraw& power) {
  if (power.it == Watts{} && power.lines_without_power > 0) return std::nullopt;
  const double yearly = annuity(economics.cost_of_capital.value_or(0), *economics.building_years);
  return each([&](UsdPerWatt price) { return power.it * price * yearly; }, *economics.building);
}

Yearly share_of(const Total& capex, const Estimate<double>& share) {
  if (!capex.known()) return std::nullopt;
  return each([](double part, Usd whole) { return part * whole; }, share, in_dollars(capex.amount));
}

Yearly staff(const Estimate<UsdPerSecond>& price) {
  return each([](UsdPerSecond rate) { return rate * units::year; }, price);
}

/// The items before they are rounded to cents.
struct Item {
  OpexItem item;
  Yearly per_year;
};

std::vector<Item> items_of(const Economics& economics, const PowerDraw& power, const Total& capex,
                           std::optional<std::int64_t> racks) {
  const bool hosted = economics.colocation || economics.rack_rental;
  std::vector<Item> items;
  items.reserve(kOpexItems.size());
  if (!(hosted && economics.hosting_includes_electricity)) {
    items.push_back({OpexItem::electricity, electricity(economics, power)});
  }
  if (economics.colocation) {
    items.push_back({OpexItem::colocation, by_power(*economics.colocation, power)});
  }
  if (economics.rack_rental) {
    items.push_back({OpexItem::rack_rental, rack_rental(*economics.rack_rental, racks)});
  }
  if (economics.building) items.push_back({OpexItem::building, building(economics, power)});
  if (economics.maintenance) {
    items.push_back({OpexItem::maintenance, share_of(capex, *economics.maintenance)});
  }
  if (economics.insurance) {
    items.push_back({OpexItem::insurance, share_of(capex, *economics.insurance)});
  }
  if (economics.staff) items.push_back({OpexItem::staff, staff(*economics.staff)});
  if (economics.staff_by_power) {
    items.push_back({OpexItem::site_staff, by_power(*economics.staff_by_power, power)});
  }
  return items;
}

}  // namespace

bool is_lower_bound(OpexItem item, const PowerDraw& power, const Total& capex) {
  switch (item) {
    case OpexItem::electricity:
    case OpexItem::colocation:
    case OpexItem::building:
    case OpexItem::site_staff:
      return power.lines_without_power > 0;
    case OpexItem::maintenance:
    case OpexItem::insurance:
      return capex.at_least();
    case OpexItem::rent:
    case OpexItem::rack_rental:
    case OpexItem::staff:
      break;
  }
  return false;
}

std::optional<std::vector<OpexLine>> opex_per_year(const Economics& economics,
                                                   const PowerDraw& power, const Total& capex,
                                                   std::optional<std::int64_t> racks) {
  std::vector<OpexLine> lines;
  lines.reserve(kOpexItems.size());
  for (const Item& item : items_of(economics, power, capex, racks)) {
    OpexLine line{.item = item.item};
    if (item.per_year) {
      line.per_year = in_cents(*item.per_year);
      if (!line.per_year) return std::nullopt;
      line.at_least = is_lower_bound(item.item, power, capex);
    }
    lines.push_back(line);
  }
  return lines;
}

std::optional<OpexLine> rent_per_year(const Economics& economics, const CloudPrice& rent,
                                      std::int64_t gpus) {
  const double years = economics.horizon_years;
  const double paid = rent.term == RentTerm::on_demand ? economics.utilisation
                                                       : years_paid(rent.term, years) / years;
  const double all = static_cast<double>(gpus) * paid;
  const auto per_year =
      in_cents(each([all](UsdPerSecond one) { return all * one * units::year; }, rent.rent));
  if (!per_year) return std::nullopt;
  return OpexLine{.item = OpexItem::rent, .per_year = per_year};
}

std::vector<OpexItem> items_left_out(const Economics& economics) {
  std::vector<OpexItem> items;
  if (!economics.colocation && !economics.rack_rental && !economics.building) {
    items.push_back(OpexItem::colocation);
  }
  if (!economics.maintenance) items.push_back(OpexItem::maintenance);
  if (!economics.insurance) items.push_back(OpexItem::insurance);
  if (!economics.staff && !economics.staff_by_power) items.push_back(OpexItem::staff);
  return items;
}

bool any_known(const std::vector<OpexLine>& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const OpexLine& line) { return line.per_year.has_value(); });
}

std::optional<Total> total_of(const std::vector<OpexLine>& lines,
                              const std::vector<OpexItem>& left_out) {
  Total total{.amount = {}, .missing = static_cast<std::int64_t>(left_out.size())};
  for (const OpexLine& line : lines) {
    if (!line.per_year || line.at_least) ++total.missing;
    if (!line.per_year) continue;
    const auto larger = sum(total.amount, *line.per_year);
    if (!larger) return std::nullopt;
    total.amount = *larger;
  }
  return total;
}

}  // namespace planner::cost

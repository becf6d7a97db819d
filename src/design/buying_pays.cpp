#include <cmath>

#include "planner/core/real.hpp"
#include "planner/design/rent.hpp"

namespace planner::design {

std::optional<BuyingPays> buying_pays(const Economics& economics, Seconds run, Money owning,
                                      const RentOfRuns& rent) {
  const double used = economics.utilisation * economics.horizon_years;
  BuyingPays pays{.most = static_cast<std::int64_t>(std::floor(used / run.in(units::year)))};
  if (pays.most == 0) return pays;
  std::optional<Rented> cheapest = rent(pays.most);
  if (!cheapest) return std::nullopt;
  pays.rented = *cheapest;
  if (cheapest->cost.expected <= owning) return pays;
  // Rents do not fall with more runs: of `high` owning costs less, of `low` it does not.
  std::int64_t low = 0, high = pays.most;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    cheapest = rent(middle);
    if (!cheapest) return std::nullopt;
    if (owning < cheapest->cost.expected) {
      high = middle;
      pays.rented = *cheapest;
    } else {
      low = middle;
    }
  }
  pays.from = high;
  return pays;
}

}  // namespace planner::design

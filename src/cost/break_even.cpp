#include "planner/cost/break_even.hpp"

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_or_buy.hpp"

namespace planner::inline cost {

std::optional<BreakEven> break_even(const Economics& economics, const RentedGpus& what,
                                    const Estimate<Money>& capex,
                                    const Estimate<Money>& opex_per_year) {
  const CloudPrice* const cloud = rent_of(economics, what.accelerator, RentTerm::on_demand);
  if (cloud == nullptr) return std::nullopt;
  const double used = static_cast<double>(what.gpus) * economics.utilisation;
  const auto rent_per_year =
      in_cents(each([used](UsdPerSecond rate) { return used * rate * units::year; }, cloud->rent));
  if (!rent_per_year) return std::nullopt;
  const auto use = [&](double years) {
    return *use_until(economics, what, years, in_dollars(capex), in_dollars(opex_per_year));
  };
  const auto after = [&](double Estimate<double>::*end) {
    return pays_from(economics, [&](double years) { return use(years).*end; });
  };
  using E = Estimate<double>;
  return BreakEven{.rent_per_year = *rent_per_year,
                   .after = {after(&E::low), after(&E::expected), after(&E::high)},
                   .utilisation = use(economics.horizon_years)};
}

}  // namespace planner::cost

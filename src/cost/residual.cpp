#include "planner/cost/residual.hpp"

#include <algorithm>
#include <cmath>

namespace planner::inline cost {
namespace {

double double_declining(double life, double years) {
  double left = 1;
  for (double begin = 0; begin < std::min(life, years); begin += 1) {
    const double in_use = std::min(1.0, life - begin);  // the last year may be shorter
    const double written_off =
        std::min(left, std::max(2 / life * left, left / (life - begin)) * in_use);
    const double passed = std::min(in_use, years - begin);
    if (passed < in_use) return left - written_off * passed / in_use;
    left -= written_off;
  }
  return left;
}

}  // namespace

double book_value(const Economics& economics, double years) {
  const double life = economics.depreciation_years;
  switch (economics.depreciation) {
    case Depreciation::straight_line:
      return std::max(0.0, 1 - years / life);
    case Depreciation::double_declining:
      return years >= life ? 0 : double_declining(life, years);
  }
  return 0;
}

double residual_share(const Economics& economics, double years) {
  const std::vector<double>& shares = economics.residual_by_year;
  if (shares.empty()) return book_value(economics, years);
  const auto last = static_cast<double>(shares.size());
  if (years >= last) return shares.back();
  const double year = std::floor(years);
  const auto index = static_cast<std::size_t>(year);
  const double before = index == 0 ? 1 : shares[index - 1];
  return before + (shares[index] - before) * (years - year);
}

}  // namespace planner::cost

#include "planner/cost/power.hpp"

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {

PowerDraw power_draw(const BillOfMaterials& bill, const std::optional<Estimate<double>>& pue) {
  PowerDraw draw;
  for (const BillLine& line : bill.lines) {
    if (line.power) {
      draw.it += *line.power;
    } else {
      ++draw.lines_without_power;
    }
  }
  const bool unknown = draw.it == Watts{} && draw.lines_without_power > 0;
  if (pue && !unknown) {
    draw.facility = each([&draw](double factor) { return draw.it * factor; }, *pue);
  }
  return draw;
}

}  // namespace planner::cost

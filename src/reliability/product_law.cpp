#include "planner/reliability/product_law.hpp"

#include <cmath>

namespace planner::inline reliability {

ProductLaw::ProductLaw(const OutcomeLaw& time, const SumLaw& price)
    : table_(folded([&](double at) { return time.share_within(std::exp(at)); }, time.reach(),
                    [&](double at) { return price.share_within(std::exp(at)); },
                    {std::log(price.low()), std::log(price.high())})) {}

double ProductLaw::quantile(double p) const {
  return std::exp(table_.quantile(p));
}

}  // namespace planner::reliability

#include "planner/published/published.hpp"

#include <cmath>

#include "planner/published/sources.hpp"

namespace planner::published {

bool Check::reproduced() const {
  if (!checked()) return false;
  return ceiling ? published <= ours + tolerance : std::abs(ours - published) <= tolerance;
}

bool Check::missed() const {
  return checked() && !reproduced() && !at_odds;
}

Checks all(const catalog::Catalog& catalog) {
  return joined<Check>({rail_only(catalog), training_times(catalog), flagships(catalog),
                        designs(catalog), searched_designs(catalog), networks(), arithmetic(),
                        collectives(catalog), fire_flyer(catalog), failures(), routing(catalog),
                        routed_collectives(catalog), traffic(catalog), ownership_costs(catalog)});
}

}  // namespace planner::published

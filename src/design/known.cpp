#include "planner/design/known.hpp"

namespace planner::design {

Way Way::on_full_network() const {
  Way way = *this;
  way.levels.clear();
  way.rails_apart = 1;
  way.routed = {};
  return way;
}

const KnownWay* KnownSearches::answer(const Way& way, Seconds most) const {
  const auto found = all_.find(way);
  return found != all_.end() && found->second.answers(most) ? &found->second : nullptr;
}

void KnownSearches::add(const Way& way, const KnownWay& found) {
  KnownWay& known = all_[way];
  if (known.best || (!found.best && found.beyond <= known.beyond)) return;
  known = found;
}

}  // namespace planner::design

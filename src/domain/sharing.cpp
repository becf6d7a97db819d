#include "planner/domain/sharing.hpp"

namespace planner {

SharingSettings overlaid(const SharingSettings& base, const SharingSettings& over) {
  SharingSettings both = over;
  const auto fill = [&](auto member) {
    if (!(both.*member)) both.*member = base.*member;
  };
  using S = SharingSettings;
  fill(&S::writes);
  fill(&S::interval);
  fill(&S::reads);
  fill(&S::limit);
  fill(&S::flows);
  fill(&S::traffic_class);
  return both;
}

}  // namespace planner

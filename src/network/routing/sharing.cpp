#include "planner/network/routing/sharing.hpp"

#include <algorithm>

#include "planner/core/real.hpp"

namespace planner::inline network {

SharingImpact sharing_impact(const SharingSettings& storage, BytesPerSecond network) {
  const double flows = real(storage.flows.value_or(1));
  const double part = storage.traffic_class ? 1 - *storage.traffic_class : flows / (1 + flows);
  BytesPerSecond most = network * part;
  if (storage.limit) most = std::min(most, *storage.limit);
  const BytesPerSecond reads = std::min(storage.reads.value_or(BytesPerSecond{}), most);
  const BytesPerSecond writing = reads < most * (1 - 1e-9) ? most - reads : BytesPerSecond{};

  SharingImpact impact{.traffic = reads};
  // Less than all by rounding is all.
  if (storage.reads && reads < *storage.reads * (1 - 1e-9)) {
    impact.reads_share = reads / *storage.reads;
  }
  if (storage.writes && storage.interval) {
    impact.slowdown_writing = network / (network - most);
    impact.write_time = *storage.writes / writing;  // infinite where reads take it all
    impact.writing_share = impact.write_time / *storage.interval;
    impact.traffic = reads + std::min(*storage.writes / *storage.interval, writing);
  }
  impact.storage_share = impact.traffic / network;
  impact.slowdown_mean = network / (network - impact.traffic);
  if (storage.traffic_class) {
    impact.guaranteed = 1 / *storage.traffic_class;
    impact.most_traffic = network * part;
  }
  return impact;
}

}  // namespace planner::network

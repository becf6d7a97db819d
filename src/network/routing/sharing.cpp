#include "planner/network/routing/sharing.hpp"

#include <algorithm>
#include <limits>

#include "planner/core/real.hpp"

namespace planner {

namespace {

/// S where training is left with so much of a card.
double slowdown_at(BytesPerSecond left, BytesPerSecond card) {
  return left > BytesPerSecond{} ? std::max(1.0, card / left)
                                 : std::numeric_limits<double>::infinity();
}

}  // namespace

SharingImpact sharing_impact(const SharedNetwork& shared) {
  const double flows = real(shared.training_flows + shared.storage_flows);
  const double storage_part =
      shared.training_class ? 1 - *shared.training_class : real(shared.storage_flows) / flows;
  BytesPerSecond storage = shared.card * storage_part;
  if (shared.storage_limit) storage = std::min(storage, *shared.storage_limit);
  const BytesPerSecond reads = std::min(shared.reads, storage);
  const BytesPerSecond writing = storage - reads;

  SharingImpact impact;
  if (shared.training_class) impact.guaranteed = 1 / *shared.training_class;
  BytesPerSecond mean_writes{};
  if (shared.interval > Seconds{} && shared.writes > Bytes{}) {
    impact.slowdown_writing = slowdown_at(shared.card - storage, shared.card);
    impact.write_time = writing > BytesPerSecond{}
                            ? shared.writes / writing
                            : Seconds{std::numeric_limits<double>::infinity()};
    impact.writing_share = impact.write_time / shared.interval;
    mean_writes = std::min(shared.writes / shared.interval, writing);
  }
  impact.storage_share = (mean_writes + reads) / shared.card;
  impact.slowdown_mean = slowdown_at(shared.card - mean_writes - reads, shared.card);
  return impact;
}

}  // namespace planner

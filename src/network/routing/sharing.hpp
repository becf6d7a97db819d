#pragma once

#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/sharing.hpp"

// Storage and training on one network (Fire-Flyer paper, arXiv 2408.14158, § III-B and § VI-A).
namespace planner::inline network {

struct SharingImpact {
  BytesPerSecond traffic{};     ///< of storage, on average over time
  double storage_share = 0;     ///< of the network that it is
  Seconds write_time{};         ///< of a checkpoint while training sends as much as it can
  double writing_share = 0;     ///< of the time; above 1 a checkpoint is never done before the next
  double reads_share = 1;       ///< of the training data that arrives while training sends
  double slowdown_writing = 1;  ///< S of training's transfers while a checkpoint is written
  double slowdown_mean = 1;     ///< S over the whole time
  /// The largest S that storage can cause whatever it sends, and the traffic that does; nothing: no
  /// traffic class bounds it.
  std::optional<double> guaranteed{};
  std::optional<BytesPerSecond> most_traffic{};
};

/// Links are never idle while anyone wants to send. During a checkpoint storage gets
/// min(limit, its share), training the rest less the reads; over time storage takes
/// (writes/interval + reads)/network. A traffic class keeps its share for training; without one
/// flows share alike. Head-of-line blocking, which classes prevent as well (§ VI-A1), comes on top
/// and is not modelled.
/// @param network  bandwidth per GPU and direction
SharingImpact sharing_impact(const SharingSettings& storage, BytesPerSecond network);

}  // namespace planner::network

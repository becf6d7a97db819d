#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"

// Storage and training on one network (Fire-Flyer paper, arXiv 2408.14158, § III-B and § VI-A).
namespace planner {

/// What storage moves through a card that training uses too, and how the two are kept apart.
struct SharedNetwork {
  BytesPerSecond card{};                          ///< bandwidth, per direction
  Bytes writes{};                                 ///< of one checkpoint through this card
  Seconds interval{};                             ///< between checkpoints; 0: none are written
  BytesPerSecond reads{};                         ///< training data, all the time
  std::optional<BytesPerSecond> storage_limit{};  ///< what the storage takes per card; nothing: all
  /// Share of the card that a traffic class keeps for training; nothing: one class for all, where
  /// flows share alike.
  std::optional<double> training_class{};
  std::int64_t training_flows = 1;
  std::int64_t storage_flows = 1;
};

struct SharingImpact {
  double storage_share = 0;     ///< of the card, on average over time
  Seconds write_time{};         ///< of a checkpoint while training sends as much as it can
  double writing_share = 0;     ///< of the time; above 1 a checkpoint is never done before the next
  double slowdown_writing = 1;  ///< S of training's transfers while a checkpoint is written
  double slowdown_mean = 1;     ///< S over the whole time
  /// The largest S that storage can cause whatever it sends; nothing: no traffic class bounds it.
  std::optional<double> guaranteed{};
};

/// Links are never idle while anyone wants to send. During a checkpoint storage gets
/// min(limit, its share), training the rest less the reads; over time storage takes
/// (writes/interval + reads)/card. Head-of-line blocking, which classes prevent as well
/// (§ VI-A1), comes on top and is not modelled.
SharingImpact sharing_impact(const SharedNetwork& shared);

}  // namespace planner

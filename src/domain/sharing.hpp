#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"

namespace planner {

/// What storage moves through the network that training uses too, per GPU, as far as someone has
/// said so; nothing of it: the two are not on one network.
struct SharingSettings {
  std::optional<Bytes> writes{};          ///< of one checkpoint
  std::optional<Seconds> interval{};      ///< between checkpoints
  std::optional<BytesPerSecond> reads{};  ///< training data, all the time
  std::optional<BytesPerSecond> limit{};  ///< what the storage takes
  std::optional<std::int64_t> flows{};    ///< beside each flow of training
  std::optional<double> traffic_class{};  ///< share of the network kept for training

  bool operator==(const SharingSettings&) const = default;
};

/// What `over` says, and what `base` says of the rest.
SharingSettings overlaid(const SharingSettings& base, const SharingSettings& over);

}  // namespace planner

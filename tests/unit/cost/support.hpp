#pragma once

#include <string>
#include <utility>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner {

inline Money usd(double dollars) {
  return Money::from_dollars(dollars).value();
}

inline Estimate<Money> exactly(double dollars) {
  return Estimate<Money>::exactly(usd(dollars));
}

inline Price price(std::string part, double dollars) {
  return {.part = std::move(part), .amount = exactly(dollars), .origin = {.source = "test"}};
}

inline PartQuantity bought(std::string id, PartCategory category, std::int64_t quantity) {
  return {.part = {.id = id, .title = id, .category = category}, .quantity = quantity};
}

inline PartQuantity drawing(std::string id, PartCategory category, std::int64_t quantity,
                            Watts power) {
  PartQuantity part = bought(std::move(id), category, quantity);
  part.part.power = power;
  return part;
}

}  // namespace planner

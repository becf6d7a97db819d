#pragma once

#include <vector>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// The parts with their prices, one line each, in the order given; parts of quantity 0 are left
/// out. A part's price is its own, else the book's entry of its id, else (a switch) its ports times
/// the book's price per port of its speed, else (a transceiver counted by ends) the book's price
/// per end. A part that no price covers stays unpriced.
BillResult bill_of_materials(const std::vector<PartQuantity>& parts, const PriceBook& book);

}  // namespace planner::cost

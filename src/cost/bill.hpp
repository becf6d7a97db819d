#pragma once

#include <string>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// "2.5": of metres, with one decimal at most.
std::string length_text(double metres);
/// "om4-fibre-20m": what a book calls a cable of one length.
std::string key_with_length(const Part& cable);

/// The parts with their prices, one line each, in the order given; parts of quantity 0 are left
/// out. A part's price is its own, else the book's entry of its id (of a cable: of its length, else
/// of any length with the price of each metre on top), else (a switch) its ports times
/// the book's price per port of its speed, else (a transceiver counted by ends) the book's price
/// per end. A part that no price covers stays unpriced.
BillResult bill_of_materials(const std::vector<PartQuantity>& parts, const PriceBook& book);

}  // namespace planner::cost

#pragma once

#include <string>
#include <vector>

#include "planner/commands/build/build.hpp"
#include "planner/commands/build/paints.hpp"

// What the drawing of a floor means, in words beside it.
namespace planner::commands {

/// Whether a floor and its racks agree, so that they can be drawn: a saved answer may say anything.
bool drawable(const BuildAnswer& answer);

/// A run of tray along which it is about as full.
struct TrayRun {
  bool cross = false;
  std::size_t line = 0;          ///< the row or the cross tray, from 0
  std::size_t from = 0, to = 0;  ///< its stretches, from 0, the last included
  double fill = 0;               ///< of what cables may take, where it is fullest
};

/// Nothing but what is beyond may be red.
inline bool too_full(double fill) {
  return fill > 1 + 1e-9;
}

/// Where cables lie beyond what a tray may take, else where they lie the densest: the fullest
/// first, a few.
std::vector<TrayRun> fullest_trays(const BuildAnswer& answer);

struct FloorKey {
  struct Kind {
    Paint paint;
    std::string words;
  };
  std::vector<Kind> kinds;  ///< of racks
  std::vector<std::string> lines;
};

FloorKey floor_key(const BuildAnswer& answer);

/// "512 cables to 9 other racks: 64 U0L0, 64 U0L1 …", the most first, as far as there is room.
std::string cables_in_words(const BuildAnswer::RackLine& rack, std::size_t room);

/// The key as part of a page.
std::string key_on_page(const FloorKey& key);

}  // namespace planner::commands

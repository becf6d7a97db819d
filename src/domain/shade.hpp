#pragma once

namespace planner {

/// The colours in which parts of a whole are told apart. Blue is computing, orange moves data
/// between GPUs, grey is the rest; what they look like is the charts' affair.
enum class Shade {
  blue,
  light_blue,
  pale_blue,
  brown,
  dark_orange,
  tan,
  orange,
  apricot,
  light_orange,
  dark_grey,
  grey,
  light_grey,
  pale_grey,
};

}  // namespace planner

#pragma once

#include <array>
#include <cstddef>

#include "planner/domain/shade.hpp"

/// The colours of all charts. The two hues stay apart for every kind of colour blindness, the
/// shades differ in lightness.
namespace planner::present::color {

// Text, and lines that are no data.
inline constexpr const char* kWhite = "#ffffff";
inline constexpr const char* kInk = "#1d252c";
inline constexpr const char* kQuietInk = "#5b6770";
inline constexpr const char* kGrid = "#e3e7ea";

/// A colour, and the one of text on it.
struct Paint {
  const char* color;
  const char* ink;
};

/// In the order of Shade.
inline constexpr std::array<Paint, 13> kPaints{{{"#2f74b8", kWhite},
                                                {"#8ab6e0", kInk},
                                                {"#c9ddf1", kInk},
                                                {"#7d3a0a", kWhite},
                                                {"#b3500f", kWhite},
                                                {"#cf7a33", kInk},
                                                {"#ea9a3e", kInk},
                                                {"#f3b57a", kInk},
                                                {"#f6cf98", kInk},
                                                {"#48535c", kWhite},
                                                {"#6f7c87", kWhite},
                                                {"#a9b4bd", kInk},
                                                {"#ccd4da", kInk}}};

constexpr Paint paint(Shade shade) {
  return kPaints[static_cast<std::size_t>(shade)];
}

constexpr const char* of(Shade shade) {
  return paint(shade).color;
}

}  // namespace planner::present::color

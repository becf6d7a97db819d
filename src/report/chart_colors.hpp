#pragma once

/// The colours of all charts. Blue is computing, orange moves data between GPUs, grey is the rest.
/// The two hues stay apart for every kind of colour blindness, the shades differ in lightness.
namespace planner::color {

inline constexpr const char* kBlue = "#2f74b8";
inline constexpr const char* kDarkOrange = "#b3500f";
inline constexpr const char* kOrange = "#ea9a3e";
inline constexpr const char* kLightOrange = "#f6cf98";
inline constexpr const char* kLightBlue = "#8ab6e0";
inline constexpr const char* kPaleBlue = "#c9ddf1";
inline constexpr const char* kBrown = "#7d3a0a";
inline constexpr const char* kTan = "#cf7a33";
inline constexpr const char* kApricot = "#f3b57a";
inline constexpr const char* kDarkGrey = "#48535c";
inline constexpr const char* kGrey = "#6f7c87";
inline constexpr const char* kLightGrey = "#a9b4bd";
inline constexpr const char* kPaleGrey = "#ccd4da";

// Text, and lines that are no data.
inline constexpr const char* kWhite = "#ffffff";
inline constexpr const char* kInk = "#1d252c";
inline constexpr const char* kQuietInk = "#5b6770";
inline constexpr const char* kGrid = "#e3e7ea";

}  // namespace planner::color

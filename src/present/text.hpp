#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/grouped.hpp"
#include "planner/core/quantity.hpp"

namespace planner {

/// Three significant digits, or all of a whole part, without exponent between 1e-3 and 1e15:
/// "3.42", "0.00120", "1,230".
std::string significant(double value);

/// With a decimal prefix: "2.45 M".
std::string with_prefix(double value);

/// A duration in its natural unit: "86.2 µs", "3.42 s", "2.1 h", "41.3 days"; "more than 10⁹
/// years".
std::string duration(Seconds time);

/// Days without their unit: "41.3", "more than 10⁹".
std::string in_days(Seconds time);

/// From one duration to another: "11.4–13.6 s", "58.2 s to 1.1 min".
std::string range(Seconds low, Seconds high);

/// "80 %: 11.4–13.6 s"
std::string interval_text(Seconds low, Seconds high);

/// "1 GiB" or "256 MB": powers of 1024 where the size is a whole number of them.
std::string size_text(Bytes size);

/// GB with one decimal, "54.7", from a million on with three digits: "1.23e+06".
std::string gigabytes(Bytes size);

/// A share as a percentage with one decimal: "46.4 %".
std::string percent(double share);

/// A horizontal bar of `width` cells, `share` of it filled, to an eighth of a cell.
std::string bar(double share, int width);

/// Characters that a UTF-8 text takes on a terminal.
std::size_t display_width(std::string_view text);

/// Text filled with spaces up to `width` cells, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Words broken into lines of at most `width` cells, every line after the first indented; a number
/// stays with its sign or prefix: "10 %", "$719 M".
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace planner

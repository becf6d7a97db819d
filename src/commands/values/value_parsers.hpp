#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planner {

/// A value read from text, or what is wrong with the text.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error;
};

/// A whole number in [least, most]; suffixes K, M, B (or G) and T stand for powers of 1000.
Parsed<std::int64_t> parse_integer(std::string_view text, std::int64_t least, std::int64_t most);

/// A finite number in [1e-9, most], with the same suffixes.
Parsed<double> parse_positive(std::string_view text, double most);

/// A finite number in [least, most], with the same suffixes.
Parsed<double> parse_between(std::string_view text, double least, double most);

/// A finite number in [0, most], with the same suffixes.
Parsed<double> parse_non_negative(std::string_view text, double most);

/// A whole number of bytes from 1 to 1e18: "1GiB", "256MB", "1e9" (B, KB, KiB, MB, … TiB).
Parsed<double> parse_bytes(std::string_view text);

/// Whole numbers separated by commas; duplicates are dropped, the rest sorted.
Parsed<std::vector<std::int64_t>> parse_integers(std::string_view text, std::int64_t least,
                                                 std::int64_t most);

/// The parts of a comma-separated list; an empty text has one empty part.
std::vector<std::string> split_list(std::string_view text);

}  // namespace planner

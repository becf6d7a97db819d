#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "planner/commands/values/value_parsers.hpp"

namespace planner {

/// Whether the text is meant as a range: a value may have one colon, as the ratio 7:1 has.
bool is_range(std::string_view text);

/// What reads the numbers of a range: nothing where the text is none.
using NumberReader = std::function<std::optional<double>(std::string_view)>;

/// The values of "from:to:xF" (each F times the one before) or "from:to:+S" (each S more), the end
/// among them where they meet it. At most `most`.
/// @param example  of a range, for the error: "256:4096:x2"
Parsed<std::vector<double>> parse_range(std::string_view text, const NumberReader& read,
                                        std::size_t most, std::string_view example);

}  // namespace planner

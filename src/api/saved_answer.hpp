#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace planner {

/// Reads an answer of this program that was saved with --json. The text is not trusted: size and
/// nesting are bounded, and what is no answer with a result is refused.
/// @throws InputError with line and column: broken JSON, "not-an-answer", "other-version"
nlohmann::ordered_json parse_answer(std::string_view text, std::string_view source_name);

}  // namespace planner

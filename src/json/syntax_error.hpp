#pragma once

#include <cstddef>

#include "planner/json/source_text.hpp"

namespace planner::json {

/// What the parser was inside of when the text went wrong.
enum class JsonPlace { before_value, after_value, in_object, after_key, in_array };

/// Where the parser stood. All offsets are of the text.
struct JsonState {
  JsonPlace place = JsonPlace::before_value;
  bool just_opened = false;  ///< in_object or in_array: nothing read since the bracket
  std::size_t opened = 0;    ///< in_object, after_key, in_array: the open bracket
  std::size_t cursor = 0;    ///< end of the last token understood
  std::size_t read = 0;      ///< how far the lexer has read
};

/// The one diagnostic of a text that is not JSON: what was expected, what stands there, and the
/// usual cause.
Diagnostic explain_syntax_error(SourceText source, const JsonState& state);

}  // namespace planner::json

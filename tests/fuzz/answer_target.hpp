#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "planner/api/saved_answer.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/report/format.hpp"

namespace planner::fuzz {

/// A saved answer is read, then shown in every format that needs no temporary file.
inline void saved_answer(std::string_view text) {
  const auto answer = parse_answer(text, "fuzz");
  for (const Format format : {Format::csv, Format::markdown, Format::html}) {
    try {
      render(answer, format);
    } catch (const InputError&) {
    }
  }
}

}  // namespace planner::fuzz

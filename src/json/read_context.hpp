#pragma once

#include <string>
#include <string_view>

#include "planner/json/located_json.hpp"
#include "planner/json/source_text.hpp"

namespace planner::json {

/// Where the reader is: which document type, which value, and where to report what is wrong.
struct ReadContext {
  Problems& problems;
  std::string type;       ///< as in `planner schema TYPE`
  std::string path = {};  ///< of the value being read: "moe.top_k", "sources[1].keys"
  /// It is part of a saved answer, not of a file that somebody wrote: its values were checked when
  /// they were asked for, and it may be of a later version.
  bool saved = false;

  /// Reports `message` about the value at `node`, led by its path: `"moe.top_k": message`.
  void report(const JsonNode& node, std::string code, const std::string& message,
              std::string hint = {}) const;
  void wrong_type(const JsonNode& node, std::string_view expected) const;

  [[nodiscard]] ReadContext member(std::string_view key) const;
  [[nodiscard]] ReadContext element(std::size_t index) const;
};

}  // namespace planner::json

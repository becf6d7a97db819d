#pragma once

#include <string>
#include <vector>

namespace planner {

/// Where figures of a data file come from. Every figure of a shipped file is named by one note.
struct SourceNote {
  std::vector<std::string> keys;  ///< keys of the same file that this note covers
  std::string source;             ///< document, table or page
  std::string as_of;      ///< date of the figure, ISO 8601 (year, month or day); may be empty
  bool verified = false;  ///< checked against the named source itself, not a copy of it

  bool operator==(const SourceNote&) const = default;
};

}  // namespace planner

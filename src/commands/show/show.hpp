#pragma once

#include "planner/commands/command.hpp"

namespace planner::commands {

struct ShowRequest {
  std::vector<std::string> words;  ///< a name, or a kind and a name: "gpt1t", "models gpt1t"
};

struct ShowAnswer {
  std::string file;  ///< of the catalog, as JSON
};

ShowAnswer show_file(const ShowRequest& request, Context& context);
const json::Table<ShowAnswer>& show_fields();

/// `planner show`: one file of the catalog.
Command show();

}  // namespace planner::commands

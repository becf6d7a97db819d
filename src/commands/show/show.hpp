#pragma once

#include "planner/commands/command.hpp"
#include "planner/commands/list/files.hpp"

namespace planner::commands {

struct ShowRequest {
  std::vector<std::string> words;  ///< a name, or a kind and a name: "gpt1t", "models gpt1t"
};

struct ShowAnswer {
  std::string file;  ///< of the catalog, as JSON
};

ShowAnswer show_file(const ShowRequest& request, Context& context);
const json::FieldTable<ShowAnswer>& show_fields();

/// The file's JSON, in lines indented by two spaces.
std::string file_text(const CatalogItem& item);

/// `planner show`: one file of the catalog.
Command show();

}  // namespace planner::commands

#pragma once

#include "planner/commands/command.hpp"

namespace planner::commands {

struct ListRequest {
  std::vector<std::string> kinds;  ///< exactly one: "models"
};

struct ListEntry {
  std::string name, title, summary;
};

struct ListAnswer {
  std::string kind;
  std::vector<ListEntry> entries{};
};

/// The files of a kind, by name. One that cannot be read is a warning, and left out.
ListAnswer list_files(const ListRequest& request, Context& context);
const json::FieldTable<ListAnswer>& list_fields();
present::Document list_view(const ListAnswer& answer);

/// `planner list`: names of the catalog's files.
Command list();

}  // namespace planner::commands

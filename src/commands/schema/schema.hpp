#pragma once

#include "planner/commands/command.hpp"

namespace planner::commands {

struct SchemaRequest {
  std::vector<std::string> types;  ///< "model", or "request" and a command
};

struct SchemaAnswer {
  std::string schema;  ///< JSON
};

SchemaAnswer describe_type(const SchemaRequest& request, Context& context);
const json::FieldTable<SchemaAnswer>& schema_fields();

/// What `schema` knows: every type of file, and the JSON that goes in and comes out.
std::vector<std::string> schema_types();

// JSON Schemas (draft 2020-12) that follow from the registry, and of the list of error codes.
json::Json request_schema();
json::Json request_schema(const Command& command);
json::Json answer_schema();
json::Json error_schema();

/// `planner schema`: JSON Schema of a file type.
Command schema();

}  // namespace planner::commands

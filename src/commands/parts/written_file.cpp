#include "planner/commands/parts/written_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "planner/core/diagnostic.hpp"

namespace planner::commands {

void write_file(const std::optional<std::string>& path, const std::string& text) {
  if (!path) return;
  std::ofstream out(*path, std::ios::binary);
  out << text;
  out.close();
  if (out) return;
  throw InputError(Diagnostic{.code = "cannot-write",
                              .message = fmt::format("\"{}\" cannot be written", *path),
                              .hint = "name a file in a folder that is there"});
}

}  // namespace planner::commands

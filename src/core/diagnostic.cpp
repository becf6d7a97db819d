#include "planner/core/diagnostic.hpp"

namespace planner {

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) {
    text += diagnostic.file;
    if (diagnostic.line > 0) {
      text += ':' + std::to_string(diagnostic.line) + ':' + std::to_string(diagnostic.column);
    }
    text += ": ";
  }
  return text + diagnostic.message;
}

namespace {
std::string joined(const std::vector<Diagnostic>& found) {
  std::string text;
  for (const Diagnostic& diagnostic : found) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}
}  // namespace

InputError::InputError(std::vector<Diagnostic> found)
    : std::runtime_error(joined(found)), diagnostics_(std::move(found)) {}

}  // namespace planner

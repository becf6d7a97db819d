#include "planner/json/read_context.hpp"

#include <utility>

#include "planner/json/number_text.hpp"

namespace planner::json {

void ReadContext::report(const JsonNode& node, std::string code, const std::string& message,
                         std::string hint) const {
  problems.add(node.offset, std::move(code),
               path.empty() ? message : in_quotes(path) + ": " + message, std::move(hint));
}

void ReadContext::wrong_type(const JsonNode& node, std::string_view expected) const {
  const double* const number = node.get<double>();
  report(node, "wrong-type",
         "expected " + std::string(expected) + ", got " +
             (number != nullptr ? shortest(*number) : std::string(node.kind())));
}

ReadContext ReadContext::member(std::string_view key) const {
  return {problems, type, path.empty() ? std::string(key) : path + "." + std::string(key), saved};
}

ReadContext ReadContext::element(std::size_t index) const {
  return {problems, type, path + "[" + std::to_string(index) + "]", saved};
}

}  // namespace planner::json

#include "planner/catalog/locate.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "planner/json/located_json.hpp"
#include "planner/json/source_text.hpp"

namespace planner::catalog {

using namespace json;

namespace {

const JsonNode* child(const JsonNode& node, std::string_view key) {
  if (const auto* const array = node.get<JsonNode::Array>()) {
    std::size_t index = array->size();
    std::from_chars(key.data(), key.data() + key.size(), index);
    return index < array->size() ? &(*array)[index] : nullptr;
  }
  return node.get<JsonNode::Object>() == nullptr ? nullptr : node.find(key);
}

/// The value at a path, or the nearest one above it.
/// @param rest  set to what is left of the path
const JsonNode& nearest(const JsonNode& root, std::string_view path, std::string_view& rest) {
  const JsonNode* node = &root;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const JsonNode* const next = child(*node, path.substr(0, dot));
    if (next == nullptr) break;
    node = next;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  rest = path;
  return *node;
}

}  // namespace

Diagnostic located(const CatalogFile& file, std::string_view path, Diagnostic finding) {
  const SourceText source{file.source_name, file.text};
  const JsonNode root = parse_json(source);
  return source.diagnose(nearest(root, path, path).offset, std::move(finding.code),
                         std::move(finding.message), std::move(finding.hint));
}

bool has_text(const CatalogFile& file, std::string_view path, std::string_view text) {
  const JsonNode root = parse_json({file.source_name, file.text});
  const auto* const found = nearest(root, path, path).get<std::string>();
  return path.empty() && found != nullptr && *found == text;
}

}  // namespace planner::catalog

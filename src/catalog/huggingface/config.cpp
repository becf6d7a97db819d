#include "planner/catalog/huggingface/config.hpp"

#include <utility>

namespace planner::catalog {

using namespace json;

const JsonNode* ConfigReader::find(Keys keys) {
  const JsonNode* found = nullptr;
  for (const std::string_view key : keys) {
    understood_.emplace(key);
    const JsonNode* const node = object_.find(key);
    if (found != nullptr || node == nullptr || node->is_null()) continue;
    found = node;
    found_key_ = key;
  }
  return found;
}

std::int64_t ConfigReader::required(Keys keys, const Codec<std::int64_t>& codec) {
  if (find(keys) == nullptr) {
    report_missing(keys);
    return 0;
  }
  return read(keys, codec).value_or(0);
}

void ConfigReader::report_missing(Keys keys) {
  std::string others;
  for (const std::string_view key : keys) {
    if (key != *keys.begin()) others += (others.empty() ? "or " : " or ") + in_quotes(key);
  }
  const std::string inside = context_.path.empty() ? "" : " in " + in_quotes(context_.path);
  context_.problems.add(object_.offset, "missing-key",
                        "missing key " + in_quotes(*keys.begin()) + inside, others);
}

void ConfigReader::report(std::string_view key, std::string code, const std::string& message) {
  const JsonNode* const node = object_.find(key);
  context_.member(key).report(node == nullptr ? object_ : *node, std::move(code), message);
}

}  // namespace planner::catalog

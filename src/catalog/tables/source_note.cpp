#include <set>

#include "planner/catalog/tables/tables.hpp"
#include "planner/core/closest_match.hpp"

namespace planner::catalog {

using namespace json;

namespace {

// No key of any type is longer or lies deeper; without the bounds a hostile file would cost memory.
constexpr std::size_t kLongestKey = 64;
constexpr int kDeepestKey = 4;

void collect_keys(const JsonNode& object, const std::string& prefix, int depth,
                  std::set<std::string>& keys) {
  const auto* const members = object.get<JsonNode::Object>();
  if (members == nullptr || depth > kDeepestKey) return;
  for (const JsonMember& member : *members) {
    if (member.key.size() > kLongestKey) continue;
    keys.insert(prefix + member.key);
    collect_keys(member.value, prefix + member.key + ".", depth + 1, keys);
  }
}

/// Reports a name under one note's "keys" that is not among `known`.
void check_name(const JsonNode& name, const std::set<std::string>& known,
                const ReadContext& context) {
  const std::string* const key = name.get<std::string>();
  if (key == nullptr || known.contains(*key)) return;
  const auto meant = context.problems.full()
                         ? std::nullopt
                         : closest_match(*key, std::vector(known.begin(), known.end()));
  context.report(name, "unknown-source-key", in_quotes(*key) + " is no key of this file",
                 meant ? "did you mean " + in_quotes(*meant) + "?" : "");
}

}  // namespace

const FieldTable<SourceNote>& source_note_table() {
  static const FieldTable<SourceNote> table{
      "source note",
      "Where some figures of the file come from",
      {required("keys", &SourceNote::keys, list(text()),
                "keys of the file that this note covers; mla.kv_lora_rank for a nested one"),
       required("source", &SourceNote::source, text(), "document, table or page"),
       optional("as_of", &SourceNote::as_of, date(), "date of the figures"),
       optional("verified", &SourceNote::verified, boolean(),
                "checked against the named source itself, not a copy of it")}};
  return table;
}

void check_source_keys(const JsonNode& object, const ReadContext& context) {
  const JsonNode* const sources = object.find("sources");
  const auto* const notes = sources == nullptr ? nullptr : sources->get<JsonNode::Array>();
  if (notes == nullptr) return;
  std::set<std::string> known;
  collect_keys(object, "", 1, known);
  const ReadContext at_sources = context.member("sources");
  for (std::size_t i = 0; i < notes->size(); ++i) {
    const JsonNode* const keys = (*notes)[i].find("keys");
    const auto* const names = keys == nullptr ? nullptr : keys->get<JsonNode::Array>();
    if (names == nullptr) continue;
    const ReadContext at_keys = at_sources.element(i).member("keys");
    for (std::size_t k = 0; k < names->size(); ++k) {
      check_name((*names)[k], known, at_keys.element(k));
    }
  }
}

}  // namespace planner::catalog

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "planner/commands/diff/diff.hpp"

namespace planner::commands {

namespace {

using Json = nlohmann::ordered_json;

AnswerValue value_of(const Json* json) {
  if (json == nullptr || json->is_null()) return std::monostate{};
  if (json->is_boolean()) return json->get<bool>();
  if (json->is_number()) return json->get<double>();
  if (json->is_string()) return json->get<std::string>();
  return json->dump();  // an empty array or object
}

using Members = std::vector<std::pair<std::string, const Json*>>;

bool is_nested(const Json* json) {
  return json != nullptr && json->is_structured() && !json->empty();
}

/// What stands under one name on both sides; null: nothing.
struct Pair {
  std::string name;
  const Json* a = nullptr;
  const Json* b = nullptr;
};

/// In the order of `left`, then what only `right` has.
std::vector<Pair> paired(const Members& left, const Members& right) {
  std::unordered_map<std::string_view, const Json*> rest;
  for (const auto& [name, value] : right) rest.emplace(name, value);
  std::vector<Pair> pairs;
  for (const auto& [name, value] : left) {
    const auto found = rest.find(name);
    pairs.push_back({name, value, found == rest.end() ? nullptr : found->second});
    if (found != rest.end()) rest.erase(found);
  }
  for (const auto& [name, value] : right) {
    if (rest.contains(name)) pairs.push_back({name, nullptr, value});
  }
  return pairs;
}

class Comparison {
 public:
  Comparison(const std::set<std::string>& naming, DiffAnswer& result)
      : naming_(naming), result_(result) {}

  void members(const Json* a, const Json* b, const std::string& section) {
    const Members left = is_nested(a) ? members_of(*a) : Members{};
    const Members right = is_nested(b) ? members_of(*b) : Members{};
    const std::vector<Pair> pairs = paired(left, right);
    for (const Pair& pair : pairs) {
      if (!is_nested(pair.a) && !is_nested(pair.b)) figure(pair, section);
    }
    for (const Pair& pair : pairs) {
      if (!is_nested(pair.a) && !is_nested(pair.b)) continue;
      // A value against an object: the value is shown, then what the object holds.
      if (!is_nested(pair.a) && value_of(pair.a) != AnswerValue{}) {
        figure({.name = pair.name, .a = pair.a}, section);
      }
      if (!is_nested(pair.b) && value_of(pair.b) != AnswerValue{}) {
        figure({.name = pair.name, .b = pair.b}, section);
      }
      members(pair.a, pair.b, section.empty() ? pair.name : section + " › " + pair.name);
    }
  }

 private:
  /// What an array's element goes by; empty: its place.
  [[nodiscard]] std::string label_of(const Json& element) const {
    if (!element.is_object()) return {};
    for (const auto& [key, value] : element.items()) {
      if (naming_.contains(key) && value.is_string()) return value.get<std::string>();
    }
    return {};
  }

  /// The members of an object, or the elements of an array under names that are unique.
  [[nodiscard]] Members members_of(const Json& json) const {
    Members members;
    if (json.is_object()) {
      for (const auto& [key, value] : json.items()) members.emplace_back(key, &value);
      return members;
    }
    std::unordered_map<std::string, std::size_t> times;
    for (std::size_t i = 0; i < json.size(); ++i) {
      std::string label = label_of(json[i]);
      if (label.empty()) label = std::to_string(i + 1);
      const std::size_t seen = ++times[label];
      if (seen > 1) label += " (" + std::to_string(seen) + ")";
      members.emplace_back(std::move(label), &json[i]);
    }
    return members;
  }

  void figure(const Pair& pair, const std::string& section) {
    DiffRow row{
        .section = section, .name = pair.name, .a = value_of(pair.a), .b = value_of(pair.b)};
    if (row.a == row.b) {
      ++result_.same;
    } else {
      result_.rows.push_back(std::move(row));
    }
  }

  const std::set<std::string>& naming_;
  DiffAnswer& result_;
};

}  // namespace

std::optional<double> DiffRow::difference() const {
  const auto* const before = std::get_if<double>(&a);
  const auto* const after = std::get_if<double>(&b);
  if (before == nullptr || after == nullptr) return std::nullopt;
  return *after - *before;
}

std::optional<double> DiffRow::relative() const {
  const std::optional<double> change = difference();
  if (!change || std::get<double>(a) == 0) return std::nullopt;
  return *change / std::abs(std::get<double>(a));
}

void compare_answers(const Json& a, const Json& b, const std::set<std::string>& naming,
                     DiffAnswer& result) {
  Comparison(naming, result).members(&a, &b, "");
}

}  // namespace planner::commands

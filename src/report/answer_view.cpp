#include "planner/report/answer_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/api/verdict.hpp"
#include "planner/present/text.hpp"

namespace planner {

namespace {

constexpr std::size_t kLongName = 26;  // what fits under a bar of a chart

/// The clusters' file names without the words that all begin with: "rail-only"; empty where a saved
/// answer has none.
std::vector<std::string> file_names(const std::vector<Json>& clusters) {
  std::vector<std::string> names;
  for (const Json& cluster : clusters) {
    names.push_back(text(cluster, {"name"}));
    if (names.back().empty()) return {};
  }
  return names;
}

/// Cuts off the words that all names begin with, but never a whole name.
void drop_common_start(std::vector<std::string>& names, char between) {
  const std::string first = names.front();
  std::size_t common = first.size();
  for (const std::string& name : names) {
    const auto end = std::mismatch(name.begin(), name.end(), first.begin(), first.end());
    common = std::min(common, static_cast<std::size_t>(end.first - name.begin()));
  }
  const std::size_t space = first.rfind(between, common == 0 ? 0 : common - 1);
  const std::size_t start = common == 0 || space == std::string::npos ? 0 : space + 1;
  for (std::string& name : names) name.erase(0, start);
}

}  // namespace

const Json& at(const Json& json, std::initializer_list<std::string_view> path) {
  static const Json nothing;
  const Json* found = &json;
  for (const std::string_view key : path) {
    if (!found->is_object()) return nothing;
    const auto entry = found->find(std::string{key});
    if (entry == found->end()) return nothing;
    found = &*entry;
  }
  return *found;
}

std::optional<double> number(const Json& json, std::initializer_list<std::string_view> path) {
  const Json& found = at(json, path);
  if (!found.is_number()) return std::nullopt;
  return found.get<double>();
}

std::string text(const Json& json, std::initializer_list<std::string_view> path) {
  const Json& found = at(json, path);
  return found.is_string() ? found.get<std::string>() : std::string{};
}

std::vector<Json> clusters_of(const Json& answer) {
  const Json& result = at(answer, {"result"});
  const Json& list = at(result, {"clusters"});
  if (list.is_array()) return {list.begin(), list.end()};
  if (at(result, {"lines"}).is_array()) return {result};
  return {};
}

std::vector<std::string> short_names(const std::vector<Json>& clusters) {
  std::vector<std::string> names;
  for (const Json& cluster : clusters) {
    const std::string title = text(cluster, {"title"});
    names.push_back(title.empty() ? text(cluster, {"name"}) : title);
  }
  if (names.size() < 2) return names;
  drop_common_start(names, ' ');
  const bool fit = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return display_width(name) <= kLongName;
  });
  if (fit) return names;
  std::vector<std::string> files = file_names(clusters);
  if (files.empty()) return names;
  drop_common_start(files, '-');
  return files;
}

bool same_workload(const std::vector<Json>& clusters) {
  const Json* first = nullptr;
  for (const Json& cluster : clusters) {
    const Json& workload = at(cluster, {"training", "workload"});
    if (!workload.is_object()) continue;
    if (first == nullptr) first = &workload;
    for (const char* key : {"model", "global_batch", "sequence", "precision"}) {
      if (at(workload, {key}) != at(*first, {key})) return false;
    }
  }
  return true;
}

bool is_relative(const Json& cluster) {
  return text(cluster, {"currency"}) == "relative";
}

const Json& money_at(const Json& json, const std::string& name) {
  const Json& dollars = at(json, {name + "_usd"});
  return dollars.is_null() ? at(json, {name + "_relative"}) : dollars;
}

Sum capital_cost(const Json& cluster) {
  const Json& amount = money_at(cluster, "capex");
  const bool at_least = number(cluster, {"unpriced_lines"}).value_or(0) > 0;
  if (!amount.is_number() || (at_least && amount.get<double>() <= 0)) {
    return {.amount = {}, .at_least = at_least};
  }
  return {.amount = amount.get<double>(), .at_least = at_least};
}

Sum network_cost(const Json& cluster) {
  double sum = 0;
  bool at_least = false;
  for (const PartCategory part : kPartCategories) {
    if (!is_network(part)) continue;
    const Json& category = at(cluster, {"capex_by_category", name_of(part)});
    sum += number(category, {"amount", "expected"}).value_or(0);
    at_least = at_least || number(category, {"unpriced_lines"}).value_or(0) > 0;
  }
  if (sum <= 0) return {.amount = {}, .at_least = at_least};
  return {.amount = sum, .at_least = at_least};
}

std::string short_money(double amount, bool relative) {
  if (relative) return significant(amount);
  return std::abs(amount) < 1e6 ? full_money(amount, false) : "$" + with_prefix(amount);
}

std::string full_money(double amount, bool relative) {
  if (relative) return significant(amount);
  const std::int64_t cents = std::llround(amount * 100);
  const std::string dollars = "$" + grouped(cents / 100);
  return cents % 100 == 0 ? dollars : fmt::format("{}.{:02}", dollars, std::abs(cents % 100));
}

}  // namespace planner

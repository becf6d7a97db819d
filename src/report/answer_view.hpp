#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reading a JSON answer that may be of another version or edited by hand: what is not there is
// nothing, never an error.
namespace planner {

using Json = nlohmann::ordered_json;

/// What is at a path of keys; null where any of them is missing.
const Json& at(const Json& json, std::initializer_list<std::string_view> path);

std::optional<double> number(const Json& json, std::initializer_list<std::string_view> path);
/// The text there, or an empty one.
std::string text(const Json& json, std::initializer_list<std::string_view> path);

/// The clusters of a comparison, or the one of a cost answer.
std::vector<Json> clusters_of(const Json& answer);

/// Their titles without the words that all of them begin with: "rail-only", "fat tree".
std::vector<std::string> short_names(const std::vector<Json>& clusters);

/// Whether those that train do the same work per iteration, so that their times compare.
bool same_workload(const std::vector<Json>& clusters);

/// A sum of money, incomplete while lines have no price.
struct Sum {
  std::optional<double> amount;  ///< nothing: nothing is known
  bool at_least = false;
};

bool is_relative(const Json& cluster);
/// What is under `name` with the ending of the cluster's currency: "_usd" or "_relative".
const Json& money_at(const Json& json, const std::string& name);
Sum capital_cost(const Json& cluster);
/// Of the categories that is_network() holds of.
Sum network_cost(const Json& cluster);

/// "$123 M", "$748", or plain relative units.
std::string short_money(double amount, bool relative);
/// To the cent: "$122,552,320", "$0.75".
std::string full_money(double amount, bool relative);

}  // namespace planner

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace planner {

/// A figure of an answer, or nothing where the answer has none.
using AnswerValue = std::variant<std::monostate, bool, double, std::string>;

/// One figure in which two answers differ.
struct DiffRow {
  std::string section;  ///< where it is: "memory", "lines › NVIDIA QM9700"; empty: at the top
  std::string name;     ///< "weights_bytes"
  AnswerValue a, b;

  /// b - a, where both are numbers.
  [[nodiscard]] std::optional<double> difference() const;
  /// That over |a|: 0.1 is 10 % more. Nothing where a is 0.
  [[nodiscard]] std::optional<double> relative() const;
  bool operator==(const DiffRow&) const = default;
};

struct DiffResult {
  std::string a, b;           ///< what the answers are called
  std::vector<DiffRow> rows;  ///< in the order of a, then what only b has
  std::size_t same = 0;       ///< figures in which they agree
};

/// Compares two values member by member. Elements of an array belong together by their "name",
/// "item", "part" or "resource" where they have one, else by their place.
void compare_answers(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b,
                     DiffResult& result);

}  // namespace planner

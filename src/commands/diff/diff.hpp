#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "planner/commands/command.hpp"

namespace planner::commands {

struct DiffRequest {
  std::vector<std::string> files;  ///< two
};

/// A figure of an answer, or nothing where the answer has none.
using AnswerValue = std::variant<std::monostate, bool, double, std::string>;

/// One figure in which the JSON of two answers differs.
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

/// One figure in which two answers differ, in the words of their tables.
struct DiffFigure {
  std::string section;  ///< the heading that it stands under; empty: at the top
  std::string name;     ///< of the figure: "NVIDIA QM9700 · quantity"
  present::Cell a, b;
};

struct DiffAnswer {
  std::string a, b;             ///< what the answers are called
  std::int64_t same = 0;        ///< values of their JSON in which they agree
  std::vector<DiffRow> rows{};  ///< in the order of a, then what only b has
  std::int64_t agree = 0;       ///< figures of their tables
  std::vector<DiffFigure> figures{};
};

/// Compares two values member by member. Elements of an array belong together by the first of their
/// keys that is among `naming`, else by their place.
void compare_answers(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b,
                     const std::set<std::string>& naming, DiffAnswer& result);
/// Compares what a terminal shows of two documents, figure by figure. Rankings are left out: what
/// stands in the second place is no other state of the same thing.
void compare_documents(const present::Document& a, const present::Document& b, DiffAnswer& result);

DiffAnswer diff_files(const DiffRequest& request, Context& context);
const json::FieldTable<DiffAnswer>& diff_fields();
present::Document diff_view(const DiffAnswer& answer);

/// `planner diff`: two saved answers, figure by figure.
Command diff();

}  // namespace planner::commands

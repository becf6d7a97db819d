#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/domain/estimate.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// Rows in the order in which they are added; formulas name those before them.
class CalculationRows {
 public:
  void given(std::string key, std::string name, present::Cell value) {
    rows_.push_back({std::move(key), std::move(name), std::move(value), {}});
  }
  void given(std::string key, std::string name, double value, std::string unit = {}) {
    given(std::move(key), std::move(name), present::number(value, std::move(unit)));
  }
  void follows(std::string key, std::string name, present::Cell value, std::string formula) {
    rows_.push_back({std::move(key), std::move(name), std::move(value), std::move(formula)});
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool has(std::string_view key) const {
    return std::any_of(rows_.begin(), rows_.end(), [=](const auto& row) { return row.key == key; });
  }
  std::vector<present::Calculation::Row> take() && { return std::move(rows_); }

 private:
  std::vector<present::Calculation::Row> rows_;
};

/// A figure with both of its ends, each as `cell` shows it.
template <class T, class F>
present::Cell ranged(const Estimate<T>& of, F cell) {
  present::Cell shown = cell(of.expected);
  if (!of.exact()) {
    shown.ends =
        present::Ends{cell(of.low).number().value_or(0), cell(of.high).number().value_or(0)};
  }
  return shown;
}

inline present::Cell plain_range(const Estimate<double>& of, const std::string& unit = {}) {
  return ranged(of, [&](double value) { return present::number(value, unit); });
}

inline present::Cell amount_range(const Estimate<Money>& amount) {
  return ranged(amount, [](Money value) { return present::money_rate(value.dollars()); });
}

}  // namespace planner::commands

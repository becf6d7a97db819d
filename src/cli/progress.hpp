#pragma once

#include <chrono>
#include <string>

#include "planner/calibration/fit.hpp"
#include "planner/search/search.hpp"

namespace planner {

/// A line on standard error that follows a long search: shown after two seconds, on a terminal
/// only, erased at the end.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const SearchProgress& progress);
  void update(const FitProgress& progress);

 private:
  void show(const std::string& text);

  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace planner

#include "planner/calibration/kept_out.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "planner/search/for_each_index.hpp"

namespace planner::inline calibration {

namespace {

/// Row by name; rows of the same name belong together.
std::map<std::string, int> numbered(const std::vector<std::string>& names) {
  std::map<std::string, int> numbers;
  for (const std::string& name : names) numbers[name];
  int next = 0;
  for (auto& [name, number] : numbers) number = next++;
  return numbers;
}

}  // namespace

std::vector<int> folds_of(const std::vector<const MeasuredRow*>& rows, LeaveOut leave_out) {
  std::vector<std::string> names;
  for (const MeasuredRow* row : rows) {
    const std::string& group = row->run->rank_group;
    names.push_back(leave_out == LeaveOut::source ? row->source_key
                    : leave_out == LeaveOut::year ? std::to_string(row->year)
                    : group.empty()               ? "row " + row->id
                                                  : "group " + group);
  }
  const std::map<std::string, int> numbers = numbered(names);
  std::vector<int> folds;
  for (const std::string& name : names) {
    const int number = numbers.at(name);
    folds.push_back(leave_out == LeaveOut::group ? number % kGroupFolds : number);
  }
  return folds;
}

std::vector<double> predicted_kept_out(const std::vector<const MeasuredRow*>& rows, Validated what,
                                       const std::vector<int>& folds,
                                       const CalibrationPtr& expected, const FitOptions& options) {
  const int count = folds.empty() ? 0 : 1 + *std::max_element(folds.begin(), folds.end());
  std::vector<double> predictions(rows.size());
  std::mutex progress_lock;
  constexpr std::int64_t kParts = 2;  // of each fit: all constants, then jax's alone
  FitProgress progress{.total = count * kParts * options.steps};
  const auto one_more_step = [&](const FitProgress&) {
    const std::lock_guard lock(progress_lock);
    options.progress(progress);
    ++progress.done;
  };
  FitOptions of_fold = options;
  if (options.progress) of_fold.progress = one_more_step;
  for_each_index(static_cast<std::size_t>(count), options.threads, [&](std::size_t fold) {
    std::vector<const MeasuredRow*> others;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (folds[i] != static_cast<int>(fold)) others.push_back(rows[i]);
    }
    const auto constants =
        std::make_shared<const Calibration>(fitted(others, what, expected, of_fold));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (folds[i] == static_cast<int>(fold)) {
        predictions[i] = MeasuredPrediction(*rows[i]->run, expected)(what, constants);
      }
    }
  });
  return predictions;
}

}  // namespace planner::calibration

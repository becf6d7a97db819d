#pragma once

#include "planner/calibration/fit.hpp"
#include "planner/commands/command.hpp"

namespace planner::commands {

/// What `validate` and `calibrate` are asked alike.
struct FitChoice {
  std::optional<std::string> data{};         ///< measured runs; none: those that we ship
  std::optional<std::string> calibration{};  ///< name or file
  std::optional<std::int64_t> threads{};
};

/// `--calibration`, `--data`, `--threads`.
std::vector<OptionOf<FitChoice>> fit_options();

/// A fit's threads and ways to watch and end it.
FitOptions fit_settings(const FitChoice& choice, const Context& context);

/// A part of a fit is no answer.
/// @throws Interrupted where the user has ended it
void need_all_of_it(const Context& context);

inline constexpr std::int64_t kMostThreads = 4096;

/// The shipped constants of the calibrated model.
inline constexpr const char* kShippedCalibration = "default";

}  // namespace planner::commands

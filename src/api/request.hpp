#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/api/job_names.hpp"
#include "planner/api/sweep_axis.hpp"
#include "planner/calibration/fit.hpp"
#include "planner/commands/options/failures.hpp"
#include "planner/commands/options/routing.hpp"
#include "planner/domain/run.hpp"
#include "planner/search/search.hpp"

namespace planner {

enum class Command {
  optimize,
  estimate,
  network,
  collective,
  cost,
  compare,
  hfreduce,
  reliability,
  routing,
  sweep,
  validate,
  calibrate,
  report,
  diff,
  list,
  show,
  schema,
};

/// What a user asks for: every option of every command. Options that were not given are empty, so
/// that an answer can name the defaults it assumed. See options() for names, meanings and ranges.
struct Request {
  Command command = Command::optimize;
  std::vector<std::string> arguments;  ///< positional: `show NAME`, `list KIND`, …
  /// Options of a command of the registry, which reads them itself: name, text.
  std::vector<std::pair<std::string, std::string>> given;

  std::optional<std::string> model, system, calibration;
  std::optional<std::int64_t> gpus, hb_domain;
  std::optional<Precision> precision;
  std::optional<double> hb_bandwidth_GBps, network_bandwidth_GBps;
  std::vector<std::int64_t> pp, gpu_counts;
  bool require_prices = false;

  commands::FailureChoice reliability;
  commands::RoutingChoice routing;
  /// Of `sweep`, whose first argument names the command that it runs.
  std::vector<SweepAxis> vary;
  std::vector<std::pair<std::string, std::string>> swept_options;  ///< that command's: name, text

  bool explain = false;
  std::optional<std::int64_t> threads;
  std::optional<std::filesystem::path> data_dir;
};

/// Ways for the caller to watch and end a long request.
struct Control {
  std::function<void(const SearchProgress&)> progress{};   ///< see SearchOptions
  std::function<void(const FitProgress&)> fit_progress{};  ///< see FitOptions
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace planner

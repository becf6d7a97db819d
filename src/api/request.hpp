#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/api/collective_request.hpp"
#include "planner/api/hfreduce_request.hpp"
#include "planner/api/reliability_request.hpp"
#include "planner/api/routing_request.hpp"
#include "planner/api/sweep_axis.hpp"
#include "planner/calibration/kept_out.hpp"
#include "planner/domain/fabric.hpp"
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

enum class Timing { closed_form, calibrated };
inline constexpr std::array kTimings{Timing::calibrated, Timing::closed_form};

/// As on the command line and in JSON: "closed-form".
constexpr std::string_view name_of(Timing timing) {
  return timing == Timing::calibrated ? "calibrated" : "closed-form";
}

/// A program that trains, and that a plan is handed to.
enum class TrainingStack { megatron, nemo, torchtitan, deepspeed };
inline constexpr std::array kTrainingStacks{TrainingStack::megatron, TrainingStack::nemo,
                                            TrainingStack::torchtitan, TrainingStack::deepspeed};

/// Likewise: "megatron".
constexpr std::string_view name_of(TrainingStack stack) {
  switch (stack) {
    case TrainingStack::megatron:
      return "megatron";
    case TrainingStack::nemo:
      return "nemo";
    case TrainingStack::torchtitan:
      return "torchtitan";
    case TrainingStack::deepspeed:
      return "deepspeed";
  }
  return "";
}

/// What a user asks for: every option of every command. Options that were not given are empty, so
/// that an answer can name the defaults it assumed. See options() for names, meanings and ranges.
struct Request {
  Command command = Command::optimize;
  std::vector<std::string> arguments;  ///< positional: `show NAME`, `list KIND`, …

  std::optional<std::string> model, system;
  std::optional<std::int64_t> gpus, global_batch, sequence;
  std::optional<Precision> precision;
  std::optional<Timing> timing;
  std::optional<SoftwareClass> software;
  std::optional<AttentionKernel> attention;
  bool tp_overlap = false, expert_overlap = false;  ///< these and the next four: see Software
  std::optional<std::int64_t> micro_batches_per_flush, expert_domain_limit, dispatch_bytes;
  std::optional<double> communication_sm_share;
  std::optional<std::string> calibration;
  std::optional<double> bytes_per_parameter, tokens;

  std::optional<std::int64_t> hb_domain;
  std::optional<double> hb_bandwidth_GBps, network_bandwidth_GBps, memory_GB;

  std::vector<std::int64_t> tp, pp, dp, cp, ep, expert_tp, interleave, micro_batch, zero;
  std::vector<std::int64_t> shard_ranks;
  std::vector<std::int64_t> tp_hb, pp_hb, dp_hb, cp_hb, ep_hb;
  std::optional<Schedule> schedule;
  std::vector<Recompute> recompute;
  std::optional<bool> sequence_parallel;
  std::optional<std::int64_t> max_tp;
  bool all_axes = false;

  std::optional<Topology> topology;
  std::optional<std::int64_t> radix, port_gbps;
  /// What only some topologies take, by the name of the option.
  std::map<std::string, InputValue> topology_inputs;
  std::optional<std::string> prices;
  std::optional<double> switch_port_price, transceiver_price;  ///< US dollars
  bool require_prices = false;

  std::optional<std::string> data;
  bool peak_memory = false;
  std::optional<LeaveOut> leave_out;
  std::optional<std::string> memory_data, nccl_tests, gemms, accelerator, name, title;
  CollectiveRequest collective;
  HfReduceRequest hfreduce;
  ReliabilityRequest reliability;
  RoutingRequest routing;
  /// Of `sweep`, whose first argument names the command that it runs.
  std::vector<SweepAxis> vary;
  std::vector<std::pair<std::string, std::string>> swept_options;  ///< that command's: name, text

  std::optional<Objective> objective;
  std::vector<std::int64_t> gpu_counts;  ///< more than one: the objective decides among them
  std::optional<double> gpu_hour_price;  ///< US dollars
  std::optional<std::string> economics;
  std::optional<std::int64_t> top;
  bool pareto = false;
  bool explain = false;
  std::optional<TrainingStack> emit;
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

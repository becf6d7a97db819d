#include "planner/api/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "planner/api/collective_options.hpp"
#include "planner/api/option_readers.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/options/fabric.hpp"
#include "planner/domain/names.hpp"

namespace planner {

namespace {

constexpr double kMostTokens = 1e18;
constexpr double kMostMemoryGB = 1e9;
constexpr double kMostPriceUsd = 1e9;
constexpr double kMostSmShare = 0.9;

Reader integers(std::vector<std::int64_t> Request::*member, std::int64_t least = 1,
                std::int64_t most = kMostGpus) {
  return [=](std::string_view text, Request& request) {
    return store(parse_integers(text, least, most), request.*member);
  };
}

Reader recompute_modes() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    const Choices<Recompute> choices = named(kRecomputes);
    request.recompute.clear();
    for (const std::string& part : split_list(text)) {
      Parsed<Recompute> mode = parse_choice<Recompute>(part, choices);
      if (!mode.value) return mode.error;
      if (std::find(request.recompute.begin(), request.recompute.end(), *mode.value) ==
          request.recompute.end()) {
        request.recompute.push_back(*mode.value);
      }
    }
    std::sort(request.recompute.begin(), request.recompute.end());
    return std::nullopt;
  };
}

Reader sequence_parallel(bool on) {
  return [=](std::string_view, Request& request) -> std::optional<std::string> {
    if (request.sequence_parallel == !on) {
      return fmt::format("contradicts --{}sequence-parallel: give one of them", on ? "no-" : "");
    }
    request.sequence_parallel = on;
    return std::nullopt;
  };
}

/// One number of GPUs, or a list to choose from.
Reader gpu_counts() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    if (auto wrong = store(parse_integers(text, 1, kMostGpus), request.gpu_counts)) return wrong;
    request.gpus = request.gpu_counts.front();
    return std::nullopt;
  };
}

Reader sweep_axis() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    Parsed<SweepAxis> axis = parse_sweep_axis(text);
    if (!axis.value) return std::move(axis.error);
    request.vary.push_back(*std::move(axis.value));
    return std::nullopt;
  };
}

Reader data_dir() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    if (text.empty()) return "must not be empty";
    request.data_dir = std::filesystem::path{text};
    return std::nullopt;
  };
}

const std::vector<Command> kPlans{Command::optimize, Command::estimate};
const std::vector<Command> kTimed{Command::optimize, Command::estimate, Command::collective};
const std::vector<Command> kSystems{Command::optimize, Command::estimate, Command::collective,
                                    Command::calibrate};
const std::vector<Command> kSized{Command::optimize, Command::estimate, Command::collective};
const std::vector<Command> kSizedJobs{Command::optimize, Command::estimate,    Command::collective,
                                      Command::hfreduce, Command::reliability, Command::routing};
const std::vector<Command> kLinked{Command::optimize, Command::estimate, Command::collective,
                                   Command::routing};
const std::vector<Command> kModels{Command::optimize, Command::estimate, Command::hfreduce};
const std::vector<Command> kCalibrated{Command::optimize, Command::estimate, Command::validate,
                                       Command::calibrate};
const std::vector<Command> kThreaded{Command::optimize, Command::estimate, Command::validate,
                                     Command::calibrate};
const std::vector<Command> kOptimize{Command::optimize};
const std::vector<Command> kEstimate{Command::estimate};
const std::vector<Command> kValidate{Command::validate};
const std::vector<Command> kCalibrate{Command::calibrate};
const std::vector<Command> kMeasuredData{Command::validate, Command::calibrate};
const std::vector<Command> kPriced{Command::cost, Command::compare};
const std::vector<Command> kAll{Command::optimize,  Command::estimate,    Command::collective,
                                Command::cost,      Command::compare,     Command::routing,
                                Command::hfreduce,  Command::reliability, Command::validate,
                                Command::calibrate, Command::show,        Command::schema};

constexpr const char* kWhat = "What to train, on what";
constexpr const char* kMachine = "Change the system";
constexpr const char* kStrategy = "Strategy (optimize: pins the axis; lists like 1,2,4 too)";
constexpr const char* kFabric = "The network";
constexpr const char* kMeasured = "Measured runs";
constexpr const char* kSweep = "The sweep";
constexpr const char* kAnswer = "The answer";

std::vector<Option> make_options() {
  using R = Request;
  return {
      {"model", "NAME|FILE", "a name (planner list models), or a JSON file", kWhat, kModels,
       text(&R::model)},
      {"system", "NAME|FILE", "GPU, HB domain, network (default dgx-h100)", kWhat, kSystems,
       text(&R::system)},
      {"gpus", "N", "GPUs in all (--objective cost: a list too)", kWhat, kSizedJobs, gpu_counts()},
      {"global-batch", "N", "sequences per iteration (default: reference run)", kWhat, kPlans,
       integer(&R::global_batch, 1, kMostSequences)},
      {"seq", "N", "tokens per sequence (default: reference run)", kWhat, kPlans,
       integer(&R::sequence, 1, kMostSequences)},
      {"precision", "NAME", "of the matrix products (default bf16)", kWhat, kModels,
       choice(&R::precision, kPrecisions)},
      {"tokens", "N", "tokens to train, e.g. 15T: adds days, GPU-hours", kWhat, kPlans,
       positive(&R::tokens, kMostTokens)},
      {"timing", "MODEL", "calibrated (default) or closed-form", kWhat, kPlans,
       choice(&R::timing, kTimings)},
      {"software", "CLASS", "eager, flash, torch, mcore or te (default: by GPU)", kWhat, kPlans,
       choice(&R::software, kSoftwareClasses)},
      {"attention", "KERNEL", "unfused, flash1, flash2 or cudnn", kWhat, kPlans,
       choice(&R::attention, kAttentionKernels)},
      {"tp-overlap", "", "torch's asynchronous tensor parallelism (te overlaps anyway)", kWhat,
       kPlans, turn_on(&R::tp_overlap)},
      {"micro-batches-per-flush", "N", "after which pipelines drain (default: all)", kWhat, kPlans,
       integer(&R::micro_batches_per_flush, 1, kMostSequences)},
      {"expert-overlap", "", "all-to-alls overlap another micro-batch (DualPipe)", kWhat, kPlans,
       turn_on(&R::expert_overlap)},
      {"expert-domain-limit", "N", "HB domains that one token's experts lie in", kWhat, kPlans,
       integer(&R::expert_domain_limit, 1, kMostGpus)},
      {"dispatch-bytes", "N", "per element sent to the experts: 1 for fp8 (2)", kWhat, kPlans,
       integer(&R::dispatch_bytes, 1, 4)},
      {"communication-sm-share", "X", "of the SMs, taken by communication (0)", kWhat, kPlans,
       positive(&R::communication_sm_share, kMostSmShare)},
      {"calibration", "NAME|FILE", "constants of the calibrated model", kWhat, kCalibrated,
       text(&R::calibration)},

      {"hb-domain", "K", "GPUs per HB domain", kMachine, kSized,
       integer(&R::hb_domain, 1, kMostDomainGpus)},
      {"hb-bandwidth", "GB/s", "in an HB domain, per GPU and direction", kMachine, kTimed,
       positive(&R::hb_bandwidth_GBps, kMostBandwidthGBps)},
      {"network-bandwidth", "GB/s", "between HB domains, per GPU and direction", kMachine, kLinked,
       positive(&R::network_bandwidth_GBps, kMostBandwidthGBps)},
      {"memory", "GB", "of one GPU, 1 GB is 1e9 bytes", kMachine, kPlans,
       positive(&R::memory_GB, kMostMemoryGB)},

      {"tp", "N", "tensor parallel degree", kStrategy, kPlans, integers(&R::tp)},
      {"pp", "N", "pipeline parallel degree", kStrategy, kModels, integers(&R::pp)},
      {"dp", "N", "data parallel degree", kStrategy, kPlans, integers(&R::dp)},
      {"cp", "N", "context parallel degree", kStrategy, kPlans, integers(&R::cp)},
      {"ep", "N", "expert parallel degree", kStrategy, kPlans, integers(&R::ep)},
      {"expert-tp", "N", "tensor parallel degree of the experts", kStrategy, kPlans,
       integers(&R::expert_tp)},
      {"interleave", "N", "model chunks per pipeline rank", kStrategy, kPlans,
       integers(&R::interleave)},
      {"micro-batch", "N", "sequences per micro-batch", kStrategy, kPlans,
       integers(&R::micro_batch)},
      {"recompute", "MODE", "none, selective (default) or full", kStrategy, kPlans,
       recompute_modes()},
      {"zero", "STAGE", "ZeRO stage 0 (default) to 3", kStrategy, kPlans, integers(&R::zero, 0, 3)},
      {"shard-ranks", "N", "ranks that ZeRO 3 shards over (hybrid: not all)", kStrategy, kPlans,
       integers(&R::shard_ranks)},
      {"sequence-parallel", "", "shard norms along the sequence too (default)", kStrategy, kPlans,
       sequence_parallel(true)},
      {"no-sequence-parallel", "", "do not", kStrategy, kPlans, sequence_parallel(false)},
      {"tp-hb", "N", "tensor parallel ranks inside an HB domain", kStrategy, kPlans,
       integers(&R::tp_hb)},
      {"pp-hb", "N", "pipeline ranks inside an HB domain", kStrategy, kPlans, integers(&R::pp_hb)},
      {"dp-hb", "N", "data parallel ranks inside an HB domain", kStrategy, kPlans,
       integers(&R::dp_hb)},
      {"cp-hb", "N", "context parallel ranks inside an HB domain", kStrategy, kPlans,
       integers(&R::cp_hb)},
      {"ep-hb", "N", "expert parallel ranks inside an HB domain", kStrategy, kPlans,
       integers(&R::ep_hb)},
      {"schedule", "NAME", "1f1b, interleaved, zb-1p or zb-2p", kStrategy, kPlans,
       choice(&R::schedule, kSchedules)},
      {"max-tp", "N", "no larger tensor parallel degree", kStrategy, kOptimize,
       integer(&R::max_tp, 1, kMostGpus)},
      {"all-axes", "", "open recompute, ZeRO and sequence parallel too", kStrategy, kOptimize,
       turn_on(&R::all_axes)},
      {"bytes-per-param", "N", "weights, gradients and optimizer (default 18)", kStrategy, kPlans,
       positive(&R::bytes_per_parameter, 1e6)},
  };
}

/// What follows the options of a plan's network.
std::vector<Option> make_further_options() {
  using R = Request;
  return {
      {"require-prices", "", "exit with 5 when a line has no price", kFabric, kPriced,
       turn_on(&R::require_prices)},

      {"data", "FILE", "measured runs (planner schema measured-run)", kMeasured, kMeasuredData,
       text(&R::data)},
      {"peak-memory", "", "memory instead of time", kMeasured, kValidate, turn_on(&R::peak_memory)},
      {"leave-out", "WHAT", "source or group: predict rows by fits without them", kMeasured,
       kValidate, choice(&R::leave_out, std::array{LeaveOut::source, LeaveOut::group})},
      {"memory-data", "FILE", "measured runs with their peak memory", kMeasured, kCalibrate,
       text(&R::memory_data)},
      {"nccl-tests", "FILE", "output of nccl-tests on --system", kMeasured, kCalibrate,
       text(&R::nccl_tests)},
      {"gemms", "FILE", "CSV of matrix products on --accelerator", kMeasured, kCalibrate,
       text(&R::gemms)},
      {"accelerator", "NAME|FILE", "GPU of --gemms: planner list accelerators", kMeasured,
       kCalibrate, text(&R::accelerator)},
      {"name", "NAME", "of the new calibration (default mine)", kMeasured, kCalibrate,
       text(&R::name)},
      {"title", "TEXT", "of the new calibration (default: the name)", kMeasured, kCalibrate,
       text(&R::title)},

      {"vary",
       "OPTION=…",
       "values 1,2,4, or from:to:x2, or from:to:+8; once or twice",
       kSweep,
       {Command::sweep},
       sweep_axis(),
       true},

      {"objective", "WHAT", "rank by time (default), cost or memory", kAnswer, kOptimize,
       choice(&R::objective, kObjectives)},
      {"gpu-hour-price", "USD", "of one GPU, all included: adds dollars", kAnswer, kPlans,
       positive(&R::gpu_hour_price, kMostPriceUsd)},
      {"economics", "NAME|FILE", "whose rent of the GPU it is (cost: us-2026)", kAnswer, kPlans,
       text(&R::economics)},
      {"top", "K", "how many strategies to list (default 5)", kAnswer, kOptimize,
       integer(&R::top, 1, 10'000)},
      {"pareto", "", "the front of time against memory, from the search", kAnswer, kOptimize,
       turn_on(&R::pareto)},
      {"explain", "", "show each formula with its numbers", kAnswer, kTimed, turn_on(&R::explain)},
      {"emit", "STACK", "settings for megatron, nemo, torchtitan or deepspeed", kAnswer, kPlans,
       choice(&R::emit, kTrainingStacks)},
      {"threads", "N", "of the search or fit (default: all cores)", kAnswer, kThreaded,
       integer(&R::threads, 1, 4096)},
      {"data-dir", "DIR", "look up models and catalog here first", kAnswer, kAll, data_dir()},
  };
}

constexpr auto kNames =
    std::to_array<std::pair<Command, std::string_view>>({{Command::optimize, "optimize"},
                                                         {Command::estimate, "estimate"},
                                                         {Command::network, "network"},
                                                         {Command::collective, "collective"},
                                                         {Command::cost, "cost"},
                                                         {Command::compare, "compare"},
                                                         {Command::sweep, "sweep"},
                                                         {Command::routing, "routing"},
                                                         {Command::reliability, "reliability"},
                                                         {Command::hfreduce, "hfreduce"},
                                                         {Command::validate, "validate"},
                                                         {Command::calibrate, "calibrate"},
                                                         {Command::report, "report"},
                                                         {Command::diff, "diff"},
                                                         {Command::list, "list"},
                                                         {Command::show, "show"},
                                                         {Command::schema, "schema"}});

CommandInfo from_registry(Command command) {
  const commands::Command& known = *commands::command_named(name_of(command));
  return {command, known.name, known.summary, known.arguments, known.swept};
}

/// Its options, which it reads itself when it is called.
std::vector<Option> registry_options(Command command) {
  std::vector<Option> all;
  for (const auto& [info, problem] : commands::command_named(name_of(command))->options) {
    all.push_back({.name = info.name,
                   .value = info.value,
                   .help = info.told(),
                   .group = info.group,
                   .commands = {command},
                   .read =
                       [name = info.name, problem](std::string_view text, Request& request) {
                         request.given.emplace_back(name, text);
                         return problem(text);
                       },
                   .repeats = info.repeats,
                   .choices = info.choices});
  }
  all.push_back(
      {"data-dir", "DIR", "look up models and catalog here first", kAnswer, {command}, data_dir()});
  return all;
}

/// Those of a plan's network.
std::vector<Option> plan_network_options() {
  std::vector<Option> all;
  for (const auto& option : commands::fabric_options()) {
    const auto& info = option.info;
    all.push_back(
        {.name = info.name,
         .value = info.value,
         .help = info.told(),
         .group = info.group,
         .commands = kPlans,
         .read = [read = option.read](std::string_view text,
                                      Request& request) { return read(text, request.fabric); },
         .choices = info.choices});
  }
  return all;
}

const auto kCommands = std::to_array<CommandInfo>({
    {Command::optimize, "optimize", "find the best strategy, exactly, out of every legal one", "",
     true},
    {Command::estimate, "estimate", "time and memory of one strategy", "", true},
    from_registry(Command::network),
    {Command::collective, "collective", "time of one collective by every algorithm", "", true},
    {Command::cost, "cost", "one cluster's parts, capex, opex, total cost and training", "FILE",
     true},
    {Command::compare, "compare", "clusters side by side, the first as the reference", "FILES",
     true},
    {Command::sweep, "sweep", "one table over one or two parameters of another command", "COMMAND"},
    {Command::routing, "routing", "load balance and bandwidth of a cluster or plain numbers",
     "FILE", true},
    {Command::reliability, "reliability", "failures, checkpoints, spares: availability and days",
     "FILE", true},
    {Command::hfreduce, "hfreduce", "what bounds an all-reduce by the CPUs of PCIe nodes", "",
     true},
    {Command::validate, "validate", "predictions beside measurements; exit 1 on a miss",
     "measured|published"},
    {Command::calibrate, "calibrate", "constants of the calibrated model from measurements", ""},
    {Command::report, "report", "render a saved JSON answer again", "FILE"},
    {Command::diff, "diff", "two saved JSON answers, figure by figure", "FILES"},
    from_registry(Command::list),
    {Command::show, "show", "one file of the catalog with its sources", "NAME"},
    {Command::schema, "schema", "JSON Schema of a file type", "TYPE"},
});

}  // namespace

std::span<const CommandInfo> command_table() {
  return kCommands;
}

std::span<const TextCommand> text_commands() {
  static const std::array<TextCommand, 2> kTextCommands{
      {{"completion",
        "script that completes planner's commands in a shell",
        "SHELL",
        {"bash", "zsh", "fish"}},
       {"manual", "manual page of planner or of one command, as roff", "COMMAND", {}}}};
  return kTextCommands;
}

std::string_view name_of(Command command) {
  return std::find_if(kNames.begin(), kNames.end(),
                      [&](const auto& named) { return named.first == command; })
      ->second;
}

bool Option::applies_to(Command command) const {
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

const std::vector<Option>& options() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all = collective_options();
    for (const auto& others : {make_options(), plan_network_options(), make_further_options(),
                               hfreduce_options(), routing_options(), reliability_options()}) {
      all.insert(all.end(), others.begin(), others.end());
    }
    for (const auto& [command, name] : kNames) {
      if (commands::command_named(name) == nullptr) continue;
      for (Option& option : registry_options(command)) all.push_back(std::move(option));
    }
    return all;
  }();
  return table;
}

}  // namespace planner

#include "planner/job/checkpoint_settings.hpp"

#include <fmt/format.h>

#include "planner/core/usage.hpp"
#include "planner/reliability/checkpoint.hpp"

namespace planner::job {

namespace {

/// Stall and durability as storage makes them; nothing where nobody describes it.
std::optional<CheckpointTimes> times_by_storage(const ReliabilitySettings& asked,
                                                const FailureRates& rates, Told& told) {
  if (!asked.checkpoint_rate) {
    if (asked.synchronous)
      usage_error("--synchronous needs --checkpoint-size and --checkpoint-rate");
    if (asked.checkpoint_size && !asked.load_rate) {
      usage_error("--checkpoint-size needs --checkpoint-rate or --load-rate");
    }
    return std::nullopt;
  }
  if (!asked.checkpoint_size) usage_error("--checkpoint-rate needs --checkpoint-size");
  if (asked.durable) {
    usage_error("--durable follows from --checkpoint-size and --checkpoint-rate",
                "leave one of them out");
  }
  const auto& stall = asked.stall ? asked.stall : rates.checkpoint_stall;
  const CheckpointTimes times =
      checkpoint_times(*asked.checkpoint_size, *asked.checkpoint_rate, stall, asked.synchronous);
  if (times.asynchronous && !asked.synchronous) {
    told.warnings.push_back(fmt::format(
        "storage takes {} for a checkpoint, more than its stall of {}: it is written beside the "
        "training",
        span(times.stall + times.durable), span(times.stall)));
  }
  return times;
}

/// The flag, else the file's figure, else none, which is a bound where checkpoints are taken.
Seconds stall_of(const ReliabilitySettings& asked, const FailureRates& rates, bool taken,
                 Told& told) {
  if (asked.stall) return *asked.stall;
  if (rates.checkpoint_stall) {
    told.assumed.emplace_back("stall");
    return *rates.checkpoint_stall;
  }
  told.stall_unknown = taken;
  return {};
}

void check_interval(const ReliabilitySettings& asked, const CheckpointPolicy& policy, bool taken) {
  if (!policy.interval && taken && policy.stall + policy.durable <= Seconds{}) {
    usage_error("a checkpoint that costs nothing has no optimal interval",
                "give --checkpoint SECONDS, or a --stall above 0");
  }
  if (!policy.interval || *policy.interval >= policy.durable) return;
  const char* const hint =
      asked.checkpoint_rate ? "raise --checkpoint or --checkpoint-rate, or lower --checkpoint-size"
                            : "raise --checkpoint or lower --durable";
  usage_error(fmt::format("a checkpoint every {} cannot begin before the last is durable, after {}",
                          span(*policy.interval), span(policy.durable)),
              hint);
}

}  // namespace

Seconds load_time(const ReliabilitySettings& asked) {
  if (!asked.load_rate) return {};
  if (!asked.checkpoint_size) {
    usage_error("--load-rate needs the size of a checkpoint", "give --checkpoint-size GB");
  }
  return *asked.checkpoint_size / *asked.load_rate;
}

CheckpointPolicy checkpoint_policy(const ReliabilitySettings& asked, const FailureRates& rates,
                                   bool crashes, Told& told) {
  CheckpointPolicy policy;
  if (!asked.optimal_checkpoint.value_or(false)) {
    policy.interval = asked.checkpoint ? asked.checkpoint : rates.checkpoint_interval;
    if (!asked.checkpoint) told.assumed.emplace_back("checkpoint");
  }
  const bool taken = policy.interval || crashes;
  if (const auto times = times_by_storage(asked, rates, told)) {
    policy.stall = times->stall;
    policy.durable = times->durable;
  } else {
    policy.durable = asked.durable.value_or(rates.checkpoint_durable.value_or(Seconds{}));
    if (!policy.interval && taken && !asked.stall && !rates.checkpoint_stall) {
      usage_error("the optimal checkpoint interval needs what one checkpoint takes",
                  "give --stall SECONDS, or --checkpoint SECONDS");
    }
    policy.stall = stall_of(asked, rates, taken, told);
  }
  check_interval(asked, policy, taken);
  return policy;
}

}  // namespace planner::job

#include "planner/job/used_gpus.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/job/strategy.hpp"
#include "planner/perf/model/flops.hpp"

namespace planner::job {

namespace {

/// GPUs of the domains that are bought whole, and of the last, which may not be.
struct Domains {
  std::int64_t size, whole, rest;

  explicit Domains(const GpuSupply& supply)
      : size(std::min(supply.hb_domain, supply.bought)),
        whole(supply.bought / size),
        rest(supply.bought % size) {}
};

/// Rate of matrix products that no kernel exceeds.
FlopsPerSecond peak(const Workload& workload) {
  FlopsPerSecond most{};
  for (const PeakRates* rates :
       {&workload.system.accelerator.datasheet, &workload.system.accelerator.silicon}) {
    for (const auto rate :
         {rates->fp32, rates->tf32, rates->fp16, rates->bf16, rates->fp8, rates->fp4}) {
      if (rate) most = std::max(most, *rate);
    }
  }
  return most;
}

/// Time, and so ranking value, below which no strategy on so many GPUs comes.
Seconds least_time(const Workload& workload, std::int64_t gpus) {
  const FlopsPerSecond rate = peak(workload);
  if (rate <= FlopsPerSecond{}) return {};
  return iteration_flops(workload.model, workload.run, {}).feed_forward / (real(gpus) * rate);
}

/// Looks for a better use than the best so far.
class Search {
 public:
  Search(const Workload& workload, const GpuSupply& supply, const SearchSpace& space,
         const SearchOptions& options)
      : workload_(workload),
        supply_(supply),
        space_(space),
        rule_(fit_rule(workload, options.least_p_fits)),
        quick_(options) {
    quick_.top = 1;
    quick_.front = quick_.count = false;
    quick_.progress = nullptr;
  }

  /// Every part of a domain that divides so many GPUs, largest first.
  void try_count(std::int64_t gpus) {
    for (const GpuUse& use : uses_of_domains(supply_, gpus)) look_at(use);
  }
  [[nodiscard]] const std::optional<GpuUse>& best() const { return best_; }
  [[nodiscard]] Seconds value() const { return quick_.known_time; }

 private:
  void look_at(const GpuUse& use) {
    const SearchResult found = search_all(on_used(workload_, supply_, use), space_, quick_);
    if (found.best.empty()) return;
    const Seconds value = found.best.front().value(rule_);
    if (best_ && !(value < kFasterPart * quick_.known_time)) return;
    best_ = use;
    quick_.known_time = value;
  }

  const Workload& workload_;
  const GpuSupply& supply_;
  const SearchSpace& space_;
  FitRule rule_;
  SearchOptions quick_;
  std::optional<GpuUse> best_;
};

}  // namespace

std::optional<GpuUse> use_of_domains(const GpuSupply& supply, std::int64_t gpus,
                                     std::int64_t as_one) {
  const Domains domains(supply);
  const std::int64_t each = domains.size / as_one, parts = gpus / as_one;
  if (each == 0 || parts > domains.whole * each + domains.rest / as_one) return std::nullopt;
  return GpuUse{.gpus = gpus,
                .as_one = as_one,
                .per_domain = std::min(gpus, each * as_one),
                .domains = ceil_div(parts, each)};
}

std::vector<GpuUse> uses_of_domains(const GpuSupply& supply, std::int64_t gpus) {
  std::vector<GpuUse> uses;
  for (std::int64_t as_one = std::min(Domains(supply).size, gpus); as_one > 0; --as_one) {
    if (gpus % as_one != 0) continue;
    if (const auto use = use_of_domains(supply, gpus, as_one)) uses.push_back(*use);
  }
  return uses;
}

std::vector<NetworkTier> tiers_of_used(std::vector<NetworkTier> tiers, const GpuSupply& supply,
                                       const GpuUse& use) {
  const std::int64_t size = Domains(supply).size;
  const std::int64_t filled = size / use.as_one * use.as_one;
  if (filled == size) return tiers;
  for (NetworkTier& tier : tiers) {
    tier.gpus = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::floor(real(tier.gpus) * real(filled) / real(size))));
  }
  return tiers;
}

Workload on_used(const Workload& workload, const GpuSupply& supply, const GpuUse& use) {
  Workload on = workload;
  on.gpus = use.gpus;
  on.system.hb_domain = use.as_one;
  on.network_tiers = tiers_of_used(std::move(on.network_tiers), supply, use);
  return on;
}

std::optional<BestUse> best_use(const Workload& workload, const GpuSupply& supply,
                                const SearchSpace& space, const SearchOptions& options) {
  Search search(workload, supply, space, options);
  if (supply.exact) {
    search.try_count(supply.most);
  } else {
    for (const std::int64_t gpus : legal_gpu_counts(workload, space, supply.most)) {
      if (search.best() && least_time(workload, gpus) >= search.value()) break;
      search.try_count(gpus);
    }
  }
  if (!search.best()) return std::nullopt;
  BestUse best{.use = *search.best(), .workload = on_used(workload, supply, *search.best())};
  best.found = search_all(best.workload, space, options);
  return best;
}

}  // namespace planner::job

#include "planner/job/used_gpus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/real.hpp"
#include "planner/job/strategy.hpp"
#include "planner/perf/machine/torus.hpp"
#include "planner/search/least_times.hpp"

namespace planner::job {

namespace {

constexpr double kSlower = 1 + 1e-9;  // what rounding cannot make of equals

/// GPUs of the domains that are bought whole, and of the last, which may not be.
struct Domains {
  std::int64_t size, whole, rest;

  explicit Domains(const GpuSupply& supply)
      : size(std::min(supply.hb_domain, supply.bought)),
        whole(supply.bought / size),
        rest(supply.bought % size) {}
};

/// A use, and a time that no strategy on it beats.
struct Prospect {
  Seconds least{};
  GpuUse use;
  bool with_messages = false;  ///< counted in that time

  /// The order to look at them in: most promising first, so that little is left to look at.
  friend bool operator<(const Prospect& a, const Prospect& b) {
    return std::tuple{b.least, a.use.gpus, a.use.as_one} <
           std::tuple{a.least, b.use.gpus, b.use.as_one};
  }
};

/// Looks for the best use: all prospects but those that provably are not.
class Search {
 public:
  Search(const Workload& workload, const GpuSupply& supply, const SearchSpace& space,
         const SearchOptions& options)
      : workload_(workload),
        supply_(supply),
        space_(space),
        quick_(options.for_best()),
        work_(workload, space, LeastTimes::Counting::work) {}

  /// Every part of a domain that divides so many GPUs.
  void add(std::int64_t gpus) {
    const Seconds least = least_of_columns(gpus, nullptr);
    if (least >= kNever) return;
    for (const GpuUse& use : uses_of_domains(supply_, gpus)) {
      if (is_slice(use.as_one)) prospects_.push({least, use});
    }
  }

  std::optional<GpuUse> best() {
    while (!prospects_.empty() && !hopeless(prospects_.top().least)) {
      Prospect next = prospects_.top();
      prospects_.pop();
      if (next.with_messages) {
        look_at(next.use);
        continue;
      }
      next.least = least_of_columns(next.use.gpus, &messages_of(next.use));
      next.with_messages = true;
      prospects_.push(next);
    }
    return best_;
  }

  /// That the best is known to reach.
  [[nodiscard]] Seconds known_time() const { return kSlower * value_; }

 private:
  static constexpr Seconds kNever{std::numeric_limits<double>::infinity()};

  /// Of a torus not every number of chips is.
  [[nodiscard]] bool is_slice(std::int64_t gpus) const {
    const std::optional<DomainTorus>& torus = workload_.system.torus;
    return !torus || all_joined(*torus) || slice_of(*torus, gpus);
  }

  [[nodiscard]] bool hopeless(Seconds least) const { return least > known_time(); }

  /// Of all strategies on so many GPUs, those left out that are hopeless by their work alone.
  Seconds least_of_columns(std::int64_t gpus, LeastTimes* messages) {
    Workload on = workload_;
    on.gpus = gpus;
    Seconds least = kNever;
    const auto look_at = [&](const Column& column) {
      Seconds of_column = work_.of(column);
      if (messages != nullptr && of_column < least && !hopeless(of_column)) {
        of_column = messages->of(column);
      }
      least = std::min(least, of_column);
      return true;
    };
    Enumeration(on, space_).for_each_column(look_at, quick_.stop);
    if (is_set(quick_.stop)) throw Interrupted();
    return least;
  }

  /// Tiers of the network follow the part of a domain that is used, and so do its links.
  LeastTimes& messages_of(const GpuUse& use) {
    auto& kept = messages_[use.as_one];
    if (!kept) {
      kept = std::make_unique<Messages>(on_used(workload_, supply_, use), space_);
    }
    return kept->times;
  }

  void look_at(const GpuUse& use) {
    const Workload on = on_used(workload_, supply_, use);
    quick_.known_time = known_time();
    quick_.least_times = &messages_of(use);
    const SearchResult found = search_all(on, space_, quick_);
    if (found.best.empty()) return;
    const Seconds value = found.best.front().value(fit_rule(on, quick_.least_p_fits));
    const bool larger =
        !best_ || std::tuple{use.gpus, use.as_one} > std::tuple{best_->gpus, best_->as_one};
    if (larger ? value > kSlower * value_ : value >= kFaster * value_) return;
    best_ = use;
    value_ = std::min(value, value_);
  }

  struct Messages {
    Workload on;
    LeastTimes times;

    Messages(Workload workload, const SearchSpace& space)
        : on(std::move(workload)), times(on, space, LeastTimes::Counting::messages) {}
  };

  const Workload& workload_;
  const GpuSupply& supply_;
  const SearchSpace& space_;
  SearchOptions quick_;
  LeastTimes work_;
  std::map<std::int64_t, std::unique_ptr<Messages>> messages_;  ///< by the part of a domain
  std::priority_queue<Prospect> prospects_;
  std::optional<GpuUse> best_;
  Seconds value_ = kNever;  ///< by which it is ranked
};

}  // namespace

GpuUse use_of(std::int64_t gpus, std::int64_t hb_domain, std::int64_t as_one) {
  const std::int64_t each = hb_domain / as_one;
  return {.gpus = gpus,
          .as_one = as_one,
          .per_domain = std::min(gpus, each * as_one),
          .domains = ceil_div(gpus / as_one, each)};
}

std::int64_t occupied_gpus(const GpuUse& use, std::int64_t hb_domain,
                           std::optional<std::int64_t> node_gpus) {
  if (use.gpus <= hb_domain) return use.gpus;
  const std::int64_t rest = use.gpus % use.per_domain;
  const std::int64_t node = std::min(node_gpus.value_or(1), hb_domain);
  return use.gpus / use.per_domain * hb_domain + ceil_div(rest, node) * node;
}

std::optional<GpuUse> use_of_domains(const GpuSupply& supply, std::int64_t gpus,
                                     std::int64_t as_one) {
  const Domains domains(supply);
  const std::int64_t each = domains.size / as_one, parts = gpus / as_one;
  if (each == 0 || parts > domains.whole * each + domains.rest / as_one) return std::nullopt;
  return use_of(gpus, domains.size, as_one);
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
                                const SearchSpace& space, SearchOptions options) {
  Search search(workload, supply, space, options);
  if (supply.exact) {
    search.add(supply.most);
  } else {
    for (const std::int64_t gpus : legal_gpu_counts(workload, space, supply.most)) search.add(gpus);
  }
  const std::optional<GpuUse> use = search.best();
  if (!use) return std::nullopt;
  if (options.top <= 1) options.known_time = search.known_time();
  BestUse best{.use = *use, .workload = on_used(workload, supply, *use)};
  best.found = search_all(best.workload, space, options);
  return best;
}

}  // namespace planner::job

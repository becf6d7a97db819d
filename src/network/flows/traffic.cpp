#include "planner/network/flows/traffic.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"

namespace planner::inline network {

namespace {

/// Flows that all ranks send, in the units of flows_out().
double flows_in_all(const GroupFlows& groups, std::int64_t gpus) {
  const double N = real(gpus), n = real(groups.ranks);
  if (groups.ranks < 2) return 0;
  switch (groups.kind) {
    case FlowKind::ring:
    case FlowKind::all_to_all:
      return N;
    case FlowKind::line:
      return 2 * N * (n - 1) / n;
    case FlowKind::wrap:
      return 2 * N / n;
  }
  return 0;
}

/// Bytes of as many flows.
Bytes bytes_of(const TrafficPhase& phase, double flows) {
  return flows * phase.senders * phase.sent;
}

/// Of the ranks of the ends, the share that sends.
double senders_of_ends(const TrafficPhase& phase, std::int64_t gpus) {
  return phase.senders * real(gpus) / (2 * real(phase.end_gpus));
}

/// Flows out of GPUs [first, last) of the job, of as many as send.
double senders_out(const TrafficPhase& phase, std::int64_t gpus, std::int64_t first,
                   std::int64_t last) {
  if (phase.end_gpus == 0) return phase.senders * flows_out(phase.groups, first, last);
  const std::int64_t head = phase.end_gpus, tail = std::max(head, gpus - phase.end_gpus);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return low < high ? flows_out(phase.groups, low, high) : 0;
  };
  const double of_ends =
      between(first, std::min(last, head)) + between(std::max(first, tail), last);
  return senders_of_ends(phase, gpus) * of_ends;
}

/// After how many units of so many GPUs a cut repeats; 1: all units are alike.
std::int64_t repeat_of(const GroupFlows& groups, std::int64_t unit) {
  if (groups.ranks < 2) return 1;
  const bool along = groups.kind == FlowKind::line || groups.kind == FlowKind::wrap;
  if (aligned(groups, unit) && (!along || groups.period() <= unit)) return 1;
  return groups.period() / std::gcd(groups.period(), unit);
}

/// Units of which one is the busiest: all of a repetition where it is short or units cut groups
/// anywhere, else the first, an inner and the last stage of each pipeline. And the last unit of
/// all, which may be smaller.
std::vector<std::int64_t> busiest_candidates(std::span<const TrafficPhase> phases,
                                             std::int64_t unit, std::int64_t units) {
  constexpr std::int64_t kFew = 512;
  std::int64_t repeat = 1;
  bool all_aligned = true;
  std::vector<std::int64_t> found{0, units - 1};
  for (const TrafficPhase& phase : phases) {
    const auto& [kind, stride, ranks, one_in] = phase.groups;
    const std::int64_t of_phase = repeat_of(phase.groups, unit);
    if (of_phase == 1) continue;
    repeat = std::min(units, std::lcm(repeat, std::min(units, of_phase)));
    all_aligned = all_aligned && aligned(phase.groups, unit);
    const std::size_t before = found.size();
    for (const std::int64_t stage : {std::max<std::int64_t>(1, stride / unit), of_phase - 1}) {
      for (std::size_t i = 0; i < before; ++i) found.push_back((found[i] + stage) % units);
    }
  }
  if (all_aligned && repeat > kFew) return found;
  found.resize(static_cast<std::size_t>(repeat) + 1);
  std::iota(found.begin(), found.end(), 0);
  found.back() = units - 1;
  return found;
}

BytesByType busiest_unit(std::span<const TrafficPhase> phases, std::int64_t gpus,
                         std::int64_t unit) {
  BytesByType busiest{};
  const std::int64_t units = ceil_div(gpus, unit);
  for (const std::int64_t i : busiest_candidates(phases, unit, units)) {
    const BytesByType out = bytes_out(phases, gpus, i * unit, std::min(gpus, (i + 1) * unit));
    if (total(out) > total(busiest)) busiest = out;
  }
  return busiest;
}

/// Ranks g that send to g + offset: those whose place in their period lies between two.
struct Senders {
  std::int64_t offset = 0, period = 1, low = 0, high = 0;
};

/// What one phase of plain groups sends to whom, each offset once.
template <class Visit>
void visit_offsets(const GroupFlows& groups, Visit&& visit) {
  const std::int64_t stride = groups.stride, n = groups.ranks, period = groups.period();
  const auto up = [&](std::int64_t k) { visit(Senders{k * stride, period, 0, (n - k) * stride}); };
  const auto down = [&](std::int64_t k) {
    visit(Senders{-k * stride, period, k * stride, period});
  };
  if (n < 2) return;
  switch (groups.kind) {
    case FlowKind::ring:
      up(1);
      down(n - 1);
      return;
    case FlowKind::all_to_all:
      for (std::int64_t k = 1; k < n; ++k) {
        up(k);
        down(k);
      }
      return;
    case FlowKind::line:
      up(1);
      down(1);
      return;
    case FlowKind::wrap:
      up(n - 1);
      down(n - 1);
      return;
  }
}

Bytes per_pair(const TrafficPhase& phase) {
  if (phase.groups.kind != FlowKind::all_to_all) return phase.sent;
  return phase.sent / (real(phase.groups.ranks - 1) * real(phase.mixed_ranks));
}

/// Visits (distance, ordered pairs) of one phase, a distance of mixed ranks several times.
template <class Visit>
void visit_distances(const TrafficPhase& phase, std::int64_t gpus, Visit&& visit) {
  const GroupFlows& groups = phase.groups;
  const double N = real(gpus), x = real(phase.mixed_ranks);
  visit_offsets(groups, [&](const Senders& one) {
    const double senders = N * real(one.high - one.low) / real(one.period) * phase.senders;
    for (std::int64_t j = 1 - phase.mixed_ranks; j < phase.mixed_ranks; ++j) {
      visit(std::abs(one.offset + j * phase.mixed_stride), senders * (x - real(std::abs(j))) / x);
    }
  });
}

/// Of nested conditions on one rank, the widest period last: ranks below x that meet all.
double meeting_all(std::span<const Senders> conditions, std::int64_t x) {
  if (conditions.empty()) return real(x);
  const Senders& widest = conditions.back();
  const auto narrower = conditions.first(conditions.size() - 1);
  const auto within = [&](std::int64_t end) {
    const std::int64_t high = std::clamp(end, widest.low, widest.high);
    return meeting_all(narrower, high) - meeting_all(narrower, widest.low);
  };
  return real(x / widest.period) * within(widest.period) + within(x % widest.period);
}

bool nested(std::span<const Senders> conditions) {
  for (std::size_t i = 1; i < conditions.size(); ++i) {
    if (conditions[i].period % conditions[i - 1].period != 0) return false;
  }
  return true;
}

/// Ranks that meet any of the conditions, by inclusion and exclusion where their periods nest.
double meeting_any(std::vector<Senders> conditions, std::int64_t gpus) {
  std::sort(conditions.begin(), conditions.end(),
            [](const Senders& a, const Senders& b) { return a.period < b.period; });
  if (conditions.size() == 1) return meeting_all(conditions, gpus);
  if (!nested(conditions)) {
    double ranks = 0;
    for (std::int64_t g = 0; g < gpus; ++g) {
      ranks += std::any_of(conditions.begin(), conditions.end(), [&](const Senders& one) {
        return one.low <= g % one.period && g % one.period < one.high;
      });
    }
    return ranks;
  }
  double ranks = 0;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << conditions.size(); ++chosen) {
    std::vector<Senders> some;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if ((chosen >> i & 1) != 0) some.push_back(conditions[i]);
    }
    ranks += (some.size() % 2 == 1 ? 1 : -1) * meeting_all(some, gpus);
  }
  return ranks;
}

}  // namespace

Bytes& of(BytesByType& bytes, TrafficType type) {
  return bytes[static_cast<std::size_t>(type)];
}

Bytes of(const BytesByType& bytes, TrafficType type) {
  return bytes[static_cast<std::size_t>(type)];
}

Bytes total(const BytesByType& bytes) {
  Bytes sum{};
  for (const Bytes one : bytes) sum += one;
  return sum;
}

Bytes sent_by_all(const TrafficPhase& phase, std::int64_t gpus) {
  return bytes_of(phase, flows_in_all(phase.groups, gpus));
}

BytesByType sent_by_type(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  BytesByType sent{};
  for (const TrafficPhase& phase : phases) of(sent, phase.type) += sent_by_all(phase, gpus);
  return sent;
}

std::vector<LevelTraffic> traffic_by_level(std::span<const TrafficPhase> phases, std::int64_t gpus,
                                           std::span<const std::int64_t> units) {
  std::vector<LevelTraffic> levels;
  BytesByType above = sent_by_type(phases, gpus);
  for (const std::int64_t unit : units) {
    LevelTraffic level{.unit_gpus = unit};
    for (const TrafficPhase& phase : phases) {
      of(level.leaving, phase.type) += bytes_of(phase, cut(phase.groups, gpus, unit).all);
    }
    level.busiest = busiest_unit(phases, gpus, unit);
    for (std::size_t i = 0; i < above.size(); ++i) level.inside[i] = above[i] - level.leaving[i];
    above = level.leaving;
    levels.push_back(level);
  }
  return levels;
}

BytesByType bytes_out(std::span<const TrafficPhase> phases, std::int64_t gpus, std::int64_t first,
                      std::int64_t last) {
  BytesByType out{};
  for (const TrafficPhase& phase : phases) {
    of(out, phase.type) += senders_out(phase, gpus, first, last) * phase.sent;
  }
  return out;
}

namespace {

/// Of a pipeline of two ranks both ends send to each other along it and around it: in one phase.
std::vector<TrafficPhase> ends_joined(std::span<const TrafficPhase> phases) {
  std::vector<TrafficPhase> joined;
  for (const TrafficPhase& phase : phases) {
    const auto along = std::find_if(joined.begin(), joined.end(), [&](const TrafficPhase& one) {
      return phase.groups.kind == FlowKind::wrap && phase.groups.ranks == 2 &&
             one.type == phase.type && one.senders == phase.senders &&
             one.groups == GroupFlows{FlowKind::line, phase.groups.stride, 2};
    });
    if (along == joined.end()) {
      joined.push_back(phase);
    } else {
      along->sent += phase.sent;
    }
  }
  return joined;
}

}  // namespace

std::vector<PairRow> pair_rows(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  std::map<std::tuple<TrafficType, std::int64_t, Bytes>, double> rows;
  for (const TrafficPhase& phase : ends_joined(phases)) {
    visit_distances(phase, gpus, [&](std::int64_t distance, double pairs) {
      rows[{phase.type, distance, per_pair(phase)}] += pairs;
    });
  }
  std::vector<PairRow> listed;
  for (const auto& [key, pairs] : rows) {
    const auto& [type, distance, bytes] = key;
    listed.push_back({.type = type, .distance = distance, .pairs = pairs, .per_pair = bytes});
  }
  return listed;
}

Pairs sending_pairs(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  Pairs pairs{.possible = real(gpus) * (real(gpus) - 1)};
  using ByOffset = std::map<std::int64_t, std::vector<Senders>>;
  ByOffset all;
  double beside = 0;  // of ranks that are not looked at one by one
  for (const TrafficType type : kTrafficTypes) {
    ByOffset of_type;
    double& count = pairs.by_type[static_cast<std::size_t>(type)];
    for (const TrafficPhase& phase : phases) {
      if (phase.type != type) continue;
      if (phase.senders < 1) {
        visit_distances(phase, gpus, [&](std::int64_t, double some) {
          count += some;
          // The tables' gradients go where those of the layers go.
          if (type != TrafficType::vocabulary) beside += some;
        });
        continue;
      }
      visit_offsets(phase.groups, [&](const Senders& one) {
        of_type[one.offset].push_back(one);
        all[one.offset].push_back(one);
        // To ranks that are not their like in another domain nobody else sends.
        const double others = real(phase.mixed_ranks - 1) * meeting_all({&one, 1}, gpus);
        count += others;
        beside += others;
      });
    }
    for (auto& [offset, senders] : of_type) count += meeting_any(std::move(senders), gpus);
  }
  for (auto& [offset, senders] : all) pairs.sending += meeting_any(std::move(senders), gpus);
  pairs.sending += beside;
  return pairs;
}

std::vector<double> heat_map(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  std::vector<double> sent(static_cast<std::size_t>(gpus * gpus));
  for (const TrafficPhase& phase : phases) {
    const bool ends = phase.end_gpus > 0;
    const double each =
        per_pair(phase).si() * (ends ? senders_of_ends(phase, gpus) : phase.senders);
    const auto place = [&](std::int64_t g) { return g / phase.mixed_stride % phase.mixed_ranks; };
    visit_offsets(phase.groups, [&](const Senders& one) {
      for (std::int64_t g = 0; g < gpus; ++g) {
        if (g % one.period < one.low || g % one.period >= one.high) continue;
        if (ends && g >= phase.end_gpus && g < gpus - phase.end_gpus) continue;
        for (std::int64_t r = 0; r < phase.mixed_ranks; ++r) {
          const std::int64_t to = g + one.offset + (r - place(g)) * phase.mixed_stride;
          sent[static_cast<std::size_t>(g * gpus + to)] += each;
        }
      }
    });
  }
  return sent;
}

}  // namespace planner::network

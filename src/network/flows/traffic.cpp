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

/// Flows of a phase that all ranks send.
double flows_in_all(const TrafficPhase& phase, std::int64_t gpus) {
  if (phase.sends.empty()) return flows_in_all(phase.groups, gpus);
  std::int64_t flows = 0;
  for (const Sending& one : phase.sends) flows += ranks_below(one.who, gpus);
  return real(flows);
}

/// Flows of a phase out of GPUs [first, last) of the job.
double flows_out(const TrafficPhase& phase, std::int64_t first, std::int64_t last) {
  if (phase.sends.empty()) return flows_out(phase.groups, first, last);
  std::int64_t out = 0;
  for (const Sending& one : phase.sends) out += ranks_leaving(one, first, last);
  return real(out);
}

/// Flows of a phase out of all units of so many GPUs.
double flows_out_of_all(const TrafficPhase& phase, std::int64_t gpus, std::int64_t unit) {
  if (phase.sends.empty()) return cut(phase.groups, gpus, unit).all;
  std::int64_t out = 0;
  for (const auto& [offset, who] : phase.sends) {
    const std::int64_t apart = std::abs(offset);
    std::vector<RankPlace> leaving = who;
    if (apart < unit && unit_fits(who, unit, gpus)) {
      const bool up = offset > 0;
      add_place(leaving, {unit, up ? unit - apart : 0, up ? unit : apart});
    } else if (apart < unit) {
      for (std::int64_t first = 0; first < gpus; first += unit) {
        out += ranks_leaving({offset, who}, first, std::min(gpus, first + unit));
      }
      continue;
    }
    out += ranks_below(leaving, gpus);
  }
  return real(out);
}

/// After how many units of so many GPUs a cut repeats; 1: all units are alike.
std::int64_t repeat_of(const GroupFlows& groups, std::int64_t unit) {
  if (groups.ranks < 2) return 1;
  const bool along = groups.kind == FlowKind::line || groups.kind == FlowKind::wrap;
  if (aligned(groups, unit) && (!along || groups.period() <= unit)) return 1;
  return groups.period() / std::gcd(groups.period(), unit);
}

/// After how many units what alike ranks send may be other than before: of a phase, ascending.
/// @param repeat  grows to the units after which all is as at the beginning
void add_changes(const TrafficPhase& phase, std::int64_t unit, std::vector<std::int64_t>& changes,
                 std::int64_t& repeat) {
  const auto widen = [&](std::int64_t units) { repeat = std::lcm(repeat, units); };
  const auto change = [&](std::int64_t at) {
    if (std::find(changes.begin(), changes.end(), at) == changes.end()) changes.push_back(at);
  };
  if (phase.sends.empty()) {
    const std::int64_t of_phase = repeat_of(phase.groups, unit);
    if (of_phase == 1) return;
    widen(of_phase);
    change(std::max<std::int64_t>(1, phase.groups.stride / unit));
    change(of_phase - 1);
    return;
  }
  for (const Sending& one : phase.sends) {
    for (const auto& [period, low, high] : one.who) {
      if (unit % period == 0) continue;
      widen(period / std::gcd(period, unit));
      if (low >= unit) change(low / unit);
      if (high > unit && high < period) change((high - 1) / unit);
      if (high > unit) change(std::max(low, high - std::abs(one.offset)) / unit);
    }
  }
}

/// Units of which one is the busiest: all of a repetition where it is short or units cut groups
/// anywhere, else the first, an inner and the last stage of each pipeline, and where other ranks
/// begin to send. And the last unit of all, which may be smaller.
std::vector<std::int64_t> busiest_candidates(std::span<const TrafficPhase> phases,
                                             std::int64_t unit, std::int64_t units) {
  constexpr std::int64_t kFew = 512;
  std::int64_t repeat = 1;
  bool all_aligned = true;
  std::vector<std::int64_t> found{0, units - 1}, known;
  for (const TrafficPhase& phase : phases) {
    std::vector<std::int64_t> changes;
    std::int64_t of_phase = 1;
    add_changes(phase, unit, changes, of_phase);
    if (of_phase == 1) continue;
    repeat = std::min(units, std::lcm(repeat, std::min(units, of_phase)));
    all_aligned = all_aligned && aligned(phase.groups, unit);
    for (const std::int64_t change : changes) {
      if (std::find(known.begin(), known.end(), change) != known.end()) continue;
      known.push_back(change);
      const std::size_t before = found.size();
      for (std::size_t i = 0; i < before; ++i) found.push_back((found[i] + change) % units);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
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
    const BytesByType out = bytes_out(phases, i * unit, std::min(gpus, (i + 1) * unit));
    if (total(out) > total(busiest)) busiest = out;
  }
  return busiest;
}

Bytes per_pair(const TrafficPhase& phase) {
  if (phase.groups.kind != FlowKind::all_to_all) return phase.sent;
  return phase.sent / (real(phase.groups.ranks - 1) * real(phase.mixed_ranks));
}

/// Who sends in a phase to whom. Of mixed ranks each to all of the other domain: those as far up
/// or down in it as there are ranks.
std::vector<Sending> sendings(const TrafficPhase& phase) {
  if (!phase.sends.empty()) return phase.sends;
  std::vector<Sending> found;
  const std::int64_t x = phase.mixed_ranks, stride = phase.mixed_stride;
  for (Sending& one : sendings(phase.groups)) {
    for (std::int64_t up = 1 - x; up < x; ++up) {
      Sending& to = found.emplace_back(Sending{one.offset + up * stride, one.who});
      const std::int64_t low = std::max<std::int64_t>(0, -up), high = std::min(x, x - up);
      if (x > 1) add_place(to.who, {x * stride, low * stride, high * stride});
    }
  }
  return found;
}

/// What ranks send to those one offset after them, and why.
struct Sent {
  std::vector<std::vector<RankPlace>> who;
  std::vector<std::pair<TrafficType, Bytes>> what;
};

std::map<std::int64_t, Sent> sent_by_offset(std::span<const TrafficPhase> phases) {
  std::map<std::int64_t, Sent> by_offset;
  for (const TrafficPhase& phase : phases) {
    if (!(phase.sent > Bytes{})) continue;
    for (Sending& one : sendings(phase)) {
      Sent& sent = by_offset[one.offset];
      sent.who.push_back(std::move(one.who));
      sent.what.emplace_back(phase.type, per_pair(phase));
    }
  }
  return by_offset;
}

/// Visits (distance, ordered pairs, bytes of each pair by type), pairs that send alike together.
template <class Visit>
void visit_pairs(std::span<const TrafficPhase> phases, std::int64_t gpus, Visit&& visit) {
  for (const auto& [offset, sent] : sent_by_offset(phases)) {
    for (const auto& [lists, ranks] : ranks_by_places(sent.who, gpus)) {
      if (ranks == 0) continue;
      BytesByType bytes{};
      for (std::size_t i = 0; i < sent.what.size(); ++i) {
        const auto& [type, each] = sent.what[i];
        if ((lists >> i & 1) != 0) of(bytes, type) += each;
      }
      visit(std::abs(offset), real(ranks), bytes);
    }
  }
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
  return flows_in_all(phase, gpus) * phase.sent;
}

BytesByType sent_by_type(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  BytesByType sent{};
  for (const TrafficPhase& phase : phases) of(sent, phase.type) += sent_by_all(phase, gpus);
  return sent;
}

LevelTraffic traffic_of_level(std::span<const TrafficPhase> phases, std::int64_t gpus,
                              std::int64_t unit) {
  LevelTraffic level{.inside = sent_by_type(phases, gpus),
                     .busiest = busiest_unit(phases, gpus, unit)};
  for (const TrafficPhase& phase : phases) {
    of(level.leaving, phase.type) += flows_out_of_all(phase, gpus, unit) * phase.sent;
  }
  for (std::size_t i = 0; i < level.inside.size(); ++i) {
    level.inside[i] = level.inside[i] - level.leaving[i];
  }
  return level;
}

BytesByType bytes_out(std::span<const TrafficPhase> phases, std::int64_t first, std::int64_t last) {
  BytesByType out{};
  for (const TrafficPhase& phase : phases) {
    of(out, phase.type) += flows_out(phase, first, last) * phase.sent;
  }
  return out;
}

std::vector<PairRow> pair_rows(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  std::map<std::tuple<TrafficType, std::int64_t, Bytes>, double> rows;
  visit_pairs(phases, gpus, [&](std::int64_t distance, double pairs, const BytesByType& bytes) {
    for (const TrafficType type : kTrafficTypes) {
      if (of(bytes, type) > Bytes{}) rows[{type, distance, of(bytes, type)}] += pairs;
    }
  });
  std::vector<PairRow> listed;
  for (const auto& [key, pairs] : rows) {
    const auto& [type, distance, bytes] = key;
    listed.push_back({.type = type, .distance = distance, .pairs = pairs, .per_pair = bytes});
  }
  return listed;
}

Pairs sending_pairs(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  Pairs pairs{.possible = real(gpus) * (real(gpus) - 1)};
  visit_pairs(phases, gpus, [&](std::int64_t, double some, const BytesByType& bytes) {
    pairs.sending += some;
    for (const TrafficType type : kTrafficTypes) {
      if (of(bytes, type) > Bytes{}) pairs.by_type[static_cast<std::size_t>(type)] += some;
    }
  });
  return pairs;
}

std::vector<double> heat_map(std::span<const TrafficPhase> phases, std::int64_t gpus) {
  std::vector<double> sent(static_cast<std::size_t>(gpus * gpus));
  for (const TrafficPhase& phase : phases) {
    const double each = per_pair(phase).si();
    for (const Sending& one : sendings(phase)) {
      for (std::int64_t from = 0; from < gpus; ++from) {
        if (one.holds(from))
          sent[static_cast<std::size_t>(from * gpus + from + one.offset)] += each;
      }
    }
  }
  return sent;
}

}  // namespace planner::network

#include "planner/domain/cut.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"

namespace planner {

namespace {

/// Where a unit holds a period in part, from p to q of it.
struct Part {
  std::int64_t p = 0, q = 0;
};

struct Parts {
  Part at[2];
  int count = 0;
};

/// At most two; none where the unit holds whole periods only.
Parts parts_of(std::int64_t first, std::int64_t last, std::int64_t period) {
  Parts parts;
  const std::int64_t p = first % period, q = (last - 1) % period + 1;
  if (first / period == (last - 1) / period) {
    if (q - p < period) parts.at[parts.count++] = {p, q};
    return parts;
  }
  if (p > 0) parts.at[parts.count++] = {p, period};
  if (q < period) parts.at[parts.count++] = {0, q};
  return parts;
}

/// Groups of which [p, q) of a period holds every rank.
std::int64_t whole_groups(const GroupFlows& groups, Part part) {
  const std::int64_t stride = groups.stride, ranks = groups.ranks;
  return std::max<std::int64_t>(
      0, std::min(stride, part.q - (ranks - 1) * stride) - std::min(part.p, stride));
}

double ring_out(const GroupFlows& groups, const Parts& parts) {
  std::int64_t out = 0;
  for (int i = 0; i < parts.count; ++i) {
    const Part part = parts.at[i];
    out += std::min(groups.stride, part.q - part.p) - whole_groups(groups, part);
  }
  return real(out);
}

/// Σ m(n - m)/(n - 1) over groups of which the unit holds m ranks: k + 1 of e of the groups, k of
/// the others.
double all_to_all_out(const GroupFlows& groups, const Parts& parts) {
  const double n = real(groups.ranks), stride = real(groups.stride);
  double pairs = 0;
  for (int i = 0; i < parts.count; ++i) {
    const std::int64_t held = parts.at[i].q - parts.at[i].p;
    const double k = real(held / groups.stride), e = real(held % groups.stride);
    pairs += e * (k + 1) * (n - k - 1) + (stride - e) * k * (n - k);
  }
  return pairs / (n - 1);
}

/// GPUs below x that are the first ranks of their groups, and the last.
std::int64_t first_ranks(const GroupFlows& groups, std::int64_t x) {
  const std::int64_t period = groups.period();
  return x / period * groups.stride + std::min(x % period, groups.stride);
}
std::int64_t last_ranks(const GroupFlows& groups, std::int64_t x) {
  const std::int64_t period = groups.period();
  return x / period * groups.stride +
         std::max<std::int64_t>(0, x % period - (groups.ranks - 1) * groups.stride);
}

/// What goes forward leaves with the last `stride` GPUs of the unit, backward with the first.
double line_out(const GroupFlows& groups, std::int64_t first, std::int64_t last) {
  const std::int64_t low = std::max(first, last - groups.stride);
  const std::int64_t high = std::min(last, first + groups.stride);
  const std::int64_t forward = (last - low) - (last_ranks(groups, last) - last_ranks(groups, low));
  const std::int64_t backward =
      (high - first) - (first_ranks(groups, high) - first_ranks(groups, first));
  return real(forward + backward);
}

double wrap_out(const GroupFlows& groups, std::int64_t first, std::int64_t last,
                const Parts& parts) {
  const std::int64_t period = groups.period();
  std::int64_t whole =
      std::max<std::int64_t>(0, last / period - ceil_div(first, period)) * groups.stride;
  for (int i = 0; i < parts.count; ++i) whole += whole_groups(groups, parts.at[i]);
  const std::int64_t ends = last_ranks(groups, last) - last_ranks(groups, first) +
                            first_ranks(groups, last) - first_ranks(groups, first);
  return real(ends - 2 * whole);
}

bool divide_each_other(std::int64_t a, std::int64_t b) {
  return a % b == 0 || b % a == 0;
}

/// Of aligned groups that reach beyond a unit, without a walk over units.
std::vector<AlikeUnits> aligned_units(const GroupFlows& groups, std::int64_t gpus,
                                      std::int64_t unit) {
  const std::int64_t stride = groups.stride, ranks = groups.ranks;
  const std::int64_t periods = gpus / groups.period(), side = std::min(stride, unit);
  const std::int64_t all = gpus / unit, ends = 2 * std::max<std::int64_t>(1, stride / unit);
  switch (groups.kind) {
    case FlowKind::ring:
      return {{real(side), all}};
    case FlowKind::all_to_all: {
      const double held = real(std::max<std::int64_t>(1, unit / stride)), n = real(ranks);
      return {{real(side) * held * (n - held) / (n - 1), all}};
    }
    case FlowKind::line: {
      std::vector<AlikeUnits> alike;
      const std::int64_t inner = all - ends * periods;
      if (inner > 0) alike.push_back({real(2 * side), inner});
      alike.push_back({real(side), ends * periods});
      return alike;
    }
    case FlowKind::wrap:
      return {{real(side), ends * periods}};
  }
  return {};
}

}  // namespace

double flows_out(const GroupFlows& groups, std::int64_t first, std::int64_t last) {
  if (groups.ranks < 2 || first >= last) return 0;
  switch (groups.kind) {
    case FlowKind::ring:
      return ring_out(groups, parts_of(first, last, groups.period()));
    case FlowKind::all_to_all:
      return all_to_all_out(groups, parts_of(first, last, groups.period()));
    case FlowKind::line:
      return line_out(groups, first, last);
    case FlowKind::wrap:
      return wrap_out(groups, first, last, parts_of(first, last, groups.period()));
  }
  return 0;
}

bool aligned(const GroupFlows& groups, std::int64_t unit) {
  return divide_each_other(groups.stride, unit) && divide_each_other(groups.period(), unit);
}

bool one_neighbour(const GroupFlows& groups, std::int64_t unit) {
  if (!aligned(groups, unit)) return false;
  const bool pairs = groups.ranks == 2 && groups.stride >= unit;
  return groups.kind == FlowKind::ring || groups.period() == 2 * unit || pairs;
}

std::vector<AlikeUnits> units_cut(const GroupFlows& groups, std::int64_t gpus, std::int64_t unit) {
  if (groups.ranks < 2 || unit >= gpus) return {};
  if (aligned(groups, unit)) {
    return groups.period() <= unit ? std::vector<AlikeUnits>{} : aligned_units(groups, gpus, unit);
  }
  // Cuts repeat where both a unit and a period begin.
  const std::int64_t period = groups.period();
  const std::int64_t units = ceil_div(gpus, unit), whole = gpus / unit;
  const std::int64_t repeat = std::min(units, period / std::gcd(period, unit));
  assert(repeat > 0);
  std::map<double, std::int64_t, std::greater<>> alike;
  // Several in one period are alike: none holds a whole ring, and of an all-to-all only the ranks
  // count that a unit holds. Of pipelines those are not that hold an end.
  const bool inside_alike = groups.kind == FlowKind::ring || groups.kind == FlowKind::all_to_all;
  const auto add = [&](std::int64_t first, std::int64_t last, std::int64_t times) {
    for (std::int64_t i = first, same = 1; i < last; i += same) {
      const std::int64_t inside = inside_alike ? (period - i * unit % period) / unit : 0;
      same = std::max<std::int64_t>(1, std::min({inside, last - i, whole - i}));
      const double out = flows_out(groups, i * unit, std::min(gpus, (i + 1) * unit));
      if (out > 0) alike[out] += same * times;
    }
  };
  const std::int64_t rounds = (units - 1) / repeat;  // of whole units; the last unit may be smaller
  if (rounds > 0) add(0, repeat, rounds);
  add(rounds * repeat, units, 1);
  std::vector<AlikeUnits> found;
  for (const auto& [out, count] : alike) found.push_back({out, count});
  return found;
}

double busiest_flows_out(const GroupFlows& groups, std::int64_t unit) {
  if (groups.ranks < 2) return 0;
  const std::int64_t period = groups.period();
  if (groups.kind == FlowKind::line || groups.kind == FlowKind::wrap) {  // the ends send less
    const std::vector<AlikeUnits> units = units_cut(groups, std::lcm(period, unit), unit);
    return units.empty() ? 0 : units.front().flows_out;
  }
  if (aligned(groups, unit)) return unit >= period ? 0 : flows_out(groups, 0, unit);
  // Units start at multiples of their common divisor with the period. In a long period all that
  // do not reach into the next one are alike.
  const std::int64_t step = std::gcd(unit, period);
  double busiest = flows_out(groups, 0, unit);
  for (std::int64_t at = std::max<std::int64_t>(0, (period - unit) / step * step); at < period;
       at += step) {
    busiest = std::max(busiest, flows_out(groups, at, at + unit));
  }
  if (period >= 2 * unit) return busiest;
  for (std::int64_t at = step; at < period; at += step) {
    busiest = std::max(busiest, flows_out(groups, at, at + unit));
  }
  return busiest;
}

Cut cut(const GroupFlows& groups, std::int64_t gpus, std::int64_t unit) {
  Cut whole;
  for (const auto& [out, units] : units_cut(groups, gpus, unit)) {
    whole.busiest = std::max(whole.busiest, out);
    whole.all += out * real(units);
  }
  return whole;
}

double share_leaving_at_random(std::int64_t hosts, std::int64_t in_unit) {
  return real(hosts - in_unit) / real(std::max<std::int64_t>(1, hosts - 1));
}

RandomCut random_ring_cut(std::int64_t hosts, std::int64_t in_unit) {
  const double M = real(hosts), w = real(std::min(in_unit, hosts));
  if (hosts < 2) return {};
  RandomCut cut{.mean = w * share_leaving_at_random(hosts, std::min(in_unit, hosts))};
  if (hosts > 2) {
    cut.variance = w * (w - 1) * (M - w) * (M - w - 1) / ((M - 1) * (M - 1) * (M - 2));
  }
  return cut;
}

}  // namespace planner

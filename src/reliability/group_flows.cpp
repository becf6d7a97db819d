#include "planner/reliability/group_flows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "planner/core/first_where.hpp"

namespace planner::inline reliability {

namespace {

constexpr double kNoUnits = 1e-14;  // of more units out: no share
constexpr double kFewUnits = 1e-3;  // of fewer: too small a share to tell how long the job waits
constexpr double kHardlyWaits = 1e-10;  // hours waited for each that the job runs

/// Shares of numbers out, of a kind alone, up to a factor: from the likeliest both ways, as far as
/// they are worth counting.
struct Law {
  std::int64_t first = 0;
  std::vector<double> share;
  double all = 0;

  [[nodiscard]] std::int64_t last() const { return first + std::ssize(share) - 1; }
};

/// Puts what each of some steps is times the one before it, up to so many, as far as they are worth
/// counting. Eight at once: their divisions and products do not wait for those before them.
/// @param step(i)  of the i-th
template <class Step>
void put_steps(std::int64_t most, double worth, const Step& step, Law& law) {
  constexpr std::size_t kAtOnce = 8;
  double one = 1;
  for (std::int64_t i = 0; i < most && one > worth * law.all;) {
    std::array<double, kAtOnce> shares;
    double at = real(i);
    for (double& each : shares) each = step(at++);
    for (std::size_t k = 1; k < kAtOnce; ++k) shares[k] *= shares[k - 1];
    for (double& each : shares) each *= one;
    const std::int64_t some = std::min<std::int64_t>(kAtOnce, most - i);
    law.share.insert(law.share.end(), shares.begin(), shares.begin() + some);
    one = law.share.back();
    law.all += std::accumulate(shares.begin(), shares.begin() + some, 0.0);
    i += some;
  }
}

/// @param most  that may be out
/// @param lost(j), back(j)  from j to one more, and to one fewer; lost(j)/back(j + 1) falls
template <class Lost, class Back>
Law law_of(std::int64_t most, double below, double above, const Lost& lost, const Back& back) {
  const std::int64_t likeliest =
      first_where(most, [&](std::int64_t j) { return !(lost(real(j)) >= back(real(j) + 1)); });
  const double from = real(likeliest);
  constexpr std::int64_t kUsual = 1024;
  Law law{.share = {}, .all = 1};
  law.share.reserve(static_cast<std::size_t>(std::min(most + 1, kUsual)));
  law.share.push_back(1);
  put_steps(
      likeliest, below, [&](double i) { return back(from - i) / lost(from - i - 1); }, law);
  law.first = likeliest + 1 - std::ssize(law.share);
  std::ranges::reverse(law.share);
  put_steps(
      most - likeliest, above, [&](double i) { return lost(from + i) / back(from + i + 1); }, law);
  return law;
}

Law units_of(const GroupFlows& flows) {
  const SparePool& pool = flows.pool();
  if (pool.rate <= PerSecond{} || pool.repair <= Seconds{}) return {.share = {1}, .all = 1};
  const double of_unit = flows.slower() / pool.repair.si();
  const double losses = pool.rate.si() / of_unit, all = real(pool.active + pool.spares);
  return law_of(
      pool.spares + 1, kFewUnits, kNoUnits, [&](double j) { return losses * (all - j); },
      [&](double j) { return std::min(j, pool.crews); });
}

Law groups_of(const GroupFlows& flows) {
  const GroupLosses& groups = flows.pool().groups;
  const std::int64_t most = std::min(groups.groups, flows.pool().spares / groups.units);
  return law_of(
      most, kNoState, kNoState, [&](double g) { return flows.loses_group(g); },
      [&](double g) { return flows.slower() * flows.group_back(g); });
}

/// Of so many groups out, the fewest first, what they add to waits_at_once() (group_shortages.hpp).
std::vector<double> waits_by_groups(const GroupFlows& flows, Law units, const Law& groups) {
  const SparePool& pool = flows.pool();
  std::vector<double>& above = units.share;  // of so many units and more
  std::partial_sum(above.rbegin(), above.rend(), above.rbegin());
  const double of_unit = pool.repair.si() / std::min(1.0, pool.crews);
  const double repairs = pool.groups.repair.si() + of_unit;
  const double unit_lost = flows.loses_unit(real(std::min(units.last(), pool.spares)), 0);
  // Share with so many units out, and more; and the longest that so many more take to be back.
  const auto above_at = [&](std::int64_t out) {
    const std::int64_t i = std::max<std::int64_t>(0, out - units.first);
    return i < std::ssize(above) ? above[static_cast<std::size_t>(i)] / units.all : 0;
  };
  const auto longest = [&](std::int64_t out, double more, double most) {
    return out > 0 ? std::min(most, more / flows.unit_back(real(out))) : most;
  };
  std::vector<double> waits(groups.share.size());
  for (std::int64_t g = groups.first; g <= groups.last(); ++g) {
    const std::int64_t room = pool.spares - g * pool.groups.units;
    const std::int64_t enough = room + 1 - pool.groups.units;  // that a group is too many
    const auto of = static_cast<std::size_t>(g - groups.first);
    const double by_groups = above_at(enough) * flows.loses_group(real(g));
    const double by_units = above_at(room) * unit_lost;
    waits[of] =
        groups.share[of] / groups.all *
        (by_groups * longest(enough, flows.size(), repairs) + by_units * longest(room, 1, repairs));
  }
  return waits;
}

double sum_of(const std::vector<double>& waits) {
  return std::accumulate(waits.begin(), waits.end(), 0.0);
}

/// Units and groups that are out on average where spares run out, losses being as many as repairs.
struct Full {
  double units = 0, groups = 0;
  bool usual = false;  ///< the job waits so that no more are out
};

/// With times so much `longer` between losses that no more units are out than there are crews for,
/// and that what is out is as much as the spares:
///   units/longer + size·all·groups/(longer + groups) = spares,
/// where so many `units` are lost in the time that one takes to be back, and of each of `all`
/// groups so many `groups`. With `half` of units + size·all·groups - spares·groups that is
///   spares·longer² - 2·half·longer = units·groups.
Full full_of(const GroupFlows& flows) {
  const SparePool& pool = flows.pool();
  const double spares = real(pool.spares);
  const double units = flows.loses_unit(spares, 0) * pool.repair.si();
  const double groups = pool.groups.rate * pool.groups.repair, all = real(pool.groups.groups);
  const double size = flows.size();
  const auto groups_out = [&](double longer) { return all * groups / (longer + groups); };
  const double half = (units + size * all * groups - spares * groups) / 2;
  const double root = std::sqrt(half * half + spares * units * groups);
  const double even = half > 0 ? (half + root) / spares : units * groups / (root - half);
  const double longer = std::max(even, units / pool.crews), of_groups = groups_out(longer);
  return {std::max(0.0, spares - size * of_groups), of_groups, longer > flows.slower()};
}

}  // namespace

double waits_at_once(const SparePool& pool) {
  const GroupFlows flows(pool, 1);
  return sum_of(waits_by_groups(flows, units_of(flows), groups_of(flows)));
}

namespace {

/// q^n, and 1 + q + … + q^(n - 1).
struct Powers {
  double power = 1, sum = 0;
};

Powers powers_of(double q, std::int64_t n) {
  Powers found;
  double block = 1;  // of 1, 2, 4 … powers; q is that power
  for (auto left = static_cast<std::uint64_t>(n); left > 0; left /= 2) {
    if (left % 2 == 1) {
      found.sum += found.power * block;
      found.power *= q;
    }
    block *= 1 + q;
    q *= q;
  }
  return found;
}

/// Steps counted as one: q^n, 1 + q + … + q^(n - 1), and what their middle one has of them.
struct CountedAsOne {
  double power, sum, of_middle;

  CountedAsOne(double q, std::int64_t n) {
    const Powers fewer = powers_of(q, n - 1);
    power = fewer.power * q;
    sum = fewer.sum + fewer.power;
    of_middle = n == 1 ? 1 : (1 + q) * fewer.power / (sum * (1 + power));
  }
};

}  // namespace

/// With q the smaller of both over the larger, the larger over width·(1 + q + … + q^(width - 1)),
/// and q^width of that the other way.
StepRates wide_step(double more, double fewer, std::int64_t width) {
  if (width == 1) return {more, fewer};
  const double larger = std::max(more, fewer);
  const Powers powers = powers_of(std::min(more, fewer) / larger, width);
  const double with = larger / (real(width) * powers.sum), against = with * powers.power;
  return more > fewer ? StepRates{with, against} : StepRates{against, with};
}

/// With q² the smaller rate over the larger and G(n) = 1 + q + … + q^(n - 1): the larger times (1 +
/// q)/G(steps + more) of those from middle to middle, and times what the steps of one have of its
/// middle one, (1 + q)·q^(n - 1)/G(2·n).
StepRates between_wide(const StepRates& single, std::int64_t steps, std::int64_t more_steps) {
  if (steps == 1 && more_steps == 1) return single;
  const double larger = std::max(single.more, single.fewer);
  const double q = std::sqrt(std::min(single.more, single.fewer) / larger);
  const CountedAsOne some(q, steps),
      more = steps == more_steps ? some : CountedAsOne(q, more_steps);
  const double flow = larger * (1 + q) / (some.sum + some.power * more.sum);
  const double here = flow * some.of_middle, there = flow * more.of_middle,
               power = some.power * more.power;
  return single.more > single.fewer ? StepRates{here, there * power}
                                    : StepRates{here * power, there};
}

GroupRange group_range(const GroupFlows& flows, const Fineness& fineness) {
  const SparePool& pool = flows.pool();
  Law units = units_of(flows);
  const Law groups = groups_of(flows);
  GroupRange range{.most = units.last(),
                   .all = units.last(),
                   .least_groups = groups.first,
                   .most_groups = groups.last()};
  const std::vector<double> by_groups = waits_by_groups(flows, std::move(units), groups);
  const double waits = sum_of(by_groups);
  range.never_short = waits < kHardlyWaits;
  if (range.never_short || pool.rate * pool.repair <= 0) return range;
  const Full full = full_of(flows);
  const double size = flows.size();
  const double slower = flows.slower();
  const double one_lost = flows.loses_unit(real(pool.spares), 0),
               group_lost = flows.loses_group(full.groups),
               one_back = slower * flows.unit_back(full.units),
               group_back = slower * flows.group_back(full.groups);
  const double drift = one_lost + size * group_lost - one_back - size * group_back;
  const double spread = one_lost + one_back + size * size * (group_lost + group_back);
  // Where the job waits so that no more are out, what waits is as many as losses are more than
  // repairs: how they lie about the last that there is room for matters little.
  const double matters = full.usual ? 0.25 : 1, of_drift = matters * 2 * std::abs(drift) / spread;
  range.drift_scale = spread / (2 * std::abs(drift));
  range.units_scale = 1 / (1 / std::sqrt(full.units) + of_drift);
  range.groups_scale = 1 / (1 / std::sqrt(full.groups) + size * of_drift);
  constexpr double kSpreads = 9, kSome = 10;
  const bool crews = full.units < pool.crews;
  const double along = 1 / (1 / (size * size * full.groups + size) + (crews ? 1 / full.units : 0));
  const auto half = static_cast<std::int64_t>(kSpreads * std::sqrt(along) + kSome + 2 * size);
  const auto middle = static_cast<std::int64_t>(full.units);
  if (full.usual) range.most = std::min(range.most, middle + half);
  const std::int64_t groups_out = static_cast<std::int64_t>(full.groups) - half / pool.groups.units;
  range.least_groups = std::clamp<std::int64_t>(groups_out, 0, range.least_groups);
  double with_more = 0;  // waits beside so many groups and more
  for (; range.most_groups > groups.first; --range.most_groups) {
    with_more += by_groups[static_cast<std::size_t>(range.most_groups - groups.first)];
    if (with_more >= fineness.no_waits * waits) break;
  }
  return range;
}

GroupLattice::GroupLattice(const GroupFlows& flows, const GroupRange& range,
                           const Fineness& fineness)
    : flows_(flows), from_waiting_(fineness.from_waiting) {
  const std::int64_t size = flows.pool().groups.units;
  while (2 * real(groups_) * fineness.steps <= range.groups_scale) groups_ *= 2;
  size_ = groups_ * size;
  const double finest = std::min(real(size_), range.units_scale / fineness.steps);
  const auto most = static_cast<std::int64_t>(finest);
  for (std::int64_t units = 1; units <= most; ++units) {
    if (size_ % units == 0) units_ = units;
  }
  constexpr std::int64_t kMany = 32;
  if (2 * units_ < most && range.most_groups - range.least_groups > kMany) {
    units_ = (most - 1) / 2 * 2 + 1;
  }
  end_ = real(flows.pool().spares) - real(size * (groups_ - 1)) / 2;
  spares_ = static_cast<std::int64_t>(end_ / real(units_));
  constexpr double kSteep = 0.25, kWidest = 1e9;
  widest_ = static_cast<std::int64_t>(
      std::clamp(kSteep * range.drift_scale / real(units_), 1.0, kWidest));
  const double crews = flows.pool().crews;
  all_crews_ = std::isfinite(fineness.steps) && crews < end_
                   ? of_units(static_cast<std::int64_t>(std::ceil(crews)))
                   : spares_ + 1;
  least_ = range.least_groups / groups_;
  // A multiple of a quarter or half of the widest bundle, so that one group more or fewer seldom
  // changes another. Of all of it there would be many more bundles where there is less room.
  const std::int64_t part = (spares_ * units_ / size_ - least_) / (2 * kRoomForTwo);
  if (part > 1) {
    least_ -= least_ % static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(part)));
  }
  most_ = range.most_groups / groups_;
  for (std::int64_t g = least_ - 1; g <= most_ + 1; ++g) {
    const auto last = real(g * groups_ + groups_ - 1);
    group_steps_.push_back(
        wide_step(flows.loses_group(last), flows.slower() * flows.group_back(last + 1), groups_));
  }
}

std::int64_t GroupLattice::of_units(std::int64_t units) const {
  const double steps = (real(units) - last_unit(0)) / real(units_);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(steps)));
}

}  // namespace planner::reliability

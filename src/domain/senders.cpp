#include "planner/domain/senders.hpp"

#include <algorithm>
#include <numeric>

#include "planner/core/real.hpp"
#include "planner/domain/cut.hpp"

namespace planner {

namespace {

/// Ranks below x by which lists hold, period by period from the widest.
class Sweep {
 public:
  Sweep(std::span<const std::vector<RankPlace>> lists, std::vector<std::int64_t> periods)
      : lists_(lists), periods_(std::move(periods)) {}

  std::vector<SomeRanks> of(std::int64_t gpus) && {
    count(0, ~std::uint64_t{0} >> (64 - lists_.size()), gpus, 1);
    std::erase_if(found_, [](const SomeRanks& one) { return one.ranks == 0; });
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool has(std::uint64_t some, std::size_t list) const {
    return (some >> list & 1) != 0;
  }

  template <class Visit>
  void visit_places(std::uint64_t some, std::int64_t period, Visit&& visit) const {
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      if (!has(some, i)) continue;
      for (const RankPlace& place : lists_[i]) {
        if (place.period == period) visit(i, place);
      }
    }
  }

  /// Adds `times` the places below x that the periods from this one on tell apart.
  void count(std::size_t level, std::uint64_t some, std::int64_t x, std::int64_t times) {
    if (some == 0 || x == 0) return;
    if (level == periods_.size()) {
      const auto same = std::find_if(found_.begin(), found_.end(),
                                     [&](const SomeRanks& one) { return one.lists == some; });
      if (same == found_.end()) {
        found_.push_back({some, times * x});
      } else {
        same->ranks += times * x;
      }
      return;
    }
    const std::int64_t period = periods_[level];
    bool told_apart = false;
    visit_places(some, period, [&](std::size_t, const RankPlace&) { told_apart = true; });
    if (!told_apart) {
      count(level + 1, some, x, times);
      return;
    }
    if (x >= period) within(level, some, period, times * (x / period));
    within(level, some, x % period, times);
  }

  /// The same of the places below `end` of one period.
  void within(std::size_t level, std::uint64_t some, std::int64_t end, std::int64_t times) {
    std::vector<std::int64_t> cuts{0, end};
    visit_places(some, periods_[level], [&](std::size_t, const RankPlace& place) {
      cuts.push_back(std::min(place.low, end));
      cuts.push_back(std::min(place.high, end));
    });
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const std::int64_t low = cuts[i - 1], high = cuts[i];
      if (low == high) continue;
      std::uint64_t here = some;
      visit_places(some, periods_[level], [&](std::size_t list, const RankPlace& place) {
        if (!place.holds(low)) here &= ~(std::uint64_t{1} << list);
      });
      count(level + 1, here, high, times);
      count(level + 1, here, low, -times);
    }
  }

  std::span<const std::vector<RankPlace>> lists_;
  std::vector<std::int64_t> periods_;
  std::vector<SomeRanks> found_;
};

/// Whether a rank's place in each list's periods is the same if it is taken in all the periods.
bool told_by_all(std::span<const std::vector<RankPlace>> lists,
                 const std::vector<std::int64_t>& periods, std::int64_t gpus) {
  for (const std::vector<RankPlace>& who : lists) {
    for (std::size_t i = 0; i < who.size(); ++i) {
      const std::int64_t period = who[i].period;
      const auto at = std::find(periods.begin(), periods.end(), period);
      if (i > 0 && who[i - 1].period % period != 0) {
        // A place in the period before: no other may stand between.
        if (*(at - 1) != who[i - 1].period) return false;
        continue;
      }
      const bool divides = std::all_of(periods.begin(), at, [&](std::int64_t wider) {
        return wider >= gpus || wider % period == 0;
      });
      if (!divides) return false;
    }
  }
  return true;
}

std::vector<SomeRanks> one_by_one(std::span<const std::vector<RankPlace>> lists,
                                  std::int64_t gpus) {
  std::vector<SomeRanks> found;
  for (std::int64_t rank = 0; rank < gpus; ++rank) {
    std::uint64_t some = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (Sending{.who = lists[i]}.holds(rank)) some |= std::uint64_t{1} << i;
    }
    if (some == 0) continue;
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const SomeRanks& one) { return one.lists == some; });
    if (same == found.end()) {
      found.push_back({some, 1});
    } else {
      same->ranks += 1;
    }
  }
  return found;
}

/// Of domains in which ranks are numbered to and fro, those that are from the first to the last.
RankPlace turned(const GroupFlows& across, bool back) {
  const std::int64_t from = back ? across.stride : 0;
  return {2 * across.stride, from, from + across.stride};
}
RankPlace place_in_domain(const GroupFlows& inside, std::int64_t at) {
  return {inside.period(), at * inside.stride, (at + 1) * inside.stride};
}
/// Where the last rank of all lies in its domain.
std::int64_t last_place(const GroupFlows& inside, const GroupFlows& across) {
  return across.ranks % 2 == 0 ? 0 : inside.ranks - 1;
}

}  // namespace

bool Sending::holds(std::int64_t rank) const {
  for (const RankPlace& place : who) {
    rank %= place.period;
    if (!place.holds(rank)) return false;
  }
  return true;
}

void add_place(std::vector<RankPlace>& who, const RankPlace& place) {
  const auto at = std::find_if(who.begin(), who.end(),
                               [&](const RankPlace& one) { return one.period < place.period; });
  who.insert(at, place);
}

bool unit_fits(std::span<const RankPlace> who, std::int64_t unit, std::int64_t gpus) {
  for (const auto& [period, low, high] : who) {
    if (period < unit) return unit % period == 0;
    if (period < gpus && period % unit != 0) return false;
  }
  return true;
}

std::int64_t ranks_below(std::span<const RankPlace> who, std::int64_t x) {
  if (who.empty()) return x;
  const RankPlace& widest = who.front();
  const auto narrower = who.subspan(1);
  const auto within = [&](std::int64_t end) {
    const std::int64_t high = std::clamp(end, widest.low, widest.high);
    return ranks_below(narrower, high) - ranks_below(narrower, widest.low);
  };
  const std::int64_t rest = within(x % widest.period);
  return x < widest.period ? rest : x / widest.period * within(widest.period) + rest;
}

std::vector<Sending> sendings(const GroupFlows& groups) {
  const std::int64_t stride = groups.stride, n = groups.ranks;
  const std::int64_t period = groups.period();
  std::vector<Sending> found;
  const auto up = [&](std::int64_t k) {
    found.push_back({k * stride, {{period, 0, (n - k) * stride}}});
  };
  const auto down = [&](std::int64_t k) {
    found.push_back({-k * stride, {{period, k * stride, period}}});
  };
  if (n < 2) return found;
  switch (groups.kind) {
    case FlowKind::ring:
      up(1);
      down(n - 1);
      break;
    case FlowKind::all_to_all:
      for (std::int64_t k = 1; k < n; ++k) {
        up(k);
        down(k);
      }
      break;
    case FlowKind::line:
      up(1);
      down(1);
      break;
    case FlowKind::wrap:
      up(n - 1);
      down(n - 1);
      break;
  }
  return found;
}

std::vector<SomeRanks> ranks_by_places(std::span<const std::vector<RankPlace>> lists,
                                       std::int64_t gpus) {
  if (lists.empty()) return {};
  if (lists.size() == 1) return {{1, ranks_below(lists.front(), gpus)}};
  std::vector<std::int64_t> periods;
  for (const std::vector<RankPlace>& who : lists) {
    for (const RankPlace& place : who) periods.push_back(place.period);
  }
  std::sort(periods.begin(), periods.end(), std::greater<>());
  periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
  if (!told_by_all(lists, periods, gpus)) return one_by_one(lists, gpus);
  return Sweep(lists, std::move(periods)).of(gpus);
}

NestedRing nested_ring(const NestedRanks& ranks) {
  const auto& [inside, across] = ranks;
  const std::int64_t last = inside.period() - inside.stride;
  const RankPlace all{across.period(), 0, across.period()};
  NestedRing ring{
      .inside = {{inside.stride, {all, turned(across, false), {inside.period(), 0, last}}},
                 {-inside.stride,
                  {all, turned(across, true), {inside.period(), inside.stride, inside.period()}}}}};
  const RankPlace not_last{across.period(), 0, across.period() - across.stride};
  for (const bool back : {false, true}) {
    ring.across.push_back(
        {across.stride,
         {not_last, turned(across, back), place_in_domain(inside, back ? 0 : inside.ranks - 1)}});
  }
  ring.across.push_back(joint_of_ends(inside, across).front());
  return ring;
}

double busiest_ring_out(const NestedRanks& ranks, std::int64_t unit) {
  if (ranks.in_line()) return busiest_flows_out(ranks.line(), unit);
  const auto& [inside, across] = ranks;
  // A ring leaves a unit once for each group that is partly in it. So many lie side by side:
  const std::int64_t beside = across.stride / inside.ranks;
  if (unit % across.stride == 0) {
    const GroupFlows of_all{FlowKind::ring, 1, across.ranks};
    return real(beside) * busiest_flows_out(of_all, unit / across.stride);
  }
  if (across.stride % unit == 0) {
    if (unit % inside.period() == 0) return real(unit / inside.ranks);
    if (inside.period() % unit == 0) return real(std::min(inside.stride, unit));
  }
  const NestedRing ring = nested_ring(ranks);
  double busiest = 0;
  const std::int64_t step = std::gcd(unit, across.period());
  for (std::int64_t first = 0; first < across.period(); first += step) {
    std::int64_t out = 0;
    for (const std::vector<Sending>* sends : {&ring.inside, &ring.across}) {
      for (const Sending& one : *sends) out += ranks_leaving(one, first, first + unit);
    }
    busiest = std::max(busiest, real(out));
  }
  return busiest;
}

std::int64_t ranks_leaving(const Sending& sending, std::int64_t first, std::int64_t last) {
  const auto& [offset, who] = sending;
  const std::int64_t low = offset > 0 ? std::max(first, last - offset) : first;
  const std::int64_t high = offset > 0 ? last : std::min(last, first - offset);
  return ranks_below(who, high) - ranks_below(who, low);
}

std::vector<Sending> joints(const GroupFlows& inside, const GroupFlows& across) {
  std::vector<Sending> found;
  const std::int64_t period = across.period();
  for (const bool back : {false, true}) {
    const RankPlace at = place_in_domain(inside, back ? 0 : inside.ranks - 1);
    found.push_back(
        {across.stride, {{period, 0, period - across.stride}, turned(across, back), at}});
    found.push_back({-across.stride, {{period, across.stride, period}, turned(across, !back), at}});
  }
  return found;
}

std::vector<Sending> joint_of_ends(const GroupFlows& inside, const GroupFlows& across) {
  const std::int64_t apart =
      across.period() - across.stride + last_place(inside, across) * inside.stride;
  return {{-apart, last_stage(inside, across)}, {apart, first_stage(inside, across)}};
}

std::vector<RankPlace> first_stage(const GroupFlows& inside, const GroupFlows& across) {
  return {{across.period(), 0, across.stride}, place_in_domain(inside, 0)};
}

std::vector<RankPlace> last_stage(const GroupFlows& inside, const GroupFlows& across) {
  return {{across.period(), across.period() - across.stride, across.period()},
          place_in_domain(inside, last_place(inside, across))};
}

}  // namespace planner

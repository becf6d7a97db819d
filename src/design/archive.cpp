#include "planner/design/archive.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace planner::design {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Room for rounding: a limit may be too long, never too short.
constexpr double kRoom = 1 + 1e-9;

std::vector<double> values_of(const Judged& judged, const std::vector<Goal>& goals) {
  std::vector<double> values;
  for (const Goal& goal : goals) values.push_back(figure(judged, goal));
  return values;
}

}  // namespace

double Archive::reaches(Measure measure, double value, const Figures& at_once,
                        const Figures& per_second) const {
  const double slope = per_second[at(measure)];
  if (!(slope > 0)) return kInfinity;
  const double cents = in_money(measure) ? cents_ : 0;
  return std::max(0.0, kRoom * (value + cents) - at_once[at(measure)]) / slope;
}

void Archive::offer(const Found& found) {
  if (!within(found.judged, question_.limits)) return;
  Member member{.found = found,
                .values = values_of(found.judged, question_.goals),
                .time = found.judged.all_runs()};
  if (question_.front) {
    offer_to_front(std::move(member));
  } else {
    offer_to_best(std::move(member));
  }
}

void Archive::offer_to_front(Member member) {
  for (const Member& other : members_) {
    if (rules_out(other.values, member.values, true, other.before(member))) return;
  }
  std::erase_if(members_, [&](const Member& other) {
    return rules_out(member.values, other.values, true, member.before(other));
  });
  members_.push_back(std::move(member));
}

// A design stands there once, with the use of it that is best.
void Archive::offer_to_best(Member member) {
  const auto same = std::find_if(members_.begin(), members_.end(), [&](const Member& other) {
    return other.found.place.id == member.found.place.id;
  });
  if (same != members_.end()) {
    if (better(*same, member)) return;
    members_.erase(same);
  }
  members_.insert(std::upper_bound(members_.begin(), members_.end(), member, better),
                  std::move(member));
  if (members_.size() > question_.top) members_.pop_back();
}

std::optional<double> Archive::last() const {
  if (question_.front || members_.size() < question_.top) return std::nullopt;
  return members_.back().values.front();
}

std::optional<double> Archive::least() const {
  std::optional<double> least;
  for (const Member& member : members_) {
    least = std::min(least.value_or(kInfinity), member.values.front());
  }
  return least;
}

std::vector<Found> Archive::sorted() const {
  std::vector<Member> members = members_;
  std::sort(members.begin(), members.end(), better);
  std::vector<Found> all;
  for (Member& member : members) all.push_back(std::move(member.found));
  return all;
}

bool Archive::over_limits(const Figures& least) const {
  return !within({.expected = least, .confident = least}, question_.limits);
}

bool Archive::may_matter(const Figures& least) const {
  if (over_limits(least)) return false;
  const std::vector<double> of =
      values_of({.expected = least, .confident = least}, question_.goals);
  const auto ruling = std::count_if(members_.begin(), members_.end(), [&](const Member& member) {
    return rules_out(member.values, of, question_.front, false);
  });
  return static_cast<std::size_t>(ruling) < enough();
}

double Archive::longest_beside(const Member& member, const Figures& parts,
                               const Figures& per_second) const {
  double until = 0;  // from which on the member rules it out
  bool less = false;
  for (std::size_t i = 0; i < question_.goals.size(); ++i) {
    const Measure measure = question_.goals[i].measure;
    const double value = member.values[i];
    if (grows(measure)) {
      const double reached = reaches(measure, value, parts, per_second);
      if (!question_.front) return std::max(until, reached);
      until = std::max(until, reached);
      less = true;  // beyond that it is less
      continue;
    }
    const double lowest = parts[at(measure)];
    if (value > lowest) return kInfinity;
    if (value == lowest) continue;
    if (!question_.front) return until;
    less = true;
  }
  return less ? until : kInfinity;
}

TimeLimit Archive::longest(const Figures& parts, const Figures& per_second) const {
  double by_goals = kInfinity;
  if (enough() == 1) {
    for (const Member& member : members_) {
      by_goals = std::min(by_goals, longest_beside(member, parts, per_second));
    }
  } else if (members_.size() >= enough()) {
    std::vector<double> beside;
    for (const Member& member : members_) {
      beside.push_back(longest_beside(member, parts, per_second));
    }
    const auto last = beside.begin() + static_cast<std::ptrdiff_t>(enough() - 1);
    std::nth_element(beside.begin(), last, beside.end());
    by_goals = *last;
  }
  double by_limits = kInfinity;
  const BriefLimits& limits = question_.limits;
  for (const Measure measure : {Measure::days, Measure::run_cost}) {
    const auto limit = limit_of(limits, measure);
    if (limit) by_limits = std::min(by_limits, reaches(measure, *limit, parts, per_second));
  }
  return {.by_goals = Seconds{by_goals}, .by_limits = Seconds{by_limits}};
}

}  // namespace planner::design

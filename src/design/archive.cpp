#include "planner/design/archive.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace planner::design {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Room for rounding: a limit may be too long, never too short.
constexpr double kRoom = 1 + 1e-9;

std::vector<double> goals_of(const Judged& judged, const std::vector<Goal>& goals) {
  std::vector<double> values;
  for (const Goal& goal : goals) values.push_back(figure(judged, goal));
  return values;
}

}  // namespace

Archive::Archive(const Question& question, std::size_t runs)
    : question_(question), cents_(rounding_of(runs)) {
  for (const Goal& goal : question.goals) compared_.push_back(at(goal.measure));
  for (const Measure measure : kMeasures) {
    const auto limit = limit_of(question.limits, measure);
    if (!limit) continue;
    most_.emplace_back(at(measure), *limit);
    compared_.push_back(at(measure));
  }
}

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
                .values = goals_of(found.judged, question_.goals),
                .time = found.judged.all_runs()};
  const bool kept =
      question_.front ? offer_to_front(std::move(member)) : offer_to_best(std::move(member));
  if (!kept) return;
  new_.push_back(found);
  values_.clear();
  for (const Member& one : members_) {
    values_.insert(values_.end(), one.values.begin(), one.values.end());
  }
}

void Archive::insert(Member member) {
  const auto behind = std::upper_bound(members_.begin(), members_.end(), member, better);
  members_.insert(behind, std::move(member));
}

bool Archive::offer_to_front(Member member) {
  for (const Member& other : members_) {
    if (rules_out(other.values, member.values, true, other.before(member))) return false;
  }
  std::erase_if(members_, [&](const Member& other) {
    return rules_out(member.values, other.values, true, member.before(other));
  });
  insert(std::move(member));
  return true;
}

// A design stands there once, with the use of it that is best.
bool Archive::offer_to_best(Member member) {
  const auto same = std::find_if(members_.begin(), members_.end(), [&](const Member& other) {
    return other.found.place.id == member.found.place.id;
  });
  if (same != members_.end()) {
    if (better(*same, member)) return false;
    members_.erase(same);
  } else if (members_.size() == question_.top && better(members_.back(), member)) {
    return false;
  }
  insert(std::move(member));
  if (members_.size() > question_.top) members_.pop_back();
  return true;
}

std::optional<double> Archive::last() const {
  if (question_.front || members_.size() < question_.top) return std::nullopt;
  return members_.back().values.front();
}

std::optional<double> Archive::least() const {
  return members_.empty() ? std::nullopt : std::optional(members_.front().values.front());
}

std::vector<Found> Archive::sorted() const {
  std::vector<Found> all;
  for (const Member& member : members_) all.push_back(member.found);
  return all;
}

bool Archive::over_limits(const Figures& least) const {
  return std::any_of(most_.begin(), most_.end(),
                     [&](const auto& limit) { return least[limit.first] > limit.second; });
}

bool Archive::no_less(const Figures& figures, const Figures& than) const {
  return std::all_of(compared_.begin(), compared_.end(),
                     [&](std::size_t measure) { return figures[measure] >= than[measure]; });
}

bool Archive::may_matter(const Figures& least) const {
  if (over_limits(least)) return false;
  if (members_.size() < enough()) return true;
  Figures goals{};
  for (std::size_t i = 0; i < question_.goals.size(); ++i) {
    goals[i] = least[at(question_.goals[i].measure)];
  }
  const auto of = std::span<const double>(goals).first(question_.goals.size());
  std::size_t ruling = 0;
  const Places places = that_may_rule_out(of.front());
  for (std::size_t member = places.first; member < places.end; ++member) {
    if (rules_out(values_of(member), of, question_.front, false) && ++ruling == enough()) {
      return false;
    }
  }
  return true;
}

// On a front of two goals the second falls from one member to the next.
Archive::Places Archive::that_may_rule_out(double first_goal) const {
  const auto behind = std::partition_point(
      members_.begin(), members_.end(),
      [first_goal](const Member& member) { return member.values.front() <= first_goal; });
  const auto end = static_cast<std::size_t>(behind - members_.begin());
  const bool last_alone = question_.front && question_.goals.size() == 2 && end > 0;
  return {last_alone ? end - 1 : 0, end};
}

double Archive::longest_beside(std::span<const double> values, const Figures& parts,
                               const Figures& per_second) const {
  double until = 0;  // from which on the member rules it out
  bool less = false;
  for (std::size_t i = 0; i < question_.goals.size(); ++i) {
    const Measure measure = question_.goals[i].measure;
    const double value = values[i];
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
    const Measure first = question_.goals.front().measure;
    Places places{0, members_.size()};
    if (!grows(first)) places = that_may_rule_out(parts[at(first)]);
    for (std::size_t member = places.first; member < places.end; ++member) {
      by_goals = std::min(by_goals, longest_beside(values_of(member), parts, per_second));
    }
  } else if (members_.size() >= enough()) {
    std::vector<double> beside;
    for (std::size_t member = 0; member < members_.size(); ++member) {
      beside.push_back(longest_beside(values_of(member), parts, per_second));
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

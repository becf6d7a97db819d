#include "planner/design/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "planner/core/diagnostic.hpp"
#include "planner/design/bests.hpp"
#include "planner/design/each_system.hpp"
#include "planner/design/exchange.hpp"

namespace planner::design {

namespace {

/// What is asked for, and what decides between designs that are equal in it: the rest of the front,
/// days, and what owning costs.
std::vector<Goal> goals_of(const Brief& brief) {
  std::vector<Goal> goals{{.measure = brief.minimise}};
  const auto add = [&](Measure measure) {
    const auto is = [&](const Goal& goal) { return goal.measure == measure; };
    if (std::none_of(goals.begin(), goals.end(), is)) goals.push_back({.measure = measure});
  };
  for (const Measure measure : brief.front) add(measure);
  add(Measure::days);
  add(Measure::tco);
  return goals;
}

/// @param figure  as limit_of(); nothing: no limit
void set_limit(Measure limit, std::optional<double> figure, BriefLimits& limits) {
  const auto money = figure ? std::optional(Money::cents(std::llround(*figure))) : std::nullopt;
  const auto watts = figure ? std::optional(Watts{*figure}) : std::nullopt;
  switch (limit) {
    case Measure::tco:
      limits.tco = money;
      break;
    case Measure::capex:
      limits.capex = money;
      break;
    case Measure::run_cost:
      limits.run_cost = money;
      break;
    case Measure::days:
      limits.days = figure;
      break;
    case Measure::power:
      limits.power = watts;
      break;
    case Measure::facility_power:
      limits.facility_power = watts;
      break;
    case Measure::gpus:
      limits.gpus = figure ? std::optional(std::llround(std::floor(*figure))) : std::nullopt;
      break;
    case Measure::energy:
    case Measure::co2:
      break;
  }
}

/// All that is asked of one space.
class Asking {
 public:
  Asking(const Space& space, const Brief& brief, std::size_t top, bool every, Times& times,
         const Control& control)
      : space_(space),
        brief_(brief),
        every_(every),
        times_(times),
        control_(control),
        question_(question_of(brief, top)),
        learnt_(space, brief.confidence) {
    if (!control.progress) return;
    control_.progress = [this, told = control.progress](DesignProgress progress) {
      progress.asked = asked_;
      told(progress);
    };
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  Recommendation run() {
    ask_all();
    found_.asked_to_end = !over_;
    return std::move(found_);
  }

 private:
  void ask_all() {
    Outcome best = ask(question_);
    found_ = {.best = std::move(best.found), .search = best.certificate};
    question_.top = 1;
    if (!found_.search.proved()) return;
    if (found_.best.empty()) return relax();
    ask_each_system();
    if (!brief_.front.empty()) ask_front();
    if (every_ || over_) return;
    question_.uncounted = true;
    ask_margins();
    if (!over_) ask_flips();
    if (!over_ && in_money(brief_.minimise)) ask_winning_prices();
  }

  Outcome ask(const Question& question, const Control& control,
              const std::vector<Found>& known = {}) {
    return every_ ? look_at_every(space_, question, times_)
                  : find_designs(space_, question, times_, control, &learnt_, known);
  }
  Outcome ask(const Question& question, const std::vector<Found>& known = {}) {
    Outcome outcome = ask(question, control_, known);
    over_ = over_ || !outcome.certificate.proved();
    return outcome;
  }
  std::optional<Found> best_of(const Question& question, const std::vector<Found>& known = {}) {
    Outcome outcome = ask(question, known);
    if (over_ || outcome.found.empty()) return std::nullopt;
    return std::move(outcome.found.front());
  }

  /// The best of each of several questions; fewer: the time ran out.
  /// @param known  designs that may be among them
  std::vector<std::optional<Found>> bests_of(const std::vector<Question>& questions,
                                             const std::vector<Found>& known) {
    if (times_.team() == nullptr || !enough_systems(space_, times_)) {
      return in_turn(questions, known);
    }
    try {
      return bests_by_system(space_, questions, known, times_, control_, learnt_);
    } catch (const Interrupted&) {
      over_ = true;
      return {};
    } catch (const InputError&) {
      // Of one system by itself: beside all others it may not matter.
      share_searches(times_);
      return in_turn(questions, known);
    }
  }
  std::vector<std::optional<Found>> in_turn(const std::vector<Question>& questions,
                                            const std::vector<Found>& known) {
    std::vector<std::optional<Found>> bests;
    for (const Question& question : questions) {
      auto best = best_of(question, known);
      if (over_) break;
      bests.push_back(std::move(best));
    }
    return bests;
  }

  void ask_each_system() {
    asked_ = Asked::each_system;
    Question question = question_;
    question.uncounted = brief_.front.empty();
    std::vector<Outcome> outcomes(space_.systems.size());
    const bool dealt = question.uncounted;
    own_systems_ = dealt ? most_work_first(space_, systems_with_networks(space_))
                         : Exchange(space_, question_.confidence, times_, learnt_).own_systems();
    each_system(
        dealt ? WhoseSystems::all : WhoseSystems::own,
        [&](std::uint32_t system, const Control& control) {
          Question of_one = question;
          of_one.system = system;
          outcomes[system] = ask(of_one, control);
          if (!outcomes[system].certificate.proved()) throw Interrupted();
        },
        [&](Exchange& exchange) {
          std::erase_if(own_systems_, [&](std::uint32_t system) {
            return outcomes[system].certificate.designs == 0;
          });
          std::vector<Found> own;
          for (const Outcome& outcome : outcomes) {
            if (!outcome.found.empty()) own.push_back(outcome.found.front());
          }
          for (Found& found : exchange.with_others(std::move(own))) {
            Outcome& outcome = outcomes[found.place.id.system];
            outcome.found = {std::move(found)};
          }
        });
    for (const Outcome& outcome : outcomes) {
      if (over_ && (times_.team() != nullptr || !outcome.certificate.proved())) return;
      const std::vector<Found>& found = outcome.found;
      found_.by_system.push_back(found.empty() ? std::nullopt : std::optional(found.front()));
    }
  }

  /// Each of the systems by itself. Side by side on threads and processes: what is learnt of one
  /// serves no other. Or, where they are too few for that, one after the other on all of these.
  /// @param whose  of own_systems_
  /// @param ask_one  throws Interrupted where the time runs out
  /// @param tell  to other processes what this one has found
  void each_system(WhoseSystems whose,
                   const std::function<void(std::uint32_t, const Control&)>& ask_one,
                   const std::function<void(Exchange&)>& tell) {
    if (every_ || !enough_systems(space_, times_)) {
      try {
        for (const std::uint32_t system : systems_with_networks(space_)) ask_one(system, control_);
      } catch (const Interrupted&) {
        over_ = true;
      }
      return;
    }
    Exchange exchange(space_, question_.confidence, times_, learnt_);
    over_ = ask_side_by_side(own_systems_, whose, times_, control_, ask_one) || over_;
    tell(exchange);
    exchange.end();
  }

  void ask_front() {
    asked_ = Asked::front;
    Question question = question_;
    question.goals.clear();
    for (const Measure measure : brief_.front) question.goals.push_back({.measure = measure});
    question.front = true;
    Outcome outcome = ask(question);
    found_.front = std::move(outcome.found);
    found_.front_search = outcome.certificate;
  }

  void relax() {
    asked_ = Asked::relaxations;
    for (const Measure limit : limited(brief_.limits)) {
      Question relaxed = question_;
      relaxed.uncounted = true;
      set_limit(limit, std::nullopt, relaxed.limits);
      relaxed.goals = {{.measure = limit, .confident = true}, {.measure = brief_.minimise}};
      auto design = best_of(relaxed);
      if (over_) return;
      found_.relax.push_back({.limit = limit, .design = std::move(design)});
    }
  }

  void ask_margins() {
    asked_ = Asked::margins;
    std::vector<Margin> margins;
    std::vector<Question> questions;
    for (const Measure limit : limited(brief_.limits)) {
      const double now = *limit_of(brief_.limits, limit);
      Margin margin{.limit = limit};
      margin.looser.limit = (1 + kMarginStep) * now;
      margin.tighter.limit = (1 - kMarginStep) * now;
      margins.push_back(margin);
      for (const std::optional<double> figure :
           {std::optional(margin.looser.limit), std::optional(margin.tighter.limit),
            std::optional<double>()}) {
        set_limit(limit, figure, questions.emplace_back(question_).limits);
      }
    }
    if (questions.empty()) return;
    std::vector<Found> known;
    for (const std::optional<Found>& one : found_.by_system) {
      if (one) known.push_back(*one);
    }
    std::vector<std::optional<Found>> bests = bests_of(questions, known);
    auto next = bests.begin();
    for (Margin& margin : margins) {
      if (bests.end() - next < 3) break;  // the time ran out
      margin.looser.best = std::move(*next++);
      margin.tighter.best = std::move(*next++);
      margin.without = std::move(*next++);
      found_.margins.push_back(std::move(margin));
    }
  }

  void ask_flips() {
    asked_ = Asked::prices;
    try {
      found_.flips = flips(space_, question_, found_.best.front(), times_, control_, learnt_);
    } catch (const Interrupted&) {
      over_ = true;
    }
  }

  /// Whether another system of its node is the best, or better than it where both can be bought:
  /// what their node costs changes both.
  [[nodiscard]] bool node_wins_elsewhere(std::uint32_t system) const {
    const auto goal_of = [&](const std::optional<Found>& found) {
      return found ? figure(found->judged, question_.goals.front())
                   : std::numeric_limits<double>::infinity();
    };
    for (std::uint32_t other = 0; other < space_.systems.size(); ++other) {
      if (other == system || space_.systems[other].node.name != space_.systems[system].node.name) {
        continue;
      }
      if (other == found_.best.front().place.id.system) return true;
      const double its = goal_of(found_.by_system[other]), own = goal_of(found_.by_system[system]);
      if (its < own || (its == own && other < system)) return true;
    }
    return false;
  }

  void ask_winning_prices() {
    found_.wins_below.resize(space_.systems.size());
    const Found& best = found_.best.front();
    const double to_beat = figure(best.judged, question_.goals.front());
    each_system(
        WhoseSystems::own,
        [&](std::uint32_t system, const Control& control) {
          if (system == best.place.id.system || node_wins_elsewhere(system)) return;
          const auto& now = found_.by_system[system];
          found_.wins_below[system] = winning_price(
              space_, system, question_, now ? &*now : nullptr, to_beat, times_, control, learnt_);
        },
        [&](Exchange& exchange) {
          found_.wins_below = exchange.with_others(std::move(found_.wins_below));
        });
    if (over_) found_.wins_below.clear();  // what was not asked is not a price that never wins
  }

  const Space& space_;
  const Brief& brief_;
  bool every_;
  Times& times_;
  Control control_;
  Asked asked_ = Asked::best;
  Question question_;
  Learnt learnt_;
  Recommendation found_;
  /// That this process asks one by one: what it has learnt of them serves again.
  std::vector<std::uint32_t> own_systems_;
  bool over_ = false;  ///< the time ran out
};

}  // namespace

std::vector<Measure> limited(const BriefLimits& limits) {
  std::vector<Measure> measures;
  for (const Measure measure : kMeasures) {
    if (limit_of(limits, measure)) measures.push_back(measure);
  }
  return measures;
}

double needed(const Found& found, Measure limit) {
  return found.judged.confident[at(limit)];
}

Question question_of(const Brief& brief, std::size_t top) {
  return {
      .goals = goals_of(brief), .top = top, .limits = brief.limits, .confidence = brief.confidence};
}

Recommendation recommend(const Space& space, const Brief& brief, std::size_t top, bool every,
                         Times& times, const Control& control) {
  return Asking(space, brief, top, every, times, control).run();
}

}  // namespace planner::design

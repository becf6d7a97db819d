#include "planner/design/search.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/archive.hpp"
#include "planner/design/bounds.hpp"
#include "planner/design/uses.hpp"

namespace planner::design {

namespace {

/// What may still matter, by a lower bound of its first goal.
struct Waiting {
  enum class Kind { group, network, counted, priced };

  double least = 0;
  Kind kind = Kind::group;
  DesignId id;
  std::size_t groups = 0;  ///< whose group it is of
  std::size_t bought = 0;  ///< of what is counted, and of what has a price: its place

  friend bool operator>(const Waiting& a, const Waiting& b) {
    return std::tie(a.least, a.kind, a.id) > std::tie(b.least, b.kind, b.id);
  }
};

/// One question.
class Search {
 public:
  Search(const Space& space, const Question& question, Times& times, const Control& control,
         Learnt& learnt)
      : space_(space),
        question_(question),
        times_(times),
        control_(control),
        learnt_(learnt),
        priced_(space, learnt.counted),
        judge_(space, question.confidence),
        archive_(question, space.tokens.size()),
        uses_(space, question, times, learnt, judge_, archive_) {}

  Outcome run() {
    const std::int64_t searches = times_.searches();
    add_systems();
    while (!waiting_.empty()) {
      const Waiting next = waiting_.top();
      // No other has as little of the first goal as the last of those that are asked for.
      if (archive_.last() && next.least > *archive_.last()) break;
      if (control_.between) control_.between();
      if (!in_time(next)) break;
      tell_progress(next.least);
    }
    certificate_.searches = times_.searches() - searches;
    if (certificate_.proved()) certificate_.by_parts += certificate_.designs - counted();
    if (const auto best = archive_.least(); best && certificate_.bound && !question_.front) {
      certificate_.gap = gap_of(*best, *certificate_.bound);
    }
    return {.found = archive_.sorted(), .certificate = certificate_};
  }

 private:
  void add_systems() {
    for (std::uint32_t s = 0; s < space_.systems.size(); ++s) {
      if (question_.system && *question_.system != s) continue;
      if (space_.systems[s].networks.empty()) continue;
      const PartsFloor& floor = floors_.emplace_back(space_, s);
      const Groups& groups =
          groups_.emplace_back(space_, s, question_, learnt_.counts, judge_, floor);
      certificate_.designs += groups.designs();
      certificate_.by_work += groups.unusable();
      push_group(groups_.size() - 1);
    }
  }

  void push_group(std::size_t groups) {
    const auto next = groups_[groups].next();
    if (!next) return;
    waiting_.push({.least = next->least,
                   .kind = Waiting::Kind::group,
                   .id = groups_[groups].first_design(next->gpus),
                   .groups = groups});
  }

  /// All networks of one system and number of GPUs.
  void open_group(const Waiting& item) {
    Groups& groups = groups_[item.groups];
    if (std::int64_t* const ruled_out = ruling_out(item)) {
      *ruled_out += groups.networks() * groups.rest();
      groups.rule_out(item.id.gpus);
    } else {
      open_networks(item);
    }
    push_group(item.groups);
  }

  /// What counts a group that does not matter; null: it may.
  std::int64_t* ruling_out(const Waiting& item) {
    const Groups& groups = groups_[item.groups];
    const Piece parts = groups.parts().of(item.id.gpus);
    if (archive_.over_limits(figures(parts, item, Seconds{}))) return &certificate_.over_limits;
    if (!archive_.may_matter(figures(parts, item, least_time(item)))) return &certificate_.by_work;
    return uses_.any_on_full_network(candidate(parts, item)) ? nullptr
                                                             : &certificate_.by_full_network;
  }

  void open_networks(const Waiting& item) {
    const Groups& groups = groups_[item.groups];
    const PartsFloor& floor = groups.parts();
    const Seconds least = least_time(item);
    for (std::uint32_t n = 0; n < groups.networks(); ++n) {
      Waiting one = item;
      one.kind = Waiting::Kind::network;
      one.id.network = n;
      one.least = archive_.first_goal(figures(floor.of(item.id.gpus, n), item, least));
      waiting_.push(one);
    }
  }

  [[nodiscard]] Candidate candidate(const Piece& parts, const Waiting& item) const {
    return {groups_[item.groups], item.id, parts};
  }
  [[nodiscard]] Figures figures(const Piece& parts, const Waiting& item, Seconds all_runs) const {
    return uses_.figures(candidate(parts, item), all_runs);
  }
  /// That the runs take if their GPUs do nothing but the work that must be done.
  [[nodiscard]] Seconds least_time(const Waiting& item) const {
    return groups_[item.groups].usable().least_time(item.id.gpus);
  }

  /// Its figures if nothing failed, either.
  [[nodiscard]] Judged least_judged(const Bought& cluster, const Waiting& item) const {
    std::vector<RunTimes> runs;
    for (const Seconds run : groups_[item.groups].usable().step_of(item.id.gpus)->of_runs) {
      runs.push_back({run, run});
    }
    return judge_.judge(cluster, std::move(runs));
  }

  /// Whether a design with these parts may matter on the best of networks; else it is counted as
  /// ruled out.
  bool may_matter(const Piece& parts, const Waiting& item) {
    if (archive_.over_limits(figures(parts, item, Seconds{}))) {
      ++certificate_.over_limits;
      return false;
    }
    if (!uses_.any_on_full_network(candidate(parts, item))) {
      ++certificate_.by_parts;
      return false;
    }
    return true;
  }

  /// A network whose parts matter is counted before anybody prices it or lays it out, and waits
  /// until all that may be cheaper is done.
  void count(const Waiting& item) {
    const Groups& groups = groups_[item.groups];
    if (!may_matter(groups.parts().of(item.id.gpus, item.id.network), item)) return;
    const CountedNetwork* const network = learnt_.counted.network_of(item.id);
    if (network == nullptr) {
      ++certificate_.no_network;
      return;
    }
    Waiting counted = item;
    counted.kind = Waiting::Kind::counted;
    const Piece parts = groups.parts().of(item.id.gpus, item.id.network, network->parts);
    const Seconds least = least_time(item);
    counted.least = std::max(item.least, archive_.first_goal(figures(parts, item, least)));
    counted.bought = counted_.size();
    counted_.push_back({parts, network->speed});
    waiting_.push(counted);
  }

  void price(const Waiting& item) {
    const WithNetwork& counted = counted_[item.bought];
    if (!may_matter(counted.parts, item)) return;
    if (!uses_.any_on_own_network(candidate(counted.parts, item), *counted.speed)) {
      ++certificate_.searched;
      return;
    }
    BoughtResult result = priced_.of(item.id);
    auto* const cluster = std::get_if<Bought>(&result);
    if (cluster == nullptr) {
      if (const auto* const lacking = std::get_if<Unpriced>(&result)) {
        certificate_.add(*lacking);
      } else {
        ++certificate_.no_network;
      }
      return;
    }
    Waiting priced = item;
    priced.kind = Waiting::Kind::priced;
    priced.least =
        std::max(item.least, figure(least_judged(*cluster, item), question_.goals.front()));
    priced.bought = bought_.size();
    bought_.push_back(std::move(*cluster));
    waiting_.push(priced);
  }

  /// Every use of one design, on its own network.
  void look_at(const Waiting& item) {
    const Bought& cluster = bought_[item.bought];
    const Piece parts = as_piece(cluster);
    if (!may_matter(parts, item)) return;
    uses_.offer(candidate(parts, item), cluster);
    ++certificate_.searched;
  }

  /// Looks at what comes next. False: the time is over; what is left was not reached, and none of
  /// it has less of the first goal than this.
  bool in_time(const Waiting& next) {
    try {
      if (!is_set(times_.stop()) && !(control_.out_of_time && control_.out_of_time())) {
        waiting_.pop();
        if (next.kind == Waiting::Kind::group) open_group(next);
        if (next.kind == Waiting::Kind::network) count(next);
        if (next.kind == Waiting::Kind::counted) price(next);
        if (next.kind == Waiting::Kind::priced) look_at(next);
        return true;
      }
    } catch (const Interrupted&) {
      // The user ends it: the best so far is the answer.
    }
    certificate_.bound = next.least;
    certificate_.not_reached = certificate_.designs - counted();
    return false;
  }

  [[nodiscard]] std::int64_t counted() const {
    const Certificate& c = certificate_;
    return c.searched + c.over_limits + c.by_work + c.by_full_network + c.by_parts + c.no_network +
           c.unpriced;
  }

  /// After every exact search, which may take long, and now and then between them.
  void tell_progress(double bound) {
    constexpr std::int64_t kEvery = 256;
    if (!control_.progress) return;
    if (++steps_ % kEvery != 0 && told_searches_ == times_.searches()) return;
    told_searches_ = times_.searches();
    control_.progress({.done = counted(),
                       .total = certificate_.designs,
                       .goal = question_.goals.front().measure,
                       .found = archive_.size(),
                       .best = archive_.least(),
                       .bound = bound});
  }

  const Space& space_;
  const Question& question_;
  Times& times_;
  const Control& control_;
  Learnt& learnt_;
  PricedDesigns priced_;
  Judge judge_;
  Archive archive_;
  Uses uses_;
  // Whose members are referred to: they must not move.
  std::deque<PartsFloor> floors_;
  std::deque<Groups> groups_;
  std::deque<Bought> bought_;
  struct WithNetwork {
    Piece parts;  ///< that its design has at least
    const NetworkSpeed* speed;
  };
  std::deque<WithNetwork> counted_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  Certificate certificate_;
  std::int64_t steps_ = 0, told_searches_ = 0;
};

}  // namespace

void Certificate::add(const Unpriced& lacking) {
  ++unpriced;
  if (lacks) return;
  lacks = lacking.what + (lacking.part.empty() ? "" : " (part key " + lacking.part + ")");
}

std::optional<double> gap_of(double best, double bound) {
  return best > 0 ? std::optional(std::max(0.0, best - bound) / best) : std::nullopt;
}

Outcome find_designs(const Space& space, const Question& question, Times& times,
                     const Control& control, Learnt* learnt) {
  if (learnt != nullptr) return Search(space, question, times, control, *learnt).run();
  Learnt own(space, question.confidence);
  return Search(space, question, times, control, own).run();
}

}  // namespace planner::design

#include "planner/design/pass.hpp"

#include <algorithm>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/bounds.hpp"
#include "planner/design/rounding.hpp"

namespace planner::design {

Pass::Pass(const Space& space, const Question& question, Times& times, Learnt& learnt,
           std::optional<std::size_t> system)
    : space_(space),
      question_(question),
      times_(times),
      learnt_(learnt),
      system_(system),
      priced_(space, learnt.counted),
      judge_(space, question.confidence),
      archive_(question, space.tokens.size()),
      uses_(space, question, times, learnt, judge_, archive_),
      searches_before_(searches()) {
  for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
    if (!space.systems[s].networks.empty() && s == system.value_or(s)) add(s);
  }
}

std::int64_t Pass::searches() const {
  return system_ ? times_.searches(*system_) : times_.searches();
}

void Pass::add(std::uint32_t system) {
  const PartsFloor& floor = floors_.emplace_back(space_, system);
  const Groups& groups =
      groups_.emplace_back(space_, system, question_, learnt_.counts, judge_, floor);
  certificate_.designs += groups.designs();
  certificate_.by_work += groups.unusable();
  push_group(groups_.size() - 1);
}

void Pass::push_group(std::size_t groups) {
  const auto next = groups_[groups].next();
  if (!next) return;
  waiting_.push({.least = next->least,
                 .kind = Waiting::Kind::group,
                 .id = groups_[groups].first_design(next->gpus),
                 .groups = groups});
}

std::optional<double> Pass::next() const {
  return next_of(at_put_off() ? put_off_ : waiting_);
}

std::optional<double> Pass::next_of(const Queue& queue) const {
  if (queue.empty()) return std::nullopt;
  // No other has as little of the first goal as the last of those that are asked for.
  const double least = queue.top().least;
  const auto last = archive_.last();
  return last && least > *last ? std::nullopt : std::optional(least);
}

void Pass::step() {
  const bool again = at_put_off();
  Queue& queue = again ? put_off_ : waiting_;
  const Waiting item = queue.top();
  queue.pop();
  try {
    if (item.kind == Waiting::Kind::group) open_group(item);
    if (item.kind == Waiting::Kind::network) count(item);
    if (item.kind == Waiting::Kind::counted) price(item);
    if (item.kind == Waiting::Kind::priced) look_at(item);
  } catch (const Interrupted&) {
    queue.push(item);
    throw;
  } catch (const InputError&) {
    put_off_.push(item);
    if (again) throw;
  }
}

void Pass::run_up_to(double bound, const std::function<bool()>& over) {
  constexpr int kEvery = 16;
  int steps = 0;
  const bool again = at_put_off();
  for (auto least = next(); least && *least <= bound && at_put_off() == again; least = next()) {
    if (++steps % kEvery == 0 && over()) return;
    step();
  }
}

std::int64_t Pass::counted() const {
  const Certificate& c = certificate_;
  return c.searched + c.over_limits + c.by_work + c.by_full_network + c.by_parts + c.no_network +
         c.unpriced;
}

Certificate Pass::certificate() const {
  Certificate all = certificate_;
  all.searches = searches() - searches_before_;
  const auto least = next();
  (least ? all.not_reached : all.by_parts) += all.designs - counted();
  all.bound = least;
  return all;
}

/// All networks of one system and number of GPUs.
void Pass::open_group(const Waiting& item) {
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
std::int64_t* Pass::ruling_out(const Waiting& item) {
  const Groups& groups = groups_[item.groups];
  const Piece parts = groups.parts().of(item.id.gpus);
  if (archive_.over_limits(figures(parts, item, Seconds{}))) return &certificate_.over_limits;
  if (!archive_.may_matter(figures(parts, item, least_time(item)))) return &certificate_.by_work;
  return uses_.any_on_full_network(candidate(parts, item)) ? nullptr
                                                           : &certificate_.by_full_network;
}

void Pass::open_networks(const Waiting& item) {
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

/// Its figures if nothing failed, either.
Judged Pass::least_judged(const Bought& cluster, const Waiting& item) const {
  std::vector<RunTimes> runs;
  for (const Seconds run : groups_[item.groups].usable().step_of(item.id.gpus)->of_runs) {
    runs.push_back({run, run});
  }
  return judge_.judge(cluster, std::move(runs));
}

/// Whether a design with these parts may matter on the best of networks; else it is counted as
/// ruled out.
bool Pass::may_matter(const Piece& parts, const Waiting& item) {
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
void Pass::count(const Waiting& item) {
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

void Pass::price(const Waiting& item) {
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
void Pass::look_at(const Waiting& item) {
  const Bought& cluster = bought_[item.bought];
  const Piece parts = as_piece(cluster);
  if (!may_matter(parts, item)) return;
  uses_.offer(candidate(parts, item), cluster);
  ++certificate_.searched;
}

}  // namespace planner::design

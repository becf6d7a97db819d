#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "planner/site/placement.hpp"

namespace planner::site {
namespace {

constexpr double kLeastGain = 1e-2;  // metres; below it, rounding could go round in circles

/// Racks and free places on the floor, with what each rack would cost on each place.
class Board {
 public:
  Board(const RackPlan& plan, const Rows& flows, const Floor& floor, Places places,
        const Worth& worth, bool free)
      : flows_(flows), floor_(floor), worth_(worth), places_(std::move(places)) {
    number_ = static_cast<std::int64_t>(places_.size());
    all_ = floor.places();
    for (std::size_t rack = 0; rack < plan.racks.size(); ++rack) {
      class_.push_back(free || !plan.racks[rack].is_network ? 0 : 1);
    }
    add_free_places(free);
    cost_.assign(number_ * all_, 0);
    std::vector<double> row;
    for (std::int64_t rack = 0; rack < number_; ++rack) {
      worths(places_[rack], row);
      for (const auto& [other, cables] : flows_[rack]) add(other, row, cables);
    }
  }

  [[nodiscard]] std::int64_t items() const { return static_cast<std::int64_t>(places_.size()); }

  /// What the sum of all cables gains by a swap is -delta.
  [[nodiscard]] double delta(std::int64_t a, std::int64_t b) const {
    const std::int64_t at = places_[a], bt = places_[b];
    double change = cost(a, bt) - cost(a, at) + cost(b, at) - cost(b, bt);
    if (const double between = cables(a, b); between > 0) {
      change += 2 * between * worth_(floor_.distance(at, bt));
    }
    return change;
  }

  /// The item whose swap with `a` gains most, if any gains more than `least`; negative: none.
  [[nodiscard]] std::pair<double, std::int64_t> best_for(std::int64_t a, double least) const {
    const std::int64_t at = places_[a];
    const double here = cost(a, at);
    double best = -least;
    std::int64_t found = -1;
    const Row none;
    const Row& row = a < number_ ? flows_[a] : none;
    auto neighbour = row.begin();
    for (std::int64_t b = 0; b < items(); ++b) {
      double between = 0;
      if (neighbour != row.end() && neighbour->first == b) between = neighbour++->second;
      if (a == b || !may_swap(a, b)) continue;
      const std::int64_t bt = places_[b];
      double change = cost(a, bt) - here + cost(b, at) - cost(b, bt);
      if (between > 0) change += 2 * between * worth_(floor_.distance(at, bt));
      if (change >= best) continue;
      best = change;
      found = b;
    }
    return {best, found};
  }

  void swap(std::int64_t a, std::int64_t b) {
    worths(places_[b], to_);
    worths(places_[a], from_);
    for (std::size_t i = 0; i < to_.size(); ++i) to_[i] -= from_[i];
    move(a, 1);
    move(b, -1);
    std::swap(places_[a], places_[b]);
    touched_.push_back(a);
    touched_.push_back(b);
    history_.emplace_back(a, b);
  }

  /// What was swapped from here on can be taken back.
  void remember() { history_.clear(); }
  void take_back() {
    while (!history_.empty()) {
      const auto [a, b] = history_.back();
      history_.pop_back();
      swap(a, b);
      history_.pop_back();
    }
    touched_.clear();
  }

  [[nodiscard]] bool may_swap(std::int64_t a, std::int64_t b) const {
    return class_[a] == class_[b] && (a < number_ || b < number_);
  }

  /// Items whose costs or place have changed since this was last asked.
  std::vector<std::int64_t> changed() {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    return std::exchange(touched_, {});
  }

  [[nodiscard]] double total() const {
    double sum = 0;
    for (std::int64_t rack = 0; rack < number_; ++rack) sum += cost(rack, places_[rack]);
    return sum / 2;
  }

  [[nodiscard]] Places racks() const { return {places_.begin(), places_.begin() + number_}; }

 private:
  /// All of them, or those for switches.
  void add_free_places(bool all) {
    std::vector<char> taken(all_, 0);
    for (const std::int32_t place : places_) taken[place] = 1;
    for (std::int64_t place = 0; place < all_; ++place) {
      if (taken[place] != 0 || !floor_.is_usable(place)) continue;
      if (!all && !floor_.is_network(place)) continue;
      places_.push_back(static_cast<std::int32_t>(place));
      class_.push_back(all ? 0 : 1);
    }
  }
  [[nodiscard]] double cost(std::int64_t item, std::int64_t place) const {
    return item < number_ ? cost_[item * all_ + place] : 0;
  }
  [[nodiscard]] double cables(std::int64_t a, std::int64_t b) const {
    if (a >= number_ || b >= number_) return 0;
    const Row& row = flows_[a];
    const auto found = std::lower_bound(
        row.begin(), row.end(), b, [](const auto& to, std::int64_t id) { return to.first < id; });
    return found != row.end() && found->first == b ? found->second : 0;
  }
  void worths(std::int32_t place, std::vector<double>& out) const {
    out.resize(all_);
    for (std::int64_t other = 0; other < all_; ++other) {
      out[other] = worth_(floor_.distance(place, other));
    }
  }
  void add(std::int64_t rack, const std::vector<double>& row, double cables) {
    double* const costs = &cost_[rack * all_];
    for (std::int64_t place = 0; place < all_; ++place) costs[place] += cables * row[place];
  }
  void move(std::int64_t item, double sign) {
    if (item >= number_) return;
    for (const auto& [other, cables] : flows_[item]) {
      add(other, to_, sign * cables);
      touched_.push_back(other);
    }
  }

  const Rows& flows_;
  const Floor& floor_;
  const Worth& worth_;
  Places places_;  ///< of racks, then of what stands on free places: nothing
  std::int64_t number_ = 0, all_ = 0;
  std::vector<char> class_;
  std::vector<double> cost_;  ///< by rack and place
  std::vector<double> to_, from_;
  std::vector<std::int64_t> touched_;
  std::vector<std::pair<std::int64_t, std::int64_t>> history_;
};

struct Swap {
  double delta = 0;
  std::int64_t a = 0, b = 0;

  auto operator<=>(const Swap&) const = default;
};

/// Swaps until none gains, or the rounds are over.
void descend(Board& board, const SwapOptions& options, std::vector<std::int64_t> changed,
             Swapped& result) {
  while (result.rounds < options.rounds && !changed.empty()) {
    ++result.rounds;
    std::vector<Swap> found;
    for (const std::int64_t a : changed) {
      const auto [delta, b] = board.best_for(a, kLeastGain);
      if (b >= 0) found.push_back({.delta = delta, .a = a, .b = b});
    }
    std::sort(found.begin(), found.end());
    std::vector<std::int64_t> again;
    for (const Swap& swap : found) {
      if (board.delta(swap.a, swap.b) >= -kLeastGain) {
        again.push_back(swap.a);
        continue;
      }
      board.swap(swap.a, swap.b);
      ++result.swaps;
    }
    changed = board.changed();
    changed.insert(changed.end(), again.begin(), again.end());
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    if (options.stop && options.stop()) return;
    if (options.progress && options.kicks == 0) options.progress(result.rounds, options.rounds);
  }
}

/// A few swaps at random, which leave a local optimum.
void kick(Board& board, std::mt19937_64& random) {
  constexpr int kSwaps = 3, kTries = 50;
  const auto items = static_cast<std::uint64_t>(board.items());
  for (int swaps = 0, tries = 0; swaps < kSwaps && tries < kTries; ++tries) {
    const auto a = static_cast<std::int64_t>(random() % items);
    const auto b = static_cast<std::int64_t>(random() % items);
    if (a == b || !board.may_swap(a, b)) continue;
    board.swap(a, b);
    ++swaps;
  }
}

}  // namespace

Swapped swap_racks(const RackPlan& plan, const Rows& flows, const Floor& floor, Places places,
                   const Worth& worth, const SwapOptions& options) {
  Swapped result{.places = std::move(places)};
  const auto racks = static_cast<std::int64_t>(result.places.size());
  if (racks * floor.places() > kMostSwapCells) {
    result.tried = false;
    return result;
  }
  Board board(plan, flows, floor, result.places, worth, options.free);
  std::vector<std::int64_t> all(board.items());
  std::iota(all.begin(), all.end(), 0);
  descend(board, options, std::move(all), result);
  result.worth = board.total();
  std::mt19937_64 random(options.seed);
  for (std::int64_t i = 0; i < options.kicks; ++i) {
    if (options.stop && options.stop()) break;
    if (options.progress) options.progress(i, options.kicks);
    board.remember();
    kick(board, random);
    result.rounds = 0;
    descend(board, options, board.changed(), result);
    if (const double now = board.total(); now < result.worth - kLeastGain) {
      result.worth = now;
    } else {
      board.take_back();
    }
  }
  result.places = board.racks();
  return result;
}

}  // namespace planner::site

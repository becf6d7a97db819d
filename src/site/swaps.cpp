#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <span>
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
    for (std::size_t item = 0; item < class_.size(); ++item) {
      of_class_[static_cast<std::size_t>(class_[item])].push_back(static_cast<std::int64_t>(item));
    }
    nothing_.assign(all_, 0);
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

  /// What swaps with one item can gain.
  struct Best {
    double change = 0;
    std::int64_t with = -1;  ///< none
  };
  /// For each of the items, all of one class, the item whose swap with it gains most, if any gains
  /// more than `least`. Of equals the first.
  void find_best(std::span<const std::int64_t> items, double least, std::span<Best> best) {
    // Costs of every other item are read once for a few at a time, which stay in the cache.
    constexpr std::size_t kTogether = 32;
    for (std::size_t from = 0; from < items.size(); from += kTogether) {
      const std::size_t number = std::min(kTogether, items.size() - from);
      find_best_of_few(items.subspan(from, number), least, best.subspan(from, number));
    }
  }

  [[nodiscard]] std::int64_t class_of(std::int64_t item) const { return class_[item]; }

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
    floor_.distances(place, out);
    if (worth_.steps_at.empty()) return;
    for (double& metres : out) metres = worth_(metres);
  }
  [[nodiscard]] const double* costs_of(std::int64_t item) const {
    return item < number_ ? &cost_[item * all_] : nothing_.data();
  }
  void find_best_of_few(std::span<const std::int64_t> items, double least, std::span<Best> best) {
    struct Few {
      const double* costs;
      std::int64_t at;
      double here;
    };
    std::vector<Few> few;
    for (std::size_t k = 0; k < items.size(); ++k) {
      const std::int64_t at = places_[items[k]];
      few.push_back({costs_of(items[k]), at, costs_of(items[k])[at]});
      best[k] = {.change = -least};
    }
    for (const std::int64_t b : of_class_[static_cast<std::size_t>(class_[items.front()])]) {
      const double* const costs = costs_of(b);
      const std::int64_t bt = places_[b];
      const double there = costs[bt];
      for (std::size_t k = 0; k < few.size(); ++k) {
        const Few& a = few[k];
        double change = a.costs[bt] - a.here + costs[a.at] - there;
        if (change >= best[k].change) continue;  // cables between them only add
        if (const double between = cables(items[k], b); between > 0) {
          change += 2 * between * worth_(floor_.distance(a.at, bt));
          if (change >= best[k].change) continue;
        }
        best[k] = {change, b};
      }
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
  std::array<std::vector<std::int64_t>, 2> of_class_;  ///< items
  std::vector<double> nothing_;                        ///< costs of a free place
  std::vector<double> cost_;                           ///< by rack and place
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
    std::array<std::vector<std::int64_t>, 2> items;  // by class
    for (const std::int64_t a : changed) {
      items[static_cast<std::size_t>(board.class_of(a))].push_back(a);
    }
    for (const std::vector<std::int64_t>& of_class : items) {
      std::vector<Board::Best> best(of_class.size());
      board.find_best(of_class, kLeastGain, best);
      for (std::size_t i = 0; i < best.size(); ++i) {
        if (best[i].with < 0) continue;
        found.push_back({.delta = best[i].change, .a = of_class[i], .b = best[i].with});
      }
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

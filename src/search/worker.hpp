#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/perf/model/placement.hpp"
#include "planner/search/front.hpp"
#include "planner/search/job.hpp"
#include "planner/search/leaders.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/search.hpp"

namespace planner::inline search {

/// One thread's share of a search: the columns it was given, one after the other.
template <class Kernel>
class Worker {
 public:
  explicit Worker(Job& job)
      : job_(job),
        kernel_(job.workload),
        leaders_(job.ranking, job.options.top, job.options.within) {
    if (keeps() && !job.options.front) kernel_.tell_up_to(job.options.told_up_to);
  }

  void search(const Column& column, std::size_t index) {
    if (stopped()) return;
    column_ = index;
    pairs_ = job_.enumeration.inner_pairs(column);
    splits_ = job_.enumeration.placements(column);
    if (splits_.empty() || pairs_.empty()) {
      if (keeps()) known() = {column, kNever.least, false, kNever.up_to};
      return;
    }
    shardings_ = job_.enumeration.shardings(column);
    if (skips_unfit()) may_fit_ = kernel_.may_fit(splits_.front(), shardings_, capacity_);
    const std::vector<Sharding>& stages = skips_unfit() ? may_fit_ : shardings_;
    if (stages.empty()) {
      if (keeps()) known() = {column, kNever.least, false, beyond_capacity()};
      return;
    }
    kernel_.start(column, pairs_, splits_, job_.workload.run.global_batch / column.dp, stages);
    if (!counted()) {
      find_left_out(column);
      if (none_within(job_.enumeration.sequence_parallelism(column))) {
        if (keeps()) known() = {column, kNever.least, true, kNever.up_to};
        return;
      }
    }
    times_.resize(kernel_.padded_size());
    memories_.resize(kernel_.padded_size());
    any_fits_ = false;
    unfit_.clear();
    slow_.clear();
    const bool keeps = this->keeps();
    const std::vector<Strategy> settings = job_.enumeration.settings(column);
    known_settings_.assign(keeps ? settings.size() : 0, kNever);
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const LeftOut left = left_out(i);
      if (left == LeftOut::all) continue;
      if (!may_fit(settings[i])) {
        if (keeps) known_settings_[i].up_to = beyond_capacity();
        continue;
      }
      const Strategy common = placed_as(splits_.front(), settings[i]);
      fits_ = is_slow_ = false;
      up_to_ = kInfinity;
      kernel_.start_setting();
      all_placements(common, left == LeftOut::what_fitted ? searched_up_to_ : 0);
      if (keeps) keep_what_is_known(common, i);
    }
    if (keeps) keep_what_is_known();
  }

  /// Puts another worker's findings with one's own.
  void absorb(const Worker& other) {
    strategies_ += other.strategies_;
    feasible_ += other.feasible_;
    interrupted_ = interrupted_ || other.interrupted_;
    for (const Candidate& candidate : other.leaders_.best()) leaders_.offer(candidate);
    for (const Candidate& step : other.front_.steps()) front_.offer(step);
    if (other.fastest_) consider_fastest(*other.fastest_);
    if (other.closest_miss_) consider_miss(*other.closest_miss_);
  }

  [[nodiscard]] SearchResult result() const {
    SearchResult all{.strategies = strategies_, .feasible = feasible_, .interrupted = interrupted_};
    for (const Candidate& candidate : leaders_.best()) all.best.push_back(ordered(candidate));
    for (const Candidate& step : front_.steps()) all.front.push_back(ordered(step));
    if (fastest_) all.fastest = ordered(*fastest_);
    if (feasible_ == 0 && closest_miss_) all.closest_miss = closest_miss_->ranked;
    return all;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr SearchedSetting kNever{Seconds{kInfinity}, Bytes{kInfinity}};

  /// Times are those of the best order of ranks already.
  [[nodiscard]] Ranked ordered(const Candidate& candidate) const {
    Ranked ranked = candidate.ranked;
    ranked.strategy = kernel_.in_best_order(ranked.strategy);
    return ranked;
  }

  [[nodiscard]] bool stopped() {
    interrupted_ = interrupted_ || job_.stopped();
    return interrupted_;
  }

  /// Whether even those matter that are too slow.
  [[nodiscard]] bool counted() const { return job_.options.count || job_.options.front; }

  /// Whether what does not fit is not even counted.
  [[nodiscard]] bool skips_unfit() const { return job_.options.prune && !counted(); }
  /// Whether something may fit under a setting.
  [[nodiscard]] bool may_fit(const Strategy& setting) const {
    const Sharding its{setting.zero, setting.shard_ranks};
    return !skips_unfit() || std::find(may_fit_.begin(), may_fit_.end(), its) != may_fit_.end();
  }
  /// The least that nothing needs which fits.
  [[nodiscard]] Bytes beyond_capacity() const {
    return Bytes{std::nextafter(capacity_, kInfinity)};
  }

  /// The pair that takes the least memory under the setting at hand.
  [[nodiscard]] std::size_t leanest_pair() const {
    const auto end = memories_.begin() + static_cast<std::ptrdiff_t>(pairs_.size());
    return static_cast<std::size_t>(std::min_element(memories_.begin(), end) - memories_.begin());
  }

  /// What does not matter of a setting, by what a search before knows of its column, or fitted
  /// there.
  enum class LeftOut { nothing, what_fitted, all };
  /// Of all settings of a column.
  void find_left_out(const Column& column) {
    left_out_.clear();
    const LeastTimes* const least = job_.options.least_times;
    const SearchedColumn* const before = least == nullptr ? nullptr : least->searched(column);
    if (before == nullptr) return;
    searched_up_to_ = least->searched_limit().si();
    const Seconds bound{time_bound()};
    for (const auto& [least_there, up_to] : before->of_settings) {
      const bool all = capacity_ <= searched_up_to_ || capacity_ < up_to.si();
      left_out_.push_back(!least->left_out(least_there, bound) ? LeftOut::nothing
                          : all                                ? LeftOut::all
                                                               : LeftOut::what_fitted);
    }
  }
  [[nodiscard]] LeftOut left_out(std::size_t setting) const {
    return setting < left_out_.size() ? left_out_[setting] : LeftOut::nothing;
  }

  /// All pairs in all placements of one column, of the same memory, with the given choices.
  /// @param searched  bytes up to which none of them matters
  void all_placements(const Strategy& common, double searched) {
    if (stopped()) return;
    if (!counted() && (none_within(common) || none_synchronised_within(common))) return;
    kernel_.memories(common, job_.options.prune ? capacity_ : kInfinity, memories_);
    const std::size_t fitting = count_within(memories_, capacity_);
    if (searched > 0 && count_within(memories_, searched) == fitting) return;
    if (job_.options.count) {
      if (fitting == 0 && feasible_ == 0) nothing_fits(common);
      const auto placements = static_cast<std::int64_t>(splits_.size());
      strategies_ += placements * static_cast<std::int64_t>(pairs_.size());
      feasible_ += placements * static_cast<std::int64_t>(fitting);
    }
    fits_ = fitting > 0;
    any_fits_ = any_fits_ || fits_;
    if (fitting == 0 && job_.options.prune) {
      if (keeps()) up_to_ = memories_[leanest_pair()];
      return;
    }
    if (job_.options.front) least_memory_ = memories_[leanest_pair()];
    if (!job_.options.front && none_within(common)) {  // a front's bound rises
      is_slow_ = true;
      return;
    }
    const bool none_fitting = kernel_.none_fitting_within(common, time_bound());
    if (!none_fitting && !job_.options.front && none_synchronised_within(common)) return;
    if (keeps() && fitting < pairs_.size()) up_to_ = least_unfit();
    if (none_fitting) return;
    for (std::size_t i = 0; i < splits_.size(); ++i) {
      if (stopped()) return;
      if (kernel_.none_fitting_within(common, i, time_bound())) continue;
      one_placement(placed_as(splits_[i], common), i);
    }
  }

  /// What none_within() asks of a setting.
  using Mode = std::pair<Recomputation, bool>;
  [[nodiscard]] static Mode mode_of(const Strategy& setting) {
    return {{setting.recompute, setting.recompute_modules}, setting.sequence_parallel};
  }

  /// Whether somebody wants what is known of columns.
  [[nodiscard]] bool keeps() const { return job_.options.fills_searched(); }
  [[nodiscard]] SearchedColumn& known() const { return (*job_.options.searched)[column_]; }
  /// Of a setting of the column at hand.
  void keep_what_is_known(const Strategy& common, std::size_t setting) {
    if (!fits_) {
      known_settings_[setting].up_to = Bytes{up_to_};
      unfit_.emplace_back(mode_of(common), setting);
      return;
    }
    const Seconds least{kernel_.least_of_setting(common)};
    known_settings_[setting] = {least, Bytes{up_to_}};
    if (is_slow_) slow_.emplace_back(mode_of(common), least);
  }
  /// Of the column itself. A front asks of other times.
  void keep_what_is_known() {
    known().any_fits = any_fits_;
    if (job_.options.front) return;
    for (const auto& [mode, setting] : unfit_) {
      const auto slow = std::find_if(slow_.begin(), slow_.end(),
                                     [&mode = mode](const auto& one) { return one.first == mode; });
      if (slow != slow_.end()) known_settings_[setting] = {slow->second, Bytes{kInfinity}};
    }
    SearchedSetting least = kNever;
    for (const auto& [time, up_to] : known_settings_) {
      least = {std::min(least.least, time), std::min(least.up_to, up_to)};
    }
    known().least = least.least;
    known().up_to = least.up_to;
    // Where all of them take more than anybody asks for, none is asked for by itself.
    const bool asked = kernel_.least() <= job_.options.told_up_to * time_bound();
    if (asked) known().of_settings = known_settings_;
  }
  /// The least that a pair needs under the setting at hand which does not fit.
  [[nodiscard]] double least_unfit() const {
    double least = kInfinity;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (memories_[i] > capacity_) least = std::min(least, memories_[i]);
    }
    return least;
  }

  /// Whether no placement matters, whatever the ZeRO stage.
  bool none_within(const Strategy& common) {
    const bool none = kernel_.none_within(common, time_bound(), job_.options.stop);
    return stopped() || none;
  }
  /// With the one at hand.
  bool none_synchronised_within(const Strategy& common) {
    const bool none = kernel_.none_synchronised_within(common, time_bound(), job_.options.stop);
    return stopped() || none;
  }
  /// The same of a column with such choices of sequence parallelism, whatever the setting.
  bool none_within(const std::vector<bool>& choices) {
    std::size_t of_recomputation = 0;  // see Enumeration::settings()
    for (const Recomputation& again : job_.enumeration.recomputations()) {
      for (std::size_t i = 0; i < choices.size(); ++i) {
        if (all_left_out(of_recomputation + i, choices.size())) continue;
        const Strategy setting{.recompute = again.mode,
                               .recompute_modules = again.modules,
                               .recomputed_layers = job_.space.recomputed_layers,
                               .sequence_parallel = choices[i],
                               .without_interleaving = job_.space.without_interleaving};
        if (!none_within(placed_as(splits_.front(), setting))) return false;
      }
      of_recomputation += shardings_.size() * choices.size();
    }
    return true;
  }
  /// Whether all settings are that differ in sharding alone, whatever memory they need.
  [[nodiscard]] bool all_left_out(std::size_t first, std::size_t apart) const {
    for (std::size_t i = 0; i < shardings_.size(); ++i) {
      if (left_out(first + i * apart) != LeftOut::all) return false;
    }
    return true;
  }

  void one_placement(const Strategy& strategy, std::size_t placement) {
    const double capacity = job_.options.prune ? capacity_ : kInfinity;
    if (!kernel_.times(strategy, placement, time_bound(), memories_, capacity, times_)) return;
    if (job_.options.front) offer_to_front(strategy);
    if (job_.options.objective == Objective::memory) {
      lead_by_memory(strategy);
    } else if (job_.options.top > 0) {
      lead_by_time(strategy);
    }
  }

  void lead_by_memory(const Strategy& strategy) {
    double limit = leaders_.limit();
    if (count_within(memories_, std::min(capacity_, limit)) == 0) return;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!(memories_[i] <= capacity_ && memories_[i] <= limit)) continue;
      leaders_.offer({.ranked = ranked(strategy, i, times_[i]), .column = column_});
      limit = leaders_.limit();
    }
  }

  /// A strategy's value is never less than its time.
  void lead_by_time(const Strategy& strategy) {
    double limit = leaders_.limit(), fastest = fastest_time();
    if (count_within(times_, std::max(limit, fastest)) == 0) return;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double time = times_[i];
      if (!(memories_[i] <= capacity_ && time <= std::max(limit, fastest))) continue;
      const Candidate candidate{.ranked = ranked(strategy, i, time), .column = column_};
      if (time <= fastest) {
        consider_fastest(candidate);
        fastest = fastest_time();
      }
      if (job_.ranking.value(candidate.ranked) <= limit) {
        leaders_.offer(candidate);
        limit = leaders_.limit();
      }
    }
    job_.bound.lower(limit);
  }

  [[nodiscard]] double fastest_time() const {
    return fastest_ ? fastest_->ranked.time.si() : kInfinity;
  }
  /// Of equally fast ones that with the least memory, then the first in canonical order.
  void consider_fastest(const Candidate& candidate) {
    const auto place = [](const Candidate& c) {
      return std::tuple{c.ranked.time, c.ranked.memory, c.column};
    };
    if (!fastest_ || place(candidate) < place(*fastest_)) fastest_ = candidate;
  }

  /// A time beyond which no strategy of the column at hand matters with the setting at hand: its
  /// value is never less.
  [[nodiscard]] double time_bound() const {
    if (!job_.options.prune || job_.options.objective == Objective::memory) return kInfinity;
    const double lead = job_.bound.value();
    return job_.options.front ? std::max(lead, front_.least_time_within(least_memory_)) : lead;
  }

  void offer_to_front(const Strategy& strategy) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!(memories_[i] <= capacity_ && times_[i] <= front_.least_time_within(memories_[i]))) {
        continue;
      }
      front_.offer({.ranked = ranked(strategy, i, times_[i]), .column = column_});
    }
  }

  /// Nothing has fitted so far: remember what came closest.
  void nothing_fits(const Strategy& common) {
    Candidate miss{.ranked = ranked(common, leanest_pair(), 0), .column = column_};
    miss.ranked.strategy = kernel_.in_best_order(miss.ranked.strategy);
    miss.ranked.time = kernel_.evaluate(miss.ranked.strategy).time.total();
    consider_miss(miss);
  }

  /// Of those that need equal memory, the first in canonical order.
  void consider_miss(const Candidate& miss) {
    const auto place = [](const Candidate& c) { return std::tuple{c.ranked.memory, c.column}; };
    if (!closest_miss_ || place(miss) < place(*closest_miss_)) closest_miss_ = miss;
  }

  [[nodiscard]] Ranked ranked(Strategy strategy, std::size_t i, double time) const {
    strategy.micro_batch = pairs_[i].micro_batch;
    strategy.interleave = pairs_[i].interleave;
    return {.strategy = strategy, .time = Seconds{time}, .memory = Bytes{memories_[i]}};
  }

  Job& job_;
  Kernel kernel_;
  const double capacity_ = job_.ranking.rule.limit().si();
  Leaders leaders_;
  std::optional<Candidate> fastest_;
  ParetoFront front_;
  std::optional<Candidate> closest_miss_;
  std::int64_t strategies_ = 0, feasible_ = 0;
  bool interrupted_ = false;

  // Of the column at hand.
  std::size_t column_ = 0;
  std::vector<Sharding> shardings_;
  std::vector<Sharding> may_fit_;  ///< of these, where what does not fit is skipped
  std::vector<Strategy> splits_;
  std::vector<InnerPair> pairs_;
  std::vector<LeftOut> left_out_;         ///< of settings; empty: nothing is known
  double searched_up_to_ = 0;             ///< bytes that what fitted there needs at most
  std::vector<double> times_, memories_;  ///< of the pairs, padded
  std::vector<SearchedSetting> known_settings_;
  bool any_fits_ = false;
  std::vector<std::pair<Mode, std::size_t>> unfit_;  ///< settings that nothing fits
  std::vector<std::pair<Mode, Seconds>> slow_;  ///< of settings that take no less in any memory
  // Of the last setting.
  bool fits_ = false, is_slow_ = false;  ///< a strategy does, all are in any memory
  double up_to_ = 0;         ///< what pairs need at least that do not fit and may be fast
  double least_memory_ = 0;  ///< of the pairs under the setting at hand, for the front
};

}  // namespace planner::search

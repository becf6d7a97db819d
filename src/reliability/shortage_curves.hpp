#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "planner/reliability/group_shortages.hpp"
#include "planner/reliability/product_form.hpp"

namespace planner::inline reliability {

/// Hours in which pools have enough spares: beyond those in which the job runs, is down or stalled,
/// for each that it runs; and how they change with those for which shortages are known.
struct HoursWithEnough {
  double beyond = 0, slope = 0, running = 1;
};

/// Where waits_while_running() looks for them first: as at the last rates with this recovery, moved
/// as they were with the recovery before. What it finds does not depend on it.
class LastHours {
 public:
  /// Whether it is the first recovery at other rates: what is longer comes after what is shorter.
  [[nodiscard]] bool other_rates(Seconds down) const { return about(down) <= down_; }
  [[nodiscard]] HoursWithEnough at(Seconds down, double running) const {
    const auto found = by_down_.find(about(down));
    if (found == by_down_.end()) {
      constexpr double kSteep = 0.5;
      const double slope = std::min(last_.slope, kSteep);
      return {last_.beyond + (running - last_.running) * slope / (1 - slope), last_.slope, running};
    }
    return {found->second.beyond + moved_, found->second.slope, running};
  }
  void put(Seconds down, const HoursWithEnough& now) {
    const auto [before, fresh] = by_down_.try_emplace(about(down), now);
    moved_ = now.beyond - before->second.beyond;
    before->second = last_ = now;
    down_ = about(down);
  }

 private:
  /// The same whatever rates it is the mean of.
  static float about(Seconds down) { return static_cast<float>(down.si()); }

  std::map<float, HoursWithEnough> by_down_;
  HoursWithEnough last_;
  double moved_ = 0;
  float down_ = std::numeric_limits<float>::max();
};

/// Shortages of pools that lose groups too, for those who ask at many rates. A pool whose losses
/// and repairs are all so many times as fast has as many more shortages, of the same length in
/// hours in which it waits, so that they follow from the losses over the repairs alone. Of these a
/// grid is solved as it is asked for, which is the finer the nearer as many are out as there are
/// spares, or as crews can repair; the logarithms of hours waited and of the rate of shortages, by
/// themselves or over those of the product form, whichever bends less, are polynomials through
/// every second of its nodes, four of them, where these tell that it is enough, else through four
/// or six of all; half of them on either side, or as many as tell of more than 10^-9 hours for each
/// that the job runs. The shares of their lengths are linear between two. Where only the node above
/// tells of more, or where many units are out and a group has more than these vary by,
/// group_shortages() answers; where neither does there are none. Hours are within 0.2 % of its, 2 %
/// at worst (docs/goodput.md), and where its own answers jump by as much: it turns from single
/// steps of units and groups to wide ones, or bundles others. What a recovery of half an hour
/// leaves of them is within 3 % of them, 7 % where crews are few. The answers do not depend on what
/// else was asked.
class ShortageCurves {
 public:
  /// As group_shortages().
  [[nodiscard]] std::vector<Shortage> at(const SparePool& pool, double slower);
  /// Hours waited for each in which enough are there, nearly: as of the product form where more are
  /// out than there are spares, or than crews can repair, and none else.
  [[nodiscard]] double nearly(const SparePool& pool, double slower);
  /// As waits_at_once().
  [[nodiscard]] double at_once(const SparePool& pool);
  /// Of so many pools.
  [[nodiscard]] LastHours& hours(double pools) { return hours_[pools]; }

 private:
  /// Hours waited: of fewer group_shortages() leaves out a part; of very many it says nothing.
  static constexpr double kFewHours = 1e-9, kManyHours = 1e30;

  struct Node {
    ShortagesByLength shortages;
    double rate = 0, hours = 0;            ///< of all
    double log_rate = 0, log_hours = 0;    ///< their logarithms
    double rate_over = 0, hours_over = 0;  ///< over those of the product form

    [[nodiscard]] bool has_few() const { return !(hours >= kFewHours); }
    [[nodiscard]] bool has_many() const { return !(hours < kManyHours); }
  };
  struct Curve {
    SparePool pool;  ///< its larger rate is one a second
    ProductForm product;
    double turn = 0, width = 0;  ///< of the logarithm of the rate; no width: no nodes
    std::map<int, Node> nodes;
  };
  Curve& of(const SparePool& pool);
  static const Node& node(Curve& curve, int i);
  struct Way;
  class ProductAt;
  static std::optional<double> between(std::span<const Node* const> nodes, double x,
                                       ProductAt& product, const Way& way);
  static std::optional<std::vector<Shortage>> at(Curve& curve, double times, double steps, int wide,
                                                 std::size_t number);

  std::vector<Curve> curves_;
  std::vector<std::pair<SparePool, double>> at_once_;
  std::map<double, LastHours> hours_;
};

}  // namespace planner::reliability

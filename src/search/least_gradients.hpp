#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/calibrated/shared_parameters.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

/// What an iteration waits for gradients and gathered weights at least, and the optimizer's work:
/// of degrees alone, wherever the ranks lie, in either order, in some ZeRO stages. The
/// calibrated model's.
class LeastGradients {
 public:
  /// @param zero  stages that are open
  LeastGradients(const Workload& workload, const std::vector<int>& zero);

  /// Whether anything is: not where GPUs share NICs, CPUs sum gradients or the software groups them
  /// in a way of its own.
  [[nodiscard]] bool known() const { return known_; }

  /// Seconds that a byte of each parameter of a GPU takes among the ranks that share it.
  struct Traffic {
    double all = 0;    ///< gathered or reduced
    double along = 0;  ///< of that, between HB domains
    double far = 0;    ///< likewise, at a NIC's own rate
    double apart = 0;  ///< share of that between two ranks at least, which no HB domain has

    [[nodiscard]] Traffic or_less(const Traffic& other) const {
      return {std::min(all, other.all), std::min(along, other.along), std::min(far, other.far),
              std::min(apart, other.apart)};
    }
  };
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr Traffic kNever{kInfinity, kInfinity, kInfinity, 1};
  /// An iteration's seconds.
  struct OfIteration {
    /// With ZeRO 3 what moves in every micro-batch, or between copies of it, once.
    struct Moved {
      double each = 0, once = 0;  ///< all of it
      double least_each = 0;      ///< share of it that moves in every micro-batch at least

      /// At the cheaper of two prices, as far as that is open.
      [[nodiscard]] double at(double of_each, double of_once) const {
        const double all_each = of_each * each, all_once = of_once * once;
        if (all_each <= all_once) return all_each;
        return least_each * all_each + (1 - least_each) * all_once;
      }
    };
    double less = 0;    ///< with less ZeRO
    double hidden = 0;  ///< then further, what passes of the slowest stage alone may hide
    Moved dense, experts;
    double step = 0;  ///< of the optimizer, with ZeRO 3; infinite: there is none
    double each_shown = 1, once_shown = 1;  ///< shares that cannot overlap

    /// See LeastTied.
    [[nodiscard]] double with(double micros, double stage, double hides) const;
  };

  /// Of a column, with what its placements have in common worked out once. Refers to whose it is.
  class OfColumn {
   public:
    /// Of dense parameters, with so many of its tensor-parallel ranks in an HB domain. kNever: no
    /// placement has.
    [[nodiscard]] Traffic dense(std::int64_t tp_inside) const;
    /// Of experts, with so many of its expert-parallel ranks there.
    [[nodiscard]] Traffic experts(std::int64_t ep_inside) const;
    [[nodiscard]] OfIteration iteration(const Traffic& dense, const Traffic& experts) const;
    /// In one placement, in either order of ranks.
    [[nodiscard]] OfIteration iteration(const Strategy& placement);

   private:
    friend LeastGradients;
    OfColumn(const LeastGradients& gradients, const Column& column);
    /// With so many stages in an HB domain, too.
    [[nodiscard]] Traffic dense(std::int64_t tp_inside, std::int64_t pp_inside) const;
    [[nodiscard]] Traffic experts(std::int64_t ep_inside, std::int64_t pp_inside) const;

    /// With less ZeRO: seconds for each of the traffic's, and besides.
    struct Less {
      double of_traffic = 0, step = 0;
    };
    /// Of so many ranks of an axis and stages in a domain.
    struct Known {
      std::int64_t inside = 0, pp_inside = 0;
      Traffic traffic{};
    };

    const LeastGradients* gradients_;
    Column column_;
    GpuParameters parameters_;
    std::array<Less, 2> less_{};
    std::size_t ways_ = 0;       ///< of having less ZeRO
    double hidden_ = kInfinity;  ///< that passes may hide, for each of the traffic's seconds
    double step_ = kInfinity;    ///< of the optimizer, with ZeRO 3
    std::vector<Known> dense_{}, experts_{};
  };
  [[nodiscard]] OfColumn of(const Column& column) const { return {*this, column}; }

 private:
  [[nodiscard]] Traffic traffic(double parameters, double ranks, double in_domain,
                                double share) const;
  /// The most of the network that groups of HB domains get in either order.
  [[nodiscard]] double most_share(std::int64_t stride, std::int64_t ranks,
                                  std::int64_t pipelines) const;

  CalibratedShape shape_;
  CalibratedRates rates_;
  CalibratedSoftware stack_;
  NetworkShares network_;
  std::vector<std::int64_t> domain_divisors_;
  std::int64_t domain_, gpus_;
  bool known_ = false;
  bool either_order_ = false;
  bool replicated_ = false, sharded_ = false, zero3_ = false;  ///< ZeRO 0, 1 or 2, 3
  bool gathers_apart_ = false, measured_ = false;
  double gradient_bytes_, micro_bytes_;  ///< of a parameter; that ZeRO 3 moves in a micro-batch
  double growth_, waited_for_, own_;
};

}  // namespace planner::search

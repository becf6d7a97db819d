#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <string_view>
#include <utility>

#include "planner/domain/calibration.hpp"

namespace planner {

/// How iteration times are predicted.
enum class Timing { closed_form, calibrated };
inline constexpr std::array kTimings{Timing::calibrated, Timing::closed_form};

/// As on the command line and in JSON: "closed-form".
constexpr std::string_view name_of(Timing timing) {
  return timing == Timing::calibrated ? "calibrated" : "closed-form";
}

/// A timing model: the closed form of the rail-only paper, whose constants are the paper's, or the
/// calibrated model with a set of constants, which whoever is given one makes it.
class TimingModel {
 public:
  /// The closed form.
  TimingModel() = default;
  /// The calibrated model.
  TimingModel(Calibration constants)  // NOLINT(google-explicit-constructor): see above
      : constants_(std::make_shared<const Calibration>(std::move(constants))) {}
  /// The calibrated model. The constants are shared, not copied; there are some.
  TimingModel(std::shared_ptr<const Calibration> constants)  // NOLINT(google-explicit-constructor)
      : constants_(std::move(constants)) {
    assert(constants_ != nullptr);
  }

  [[nodiscard]] Timing kind() const {
    return constants_ ? Timing::calibrated : Timing::closed_form;
  }
  [[nodiscard]] bool calibrated() const { return kind() == Timing::calibrated; }
  /// Those of the calibrated model.
  [[nodiscard]] const Calibration& constants() const {
    assert(calibrated());
    return *constants_;
  }

  /// Whether both are the same model with the same set of constants, not one like it.
  bool operator==(const TimingModel&) const = default;

 private:
  std::shared_ptr<const Calibration> constants_;
};

}  // namespace planner

#include "planner/job/evidence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "planner/domain/names.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/own_runs.hpp"

namespace planner::job {

namespace {

/// The generation whose constants a vendor's parts take, where they have none.
std::optional<std::string_view> stand_in(Generation generation) {
  switch (generation) {
    case Generation::ada:
      return "Ampere";
    case Generation::cdna3:
      return "Hopper";
    case Generation::cdna4:
      return "Blackwell";
    case Generation::trainium:
      return "TPU";
    case Generation::volta:
    case Generation::ampere:
    case Generation::hopper:
    case Generation::blackwell:
    case Generation::tpu:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string subject(const Evidence& evidence) {
  return fmt::format("{} with {}{}", evidence.accelerator, name_of(evidence.stack),
                     evidence.mixture_of_experts ? ", of a mixture of experts" : "");
}

}  // namespace

std::string unmeasured_subject(const Evidence& evidence) {
  if (evidence.measured()) return {};
  return fmt::format("no run measured on {}", subject(evidence));
}

std::string unmeasured_words(const Evidence& evidence) {
  if (evidence.measured()) return {};
  const auto other = stand_in(evidence.generation);
  std::string constants = "constants of other runs";
  if (other) constants = fmt::format("the constants of the {} generation", *other);
  return fmt::format(
      "{}; its times use {} and may be far off: the slow side of the interval is {:g} times as "
      "wide, as runs outside the fit were slower",
      unmeasured_subject(evidence), constants, kOtherGeneration);
}

std::string measurement_to_make(const Evidence& evidence) {
  if (evidence.measured()) return {};
  const OwnLevel one = own_level({0}, evidence.mixture_of_experts);
  return fmt::format(
      "one training step of your own on it narrows the interval most, to {:.0f} to {:+.0f} %: "
      "tools/measure step, then planner calibrate --data",
      100 * (std::exp(one.low) - 1), 100 * (std::exp(one.high) - 1));
}

std::string own_words(const Evidence& evidence) {
  if (evidence.own == 0) return {};
  return fmt::format("times corrected by {} run{} of one's own on {}", evidence.own,
                     evidence.own == 1 ? "" : "s", subject(evidence));
}

}  // namespace planner::job

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

/// What writes a row of the software class: a step that tools/measure runs by itself is one of
/// torch, and moves no other class.
std::string way_to_measure(SoftwareClass stack) {
  if (stack == SoftwareClass::torch) return "tools/measure step";
  if (stack == SoftwareClass::jax) {
    return "a row of a run of yours, class jax (planner schema measured-run)";
  }
  return fmt::format("tools/measure step --megatron LOG --run RUN.json, class {}", name_of(stack));
}

std::string subject(const Evidence& evidence) {
  const bool few_bits = evidence.precision != Precision::bf16;
  return fmt::format("{} with {}{}{}", evidence.accelerator, name_of(evidence.stack),
                     few_bits ? fmt::format(" in {}", name_of(evidence.precision)) : "",
                     evidence.mixture_of_experts ? ", of a mixture of experts" : "");
}

/// "5 % faster", "190 % slower"
std::string off(double residual) {
  return fmt::format("{:.0f} % {}", 100 * std::abs(std::exp(residual) - 1),
                     residual < 0 ? "faster" : "slower");
}

/// "20 to 190 % slower than predicted"
std::string off(const MissedRuns& runs) {
  std::string first = off(runs.low);
  const std::string last = off(runs.high);
  if (first == last) return last + " than predicted";
  if (runs.low >= 0) first.erase(first.find(" %"));
  return fmt::format("{} to {} than predicted", first, last);
}

}  // namespace

std::optional<Evidence> evidence_of_machine(const System& system, TimingModel timing) {
  return evidence_of(Workload{.system = system,
                              .software = default_software(system.accelerator.generation),
                              .timing = std::move(timing)});
}

std::string unmeasured_subject(const Evidence& evidence) {
  if (evidence.measured()) return {};
  if (!evidence.missed) return fmt::format("no run measured on {}", subject(evidence));
  const bool one = evidence.missed->rows == 1;
  return fmt::format("{} run{} measured on {}, {}{}, and no constant is fitted to {}",
                     evidence.missed->rows, one ? " was" : "s were", subject(evidence),
                     one ? "" : "eight of ten ", off(*evidence.missed), one ? "it" : "them");
}

std::string unmeasured_mark(const Evidence& evidence) {
  if (evidence.measured()) return {};
  return evidence.missed ? "outside the fit" : "not measured";
}

std::string unmeasured_words(const Evidence& evidence) {
  if (evidence.measured()) return {};
  const auto other = stand_in(evidence.generation);
  std::string constants = "constants of other runs";
  if (other) constants = fmt::format("the constants of the {} generation", *other);
  std::string interval = fmt::format(
      "the slow side of the interval is {:g} times as wide, since of runs that no fit has seen "
      "nothing is known",
      kSlowSideUnknown);
  if (evidence.outside) {
    interval = fmt::format(
        "the interval is what eight of ten of the {} runs showed that no fit has seen, up to {}, "
        "{} "
        "in the middle",
        evidence.outside->rows, off(evidence.outside->high),
        off((evidence.outside->low + evidence.outside->high) / 2));
  }
  return fmt::format("{}; its times use {} and may be far off: {}", unmeasured_subject(evidence),
                     constants, interval);
}

std::string measurement_to_make(const Evidence& evidence) {
  if (evidence.measured()) return {};
  const UsualLevel usual =
      evidence.outside ? usual_level(*evidence.outside) : usual_level(evidence.mixture_of_experts);
  const OwnLevel one = own_level({usual.middle}, usual);
  return fmt::format(
      "one training step of your own on it narrows the interval most, to {:.0f} to {:+.0f} %: "
      "{}, then planner calibrate --data",
      100 * (std::exp(one.low) - 1), 100 * (std::exp(one.high) - 1),
      way_to_measure(evidence.stack));
}

std::string own_words(const Evidence& evidence) {
  if (evidence.own == 0) return {};
  return fmt::format("times corrected by {} run{} of one's own on {}", evidence.own,
                     evidence.own == 1 ? "" : "s", subject(evidence));
}

}  // namespace planner::job

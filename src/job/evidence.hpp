#pragma once

#include <optional>
#include <string>

#include "planner/domain/plan.hpp"

namespace planner::job {

/// Of a machine with its usual software, whatever it trains; nothing without a fit.
std::optional<Evidence> evidence_of_machine(const System& system, TimingModel timing);

/// "no run measured on AMD Instinct MI300X 192 GB with te", or "25 runs were measured on AWS
/// Trainium with jax, eight of ten 20 to 190 % slower than predicted, and no constant is fitted to
/// them"; empty where constants are fitted to runs like it.
std::string unmeasured_subject(const Evidence& evidence);

/// Mark of what rests on no run like it: "not measured", or "outside the fit" where runs that no
/// constant is fitted to were. Empty where there are fitted ones.
std::string unmeasured_mark(const Evidence& evidence);

/// The same as its subject, with whose constants stand in and how wide the interval is for it.
std::string unmeasured_words(const Evidence& evidence);

/// The one measurement that narrows the interval most, and to what. Empty where runs were measured.
std::string measurement_to_make(const Evidence& evidence);

/// What one's own runs changed; empty without any.
std::string own_words(const Evidence& evidence);

}  // namespace planner::job

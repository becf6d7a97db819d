#pragma once

#include <string>

#include "planner/domain/plan.hpp"

namespace planner::job {

/// "no run measured on AMD Instinct MI300X 192 GB with te"; empty where there are runs like it.
std::string unmeasured_subject(const Evidence& evidence);

/// The same with whose constants stand in and how wide the interval is for it.
std::string unmeasured_words(const Evidence& evidence);

/// The one measurement that narrows the interval most, and to what. Empty where runs were measured.
std::string measurement_to_make(const Evidence& evidence);

/// What one's own runs changed; empty without any.
std::string own_words(const Evidence& evidence);

}  // namespace planner::job

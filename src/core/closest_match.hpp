#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace planner {

/// The candidate a person most likely meant by `word`: the one at the smallest edit distance
/// (Damerau-Levenshtein, ignoring case), if that is at most a third of the word's length (at least
/// 1). Ties go to the earlier candidate. Where none is: the only one that has the word between its
/// dashes or underscores, as "within-days" has "days".
std::optional<std::string> closest_match(std::string_view word,
                                         std::span<const std::string> candidates);

}  // namespace planner

#include "planner/core/usage.hpp"

#include <fmt/format.h>

#include "planner/core/closest_match.hpp"

namespace planner {

Diagnostic misuse(std::string message, std::string hint) {
  return {.code = "usage", .message = std::move(message), .hint = std::move(hint)};
}

std::string did_you_mean(const std::string& word, std::span<const std::string> candidates,
                         std::string otherwise) {
  const auto match = closest_match(word, candidates);
  return match ? fmt::format("did you mean \"{}\"?", *match) : std::move(otherwise);
}

void usage_error(std::string message, std::string hint) {
  throw UsageError(misuse(std::move(message), std::move(hint)));
}

}  // namespace planner

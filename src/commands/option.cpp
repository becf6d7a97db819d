#include "planner/commands/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "planner/core/usage.hpp"

namespace planner::commands {

namespace {

/// "none, selective (default) or full".
std::string choices_of(const OptionInfo& option) {
  std::string text;
  for (std::size_t i = 0; i < option.choices.size(); ++i) {
    if (i > 0) text += i + 1 == option.choices.size() ? " or " : ", ";
    text += option.choices[i];
    if (option.choices[i] == option.fallback) text += " (default)";
  }
  return text;
}

}  // namespace

std::string OptionInfo::told() const {
  constexpr std::string_view kHole = "{}";
  if (help.empty()) return choices_of(*this);
  if (const std::size_t hole = help.find(kHole); hole != std::string::npos) {
    return std::string{help}.replace(hole, kHole.size(), choices_of(*this));
  }
  return fallback.empty() ? help : fmt::format("{} (default {})", help, fallback);
}

void not_in_timing(const std::string& what, Timing timing, const std::string& instead) {
  const Timing other = timing == Timing::calibrated ? Timing::closed_form : Timing::calibrated;
  usage_error(fmt::format("{} is not in the {} timing model{}", what, name_of(timing), instead),
              fmt::format("--timing {} has it", name_of(other)));
}

std::string not_among(const std::vector<std::string>& choices, std::string_view text) {
  return fmt::format("must be one of {}, not \"{}\"", fmt::join(choices, ", "), text);
}

}  // namespace planner::commands

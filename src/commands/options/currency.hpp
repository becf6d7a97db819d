#pragma once

#include <optional>

#include "planner/commands/command.hpp"
#include "planner/domain/display_currency.hpp"

// Which currency an answer's dollars are shown in. Whoever answers a call reads these options, for
// all commands alike: requests and answers are in dollars.
namespace planner::commands {

/// --currency, --exchange-rate, --exchange-date of a call.
/// @throws UsageError  one without the others
ShownCurrency asked_currency(const Call& call);

/// Shows the answer as an economics file says, unless the call says how.
/// @throws InputError  another file of the call says otherwise
void show_in(const std::optional<DisplayCurrency>& of_file, Context& context);

/// The currency that all answers of a sweep are shown in; dollars where they differ.
std::optional<DisplayCurrency> common_currency(const std::vector<const Answered*>& answers);

}  // namespace planner::commands

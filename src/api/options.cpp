#include "planner/api/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "planner/api/option_readers.hpp"
#include "planner/commands/command.hpp"
#include "planner/domain/names.hpp"

namespace planner {

namespace {

/// The options of a group that the registry's commands have too.
template <class Part, class At>
std::vector<Option> lifted(const std::vector<commands::OptionOf<Part>>& group, At at,
                           const std::vector<Command>& commands) {
  std::vector<Option> all;
  for (const auto& option : group) {
    all.push_back(
        {.name = option.info.name,
         .value = option.info.value,
         .help = option.info.told(),
         .group = option.info.group,
         .commands = commands,
         .read = [=, read = option.read](std::string_view text,
                                         Request& request) { return read(text, at(request)); },
         .choices = option.info.choices});
  }
  return all;
}

Reader sweep_axis() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    Parsed<SweepAxis> axis = parse_sweep_axis(text);
    if (!axis.value) return std::move(axis.error);
    request.vary.push_back(*std::move(axis.value));
    return std::nullopt;
  };
}

Reader data_dir() {
  return [](std::string_view text, Request& request) -> std::optional<std::string> {
    if (text.empty()) return "must not be empty";
    request.data_dir = std::filesystem::path{text};
    return std::nullopt;
  };
}

const std::vector<Command> kPriced{Command::cost, Command::compare};
const std::vector<Command> kAll{Command::cost, Command::compare, Command::schema};

constexpr const char* kFabric = "The network";
constexpr const char* kSweep = "The sweep";
constexpr const char* kAnswer = "The answer";

/// What follows the options of a plan's network.
std::vector<Option> make_further_options() {
  using R = Request;
  return {
      {"require-prices", "", "exit with 5 when a line has no price", kFabric, kPriced,
       turn_on(&R::require_prices)},

      {"vary",
       "OPTION=…",
       "values 1,2,4, or from:to:x2, or from:to:+8; once or twice",
       kSweep,
       {Command::sweep},
       sweep_axis(),
       true},

      {"data-dir", "DIR", "look up models and catalog here first", kAnswer, kAll, data_dir()},
  };
}

constexpr auto kNames =
    std::to_array<std::pair<Command, std::string_view>>({{Command::optimize, "optimize"},
                                                         {Command::estimate, "estimate"},
                                                         {Command::network, "network"},
                                                         {Command::collective, "collective"},
                                                         {Command::cost, "cost"},
                                                         {Command::compare, "compare"},
                                                         {Command::sweep, "sweep"},
                                                         {Command::routing, "routing"},
                                                         {Command::reliability, "reliability"},
                                                         {Command::hfreduce, "hfreduce"},
                                                         {Command::validate, "validate"},
                                                         {Command::calibrate, "calibrate"},
                                                         {Command::report, "report"},
                                                         {Command::diff, "diff"},
                                                         {Command::list, "list"},
                                                         {Command::show, "show"},
                                                         {Command::schema, "schema"}});

CommandInfo from_registry(Command command) {
  const commands::Command& known = *commands::command_named(name_of(command));
  return {command, known.name, known.summary, known.arguments, known.swept};
}

/// Its options, which it reads itself when it is called.
std::vector<Option> registry_options(Command command) {
  std::vector<Option> all;
  for (const auto& [info, problem] : commands::command_named(name_of(command))->options) {
    all.push_back({.name = info.name,
                   .value = info.value,
                   .help = info.told(),
                   .group = info.group,
                   .commands = {command},
                   .read =
                       [name = info.name, problem](std::string_view text, Request& request) {
                         request.given.emplace_back(name, text);
                         return problem(text);
                       },
                   .repeats = info.repeats,
                   .choices = info.choices,
                   .own_text = info.own_text});
  }
  all.push_back(
      {"data-dir", "DIR", "look up models and catalog here first", kAnswer, {command}, data_dir()});
  return all;
}

/// Of routing and storage, and of failures.
std::vector<Option> job_options() {
  const auto routing = [](Request& request) -> commands::RoutingChoice& { return request.routing; };
  const auto failures = [](Request& request) -> commands::FailureChoice& {
    return request.reliability;
  };
  std::vector<Option> all =
      lifted(commands::routing_options(commands::RoutingUse::clusters), routing, kPriced);
  for (auto& more : {lifted(commands::sharing_options(), routing, kPriced),
                     lifted(commands::failure_options(), failures, kPriced)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

const auto kCommands = std::to_array<CommandInfo>({
    from_registry(Command::optimize),
    from_registry(Command::estimate),
    from_registry(Command::network),
    from_registry(Command::collective),
    {Command::cost, "cost", "one cluster's parts, capex, opex, total cost and training", "FILE",
     true},
    {Command::compare, "compare", "clusters side by side, the first as the reference", "FILES",
     true},
    {Command::sweep, "sweep", "one table over one or two parameters of another command", "COMMAND"},
    from_registry(Command::routing),
    from_registry(Command::reliability),
    from_registry(Command::hfreduce),
    from_registry(Command::validate),
    from_registry(Command::calibrate),
    {Command::report, "report", "render a saved JSON answer again", "FILE"},
    {Command::diff, "diff", "two saved JSON answers, figure by figure", "FILES"},
    from_registry(Command::list),
    from_registry(Command::show),
    {Command::schema, "schema", "JSON Schema of a file type", "TYPE"},
});

}  // namespace

std::span<const CommandInfo> command_table() {
  return kCommands;
}

std::span<const TextCommand> text_commands() {
  static const std::array<TextCommand, 2> kTextCommands{
      {{"completion",
        "script that completes planner's commands in a shell",
        "SHELL",
        {"bash", "zsh", "fish"}},
       {"manual", "manual page of planner or of one command, as roff", "COMMAND", {}}}};
  return kTextCommands;
}

std::string_view name_of(Command command) {
  return std::find_if(kNames.begin(), kNames.end(),
                      [&](const auto& named) { return named.first == command; })
      ->second;
}

bool Option::applies_to(Command command) const {
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

const std::vector<Option>& options() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (const auto& others : {make_further_options(), job_options()}) {
      all.insert(all.end(), others.begin(), others.end());
    }
    for (const auto& [command, name] : kNames) {
      if (commands::command_named(name) == nullptr) continue;
      for (Option& option : registry_options(command)) all.push_back(std::move(option));
    }
    return all;
  }();
  return table;
}

}  // namespace planner

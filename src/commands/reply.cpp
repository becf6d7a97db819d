#include "planner/commands/reply.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/options/asked_by.hpp"
#include "planner/commands/options/currency.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/text_file.hpp"
#include "planner/present/currency.hpp"

namespace planner::commands {

namespace {

std::string see_help(const Command& command) {
  return fmt::format("see planner {} --help", command.name);
}

/// The data folder that the call names, as the last of its options says. A command that hands
/// options on leaves it to those that it runs, which check it.
std::optional<std::string> data_dir_of(const Command& command, const Call& call) {
  if (command.runs_others) return std::nullopt;
  const auto found = std::find_if(call.options.rbegin(), call.options.rend(),
                                  [](const auto& option) { return option.first == kDataDir; });
  return found == call.options.rend() ? std::nullopt : std::optional{found->second};
}

/// The saved answer that the call names: the reply that it was.
Reply replayed(const Call& call) {
  if (call.arguments.size() != 1) {
    usage_error("report takes one saved answer", "planner compare a.json b.json -o saved.json");
  }
  const std::string& path = call.arguments.front();
  return saved_reply(json::read_text_file(path, "save an answer with -o FILE.json"),
                     json::source_name(path));
}

/// Several processes share the work of few commands.
Diagnostic not_shared(const Command& command) {
  std::string names;
  for (const Command& other : registry()) {
    if (other.shared) names += (names.empty() ? "" : " and ") + other.name;
  }
  return misuse(fmt::format("several processes cannot share the work of \"{}\"", command.name),
                fmt::format("planner-mpi runs {}; planner runs all", names));
}

/// Charts are drawn later than the document is made: in its currency, too.
void draw_in(const DisplayCurrency& currency, present::Document& document) {
  for (present::Block& block : document.blocks) {
    auto* const charts = std::get_if<present::Charts>(&block.content);
    if (charts == nullptr) continue;
    charts->draw = [currency, draw = std::move(charts->draw)] {
      const present::ShownIn shown(currency);
      return draw();
    };
  }
}

void fail(Reply& reply, ExitCode code, const InputError& error) {
  reply.exit_code = code;
  reply.errors = error.diagnostics();
}

}  // namespace

present::Document Answered::document() const {
  const present::ShownIn shown(shown_in);
  present::Document document = command->view(value.get());
  if (shown_in) draw_in(*shown_in, document);
  if (document.bare) return document;
  std::vector<present::Block> notes;
  const auto add = [&notes](std::string text) {
    notes.push_back({present::Text{.text = std::move(text), .emphasis = present::Emphasis::quiet}});
  };
  if (!asked_by.empty()) add("asked by " + asked_by);
  if (shown_in) add(note_of(*shown_in));
  document.blocks.insert(document.blocks.begin(), notes.begin(), notes.end());
  if (document.first_page) *document.first_page += notes.size();
  return document;
}

present::Document Reply::document() const {
  present::Document document = answer->document();
  if (warnings.empty()) return document;
  const std::vector<present::Block> notes{
      {present::Section{"Notes"}, present::Where::beyond_terminal},
      {present::List{warnings}, present::Where::beyond_terminal}};
  const std::size_t at = document.first_page.value_or(document.blocks.size());
  document.blocks.insert(document.blocks.begin() + static_cast<std::ptrdiff_t>(at), notes.begin(),
                         notes.end());
  if (document.first_page) *document.first_page += notes.size();
  return document;
}

bool Reply::is_text() const {
  if (!has_result()) return false;
  const std::vector<present::Block> blocks = answer->document().blocks;
  return answer->command->to_the_letter ||
         (!blocks.empty() && std::holds_alternative<present::Verbatim>(blocks.front().content));
}

Reply reply_to(const Call& call, const Control& control) {
  Reply reply{.command = command_named(call.command)};
  if (reply.command == nullptr) return refusal(nullptr, unknown_command(call.command));
  if (control.peers != nullptr && !reply.command->shared) {
    return refusal(reply.command, not_shared(*reply.command));
  }
  try {
    const ShownCurrency asked = asked_currency(call);
    const std::optional<std::string> asker = asked_by(call);
    if (reply.command->replays) {
      Reply saved = replayed(call);
      if (asked.asked && saved.answer) saved.answer->shown_in = asked.currency;
      if (asker && saved.answer) saved.answer->asked_by = *asker;
      return saved;
    }
    const present::ShownIn shown(asked.currency);  // what is said of it while it is computed
    const catalog::Catalog catalog(catalog::data_directories(data_dir_of(*reply.command, call)));
    Context context{.catalog = catalog,
                    .shown_in = asked,
                    .progress = control.progress,
                    .fit_progress = control.fit_progress,
                    .stop = control.stop,
                    .peers = control.peers};
    // Where there is no answer, what was remarked on before still stands.
    try {
      reply.answer = Answered{reply.command, reply.command->answer(call, context)};
      reply.answer->shown_in = context.shown_in.currency;
      reply.answer->asked_by = asker.value_or("");
      reply.exit_code = context.exit_code;
      reply.errors = std::move(context.errors);
    } catch (const UsageError& error) {
      fail(reply, ExitCode::usage, error);
    } catch (const InfeasibleError& error) {
      fail(reply, ExitCode::infeasible, error);
    }
    reply.warnings = std::move(context.warnings);
  } catch (const UsageError& error) {
    fail(reply, ExitCode::usage, error);
  } catch (const Interrupted& interrupted) {
    fail(reply, ExitCode::interrupted, interrupted);
  } catch (const InputError& error) {
    // Reading standard input or a pipe ends early when it is interrupted.
    const bool stopped = control.stop != nullptr && control.stop->load();
    fail(reply, stopped ? ExitCode::interrupted : ExitCode::bad_input,
         stopped ? InputError(Interrupted().diagnostics()) : error);
  }
  return reply;
}

Reply refusal(const Command* command, Diagnostic misuse) {
  return {.command = command, .exit_code = ExitCode::usage, .errors = {std::move(misuse)}};
}

Diagnostic unknown_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : registry()) names.push_back(command.name);
  for (const TextCommand& command : text_commands()) names.push_back(command.name);
  return misuse(fmt::format("unknown command \"{}\"", name),
                did_you_mean(name, names, "planner --help lists them"));
}

Diagnostic unknown_flag(const std::string& flag, const Command& command,
                        std::span<const std::string> more) {
  std::vector<std::string> flags{more.begin(), more.end()};
  for (const Command::Option& option : command.options) flags.push_back("--" + option.info.name);
  if (command.runs_others) {
    for (const OptionInfo* option : handed_on()) flags.push_back("--" + option->name);
  }
  return misuse(fmt::format("unknown flag \"{}\"", flag),
                did_you_mean(flag, flags, see_help(command)));
}

Diagnostic unexpected_argument(const std::string& argument, const Command& command) {
  return misuse(fmt::format("unexpected argument \"{}\"", argument), see_help(command));
}

}  // namespace planner::commands

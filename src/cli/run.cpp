#include "planner/cli/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "planner/cli/command_line.hpp"
#include "planner/cli/progress.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/output.hpp"

namespace planner {

using namespace commands;

namespace {

std::atomic<bool> stop_requested{false};

void request_stop(int) {
  stop_requested.store(true);
}

/// A second Ctrl-C ends the process at once.
void stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

bool colors_on(const Display& display, int file) {
  return !display.no_color && std::getenv("NO_COLOR") == nullptr && ::isatty(file) == 1;
}

/// The answer in the format asked for. Of an answer without a result only JSON shows anything.
std::string text_of(const Reply& reply, const Display& display) {
  return rendered(reply, *display.format,
                  {.color = !display.output && colors_on(display, STDOUT_FILENO)});
}

/// A saved answer is shown as its command shows it, or refused as it refuses.
void settle_saved(Reply& reply, Display& display) {
  if (!reply.answer) return;
  const bool own_text = reply.is_text() && !reply.command->to_the_letter;
  if (auto problem = settle_format(*reply.command, own_text, display)) {
    reply = refusal(reply.command, *std::move(problem));
  }
}

/// Writes to a file; what goes wrong becomes an error of the reply.
void write_file(const std::filesystem::path& path, std::string_view text, Reply& reply) {
  if (auto problem = json::write_file_atomically(path, text)) {
    reply.errors.push_back(std::move(*problem));
    reply.exit_code = ExitCode::bad_input;
  }
}

/// Writes to standard output; what goes wrong is said on standard error.
/// @param code  when all is well
ExitCode print(std::string_view text, ExitCode code) {
  const auto problem = json::write_standard_output(text);
  if (!problem) return code;
  std::cerr << errors_text({*problem}, {});
  return ExitCode::bad_input;
}

/// The answer goes to standard output or a file, all else to standard error.
ExitCode show(Reply reply, const Display& display) {
  const bool json = display.format == &json_format();
  // The file of calibrate is the calibration itself; what is to be said about it goes where answers
  // go, with what went wrong with the file.
  const bool made = reply.answer && display.own_file;
  if (made && display.output) {
    write_file(*display.output, reply.command->file(reply.answer->value.get()), reply);
  }
  std::string text = text_of(reply, display);
  if (!made && display.output) {
    // A failed answer leaves the file as it was.
    if (reply.has_result() && !text.empty()) write_file(*display.output, text, reply);
    // Who asks for JSON reads errors as JSON, wherever the answer goes.
    const bool errors_as_json = json && !display.inferred && !reply.errors.empty();
    text = errors_as_json ? rendered({.command = reply.command,
                                      .exit_code = reply.exit_code,
                                      .warnings = reply.warnings,
                                      .errors = reply.errors},
                                     json_format())
                          : "";
  }
  reply.exit_code = print(text, reply.exit_code);
  const present::TerminalStyle to_person{.color = colors_on(display, STDERR_FILENO)};
  const bool said = json || (!display.output && !text.empty() && display.format->is_report);
  if (!display.quiet && !said) std::cerr << warnings_text(reply, to_person);
  if (!json || (display.output && !made)) std::cerr << errors_text(reply.errors, to_person);
  return reply.exit_code;
}

/// A launcher gives standard input to the first process alone.
bool reads_standard_input(const Call& call) {
  return std::find(call.arguments.begin(), call.arguments.end(), "-") != call.arguments.end() ||
         std::any_of(call.options.begin(), call.options.end(),
                     [](const auto& option) { return option.second == "-"; });
}

Reply answered(const Invocation& invocation, const Peers* peers) {
  if (peers != nullptr && reads_standard_input(invocation.call)) {
    return refusal(command_named(invocation.call.command),
                   misuse("several processes cannot read standard input",
                          "name a file that all of them can read"));
  }
  const bool shows = peers == nullptr || peers->rank == 0;
  ProgressLine progress(shows && !invocation.display.quiet);
  return reply_to(invocation.call,
                  {.progress = [&](const SearchProgress& p) { progress.update(p); },
                   .fit_progress = [&](const FitProgress& p) { progress.update(p); },
                   .stop = &stop_requested,
                   .peers = peers});
}

}  // namespace

Ended run_command_line(const std::vector<std::string>& arguments, const Peers* peers) {
  const bool shows = peers == nullptr || peers->rank == 0;
  auto parsed = parse_command_line(arguments);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    return {.code = shows ? print(help->text, ExitCode::done) : ExitCode::done};
  }
  if (auto* misuse = std::get_if<Misuse>(&parsed)) {
    if (!shows) return {.code = misuse->reply.exit_code};
    return {.code = show(std::move(misuse->reply), misuse->display)};
  }
  auto& invocation = std::get<Invocation>(parsed);
  stop_on_interrupt();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error of its write
  Reply reply = answered(invocation, peers);
  if (!shows) return {.code = reply.exit_code, .unsaid = std::move(reply.errors)};
  // Between a process of several and the terminal there is a launcher.
  if (peers != nullptr) invocation.display.no_color = true;
  if (command_named(invocation.call.command)->replays) settle_saved(reply, invocation.display);
  return {.code = show(std::move(reply), invocation.display)};
}

}  // namespace planner

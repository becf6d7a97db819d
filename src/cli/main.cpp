#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "planner/api/api.hpp"
#include "planner/cli/command_line.hpp"
#include "planner/cli/output.hpp"
#include "planner/cli/progress.hpp"
#include "planner/report/answer_json.hpp"
#include "planner/report/report.hpp"

namespace {

using namespace planner;

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
std::string text_of(const Response& response, const Display& display) {
  if (display.format == Format::table) {
    return render_table(response, {.color = !display.output && colors_on(display, STDOUT_FILENO)});
  }
  if (display.format == Format::json) return render_json(response);
  if (!response.has_result()) return {};
  return render(response, display.format);
}

/// A saved answer may be of a command that has no such format, or not be what planner wrote.
std::string saved_text(Response& response, const Display& display) {
  const auto fail = [&](ExitCode code, std::vector<Diagnostic> errors) {
    response.result = std::monostate{};
    response.errors = std::move(errors);
    response.exit_code = code;
    return text_of(response, display);
  };
  const auto& saved = *std::get<SavedAnswer>(response.result).answer;
  const auto command = saved.at("command").get<std::string>();
  std::vector<Format> formats = formats_of(command);
  std::erase(formats, Format::table);
  if (auto problem = display_problem(command, formats, display)) {
    return fail(ExitCode::usage, {*std::move(problem)});
  }
  try {
    return text_of(response, display);
  } catch (const InputError& error) {
    return fail(ExitCode::bad_input, error.diagnostics());
  }
}

/// Whether the text is a report, which has the warnings among its notes.
bool is_report(const std::string& text, Format format) {
  return !text.empty() && (format == Format::markdown || format == Format::html);
}

/// Writes to a file; what goes wrong becomes an error of the answer.
void write_file(const std::filesystem::path& path, std::string_view text, Response& response) {
  if (auto problem = write_file_atomically(path, text)) {
    response.errors.push_back(std::move(*problem));
    response.exit_code = ExitCode::bad_input;
  }
}

/// Writes to standard output; what goes wrong is said on standard error.
/// @param code  when all is well
ExitCode print(std::string_view text, ExitCode code) {
  const auto problem = write_standard_output(text);
  if (!problem) return code;
  std::cerr << render_errors({.errors = {*problem}}, {});
  return ExitCode::bad_input;
}

/// The answer goes to standard output or a file, all else to standard error.
ExitCode show(Response response, const Display& display) {
  const bool json = display.format == Format::json;
  const bool saved = std::holds_alternative<SavedAnswer>(response.result);
  const auto* const answered = std::get_if<commands::Answered>(&response.result);
  // The file of calibrate is the calibration itself; what is to be said about it goes where answers
  // go, with what went wrong with the file.
  const bool made = answered != nullptr && display.own_file;
  if (made && display.output) {
    write_file(*display.output, answered->command->file(answered->value.get()), response);
  }
  std::string text = saved ? saved_text(response, display) : text_of(response, display);
  if (!made && display.output) {
    // A failed answer leaves the file as it was.
    if (response.has_result() && !text.empty()) write_file(*display.output, text, response);
    // Who asks for JSON reads errors as JSON, wherever the answer goes.
    const bool errors_as_json = json && !display.inferred && !response.errors.empty();
    text = errors_as_json ? render_json({.command = response.command,
                                         .exit_code = response.exit_code,
                                         .warnings = response.warnings,
                                         .errors = response.errors})
                          : "";
  }
  response.exit_code = print(text, response.exit_code);
  const present::TerminalStyle to_person{.color = colors_on(display, STDERR_FILENO)};
  const bool said = json || (!display.output && is_report(text, display.format));
  if (!display.quiet && !said) std::cerr << render_warnings(response, to_person);
  if (!json || (display.output && !made)) std::cerr << render_errors(response, to_person);
  return response.exit_code;
}

ExitCode run(const std::vector<std::string>& arguments) {
  const auto parsed = parse_command_line(arguments);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    return print(help->text, ExitCode::done);
  }
  if (const auto* misuse = std::get_if<Misuse>(&parsed)) {
    return show(misuse->response, misuse->display);
  }
  const auto& invocation = std::get<Invocation>(parsed);
  stop_on_interrupt();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error of its write
  Response response;
  {
    ProgressLine progress(!invocation.display.quiet);
    response = answer(invocation.request,
                      {.progress = [&](const SearchProgress& p) { progress.update(p); },
                       .fit_progress = [&](const FitProgress& p) { progress.update(p); },
                       .stop = &stop_requested});
  }
  return show(std::move(response), invocation.display);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(run({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: this is a bug in planner: %s\n", error.what());
    return static_cast<int>(ExitCode::bug);
  }
}

#include "planner/api/api.hpp"

#include "planner/api/commands.hpp"
#include "planner/api/misuse.hpp"
#include "planner/api/options.hpp"
#include "planner/commands/command.hpp"

namespace planner {

namespace {

void fail(Response& response, ExitCode code, const InputError& error) {
  response.exit_code = code;
  response.errors = error.diagnostics();
}

/// Where there is no answer, what was remarked on before still stands.
Response from_registry(const commands::Command& command, const Request& request,
                       const catalog::Catalog& catalog, const Control& control) {
  commands::Context context{.catalog = catalog,
                            .progress = control.progress,
                            .fit_progress = control.fit_progress,
                            .stop = control.stop};
  Response response{.command = request.command};
  try {
    response.result = commands::Answered{&command, command.answer({.command = command.name,
                                                                   .arguments = request.arguments,
                                                                   .options = request.given},
                                                                  context)};
  } catch (const UsageError& error) {
    fail(response, ExitCode::usage, error);
  } catch (const InfeasibleError& error) {
    fail(response, ExitCode::infeasible, error);
  }
  response.warnings = std::move(context.warnings);
  if (response.errors.empty()) {
    response.exit_code = context.exit_code;
    response.errors = std::move(context.errors);
  }
  return response;
}

Response dispatch(const Request& request, const Control& control) {
  if (request.command == Command::schema) return schema(request);
  if (request.command == Command::report) return report(request);
  if (request.command == Command::diff) return diff(request);
  if (request.command == Command::sweep) return sweep(request, control);
  const catalog::Catalog catalog(catalog::data_directories(request.data_dir));
  if (const auto* const known = commands::command_named(name_of(request.command))) {
    return from_registry(*known, request, catalog, control);
  }
  switch (request.command) {
    case Command::cost:
      return cost(request, catalog, control);
    case Command::compare:
      return compare(request, catalog, control);
    case Command::optimize:
    case Command::estimate:
    case Command::reliability:
    case Command::routing:
    case Command::network:
    case Command::collective:
    case Command::hfreduce:
    case Command::validate:
    case Command::calibrate:
    case Command::list:
    case Command::show:
    case Command::report:
    case Command::diff:
    case Command::schema:
    case Command::sweep:
      break;
  }
  return {};
}

}  // namespace

Response answer(const Request& request, const Control& control) {
  try {
    return dispatch(request, control);
  } catch (const UsageError& error) {
    return {
        .command = request.command, .exit_code = ExitCode::usage, .errors = error.diagnostics()};
  } catch (const Interrupted& interrupted) {
    return {.command = request.command,
            .exit_code = ExitCode::interrupted,
            .errors = interrupted.diagnostics()};
  } catch (const InfeasibleError& error) {
    return {.command = request.command,
            .exit_code = ExitCode::infeasible,
            .errors = error.diagnostics()};
  } catch (const InputError& error) {
    // Reading standard input or a pipe ends early when it is interrupted.
    if (control.stop != nullptr && control.stop->load()) {
      return {.command = request.command,
              .exit_code = ExitCode::interrupted,
              .errors = Interrupted().diagnostics()};
    }
    return {.command = request.command,
            .exit_code = ExitCode::bad_input,
            .errors = error.diagnostics()};
  }
}

}  // namespace planner

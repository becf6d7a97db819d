#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "planner/api/api.hpp"
#include "planner/api/commands.hpp"
#include "planner/api/misuse.hpp"
#include "planner/api/options.hpp"
#include "planner/core/closest_match.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner {

namespace {

constexpr std::size_t kMostAxes = 2, kMostRows = 10'000;

const CommandInfo& swept_command(const Request& request) {
  std::vector<std::string> names;
  for (const CommandInfo& info : command_table()) {
    if (!info.swept) continue;
    if (!request.arguments.empty() && request.arguments.front() == info.name) {
      if (info.arguments.empty() && request.arguments.size() > 1) {
        throw UsageError(unexpected_argument(request.arguments[1], Command::sweep));
      }
      return info;
    }
    names.push_back(info.name);
  }
  if (request.arguments.empty()) {
    usage_error("sweep needs the command that it runs",
                "planner sweep --vary hb-domain=8,64 optimize --model gpt1t --gpus 4096");
  }
  usage_error(fmt::format("sweep cannot run \"{}\"", request.arguments.front()),
              did_you_mean(request.arguments.front(), names,
                           fmt::format("it runs {}", fmt::join(names, ", "))));
}

const Option& option_of(const CommandInfo& command, const std::string& name) {
  std::vector<std::string> names;
  for (const Option& option : options()) {
    if (!option.applies_to(command.command)) continue;
    if (option.name == name) return option;
    names.push_back(option.name);
  }
  const auto match = closest_match(name, names);
  usage_error(fmt::format("{} has no option --{}", command.name, name),
              match ? fmt::format("did you mean \"--{}\"?", *match)
                    : fmt::format("see planner {} --help", command.name));
}

/// The options without those of the machine, which change no answer.
std::vector<std::pair<std::string, std::string>> shaping(
    std::vector<std::pair<std::string, std::string>> given) {
  std::erase_if(given, [](const auto& option) {
    return option.first == "threads" || option.first == "data-dir";
  });
  return given;
}

void set(const Option& option, const std::string& text, Request& request) {
  if (const auto problem = option.read(text, request)) {
    usage_error(fmt::format("--{}: {}", option.name, *problem));
  }
}

std::vector<SweepAxis> asked_axes(const Request& request) {
  if (request.vary.empty()) {
    usage_error("sweep needs --vary",
                "--vary hb-domain=1,2,4,8 or --vary global-batch=256:4096:x2");
  }
  if (request.vary.size() > kMostAxes) {
    usage_error(fmt::format("sweep varies one or two parameters, not {}", request.vary.size()));
  }
  if (request.vary.size() == 2 && request.vary[0].option == request.vary[1].option) {
    usage_error(fmt::format("--vary {} is given twice", request.vary[0].option),
                "give all its values in one --vary");
  }
  std::size_t rows = 1;
  for (const SweepAxis& axis : request.vary) rows *= axis.values.size();
  if (rows > kMostRows) {
    usage_error(fmt::format("{} rows are more than the {} of one sweep", rows, kMostRows));
  }
  return request.vary;
}

/// What every row asks for, before its own values are put in.
Request common_request(const Request& request, const CommandInfo& command,
                       const std::vector<SweepAxis>& axes) {
  Request common{.command = command.command,
                 .arguments = {request.arguments.begin() + 1, request.arguments.end()}};
  for (const auto& [name, text] : request.swept_options) {
    const bool varied =
        std::any_of(axes.begin(), axes.end(),
                    [&name = name](const SweepAxis& axis) { return axis.option == name; });
    if (varied) usage_error(fmt::format("--{} is both varied and given", name));
    set(option_of(command, name), text, common);
  }
  return common;
}

/// The requests of all rows, the last axis varying fastest.
std::vector<Request> row_requests(const Request& common, const CommandInfo& command,
                                  const std::vector<SweepAxis>& axes, SweepResult& result) {
  std::vector<Request> requests{common};
  result.rows.emplace_back();
  for (const SweepAxis& axis : axes) {
    const Option& option = option_of(command, axis.option);
    if (option.is_switch()) usage_error(fmt::format("--{} has no values to vary", option.name));
    std::vector<Request> longer;
    std::vector<SweepRow> rows;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (const std::string& value : axis.values) {
        set(option, value, longer.emplace_back(requests[i]));
        rows.emplace_back(result.rows[i]).values.push_back(value);
      }
    }
    requests = std::move(longer);
    result.rows = std::move(rows);
  }
  return requests;
}

/// Rows side by side where there are enough of them, else one after another, each on all threads.
void answer_rows(std::vector<Request>& requests, const Control& control, SweepResult& result) {
  const std::size_t threads =
      thread_count(static_cast<std::size_t>(requests.front().threads.value_or(0)));
  const bool side_by_side = requests.size() >= threads;
  std::mutex mutex;
  SearchProgress progress{.total = static_cast<std::int64_t>(requests.size()), .what = "rows"};
  for_each_index(requests.size(), side_by_side ? threads : 1, [&](std::size_t i) {
    if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed)) return;
    if (side_by_side) requests[i].threads = 1;
    result.rows[i].answer =
        std::make_shared<const Response>(answer(requests[i], {.stop = control.stop}));
    if (!control.progress) return;
    const std::lock_guard lock(mutex);
    ++progress.done;
    control.progress(progress);
  });
  if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed)) throw Interrupted();
}

/// Each warning of the rows once, in the order found, with the number of its rows unless all.
std::vector<std::string> merged_warnings(const SweepResult& result) {
  std::vector<std::string> order;
  std::map<std::string, std::size_t> rows_with;
  std::size_t failed = 0;
  for (const SweepRow& row : result.rows) {
    failed += row.answer->errors.empty() ? 0 : 1;
    for (const std::string& warning : row.answer->warnings) {
      if (rows_with[warning]++ == 0) order.push_back(warning);
    }
  }
  for (std::string& warning : order) {
    const std::size_t count = rows_with[warning];
    if (count < result.rows.size()) {
      warning += fmt::format(" ({} of {} rows)", count, result.rows.size());
    }
  }
  if (failed > 0) {
    order.push_back(fmt::format("{} of {} rows failed; each says why", failed, result.rows.size()));
  }
  return order;
}

bool all_fail_as(const std::string& message, const SweepResult& result) {
  return std::all_of(result.rows.begin(), result.rows.end(), [&](const SweepRow& row) {
    return row.answer->errors.front().message == message;
  });
}

}  // namespace

Response sweep(const Request& request, const Control& control) {
  const CommandInfo& command = swept_command(request);
  SweepResult result{.command = command.command,
                     .arguments = {request.arguments.begin() + 1, request.arguments.end()},
                     .given = shaping(request.swept_options),
                     .axes = asked_axes(request),
                     .rows = {}};
  const Request common = common_request(request, command, result.axes);
  std::vector<Request> requests = row_requests(common, command, result.axes, result);
  answer_rows(requests, control, result);

  Response response{.command = Command::sweep};
  const auto succeeded = [](const SweepRow& row) { return row.answer->errors.empty(); };
  if (std::none_of(result.rows.begin(), result.rows.end(), succeeded)) {
    const Response& first = *result.rows.front().answer;
    response.exit_code = first.exit_code;
    response.errors = first.errors;
    // One mistake in what the rows share is told once, not as a table of itself. Rows that do not
    // fit have their figures besides.
    const bool has_figures = first.has_result();
    if (!has_figures && all_fail_as(first.errors.front().message, result)) return response;
  }
  response.warnings = merged_warnings(result);
  response.result = std::move(result);
  return response;
}

}  // namespace planner

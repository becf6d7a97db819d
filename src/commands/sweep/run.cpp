#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "planner/commands/options/asked_by.hpp"
#include "planner/commands/options/currency.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/peers.hpp"
#include "planner/commands/sweep/sweep.hpp"
#include "planner/core/closest_match.hpp"
#include "planner/core/usage.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner::commands {

namespace {

constexpr std::size_t kMostAxes = 2, kMostRows = 10'000;
constexpr const char* kThreads = "threads";

std::vector<std::string> swept_names() {
  std::vector<std::string> names;
  for (const Command& command : registry()) {
    if (command.lines) names.push_back(command.name);
  }
  return names;
}

const Command& swept_command(const SweepRequest& request) {
  const std::vector<std::string> names = swept_names();
  if (request.arguments.empty()) {
    usage_error("sweep needs the command that it runs",
                "planner sweep --vary hb-domain=8,64 optimize --model gpt1t --gpus 4096");
  }
  const std::string& name = request.arguments.front();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    usage_error(fmt::format("sweep cannot run \"{}\"", name),
                did_you_mean(name, names, fmt::format("it runs {}", fmt::join(names, ", "))));
  }
  const Command& command = *command_named(name);
  if (command.arguments.empty() && request.arguments.size() > 1) {
    throw UsageError(unexpected_argument(request.arguments[1], *command_named("sweep")));
  }
  return command;
}

const Command::Option& option_of(const Command& command, const std::string& name) {
  std::vector<std::string> names;
  for (const Command::Option& option : command.options) {
    if (option.info.name == name) return option;
    names.push_back(option.info.name);
  }
  const auto match = closest_match(name, names);
  usage_error(fmt::format("{} has no option --{}", command.name, name),
              match ? fmt::format("did you mean \"--{}\"?", *match)
                    : fmt::format("see planner {} --help", command.name));
}

/// The options without those that change no row: of the machine, and who asked.
Options shaping(Options given) {
  std::erase_if(given, [](const auto& option) {
    return option.first == kThreads || option.first == kDataDir || option.first == kAskedBy;
  });
  return given;
}

void check(const Command::Option& option, const std::string& text) {
  if (const auto problem = option.problem(text)) {
    usage_error(fmt::format("--{}: {}", option.info.name, *problem));
  }
}

void check_axes(const std::vector<SweepAxis>& axes) {
  if (axes.empty()) {
    usage_error("sweep needs --vary",
                "--vary hb-domain=1,2,4,8 or --vary global-batch=256:4096:x2");
  }
  if (axes.size() > kMostAxes) {
    usage_error(fmt::format("sweep varies one or two parameters, not {}", axes.size()));
  }
  if (axes.size() == 2 && axes[0].option == axes[1].option) {
    usage_error(fmt::format("--vary {} is given twice", axes[0].option),
                "give all its values in one --vary");
  }
  std::size_t rows = 1;
  for (const SweepAxis& axis : axes) rows *= axis.values.size();
  if (rows > kMostRows) {
    usage_error(fmt::format("{} rows are more than the {} of one sweep", rows, kMostRows));
  }
}

/// The calls of all rows, the last axis varying fastest.
std::vector<Call> calls_of(const SweepRequest& request, SweepAnswer& answer) {
  Call common{.command = answer.command->name, .arguments = answer.arguments};
  for (const auto& [name, text] : request.handed_on) {
    const bool varied =
        std::any_of(answer.axes.begin(), answer.axes.end(),
                    [&name = name](const SweepAxis& axis) { return axis.option == name; });
    if (varied) usage_error(fmt::format("--{} is both varied and given", name));
    check(option_of(*answer.command, name), text);
    common.options.emplace_back(name, text);
  }
  std::vector<Call> calls{std::move(common)};
  answer.rows.emplace_back();
  for (const SweepAxis& axis : answer.axes) {
    const Command::Option& option = option_of(*answer.command, axis.option);
    if (option.info.is_switch()) {
      usage_error(fmt::format("--{} has no values to vary", option.info.name));
    }
    for (const std::string& value : axis.values) check(option, value);
    std::vector<Call> longer;
    std::vector<SweepRow> rows;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      for (const std::string& value : axis.values) {
        longer.emplace_back(calls[i]).options.emplace_back(axis.option, value);
        rows.emplace_back(answer.rows[i]).values.push_back(value);
      }
    }
    calls = std::move(longer);
    answer.rows = std::move(rows);
  }
  return calls;
}

std::size_t threads_of(const Options& options) {
  for (const auto& [name, text] : options) {
    if (name != kThreads) continue;
    return static_cast<std::size_t>(*parse_integer(text, 1, kMostThreads).value);
  }
  return 0;
}

/// Gets the rows of other processes in the place of the empty ones here.
void share_rows(const Peers& peers, bool stopped, SweepAnswer& answer) {
  constexpr const char* kStopped = "stopped";
  std::vector<std::size_t> own;
  for (std::size_t i = peers.rank; i < answer.rows.size(); i += peers.size) own.push_back(i);
  const std::vector<std::string> all = peers.share(stopped ? kStopped : rows_text(answer, own));
  if (std::find(all.begin(), all.end(), kStopped) != all.end()) throw Interrupted();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank != peers.rank) read_rows(all[rank], answer);
  }
}

/// Rows side by side where there are enough of them, else one after another, each on all threads.
void answer_rows(std::vector<Call>& calls, const Context& context, SweepAnswer& answer) {
  const std::size_t threads = thread_count(threads_of(calls.front().options));
  const Peers* const peers = context.peers;
  const std::size_t ranks = peers == nullptr ? 1 : peers->size;
  const bool side_by_side = calls.size() >= ranks * threads;
  const auto stopped = [&] {
    return context.stop != nullptr && context.stop->load(std::memory_order_relaxed);
  };
  std::mutex mutex;
  SearchProgress progress{.total = static_cast<std::int64_t>(calls.size()), .what = "rows"};
  for_each_index(calls.size(), side_by_side ? threads : 1, [&](std::size_t i) {
    if (stopped() || (peers != nullptr && i % ranks != peers->rank)) return;
    if (side_by_side) calls[i].options.emplace_back(kThreads, "1");
    answer.rows[i].reply = reply_to(calls[i], {.stop = context.stop});
    if (!context.progress) return;
    const std::lock_guard lock(mutex);
    ++progress.done;
    context.progress(progress);
  });
  if (peers != nullptr) share_rows(*peers, stopped(), answer);
  if (peers == nullptr && stopped()) throw Interrupted();
}

/// Each warning of the rows once, in the order found, with the number of its rows unless all.
std::vector<std::string> merged_warnings(const SweepAnswer& answer) {
  std::vector<std::string> order;
  std::map<std::string, std::size_t> rows_with;
  std::size_t failed = 0;
  const std::size_t all = answer.rows.size();
  for (const auto& [values, reply] : answer.rows) {
    failed += reply.errors.empty() ? 0 : 1;
    for (const std::string& warning : reply.warnings) {
      if (rows_with[warning]++ == 0) order.push_back(warning);
    }
  }
  for (std::string& warning : order) {
    const std::size_t count = rows_with[warning];
    if (count < all) warning += fmt::format(" ({} of {} rows)", count, all);
  }
  if (failed > 0) order.push_back(fmt::format("{} of {} rows failed; each says why", failed, all));
  return order;
}

std::vector<OptionOf<SweepRequest>> options() {
  return {{{.name = "vary",
            .value = "OPTION=…",
            .help = "values 1,2,4, or from:to:x2, or from:to:+8; once or twice",
            .group = "The sweep",
            .repeats = true},
           [](std::string_view text, SweepRequest& request) -> std::optional<std::string> {
             Parsed<SweepAxis> axis = parse_sweep_axis(text);
             if (!axis.value) return std::move(axis.error);
             request.vary.push_back(*std::move(axis.value));
             return std::nullopt;
           },
           [](const SweepRequest& a, const SweepRequest& b) { return a.vary == b.vary; }}};
}

}  // namespace

SweepAnswer run_sweep(const SweepRequest& request, Context& context) {
  const Command& command = swept_command(request);
  SweepAnswer answer{.command = &command,
                     .arguments = {request.arguments.begin() + 1, request.arguments.end()},
                     .given = shaping(request.handed_on),
                     .axes = request.vary};
  check_axes(answer.axes);
  std::vector<Call> calls = calls_of(request, answer);
  answer_rows(calls, context, answer);

  std::vector<const Answered*> answered;
  for (const SweepRow& row : answer.rows) {
    if (row.reply.answer) answered.push_back(&*row.reply.answer);
  }
  context.shown_in.currency = common_currency(answered);
  const Reply& first = answer.rows.front().reply;
  const bool none = std::none_of(answer.rows.begin(), answer.rows.end(),
                                 [](const SweepRow& row) { return row.reply.errors.empty(); });
  if (none) {
    for (const Diagnostic& error : first.errors) context.fail(first.exit_code, error);
    // One mistake in what the rows share is told once, not as a table of itself. Rows that do not
    // fit have their figures besides.
    const bool alike =
        std::all_of(answer.rows.begin(), answer.rows.end(), [&](const SweepRow& row) {
          return row.reply.errors.front().message == first.errors.front().message;
        });
    if (!first.has_result() && alike) {
      answer.rows.clear();
      return answer;
    }
  }
  context.warnings = merged_warnings(answer);
  return answer;
}

Command sweep() {
  return erased(CommandOf<SweepRequest, SweepAnswer>{
      .name = "sweep",
      .summary = "one table over one or two parameters of another command",
      .arguments = "COMMAND",
      .words = swept_names,
      .looks_up = false,  // what it runs does
      .shared = true,
      .options = options(),
      .positional = &SweepRequest::arguments,
      .run = run_sweep,
      .fields = sweep_fields,
      .view = sweep_view,
      .handed_on = &SweepRequest::handed_on,
      .has_result = [](const SweepAnswer& answer) { return !answer.rows.empty(); }});
}

}  // namespace planner::commands

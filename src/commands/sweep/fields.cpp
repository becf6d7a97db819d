#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/commands/sweep/sweep.hpp"

namespace planner::commands {

namespace {

using namespace json;

std::string option_named(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

/// The value of an option as its text; a switch has none.
Codec<std::string> option_text() {
  return {[](const JsonNode& node, const ReadContext& context) -> std::optional<std::string> {
            if (const auto* text = node.get<std::string>()) return *text;
            if (const auto* on = node.get<bool>(); on != nullptr && *on) return std::string{};
            const auto number = figure().read(node, context);
            return number ? std::optional(shortest(*number)) : std::nullopt;
          },
          [](const std::string&, Json&) {},  // value_json() does, for it depends on the option
          [](Json& schema) {
            schema["type"] = {"string", "number", "boolean"};
          }};
}

/// Options by their keys.
Codec<Options> options_codec() {
  const auto texts = named(option_text());
  return {[texts](const JsonNode& node, const ReadContext& context) {
            auto options = texts.read(node, context);
            if (options) {
              for (auto& [name, text] : *options) name = option_named(name);
            }
            return options;
          },
          [](const Options& options, Json& out) {
            out = Json::object();
            for (const auto& [name, text] : options) {
              out[key_of(name)] = text.empty() ? Json(true) : value_json(name, text);
            }
          },
          texts.description()};
}

Codec<std::vector<SweepAxis>> axes_codec() {
  const auto lists = named(list(option_text()));
  return {[lists](const JsonNode& node,
                  const ReadContext& context) -> std::optional<std::vector<SweepAxis>> {
            const auto read = lists.read(node, context);
            if (!read) return std::nullopt;
            std::vector<SweepAxis> axes;
            for (const auto& [key, values] : *read) axes.push_back({option_named(key), values});
            return axes;
          },
          [](const std::vector<SweepAxis>& axes, Json& out) {
            out = Json::object();
            for (const SweepAxis& axis : axes) {
              Json& values = out[key_of(axis.option)] = Json::array();
              for (const std::string& value : axis.values) {
                values.push_back(value_json(axis.option, value));
              }
            }
          },
          lists.description()};
}

const Command* read_command(const JsonNode& node, const ReadContext& context) {
  const auto name = any_text().read(node, context);
  const Command* const command = name ? command_named(*name) : nullptr;
  if (name && (command == nullptr || !command->lines)) {
    context.report(node, "not-an-answer", "is no command that sweeps");
    return nullptr;
  }
  return command;
}

/// A row: its parameters by name, and what the command answers to them.
bool read_row(const JsonNode& node, const ReadContext& context, SweepAnswer& answer) {
  if (!json::detail::expect_object(node, context)) return false;
  SweepRow row;
  for (const SweepAxis& axis : answer.axes) {
    const std::string key = key_of(axis.option);
    const JsonNode* const value = node.find(key);
    if (value == nullptr) {
      context.report(node, "missing-key", "the key \"" + key + "\" is missing");
      return false;
    }
    row.values.push_back(option_text().read(*value, context.member(key)).value_or(""));
  }
  row.reply = read_reply(*answer.command, node, context);
  answer.rows.push_back(std::move(row));
  return true;
}

void write_rows(const SweepAnswer& answer, Json& out) {
  out = Json::array();
  for (const SweepRow& row : answer.rows) {
    Json json = Json::object();
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const std::string& option = answer.axes[i].option;
      json[key_of(option)] = value_json(option, row.values[i]);
    }
    Json reply = reply_json(row.reply, false);
    for (const char* shared : {"schema_version", "command", kShownIn, kAskedByKey})
      reply.erase(shared);
    json.update(reply);
    out.push_back(std::move(json));
  }
}

void describe_rows(Json& schema) {
  schema["type"] = "array";
  Json& row = schema["items"];
  row["type"] = "object";
  row["properties"]["ok"]["type"] = "boolean";
  for (const char* part : {"inputs", "result", "emitted"})
    row["properties"][part]["type"] = "object";
  list(any_text()).describe(row["properties"]["warnings"]);
  row["properties"]["errors"]["type"] = "array";
  describe_error(row["properties"]["errors"]["items"]);
  row["required"] = {"ok", "warnings"};
  row["additionalProperties"]["type"] = {"string", "number"};
}

const FieldTable<SweepAnswer>& result_table() {
  using A = SweepAnswer;
  static const FieldTable<A> kTable{
      .type = "sweep",
      .doc = "one command, many times",
      .fields = {{"command", "that ran in every row", true,
                  [](const JsonNode& node, A& answer, const ReadContext& context) {
                    answer.command = read_command(node, context);
                    return answer.command != nullptr;
                  },
                  [](const A& answer, Json& out) { out["command"] = answer.command->name; },
                  [](Json& schema) {
                    for (const Command& command : registry()) {
                      if (command.lines) schema["enum"].push_back(command.name);
                    }
                  }},
                 required("arguments", &A::arguments, list(any_text()), "of that command"),
                 required("given", &A::given, options_codec(), "options that do not vary"),
                 required("parameters", &A::axes, axes_codec(),
                          "those that vary, with their values"),
                 {"rows", "the last parameter varies fastest", true,
                  [](const JsonNode& node, A& answer, const ReadContext& context) {
                    const auto* const rows = json::detail::expect_array(node, context);
                    if (rows == nullptr || answer.command == nullptr) return false;
                    bool good = true;
                    for (std::size_t i = 0; i < rows->size(); ++i) {
                      good = read_row((*rows)[i], context.element(i), answer) && good;
                    }
                    return good;
                  },
                  [](const A& answer, Json& out) { write_rows(answer, out["rows"]); },
                  describe_rows}},
      .open = true};
  return kTable;
}

}  // namespace

std::string key_of(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

Json value_json(const std::string& option, const std::string& text) {
  constexpr double kWhole = 9e15;
  const std::optional<double> number = number_in(option, text);
  if (!number) return text;
  const auto whole = static_cast<std::int64_t>(std::min(*number, kWhole));
  return static_cast<double>(whole) == *number ? Json(whole) : Json(*number);
}

const FieldTable<SweepAnswer>& sweep_fields() {
  using A = SweepAnswer;
  static const FieldTable<A> kTable = [] {
    FieldTable<A> table{.type = "answer", .doc = "an answer of sweep", .open = true};
    table.fields.push_back(when([](const A& answer) { return !answer.rows.empty(); },
                                group("result", result_table(), "the table")));
    return table;
  }();
  return kTable;
}

// A line for each row: no limit of one text is that of all rows.
std::string rows_text(const SweepAnswer& answer, const std::vector<std::size_t>& rows) {
  std::string text;
  for (const std::size_t row : rows) {
    const Reply& reply = answer.rows[row].reply;
    const Json line{{"row", row},
                    {"exit_code", static_cast<int>(reply.exit_code)},
                    {"reply", reply_json(reply, false)}};
    text += line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  }
  return text;
}

void read_rows(std::string_view text, SweepAnswer& answer) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const SourceText source{"<another process>", text.substr(0, end)};
    text.remove_prefix(end + 1);
    const JsonNode line = parse_json(source);
    const auto row = static_cast<std::size_t>(*line.find("row")->get<std::int64_t>());
    Problems problems(source);
    Reply& reply = answer.rows[row].reply;
    reply = read_reply(*answer.command, *line.find("reply"), ReadContext{problems, "row"});
    reply.exit_code = static_cast<ExitCode>(*line.find("exit_code")->get<std::int64_t>());
    problems.throw_if_any();
  }
}

}  // namespace planner::commands

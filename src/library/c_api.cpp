#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "planner/api/api.hpp"
#include "planner/api/json_request.hpp"
#include "planner/json/text_file.hpp"
#include "planner/planner.h"
#include "planner/report/answer_json.hpp"
#include "planner/report/format.hpp"
#include "planner/report/report.hpp"

namespace {

using namespace planner;
using Json = nlohmann::ordered_json;

/// The formats that are text, of those that an answer has, but JSON: that is there anyway.
std::vector<Format> text_formats(std::string_view command, bool saved) {
  std::vector<Format> formats = formats_of(command);
  std::erase(formats, Format::json);
  std::erase(formats, Format::xlsx);
  if (saved) std::erase(formats, Format::table);
  return formats;
}

void fail(Response& response, ExitCode code, std::vector<Diagnostic> errors) {
  response.result = std::monostate{};
  response.exit_code = code;
  response.errors = std::move(errors);
}

/// The answer as a text in the format asked for; where that cannot be, the response fails.
std::optional<std::string> rendered(Response& response, const std::string& name) {
  const Json answer = answer_json(response);
  const auto command = answer.at("command").get<std::string>();
  const bool saved = std::holds_alternative<SavedAnswer>(response.result);
  const std::vector<Format> formats = text_formats(command, saved);
  const std::optional<Format> format = format_named(name);
  if (!format) {
    fail(response, ExitCode::usage,
         {{.code = "usage",
           .message = "--format: must be one of " + names_of(formats) + ", not \"" + name + "\""}});
    return std::nullopt;
  }
  if (auto problem = format_problem(command, formats, *format)) {
    fail(response, ExitCode::usage, {*std::move(problem)});
    return std::nullopt;
  }
  if (*format == Format::table) return render_table(response, {});
  try {
    return render(response, *format);
  } catch (const InputError& error) {
    fail(response, ExitCode::bad_input, error.diagnostics());
    return std::nullopt;
  }
}

std::string answer_to(std::string_view text) {
  const JsonRequest asked = read_json_request(text);
  if (asked.problem) {
    return render_json(
        {.command = asked.command, .exit_code = ExitCode::usage, .errors = {*asked.problem}});
  }
  Response response = answer(asked.request);
  if (!asked.format || !response.has_result()) return render_json(response);
  const std::optional<std::string> text_form = rendered(response, *asked.format);
  Json json = answer_json(response);
  if (text_form) json["rendered"] = *text_form;
  return render(json, Format::json);
}

std::string bug(const char* what) {
  return render_json(
      {.exit_code = ExitCode::bug,
       .errors = {{.code = "bug", .message = std::string{"this is a bug in planner: "} + what}}});
}

char* copy(const std::string& text) {
  char* const memory = static_cast<char*>(std::malloc(text.size() + 1));
  if (memory != nullptr) std::memcpy(memory, text.c_str(), text.size() + 1);
  return memory;
}

}  // namespace

char* planner_call(const char* json_request) {
  try {
    const char* const text = json_request == nullptr ? "" : json_request;
    // One byte more than is allowed is enough to see that it is too much.
    const std::string_view bounded(text, ::strnlen(text, json::kLargestText + 1));
    try {
      return copy(answer_to(bounded));
    } catch (const std::bad_alloc&) {
      return nullptr;
    } catch (const std::exception& error) {
      return copy(bug(error.what()));
    }
  } catch (...) {
    return nullptr;
  }
}

void planner_free(char* json_response) {
  std::free(json_response);
}

const char* planner_version(void) {
  return PLANNER_VERSION;
}

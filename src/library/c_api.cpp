#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "planner/commands/format.hpp"
#include "planner/commands/request_json.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/text_file.hpp"
#include "planner/planner.h"

namespace {

using namespace planner;
using namespace planner::commands;

/// What is wrong with a format asked for by name; nothing when all is well.
std::optional<Diagnostic> problem_of(const std::string& name, const Reply& reply) {
  const std::vector<const Format*> among = text_formats(reply.is_text());
  const Format* const format = format_named(name);
  if (format != nullptr) return format_problem(*reply.command, *format, among);
  return misuse("--format: must be one of " + names_of(among) + ", not \"" + name + "\"");
}

std::string answer_to(std::string_view text) {
  const JsonRequest asked = read_json_request(text);
  if (asked.problem) return rendered(refusal(asked.command, *asked.problem), json_format());
  Reply reply = reply_to(asked.call);
  if (!asked.format || !reply.has_result()) return rendered(reply, json_format());
  if (auto problem = problem_of(*asked.format, reply)) {
    return rendered(refusal(reply.command, *std::move(problem)), json_format());
  }
  json::Json out = reply_json(reply);
  out["rendered"] = rendered(reply, *format_named(*asked.format));
  return json_text(out);
}

std::string bug(const char* what) {
  return rendered(
      {.exit_code = ExitCode::bug,
       .errors = {{.code = "bug", .message = std::string{"this is a bug in planner: "} + what}}},
      json_format());
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

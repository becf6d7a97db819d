#include "planner/report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "planner/api/misuse.hpp"
#include "planner/present/csv/csv.hpp"
#include "planner/present/html/html.hpp"
#include "planner/present/markdown/markdown.hpp"
#include "planner/present/xlsx/xlsx.hpp"
#include "planner/report/answer_json.hpp"
#include "planner/report/csv.hpp"
#include "planner/report/html.hpp"
#include "planner/report/markdown.hpp"
#include "planner/report/xlsx.hpp"

namespace planner {

namespace {

std::string rendered(const Json& answer, Format format) {
  switch (format) {
    case Format::csv:
      return to_csv(data_of(answer));
    case Format::markdown:
      return to_markdown(document_of(answer));
    case Format::html:
      return render_html(answer);
    case Format::xlsx:
      return render_xlsx(answer);
    case Format::table:
    case Format::json:
      break;
  }
  // Text from a user's file may hold anything; what is not UTF-8 becomes a replacement character.
  return answer.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// The answer's document, with its warnings among the notes.
present::Document document_of(const commands::Answered& answered,
                              const std::vector<std::string>& warnings) {
  present::Document document = answered.document();
  if (warnings.empty()) return document;
  document.detail(present::Section{"Notes"});
  document.detail(present::List{warnings});
  return document;
}

std::string rendered(const present::Document& document, Format format) {
  switch (format) {
    case Format::csv:
      return present::to_csv(document);
    case Format::markdown:
      return present::to_markdown(document);
    case Format::html:
      return present::to_html(document);
    case Format::xlsx:
      return present::to_xlsx(document);
    case Format::table:
    case Format::json:
      break;
  }
  return {};
}

}  // namespace

std::string_view name_of(Format format) {
  switch (format) {
    case Format::table:
      return "table";
    case Format::json:
      return "json";
    case Format::csv:
      return "csv";
    case Format::markdown:
      return "md";
    case Format::html:
      return "html";
    case Format::xlsx:
      return "xlsx";
  }
  return "";
}

std::optional<Format> format_named(std::string_view name) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](Format format) { return name_of(format) == name; });
  if (found == kFormats.end()) return std::nullopt;
  return *found;
}

std::optional<Format> format_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (ending == ".txt") return Format::table;
  return ending.empty() ? std::nullopt : format_named(std::string_view{ending}.substr(1));
}

std::vector<Format> formats_of(std::string_view command) {
  const commands::Command* const known = commands::command_named(command);
  if (command == "schema" || (known != nullptr && known->to_the_letter)) {
    return {Format::table, Format::json};
  }
  std::vector<Format> formats{Format::table, Format::json, Format::csv, Format::markdown,
                              Format::html};
  bool workbook = known != nullptr;
  for (const std::string_view tabular : {"cost", "compare", "sweep", "report"}) {
    workbook = workbook || command == tabular;
  }
  if (workbook) formats.push_back(Format::xlsx);
  return formats;
}

std::string names_of(const std::vector<Format>& formats) {
  std::string names;
  for (const Format format : formats) {
    (names += names.empty() ? "" : ", ") += name_of(format);
  }
  return names;
}

std::optional<Diagnostic> format_problem(std::string_view command,
                                         const std::vector<Format>& formats, Format format) {
  if (std::find(formats.begin(), formats.end(), format) != formats.end()) return std::nullopt;
  return misuse(fmt::format("an answer of {} cannot be shown as {}", command, name_of(format)),
                "--format " + names_of(formats));
}

std::string render(const Response& response, Format format) {
  const auto* const answered = std::get_if<commands::Answered>(&response.result);
  if (answered == nullptr || format == Format::json) return render(answer_json(response), format);
  return rendered(document_of(*answered, response.warnings), format);
}

std::string render(const Json& answer, Format format) {
  try {
    return rendered(answer, format);
  } catch (const Json::exception& error) {
    // A saved answer that was changed: a figure is of another type than planner writes.
    throw InputError(Diagnostic{
        .code = "not-an-answer",
        .message = std::string{"the answer is not as planner writes it: "} + error.what(),
        .hint = "save it again"});
  }
}

}  // namespace planner

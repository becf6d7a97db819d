#include "planner/commands/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "planner/core/printable.hpp"
#include "planner/core/usage.hpp"
#include "planner/present/csv/csv.hpp"
#include "planner/present/html/html.hpp"
#include "planner/present/markdown/markdown.hpp"
#include "planner/present/terminal/writer.hpp"
#include "planner/present/xlsx/xlsx.hpp"

namespace planner::commands {

namespace {

using present::TerminalStyle;

/// The format of a renderer of documents.
template <std::string (*kRender)(const present::Document&)>
std::string shown(const Reply& reply, const TerminalStyle&) {
  return kRender(reply.document());
}

std::string on_terminal(const Reply& reply, const TerminalStyle& style) {
  return present::to_terminal(reply.answer->document(), style);
}

std::string as_json(const Reply& reply, const TerminalStyle&) {
  return json_text(reply_json(reply));
}

constexpr auto kFormats = std::to_array<Format>({
    {.name = "table", .ending = "txt", .render = on_terminal, .to_the_letter = true},
    {.name = "json",
     .ending = "json",
     .render = as_json,
     .to_the_letter = true,
     .of_failures = true},
    {.name = "csv", .ending = "csv", .render = shown<present::to_csv>},
    {.name = "md", .ending = "md", .render = shown<present::to_markdown>, .is_report = true},
    {.name = "html", .ending = "html", .render = shown<present::to_html>, .is_report = true},
    {.name = "xlsx", .ending = "xlsx", .render = shown<present::to_xlsx>, .is_text = false},
});

const Format* found(std::string_view Format::*key, std::string_view text) {
  const auto* const at = std::find_if(kFormats.begin(), kFormats.end(),
                                      [&](const Format& format) { return format.*key == text; });
  return at == kFormats.end() ? nullptr : at;
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format& table_format() {
  return kFormats[0];
}

const Format& json_format() {
  return kFormats[1];
}

const Format* format_named(std::string_view name) {
  return found(&Format::name, name);
}

const Format* format_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending.empty() ? nullptr : found(&Format::ending, std::string_view{ending}.substr(1));
}

std::vector<const Format*> formats_of(bool to_the_letter) {
  std::vector<const Format*> all;
  for (const Format& format : kFormats) {
    if (format.to_the_letter || !to_the_letter) all.push_back(&format);
  }
  return all;
}

std::vector<const Format*> text_formats(bool to_the_letter) {
  std::vector<const Format*> formats = formats_of(to_the_letter);
  std::erase_if(formats,
                [](const Format* format) { return !format->is_text || format == &json_format(); });
  return formats;
}

std::string names_of(const std::vector<const Format*>& formats) {
  std::string names;
  for (const Format* const format : formats) {
    (names += names.empty() ? "" : ", ") += format->name;
  }
  return names;
}

std::optional<Diagnostic> format_problem(const Command& command, const Format& format,
                                         const std::vector<const Format*>& among) {
  if (std::find(among.begin(), among.end(), &format) != among.end()) return std::nullopt;
  return misuse(fmt::format("an answer of {} cannot be shown as {}", command.name, format.name),
                "--format " + names_of(among));
}

std::string rendered(const Reply& reply, const Format& format, const TerminalStyle& style) {
  return format.of_failures || reply.has_result() ? format.render(reply, style) : std::string{};
}

// Text from a user's file may hold anything; what is not UTF-8 becomes a replacement character.
std::string json_text(const json::Json& object) {
  return object.dump(2, ' ', false, json::Json::error_handler_t::replace) + '\n';
}

// Messages stay on one line each: they are searched and copied more often than they are read.
std::string errors_text(const std::vector<Diagnostic>& errors, const TerminalStyle& style) {
  std::string text;
  for (const Diagnostic& error : errors) {
    text += present::emphasised(present::Emphasis::error, "error:", style) + ' ' +
            printable(to_string(error)) + '\n';
    if (error.hint.empty()) continue;
    text += (error.closest ? "  " : "  hint: ") + printable(error.hint) + '\n';
  }
  return text;
}

std::string warnings_text(const Reply& reply, const TerminalStyle& style) {
  std::string text;
  const auto add = [&](const std::string& warning) {
    text += present::emphasised(present::Emphasis::warning, "warning:", style) + ' ' +
            printable(warning) + '\n';
  };
  std::ranges::for_each(reply.warnings, add);
  if (reply.has_result()) std::ranges::for_each(reply.answer->document().beside, add);
  return text;
}

}  // namespace planner::commands

#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/commands/reply.hpp"
#include "planner/present/terminal/terminal.hpp"

namespace planner::commands {

/// A form in which answers are shown. Whoever adds one adds a row to the table of formats().
struct Format {
  std::string_view name;    ///< as --format names it
  std::string_view ending;  ///< of a file in it
  std::string (*render)(const Reply& reply, const present::TerminalStyle& style);
  bool to_the_letter = false;  ///< answers that are texts have it too
  bool of_failures = false;    ///< it shows replies without a result
  bool is_report = false;      ///< it has the warnings among its notes
  bool is_text = true;         ///< it may go to a terminal, or into the JSON of a reply
};
std::span<const Format> formats();

/// What people read who ask for nothing else.
const Format& table_format();
/// What programs read: the whole reply, errors included. The same reply gives the same bytes.
const Format& json_format();

/// Null where no format has the name.
const Format* format_named(std::string_view name);
/// By a file's ending, in letters of any case; null for an ending that says none.
const Format* format_of(const std::filesystem::path& file);

/// The formats in which a command's answers can be shown.
/// @param to_the_letter  of an answer that is a text, and of all that it says only the text
std::vector<const Format*> formats_of(bool to_the_letter);
/// Those of them that are text, but JSON: what the JSON of a reply can have in it.
std::vector<const Format*> text_formats(bool to_the_letter);
/// "table, json, csv".
std::string names_of(const std::vector<const Format*>& formats);
/// What is wrong with showing an answer of `command` so; nothing when all is well.
/// @param among  the formats that the answer has
std::optional<Diagnostic> format_problem(const Command& command, const Format& format,
                                         const std::vector<const Format*>& among);

/// The reply in a format; empty where it has nothing to show.
std::string rendered(const Reply& reply, const Format& format,
                     const present::TerminalStyle& style = {});

/// JSON as answers have it.
std::string json_text(const nlohmann::ordered_json& object);

/// Errors or warnings for a person, one paragraph each, as they go to standard error.
std::string errors_text(const std::vector<Diagnostic>& errors, const present::TerminalStyle& style);
std::string warnings_text(const Reply& reply, const present::TerminalStyle& style);

}  // namespace planner::commands

#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/api/response.hpp"
#include "planner/core/diagnostic.hpp"

namespace planner {

enum class Format { table, json, csv, markdown, html, xlsx };

inline constexpr std::array kFormats{Format::table,    Format::json, Format::csv,
                                     Format::markdown, Format::html, Format::xlsx};

/// As --format names it, and without the dot, as a file ends.
std::string_view name_of(Format format);
std::optional<Format> format_named(std::string_view name);
/// By a file's ending; nothing for an ending that says none.
std::optional<Format> format_of(const std::filesystem::path& file);

/// The formats in which answers of a command can be shown; of `report`, those that any saved
/// answer has: all but the table.
std::vector<Format> formats_of(std::string_view command);

/// What is wrong with showing an answer of `command` in a format; nothing when all is well.
/// @param formats  those that the command's answers have
std::optional<Diagnostic> format_problem(std::string_view command,
                                         const std::vector<Format>& formats, Format format);
/// "table, json, csv".
std::string names_of(const std::vector<Format>& formats);

/// An answer in any format but the table.
/// @throws InputError "not-an-answer" where a saved answer lacks what the format shows
std::string render(const Response& response, Format format);

/// An answer in any format but the table, from its JSON.
/// @throws InputError "not-an-answer" where a saved answer lacks what the format shows
std::string render(const nlohmann::ordered_json& answer, Format format);

}  // namespace planner

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// What every page is made of.
namespace planner::present {

/// Text as HTML shows it: markup characters are escaped, control characters replaced.
std::string html_escaped(std::string_view text);

/// The page up to its body. Nothing is fetched, and no script runs but ours.
std::string html_head(const std::string& title);

/// What the script of the page draws the charts from, [{"name","title","spec"}], and the script.
std::string html_drawing(const nlohmann::ordered_json& charts);

}  // namespace planner::present

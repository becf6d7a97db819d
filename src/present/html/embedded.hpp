#pragma once

#include <string_view>

// Files that the build puts into the program (see CMakeLists.txt and web/).
namespace planner::embedded {

std::string_view style();        ///< assets/report.css
std::string_view script();       ///< vega, vega-lite, vega-embed and assets/report.js
std::string_view script_hash();  ///< "sha256-…" of the script, for the content security policy

}  // namespace planner::embedded

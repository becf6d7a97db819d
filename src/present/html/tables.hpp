#pragma once

#include <string>
#include <vector>

#include "planner/present/document.hpp"

// Tables of the page, all text in them escaped.
namespace planner::present {

std::string html_table(const Table& table);
/// @param listed  what the page lists as its sources
std::string html_bill(const Bill& bill, const Sources& listed);
/// A table of everything else that has figures.
std::string html_data(const Content& content);
/// Of blocks one after the other: tables with the same names of columns are one.
std::string html_data(const std::vector<const Content*>& contents);

}  // namespace planner::present

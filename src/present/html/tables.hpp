#pragma once

#include <string>

#include "planner/present/document.hpp"

// Tables of the page, all text in them escaped.
namespace planner::present {

std::string html_table(const Table& table);
/// @param listed  what the page lists as its sources
std::string html_bill(const Bill& bill, const Sources& listed);
/// A table of everything else that has figures.
std::string html_data(const Content& content);

}  // namespace planner::present

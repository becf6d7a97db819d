#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/present/document.hpp"

// What several renderers ask of blocks.
namespace planner::present {

inline constexpr std::string_view kAtLeast = "at least ";

/// The words of a cell without those of its bound.
std::string unbounded_text(const Cell& cell);

/// The words of a figure: "3.42 s per iteration".
std::string phrase_of(const Figure& figure);

/// Whether the columns but the first say different things.
bool differs(const Table::Row& row);

/// "at least, 3 lines unpriced": what stands before a total that lacks prices.
std::string lower_bound_name(const Bill& bill);

/// A block's figures as a table whose cells keep their values: bars, facts, figures and bills, each
/// under a header. Nothing for a block without figures of its own.
struct DataTable {
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;
};
std::vector<DataTable> data_of(const Content& content);

/// A block's figures for programs: a column with ranges or lower bounds has columns for them behind
/// it, so that every cell is a plain value. Units stand in the name of their column, or in a
/// column.
DataTable for_programs(const DataTable& table);
/// The name of a first column that names figures: they may be in different units.
inline constexpr const char* kFigureColumn = "figure";

/// "time (s)": a column's name with the unit that its numbers share.
std::string with_unit(const std::string& name, const std::vector<std::vector<Cell>>& rows,
                      std::size_t column);

}  // namespace planner::present

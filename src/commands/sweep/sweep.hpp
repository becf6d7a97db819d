#pragma once

#include "planner/commands/reply.hpp"
#include "planner/commands/sweep/axis.hpp"

namespace planner::commands {

using Options = std::vector<std::pair<std::string, std::string>>;  ///< name and text, as typed

struct SweepRequest {
  std::vector<std::string> arguments;  ///< the command that is run, and its own
  std::vector<SweepAxis> vary;
  Options handed_on;  ///< to that command
};

/// One combination of the varied values and what the command answers to it.
struct SweepRow {
  std::vector<std::string> values;  ///< one for each axis, as given
  Reply reply;
};

struct SweepAnswer {
  const Command* command = nullptr;    ///< that ran in every row
  std::vector<std::string> arguments;  ///< of that command
  Options given;                       ///< that do not vary, without those that change no answer
  std::vector<SweepAxis> axes;
  std::vector<SweepRow> rows;  ///< the last axis varies fastest; empty: all failed alike
};

/// Rows that fail keep their errors.
SweepAnswer run_sweep(const SweepRequest& request, Context& context);
const json::FieldTable<SweepAnswer>& sweep_fields();
present::Document sweep_view(const SweepAnswer& answer);

/// Rows with all that is known of their replies, for another process: a line each.
/// @param rows  which
std::string rows_text(const SweepAnswer& answer, const std::vector<std::size_t>& rows);
/// Sets the rows that a text has.
void read_rows(std::string_view text, SweepAnswer& answer);

/// The key of an option in the JSON of a sweep: "hb_domain".
std::string key_of(std::string option);
/// The number that the option reads in the text, where it does.
json::Json value_json(const std::string& option, const std::string& text);
/// The first of the figures over the axis with most values.
void add_sweep_chart(const SweepAnswer& answer, present::Document& document);
/// The lines of all rows with the row of each; figures that vary or say nothing are left out.
struct SweepLines {
  struct Line {
    const SweepRow* row = nullptr;
    SweepLine shown;
  };
  std::vector<Line> lines;
  std::vector<SweepFigure> columns;  ///< keys and headers
  bool parts = false;                ///< answers have several lines each
};
SweepLines lines_of(const SweepAnswer& answer);

/// `planner sweep`: one table over one or two parameters of another command.
Command sweep();

}  // namespace planner::commands

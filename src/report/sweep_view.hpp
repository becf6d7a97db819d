#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/report/document.hpp"

// A sweep's answer as its table: the varied parameters, then the main figures of the command. A row
// that answers for several things, such as the clusters of `compare`, has a line for each.
namespace planner {

/// A figure of merit, where an answer's result has it.
struct Figure {
  std::string key;  ///< with its unit, as in the answers: "iteration_time_s"
  std::string header;
  std::vector<std::vector<std::string_view>> paths;  ///< the first that is there counts
  double scale = 1;
  std::optional<double> usual;  ///< worth a column only where a row has another value
};

/// One line of the table, inside an answer that outlives it.
struct SweepLine {
  const Json* row;     ///< with the values of the parameters
  Json part;           ///< what of the row it is for: a cluster, a size; null where for all of it
  const Json* result;  ///< that of the part
};

struct SweepLines {
  std::string part;  ///< what the parts are: "cluster", "bytes"; empty where rows have none
  std::vector<SweepLine> lines;
};

/// The lines in the order of the rows.
SweepLines lines_of(const Json& answer);

/// The figures that any line of the sweep has, the most telling first.
std::vector<Figure> figures_of(const Json& answer, const SweepLines& sweep);

/// The figure in a line's result; null where it has none.
Json figure_in(const SweepLine& line, const Figure& figure);

/// The keys of the varied parameters, as in the rows: "hb_domain".
std::vector<std::string> parameters_of(const Json& answer);

/// What went wrong in a row; empty when all is well.
std::string error_of(const Json& row);

/// What every row shares: "model gpt1t · gpus 4,096"; empty where the answer does not say.
std::string shared_by_all(const Json& answer);

DataTable sweep_data(const Json& answer);
Document sweep_document(const Json& answer);

/// [{"name","title","spec"}]: the first figure over the parameter with the most values, a line for
/// each value of the other and for each part.
Json sweep_charts(const Json& answer);

}  // namespace planner

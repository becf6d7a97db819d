#include "planner/commands/parts/error_summary.hpp"

namespace planner::commands {

const json::FieldTable<ErrorSummary>& error_summary_fields() {
  using namespace json;
  using E = ErrorSummary;
  static const FieldTable<E> kTable{
      .type = "errors",
      .doc = "|predicted/measured - 1| over rows",
      .fields = {required("count", &E::count, whole(), "rows"),
                 required("median_abs_pct", &E::median, percent(), "half are within it"),
                 required("mean_abs_pct", &E::mean, percent(), "their mean"),
                 required("p90_abs_pct", &E::p90, percent(), "nine of ten are within it"),
                 required("max_abs_pct", &E::max, percent(), "the worst"),
                 required("bias_pct", &E::bias, percent(), "the median with its sign")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

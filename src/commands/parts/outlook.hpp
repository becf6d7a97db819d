#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/commands/option.hpp"
#include "planner/job/outlook.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/document.hpp"

// Days and dollars as everything that is unknown leaves them, as answers tell it.
namespace planner::commands {

/// Nothing is certain, and half is the expected case.
inline constexpr double kLeastConfidence = 0.5, kMostConfidence = 0.999;

/// `--confidence`.
OptionInfo confidence_info();
template <class Request>
OptionOf<Request> confidence_option(std::optional<double> Request::*at) {
  return between(confidence_info(), at, kLeastConfidence, kMostConfidence);
}

const json::FieldTable<job::Outlook>& outlook_fields();
/// "days_range", "cost_per_run_range_usd", "at_confidence": what most ask of it.
std::vector<json::Field<job::Outlook>> outlook_figures();
/// A figure that is shown where there is an outlook, and passed over when read.
template <class T>
json::Field<T> figure_of(std::optional<job::Outlook> T::*place,
                         const json::Field<job::Outlook>& figure) {
  return {figure.key,
          figure.doc,
          false,
          [](const json::JsonNode&, T&, const json::ReadContext&) { return true; },
          [place, figure](const T& from, json::Json& object) {
            if (from.*place) figure.write(*(from.*place), object);
          },
          figure.describe};
}
/// All of these, of an answer's outlook.
template <class T>
std::vector<json::Field<T>> fields_of_outlook(std::optional<job::Outlook> T::*place) {
  std::vector<json::Field<T>> fields;
  for (json::Field<job::Outlook>& figure : outlook_figures()) {
    json::Field<T> field = figure_of(place, std::move(figure));
    fields.push_back(std::move(field));
  }
  fields.push_back(json::optional("outlook", place, json::object(outlook_fields()),
                                  "with everything that is not known"));
  return fields;
}

/// "90 of 100".
std::string of_hundred(double share);
/// " (80 %: 69.5–96.3 days)"; empty without a range.
std::string range_words(const std::optional<Estimate<Seconds>>& range);
/// "94.1–120 days"; "$36.2 M–$64.2 M".
present::Cell range_cell(const Estimate<Seconds>& range);
present::Cell range_cell(const Estimate<Usd>& range, bool at_least = false);

/// What of an outlook are lower bounds.
struct LowerBounds {
  bool money = false;     ///< lines have no price
  bool expected = false;  ///< the run as expected: it counts no stall of checkpoints
};
/// "How sure" and "What decides"; nothing where nothing is unknown.
/// @param run_money  what the cost of the run stands on: ", at 9 % a year, after tax"
void add_outlook(const job::Outlook& outlook, LowerBounds bounds, present::Document& document,
                 const std::string& run_money = {});
/// "What decides" alone.
/// @param name  of the cluster, where there are several
void add_what_decides(const job::Outlook& outlook, const std::string& name,
                      present::Document& document);
/// The causes as bars from end to end, of the dollars of the run, else of the total cost, else of
/// the days; nothing without two causes.
std::optional<present::Chart> decides_chart(const job::Outlook& outlook, const std::string& name);

}  // namespace planner::commands

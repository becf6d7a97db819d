#pragma once

#include <string>
#include <vector>

#include "planner/report/answer_view.hpp"

// What Markdown and CSV are made of: an answer as titled tables whose numbers are still numbers.
namespace planner {

/// Cells are strings, numbers, booleans or null (not known); units are in the header.
struct DataTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<Json>> rows{};
};

struct Document {
  std::string title;
  std::vector<std::string> paragraphs{};  ///< under the title
  std::vector<DataTable> tables{};
  std::vector<std::string> notes{};
};

/// The answer as a report to read, its warnings among the notes.
/// @throws InputError "not-an-answer" where a saved answer lacks what the report is about
Document document_of(const Json& answer);

/// The answer as one table for other programs.
DataTable data_of(const Json& answer);

/// What is at the path, which the report cannot do without.
/// @throws InputError "not-an-answer"
const Json& needed(const Json& json, std::initializer_list<std::string_view> path);
const Json& needed_array(const Json& json, std::initializer_list<std::string_view> path);

/// Adds the strings of a list that are not there yet.
void add_texts(const Json& list, std::vector<std::string>& texts);

/// Says what an answer without a single cluster lacks.
void needed_bill(const Json& answer);

/// What routing leaves to each collective in each scope.
DataTable collective_table(const Json& routed);
/// Which second of which step buys most.
DataTable improvement_table(const Json& reliability);

// One command each.
Document cluster_document(const Json& answer);
DataTable cluster_data(const Json& answer);

/// "USD", or "relative" for a cluster or network of relative prices.
std::string currency_of(const Json& priced);
/// A bill: item, category, quantity, unit price, total, power, source, date.
DataTable bill_table(const Json& priced);
/// Writes "no price" or "included" where a bill has no total, for people.
void name_missing_prices(DataTable& bill);

/// One row of clusters side by side.
struct Fact {
  std::string name;
  std::string unit;  ///< may be empty
  std::vector<Json> values;
  std::vector<bool> at_least{};  ///< of each value: a lower bound, since prices or powers miss
};
std::vector<Fact> cluster_facts(const std::vector<Json>& clusters);

}  // namespace planner

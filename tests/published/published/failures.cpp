// The goodput rows of `planner validate published`: what is reproduced, and what is not, and why.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "planner/published/published.hpp"

using namespace planner;
using namespace planner::published;

TEST_CASE("published goodput: all but the figures that do not follow from their inputs") {
  const std::set<std::string> different{
      "RSC-1, 1024 GPUs, mean time to failure", "effective training time, exact",
      "checkpoint overhead, 100 s every 2 h", "June, total, exponential failures"};
  std::set<std::string> found;
  for (const Check& row : failures()) {
    CAPTURE(row.quantity);
    CAPTURE(row.ours);
    const bool only_arithmetic = row.quantity == "loss at a failure, 3,000 GPUs" ||
                                 row.quantity == "checkpoint overhead, 100 s every 2 h";
    CHECK(row.kind == (only_arithmetic ? Kind::arithmetic : Kind::goodput));
    if (row.reproduced()) continue;
    found.insert(row.quantity);
    CHECK_FALSE(row.note.empty());
  }
  CHECK(found == different);
}

TEST_CASE("published goodput: figures with free or inverted inputs say so") {
  for (const Check& row : failures()) {
    if (row.id == "c4_table_3") CHECK(row.note.find("CIRCULAR") != std::string::npos);
    if (row.id == "llama3_effective") CHECK_FALSE(row.note.empty());
  }
}

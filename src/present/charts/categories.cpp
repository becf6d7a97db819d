#include <algorithm>

#include "planner/domain/plan_parts.hpp"
#include "planner/present/charts/charts.hpp"

namespace planner::present {

namespace {

/// Those of a plan's parts, in the order of the bars.
template <class Part>
std::vector<Category> categories_of(std::span<const Part> rows) {
  std::vector<Part> parts(rows.begin(), rows.end());
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.place < b.place; });
  std::vector<Category> categories;
  for (const Part& part : parts) {
    categories.push_back(category(part.key, part.label, part.shade));
  }
  return categories;
}

}  // namespace

const std::vector<Category>& part_categories() {
  static const std::vector<Category> kParts{
      category("compute", "GPUs and nodes", Shade::blue),
      category("nics", "network cards", Shade::brown),
      category("switches", "switches", Shade::dark_orange),
      category("transceivers", "transceivers", Shade::orange),
      category("cables", "cables", Shade::light_orange),
      category("network", "network as a whole", Shade::dark_orange),
      category("storage", "storage", Shade::grey),
      category("facility", "facility", Shade::light_grey),
      category("other", "other", Shade::pale_grey),
  };
  return kParts;
}

const std::vector<Category>& time_terms() {
  static const std::vector<Category> kTerms = categories_of(time_parts());
  return kTerms;
}

const std::vector<Category>& memory_categories() {
  static const std::vector<Category> kParts = categories_of(memory_parts());
  return kParts;
}

}  // namespace planner::present

#include "planner/published/rows.hpp"

#include <utility>

namespace planner::published {

Check computed(const char* id, std::string source, std::string quantity, const char* unit,
               double published, double ours, double tolerance, std::string note) {
  return {.id = id,
          .source = std::move(source),
          .quantity = std::move(quantity),
          .unit = unit,
          .kind = Kind::computed,
          .published = published,
          .ours = ours,
          .tolerance = tolerance,
          .note = std::move(note)};
}

Check shown(const char* id, std::string source, std::string quantity, const char* unit,
            double published, double ours, std::string note) {
  Check check = computed(id, std::move(source), std::move(quantity), unit, published, ours, 0,
                         std::move(note));
  check.kind = Kind::shown;
  return check;
}

}  // namespace planner::published

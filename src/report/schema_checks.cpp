#include "planner/report/result_schemas.hpp"
#include "planner/report/shape.hpp"

namespace planner::result_schemas {

using namespace shape;

Json diff() {
  const Json value{{"type", {"null", "boolean", "number", "string"}}};
  return object({{"a", word()},
                 {"b", word()},
                 {"same", count()},
                 {"rows", list_of(object({{"section", word()},
                                          {"name", word()},
                                          {"a", value},
                                          {"b", value},
                                          {"difference", or_null(figure())},
                                          {"difference_pct", or_null(figure())}}))}});
}

}  // namespace planner::result_schemas

#include "planner/domain/economics.hpp"

#include <algorithm>

namespace planner {

std::string_view name_of(RentTerm term) {
  switch (term) {
    case RentTerm::on_demand:
      return "on-demand";
    case RentTerm::one_year:
      return "one-year";
    case RentTerm::three_years:
      return "three-years";
  }
  return "";
}

std::string_view name_of(Depreciation method) {
  switch (method) {
    case Depreciation::straight_line:
      return "straight-line";
    case Depreciation::double_declining:
      return "double-declining";
  }
  return "";
}

const CloudPrice* rent_of(const Economics& economics, std::string_view accelerator, RentTerm term) {
  const auto found =
      std::find_if(economics.cloud.begin(), economics.cloud.end(), [&](const CloudPrice& price) {
        return price.accelerator == accelerator && price.term == term;
      });
  return found == economics.cloud.end() ? nullptr : &*found;
}

}  // namespace planner

#include "planner/report/lost_causes.hpp"

#include <algorithm>

namespace planner {

std::string cause_in_words(std::string_view key) {
  const auto found = std::find_if(kLostCauses.begin(), kLostCauses.end(),
                                  [&](const LostCause& cause) { return cause.key == key; });
  return std::string{found == kLostCauses.end() ? key : found->words};
}

}  // namespace planner

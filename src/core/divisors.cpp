#include "planner/core/divisors.hpp"

namespace planner {

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 1; i <= n / i; ++i) {
    if (n % i == 0) found.push_back(i);
  }
  for (std::size_t i = found.size(); i-- > 0;) {
    if (const std::int64_t large = n / found[i]; large != found[i]) found.push_back(large);
  }
  return found;
}

}  // namespace planner

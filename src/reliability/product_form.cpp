#include "planner/reliability/product_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/reliability/group_flows.hpp"

namespace planner::inline reliability {

namespace {

constexpr std::int64_t kPerDoubling = 16;  // steps of as many numbers
constexpr int kMostDoublings = 24;

}  // namespace

ProductForm::ProductForm(const SparePool& pool) {
  const GroupFlows flows(pool, 1);
  const std::int64_t size = pool.groups.units;
  const double one_lost = flows.loses_unit(real(pool.spares), 0);
  std::int64_t numbers = 1;
  for (std::int64_t first = pool.spares; first >= 0; first -= numbers) {
    const std::int64_t before = pool.spares - first;  // units fewer than there are spares
    // No step has a part of what a group takes only, and what the one before it does.
    const std::int64_t left = size - before % size;
    Step step;
    while (step.doublings < kMostDoublings) {
      const std::int64_t twice = std::int64_t{2} << step.doublings;
      if (twice * kPerDoubling > before + size || (twice > left && left < size)) break;
      ++step.doublings;
    }
    numbers = std::int64_t{1} << step.doublings;
    const double some = real(std::min(numbers, first + 1));
    step.numbers = some;
    const double middle = real(first) - (some - 1) / 2;
    const double fewer = std::max(middle, 0.5);
    const double one = flows.unit_back(fewer) / flows.loses_unit(fewer - 1, 0);
    step.middle = std::pow(one, real(numbers - 1) / 2);
    step.next = std::pow(one, real(numbers));
    step.groups = (before + (numbers - 1) / 2) / size;
    const double groups = real(step.groups);
    const double lost = flows.loses_group(groups) * some;
    // Units that must be back for one group more, on average.
    const double over = numbers < size ? real(left) - (some - 1) / 2 : real(size + 1) / 2;
    step.rate = lost;
    step.hours = lost / (flows.group_back(groups + 1) + flows.unit_back(middle) / over);
    if (left == size) {
      const double alone = one_lost * std::max(1.0, some / real(size));
      step.alone_rate = alone;
      step.alone_hours = alone / (flows.unit_back(real(first) + 1) + flows.group_back(groups));
    }
    steps_.push_back(step);
    most_doublings_ = std::max(most_doublings_, static_cast<std::size_t>(step.doublings));
  }
  for (std::int64_t g = 0; g <= steps_.back().groups; ++g) {
    one_group_.push_back(flows.loses_group(real(g)) / flows.group_back(real(g + 1)));
  }
}

ProductForm::Sum ProductForm::at(double times) const {
  constexpr double kNothing = 1e-14, kLarge = 1e150;
  std::array<double, kMostDoublings + 1> next, middle;  // powers of the rate, by doublings
  next[0] = 1 / times;
  middle[0] = 1;
  const double root = std::sqrt(times);
  for (std::size_t i = 1; i <= most_doublings_; ++i) {
    next[i] = next[i - 1] * next[i - 1];
    middle[i] = next[i - 1] * root;
  }
  double units = 1, groups = 1, up_to = 1, enough = 0, rate = 0, hours = 0;
  std::int64_t g = 0;
  for (const Step& step : steps_) {
    const auto power = static_cast<std::size_t>(step.doublings);
    for (; g < step.groups; ++g) {
      groups *= times * one_group_[static_cast<std::size_t>(g)];
      up_to += groups;
      if (groups > kNothing * up_to) continue;
      groups = 0;
      g = steps_.back().groups;
    }
    const double here = units * step.middle * middle[power];
    enough += here * step.numbers * up_to;
    rate += groups * (here * step.rate + units * step.alone_rate);
    hours += groups * (here * step.hours + units * step.alone_hours);
    units *= step.next * next[power];
    if (units * up_to < kNothing * enough && step.next * next[power] < 1) break;
    if (enough < kLarge) continue;
    units /= kLarge;
    enough /= kLarge;
    rate /= kLarge;
    hours /= kLarge;
  }
  return {times * rate / enough, times * hours / enough};
}

}  // namespace planner::reliability

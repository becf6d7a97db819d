#include "planner/design/rents_told.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "planner/design/exchange.hpp"

namespace planner::design {

namespace {

/// The use of the GPUs: on no network of its own.
SearchedWay use_of(const Rented& one) {
  return told_use({.system = static_cast<std::uint32_t>(one.system), .gpus = one.gpus}, one.time);
}

/// All the rest.
std::string line_of(const Rented& one) {
  return fmt::format("{} {} {} {} {} {} {} {} {} ", one.terms.three_years, one.terms.one_year,
                     one.terms.on_demand_years, one.run.expected.si(), one.run.confident.si(),
                     one.cost.low.in_cents(), one.cost.expected.in_cents(),
                     one.cost.high.in_cents(), one.confident.in_cents());
}

Rented rented_in(const SearchedWay& told, std::istringstream& words, Times& times) {
  const Way& way = told.first;
  const auto number = [&words] {
    std::string word;
    words >> word;
    return number_in(word);
  };
  const auto count = [&words] {
    std::int64_t one = 0;
    words >> one;
    return one;
  };
  const auto money = [&count] { return Money::cents(count()); };
  return {.system = way.system,
          .batch = way.batch,
          .terms = {.three_years = count(), .one_year = count(), .on_demand_years = number()},
          .gpus = way.routed.bought,
          .time = use_told(told, times),
          .run = {.expected = Seconds{number()}, .confident = Seconds{number()}},
          .cost = {.low = money(), .expected = money(), .high = money()},
          .confident = money()};
}

}  // namespace

std::vector<Rented> with_others(std::vector<Rented> own, Times& times) {
  if (times.team() != nullptr) {
    Said told;
    for (const Rented& one : own) {
      told.searches.push_back(use_of(one));
      told.text += line_of(one);
    }
    own.clear();
    for (const Said& of_one : times.team()->say(told)) {
      std::istringstream words(of_one.text);
      for (const SearchedWay& use : of_one.searches) own.push_back(rented_in(use, words, times));
    }
  }
  std::stable_sort(own.begin(), own.end(),
                   [](const Rented& a, const Rented& b) { return a.system < b.system; });
  return own;
}

}  // namespace planner::design

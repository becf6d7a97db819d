#include "planner/design/rents_told.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "planner/design/exchange.hpp"

namespace planner::design {

namespace {

/// The use of the GPUs, in the words of searches.
SearchedWay way_rented(const Rented& one) {
  const BestTime& best = one.time;
  return {{.system = one.system,
           .batch = one.batch,
           .used = best.use.gpus,
           .as_one = best.use.as_one,
           .routed = {.bought = one.gpus}},
          {.best = BestOfWay{.value = best.time, .time = best.time, .strategy = best.strategy}}};
}

/// All the rest.
std::string line_of(const Rented& one) {
  return fmt::format("{} {} {} {} {} {} {} {} {} ", one.terms.three_years, one.terms.one_year,
                     one.terms.on_demand_years, one.run.expected.si(), one.run.confident.si(),
                     one.cost.low.in_cents(), one.cost.expected.in_cents(),
                     one.cost.high.in_cents(), one.confident.in_cents());
}

Rented rented_in(const SearchedWay& searched, std::istringstream& words, Times& times) {
  const auto& [way, known] = searched;
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
          .time = {.batch = way.batch,
                   .time = known.best->time,
                   .strategy = known.best->strategy,
                   .use = times.use_of(way.system, way.used, way.as_one)},
          .run = {.expected = Seconds{number()}, .confident = Seconds{number()}},
          .cost = {.low = money(), .expected = money(), .high = money()},
          .confident = money()};
}

}  // namespace

std::vector<Rented> with_others(std::vector<Rented> own, Times& times) {
  if (times.team() != nullptr) {
    std::vector<SearchedWay> ways;
    std::string lines;
    for (const Rented& one : own) {
      ways.push_back(way_rented(one));
      lines += line_of(one);
    }
    ways = times.team()->share(ways);
    std::string all;
    for (const std::string& text : times.team()->tell(lines)) all += text;
    std::istringstream words(all);
    own.clear();
    for (const SearchedWay& way : ways) own.push_back(rented_in(way, words, times));
  }
  std::stable_sort(own.begin(), own.end(),
                   [](const Rented& a, const Rented& b) { return a.system < b.system; });
  return own;
}

}  // namespace planner::design

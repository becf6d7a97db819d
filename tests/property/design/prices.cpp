// Money at prices that change: what is counted once and priced often is what bills come to, and the
// prices at which another design is the best are those.
#include <doctest/doctest.h>

#include "planner/design/flips.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

/// Other prices, economics and value of what is owned; of the same designs.
Space at_other_prices(Random& random, const Space& space) {
  Space other = space;
  const Economics economics = random_economics(random);
  const auto rack_rental = other.economics.rack_rental;
  other.economics = economics;
  other.economics.rack_rental = rack_rental;
  if (random.coin()) other.economics.cost_of_capital = random.uniform(0, 0.1);
  for (Price& price : other.book.prices) {
    if (random.below(3) == 0) price.amount = random_price(random, 10, 1e5);
    if (random.below(40) == 0) price.amount.reset();
  }
  for (SystemOption& option : other.systems) {
    option.owned.node = Money::cents(option.owned.node.in_cents() * 3 / 2);
  }
  return other;
}

void check_same(const BoughtResult& one, const BoughtResult& other) {
  REQUIRE(one.index() == other.index());
  if (const auto* const unpriced = std::get_if<Unpriced>(&one)) {
    CHECK(std::get<Unpriced>(other).what == unpriced->what);
  }
  const auto* const a = std::get_if<Bought>(&one);
  const auto* const b = std::get_if<Bought>(&other);
  if (a == nullptr) return;
  CHECK(a->gpus == b->gpus);
  CHECK(a->capex == b->capex);
  CHECK(a->tco == b->tco);
  CHECK(a->financed == b->financed);
  CHECK(a->power == b->power);
  CHECK(a->per_gpu_hour == b->per_gpu_hour);
  CHECK(a->network.tiers == b->network.tiers);
  CHECK(a->network.rails_apart == b->network.rails_apart);
  CHECK(a->network.ports == b->network.ports);
  CHECK(a->lead == b->lead);
  REQUIRE((a->parts == nullptr) == (b->parts == nullptr));
  if (a->parts) CHECK(*a->parts == *b->parts);
}

}  // namespace

TEST_CASE("quantities times prices are what bills come to, to the last bit") {
  Random random(90);
  int priced = 0, unpriced = 0, impossible = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    CountedDesigns counted(space);
    for (int again = 0; again < 3; ++again) {
      CAPTURE(again);
      const Space now = again == 0 ? space : at_other_prices(random, space);
      PricedDesigns designs(now, counted);
      for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
        const SystemOption& option = space.systems[s];
        for (const std::int64_t gpus : gpu_counts(option, space.gpus)) {
          for (std::uint32_t n = 0; n < option.networks.size(); ++n) {
            const DesignId id{.system = s, .gpus = gpus, .network = n};
            const BoughtResult result = designs.of(id);
            check_same(bought(now, id), result);
            priced += std::holds_alternative<Bought>(result) ? 1 : 0;
            unpriced += std::holds_alternative<Unpriced>(result) ? 1 : 0;
            impossible += std::holds_alternative<NoSuchNetwork>(result) ? 1 : 0;
          }
        }
      }
    }
  }
  MESSAGE(priced, " priced, ", unpriced, " not, ", impossible, " that cannot be built");
  CHECK(priced > 5000);
  CHECK(unpriced > 100);
  CHECK(impossible > 100);
}

TEST_CASE("a network that is counted once is as fast for each system as by itself") {
  Random random(92);
  int slower = 0, full = 0;
  for (int round = 0; round < 40; ++round) {
    Space space = random_space(random);
    space.systems.push_back(space.systems.front());
    for (RunOn& run : space.systems.back().runs) {
      run.job.system.network_bandwidth = random.scale(3, 200) * units::GBps;
    }
    CountedDesigns counted(space);
    for (std::uint32_t s = 0; s < space.systems.size(); ++s) {
      for (std::uint32_t n = 0; n < space.systems[s].networks.size(); ++n) {
        const DesignId id{.system = s, .gpus = space.systems[s].node.accelerators, .network = n};
        Buildable of = buildable(space, id);
        const auto count = counted_network(id, of);
        const auto* const known = counted.network_of(id);
        REQUIRE(count.has_value() == (known != nullptr));
        if (known == nullptr) continue;
        CHECK(*known->speed == network_speed(space, id, *count));
        (known->speed->ports ? slower : full) += 1;
      }
    }
  }
  CHECK(slower > 30);
  CHECK(full > 100);
}

TEST_CASE("up to its winning price a system is the best, and not at a cent more") {
  Random random(91);
  int won = 0, never = 0, limited = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    Question question{.goals = {{.measure = random.coin() ? Measure::tco : Measure::run_cost},
                                {.measure = Measure::days}}};
    Times times(space, 1);
    Learnt learnt(space, question.confidence);
    const Outcome best = find_designs(space, question, times, {}, &learnt);
    if (best.found.empty() || space.systems.size() < 2) continue;
    const double to_beat = figure(best.found.front().judged, question.goals.front());
    const bool has_limits = random.coin();
    if (has_limits) question.limits = random_limits(random, best.found.front().judged);
    for (std::size_t s = 0; s < space.systems.size(); ++s) {
      if (s == best.found.front().place.id.system) continue;
      question.system = s;
      const Outcome now = find_designs(space, question, times, {}, &learnt);
      const auto price =
          winning_price(space, s, question, now.found.empty() ? nullptr : &now.found.front(),
                        to_beat, times, {}, learnt);
      CHECK(price == winning_price(space, s, question, nullptr, to_beat, times, {}, learnt));
      const auto wins = [&](std::int64_t cents) {
        Space other = space;
        std::erase_if(other.book.prices,
                      [&](const Price& one) { return one.part == space.systems[s].node.name; });
        add_price(other.book, space.systems[s].node.name,
                  Estimate<Money>::exactly(Money::cents(cents)));
        Times own(other, 1);
        const Outcome outcome = look_at_every(other, question, own);
        return !outcome.found.empty() &&
               figure(outcome.found.front().judged, question.goals.front()) < to_beat;
      };
      if (!price) {
        ++never;
        CHECK_FALSE(wins(0));
        continue;
      }
      const std::int64_t cents = Money::from_dollars(*price)->in_cents();
      if (cents > 99'999'999'000) continue;  // at any
      ++won;
      limited += has_limits ? 1 : 0;
      CHECK(wins(cents));
      CHECK_FALSE(wins(cents + 1));
    }
  }
  MESSAGE(won, " win at some price, ", limited, " of them within limits, ", never, " never");
  CHECK(won > 15);
  CHECK(limited > 1);
  CHECK(never > 10);
}

TEST_CASE("at the price where the best changes it does, and a little before it does not") {
  Random random(92);
  int turns = 0, stays = 0;
  for (int round = 0; round < 90; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    const Question question{.goals = {{.measure = Measure::tco}, {.measure = Measure::days}}};
    Times times(space, 1);
    Learnt learnt(space, question.confidence);
    const Outcome best = find_designs(space, question, times, {}, &learnt);
    if (best.found.empty()) continue;
    const Place& place = best.found.front().place;
    for (const Flip& flip : flips(space, question, best.found.front(), times, {}, learnt)) {
      const auto entry = std::find_if(space.book.prices.begin(), space.book.prices.end(),
                                      [&](const Price& price) { return price.part == flip.part; });
      if (entry == space.book.prices.end()) continue;
      CAPTURE(flip.part);
      const auto best_at = [&](double dollars) {
        Space other = space;
        Estimate<Money>& amount =
            *other.book.prices[static_cast<std::size_t>(entry - space.book.prices.begin())].amount;
        const double factor = dollars / flip.now;
        const auto times_factor = [&](Money one) {
          return *Money::from_dollars(factor * one.dollars());
        };
        amount = {times_factor(amount.low), times_factor(amount.expected),
                  times_factor(amount.high)};
        Times own(other, 1);
        return find_designs(other, question, own).found.front().place;
      };
      for (const auto& turn : {flip.below, flip.above}) {
        if (!turn) {
          ++stays;
          continue;
        }
        ++turns;
        CHECK(best_at(turn->at) == turn->best.place);
        CHECK(turn->best.place != place);
        CHECK(best_at(turn->at > flip.now ? turn->at / 1.006 : turn->at * 1.006) == place);
      }
    }
  }
  MESSAGE(turns, " turns, ", stays, " ends without");
  CHECK(turns > 5);
  CHECK(stays > 5);
}

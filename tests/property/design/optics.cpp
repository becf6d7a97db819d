// Optics that are left out of a space are worth buying in no network: neither as prices are nor
// where a part of a better one gets dearer.
#include <doctest/doctest.h>

#include "planner/design/networks.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

/// Some of each kind, as close to each other as those of a catalog are.
std::vector<Optic> random_optics(Random& random, PriceBook& book) {
  std::vector<Optic> optics{
      {.name = "multimode", .kind = OpticKind::fibre, .reach_m = 50, .power = Watts{}},
      {.name = "single-mode", .kind = OpticKind::fibre, .power = Watts{}}};
  const auto add = [&](OpticKind kind, std::int64_t ports) {
    optics.push_back({.name = "optic-" + std::to_string(optics.size()),
                      .kind = kind,
                      .ports = ports,
                      .port_gbps = 400,
                      .reach_m = random.pick(std::vector<double>{50, 500}),
                      .power = random.pick(std::vector<double>{8, 9, 10}) * units::W});
  };
  for (int i = 0; i < 5; ++i) add(OpticKind::transceiver, random.pick({1, 2}));
  for (int i = 0; i < 2; ++i) add(OpticKind::active_optical, 1);
  for (const Optic& one : optics) {
    const bool cable = one.kind != OpticKind::transceiver;
    const double dearest = one.kind == OpticKind::active_optical ? 1600 : cable ? 120 : 700;
    add_price(book, one.name, random_price(random, 0.6 * dearest, dearest));
  }
  return optics;
}

/// All links that there are, whether they are worthwhile or not: of each optic alone there is one.
std::vector<OpticsOption> every_link(const std::vector<Optic>& optics, const Space& space) {
  std::vector<OpticsOption> links;
  for (const Optic& optic : optics) {
    if (optic.kind == OpticKind::fibre) continue;
    for (OpticsOption& link :
         worthwhile_optics({optic, optics[0], optics[1]}, space.book, economics_of_parts(space))) {
      links.push_back(std::move(link));
    }
  }
  return links;
}

Space with_networks(Space space, const std::vector<OpticsOption>& optics) {
  const SwitchModel model{.name = "switch", .ports = 64, .port_gbps = 400, .power = 700 * units::W};
  for (SystemOption& option : space.systems) {
    option.networks =
        open_networks(option.system(), option.node, {.switches = {model}, .optics = optics});
  }
  return space;
}

}  // namespace

TEST_CASE("no network of what is left out costs less or keeps a limit that others do not") {
  Random random(92);
  int left_out = 0, kept_twice = 0, compared = 0, limited = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    Space space = random_space(random);
    space.stand = nullptr;
    space.failures.reset();
    space.routing.reset();
    space.gpus.to = 96;
    // Nodes that cost next to nothing: what decides is the network.
    for (Price& price : space.book.prices) {
      if (price.part.starts_with("node")) price.amount = random_price(random, 1, 10);
    }
    for (SystemOption& option : space.systems) option.owned = {};
    space.owned_value = {};
    const std::vector<Optic> optics = random_optics(random, space.book);
    const auto worthwhile = worthwhile_optics(optics, space.book, economics_of_parts(space));
    const auto every = every_link(optics, space);
    REQUIRE(worthwhile.size() <= every.size());
    left_out += worthwhile.size() < every.size() ? 1 : 0;
    kept_twice += worthwhile.size() > 1 ? 1 : 0;
    Space some = with_networks(space, worthwhile), all = with_networks(space, every);
    if (random.coin()) {
      const std::string dearer = optics[static_cast<std::size_t>(random.below(9))].name;
      const double factor = random.uniform(1, 3);
      for (Space* const one : {&some, &all}) {
        for (Price& price : one->book.prices) {
          if (price.part != dearer) continue;
          const auto times = [factor](Money amount) {
            return *Money::from_dollars(factor * amount.dollars());
          };
          price.amount = Estimate<Money>{times(price.amount->low), times(price.amount->expected),
                                         times(price.amount->high)};
        }
      }
    }
    Question question = random_question(random);
    question.front = false;
    if (random.coin()) question.goals = {{.measure = Measure::capex, .confident = random.coin()}};
    question.top = 1;
    const auto best_of = [&](const Space& of) {
      Times times(of, 1);
      return find_designs(of, question, times).found;
    };
    for (const bool limits : {false, true}) {
      const std::vector<Found> best = best_of(all), same = best_of(some);
      if (best.empty()) break;
      REQUIRE(same.size() == 1);
      const double least = figure(best.front().judged, question.goals.front());
      constexpr double kCents = 10;  // that lines of a bill are rounded by
      CHECK(figure(same.front().judged, question.goals.front()) <=
            least + 1e-9 * std::abs(least) + kCents);
      ++compared;
      limited += limits ? 1 : 0;
      question.limits = random_limits(random, best.front().judged);
    }
  }
  MESSAGE(left_out, " leave some out, ", kept_twice, " keep several, ", compared, " compared, ",
          limited, " of them within limits");
  CHECK(left_out > 50);
  CHECK(kept_twice > 50);
  CHECK(limited > 50);
}

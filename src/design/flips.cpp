#include "planner/design/flips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <sstream>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/each_system.hpp"
#include "planner/design/exchange.hpp"

namespace planner::design {

namespace {

/// A value is found to this share.
constexpr double kClose = 1.0005;
constexpr double kWithoutRange = 2;  // what has no range is halved and doubled

Estimate<Money> scaled(const Estimate<Money>& price, double factor) {
  const auto times = [factor](const Money& amount) {
    return Money::from_dollars(factor * amount.dollars()).value_or(amount);
  };
  return {times(price.low), times(price.expected), times(price.high)};
}

Price* price_of(PriceBook& book, const std::string& part) {
  const auto found = std::find_if(book.prices.begin(), book.prices.end(),
                                  [&](const Price& price) { return price.part == part; });
  return found == book.prices.end() || !found->amount ? nullptr : &*found;
}

/// What a design is bought as, each once.
std::vector<std::string> parts_of(const SystemOption& option, const FabricParts& parts) {
  std::vector<std::string> names{option.node.name};
  for (const auto& name :
       {parts.switches, parts.upper_switches, parts.switch_module, parts.nic_module, parts.copper,
        parts.active_optical, parts.fibre, parts.quote}) {
    if (name && std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  }
  return names;
}

/// The factor closest to 1 at which another design is found, between 1 and `end`.
std::optional<std::pair<double, Found>> turn(
    double end, const std::function<std::optional<Found>(double factor)>& other_at) {
  if (end == 1) return std::nullopt;
  auto other = other_at(end);
  if (!other) return std::nullopt;
  double same = 1, turned = end;
  while (std::max(same / turned, turned / same) > kClose) {
    const double middle = std::sqrt(same * turned);
    if (auto found = other_at(middle)) {
      turned = middle;
      other = std::move(found);
    } else {
      same = middle;
    }
  }
  return std::pair{turned, *std::move(other)};
}

/// A price of a space that is changed.
struct Varied {
  using Turned = std::optional<std::pair<double, Found>>;

  Flip flip;
  std::function<void(double factor)> change;
  Turned below{}, above{};  ///< the factor, and what wins from there on
};

/// A flip's turn, from its factor and what wins from there on.
std::optional<Flip::Turn> turn_of(const Flip& flip, Varied::Turned turned) {
  if (!turned) return std::nullopt;
  return Flip::Turn{flip.now * turned->first, std::move(turned->second)};
}

/// @param changed  the space whose prices they change; outlives them
std::vector<Varied> varied_prices(const Space& space, const Found& best, Space& changed) {
  const auto range_of = [](double low, double now, double high) {
    if (low < now || now < high) return Flip{.part = {}, .now = now, .low = low, .high = high};
    return Flip{.part = {}, .now = now, .low = now / kWithoutRange, .high = kWithoutRange * now};
  };
  std::vector<Varied> all;
  const SystemOption& option = space.systems[best.place.id.system];
  for (const std::string& part :
       parts_of(option, option.networks[best.place.id.network].choice.parts)) {
    Price* const price = price_of(changed.book, part);
    if (price == nullptr || price->amount->expected.dollars() <= 0) continue;
    const Estimate<Money> before = *price->amount;
    Flip flip = range_of(before.low.dollars(), before.expected.dollars(), before.high.dollars());
    flip.part = part;
    all.push_back({flip, [=](double factor) { price->amount = scaled(before, factor); }});
  }
  if (const auto& price = space.economics.electricity; price) {
    const auto per_kwh = [](UsdPerJoule rate) { return (rate * units::kWh).si(); };
    const Flip flip = range_of(per_kwh(price->low), per_kwh(price->expected), per_kwh(price->high));
    if (flip.now > 0) {
      all.push_back({flip, [&changed, before = *price](double factor) {
                       changed.economics.electricity = Estimate<UsdPerJoule>{
                           factor * before.low, factor * before.expected, factor * before.high};
                     }});
    }
  }
  for (SystemOption& owning : changed.systems) {
    const Money before = owning.owned.node;
    if (owning.owned.nodes == 0 || before.dollars() <= 0) continue;
    Flip flip = range_of(before.dollars(), before.dollars(), before.dollars());
    flip.part = owning.node.name + ", owned";
    all.push_back({flip, [&, before](double factor) {
                     owning.owned.node = scaled(Estimate<Money>::exactly(before), factor).expected;
                     const std::int64_t more = owning.owned.node.in_cents() - before.in_cents();
                     changed.owned_value =
                         Money::cents(space.owned_value.in_cents() + owning.owned.nodes * more);
                   }});
  }
  return all;
}

/// What each process has found, to all.
/// @param changed  the space whose prices they change
void tell_turns(std::vector<Varied>& all, const Space& changed, double confidence, Times& times,
                Learnt& learnt) {
  constexpr std::array kSides{&Varied::below, &Varied::above};
  Said own;
  for (std::size_t price = 0; price < all.size(); ++price) {
    for (std::size_t side = 0; side < kSides.size(); ++side) {
      const Varied::Turned& turned = all[price].*kSides[side];
      if (!turned) continue;
      own.text += fmt::format("{} {} {} ", price, side, turned->first);
      const std::vector<SearchedWay> uses = Exchange::told({turned->second});
      own.searches.insert(own.searches.end(), uses.begin(), uses.end());
    }
  }
  const Team& team = *times.team();
  const std::vector<Said> said = team.say(own);
  for (std::size_t rank = 0; rank < said.size(); ++rank) {
    if (rank == team.rank) continue;
    std::istringstream words(said[rank].text);
    auto use = said[rank].searches.begin();
    std::size_t price = 0, side = 0;
    for (std::string factor; words >> price >> side >> factor;) {
      const auto end = use + static_cast<std::ptrdiff_t>(changed.tokens.size());
      all[price].change(number_in(factor));
      std::vector<Found> found = Exchange(changed, confidence, times, learnt).heard({use, end});
      all[price].*kSides[side] = std::pair{number_in(factor), std::move(found.front())};
      all[price].change(1);
      use = end;
    }
  }
  Exchange(changed, confidence, times, learnt).end();
}

}  // namespace

std::vector<Flip> flips(const Space& space, Question question, const Found& best, Times& times,
                        const Control& control, Learnt& learnt) {
  question.top = 1;
  question.uncounted = true;
  Space changed = space;
  std::vector<Varied> all = varied_prices(space, best, changed);
  const auto look_at = [&](std::size_t price, const Control& of_one) {
    Varied& varied = all[price];
    // What wins in the place of the best; nothing: it stays.
    const auto other_at = [&](double factor) -> std::optional<Found> {
      varied.change(factor);
      const Outcome outcome = find_designs(changed, question, times, of_one, &learnt);
      if (!outcome.certificate.proved()) throw Interrupted();
      if (outcome.found.empty()) return std::nullopt;
      const Found& found = outcome.found.front();
      return found.place == best.place ? std::nullopt : std::optional(found);
    };
    varied.below = turn(varied.flip.low / varied.flip.now, other_at);
    varied.above = turn(varied.flip.high / varied.flip.now, other_at);
    varied.change(1);
  };
  if (times.team() != nullptr && enough_systems(space, times)) {
    if (ask_in_turn(all.size(), times, control, look_at)) {
      share_searches(times);
      throw Interrupted();
    }
    tell_turns(all, changed, question.confidence, times, learnt);
  } else {
    for (std::size_t price = 0; price < all.size(); ++price) look_at(price, control);
  }
  std::vector<Flip> found;
  for (Varied& one : all) {
    one.flip.below = turn_of(one.flip, std::move(one.below));
    one.flip.above = turn_of(one.flip, std::move(one.above));
    found.push_back(std::move(one.flip));
  }
  return found;
}

namespace {

/// A space in which the node of one system has a firm price.
class AtPrice {
 public:
  AtPrice(const Space& space, std::size_t system, const Question& question, double to_beat,
          Learnt& learnt)
      : space_(space),
        question_(question),
        to_beat_(to_beat),
        learnt_(learnt),
        judge_(space_, question.confidence) {
    const std::string& node = space.systems[system].node.name;
    std::vector<Price>& prices = space_.book.prices;
    std::erase_if(prices, [&](const Price& price) { return price.part == node; });
    prices.push_back({.part = node, .amount = Estimate<Money>{}});
  }
  AtPrice(const AtPrice&) = delete;
  AtPrice& operator=(const AtPrice&) = delete;

  const Space& space(std::int64_t cents) {
    space_.book.prices.back().amount = Estimate<Money>::exactly(Money::cents(cents));
    return space_;
  }

  [[nodiscard]] bool beats(const Judged& judged) const {
    return figure(judged, question_.goals.front()) < to_beat_;
  }
  /// Whether a design does at a price; its run takes as long at any.
  bool beats(const Found& found, std::int64_t cents) {
    const BoughtResult result = PricedDesigns(space(cents), learnt_.counted).of(found.place.id);
    const auto* const cluster = std::get_if<Bought>(&result);
    if (cluster == nullptr) return false;
    const Judged judged = judge_.judge(*cluster, found.judged.runs);
    return within(judged, question_.limits) && beats(judged);
  }

 private:
  Space space_;
  const Question& question_;
  double to_beat_;
  Learnt& learnt_;
  Judge judge_;
};

}  // namespace

// A design that beats at some price beats at every lower one: neither its money nor what is held
// against limits falls as its node gets dearer. So up to the most at which the best one at a price
// beats, there is one, and where the best at a cent more does not beat, none does. Each step takes
// the least line of all at one price, as Newton's method for such a fraction does (Dinkelbach, On
// nonlinear fractional programming, Management Science 13, 1967): a few are enough.
std::optional<double> winning_price(const Space& space, std::size_t system, Question question,
                                    const Found* now, double to_beat, Times& times,
                                    const Control& control, Learnt& learnt) {
  constexpr std::int64_t kMost = 100'000'000'000;  // cents
  question.top = 1;
  question.uncounted = true;
  question.system = system;
  AtPrice at(space, system, question, to_beat, learnt);
  std::int64_t wins = -1;  // up to so many cents
  /// The most at which a design beats that does at `wins`, or nothing at all does.
  const auto raise = [&](const Found& found) {
    std::int64_t loses = kMost;
    while (loses - wins > 1) {
      const std::int64_t middle = wins + (loses - wins) / 2;
      (at.beats(found, middle) ? wins : loses) = middle;
    }
  };
  if (now != nullptr) raise(*now);
  while (wins + 1 < kMost) {
    const Outcome outcome = find_designs(at.space(wins + 1), question, times, control, &learnt);
    if (!outcome.certificate.proved()) throw Interrupted();
    if (outcome.found.empty() || !at.beats(outcome.found.front().judged)) break;
    ++wins;
    raise(outcome.found.front());
  }
  if (wins < 0) return std::nullopt;
  return Money::cents(wins).dollars();
}

}  // namespace planner::design

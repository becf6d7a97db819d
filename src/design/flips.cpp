#include "planner/design/flips.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "planner/core/diagnostic.hpp"

namespace planner::design {

namespace {

/// A value is found to this share.
constexpr double kClose = 1.005;
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

}  // namespace

std::vector<Flip> flips(const Space& space, Question question, const Found& best, Times& times,
                        const Control& control, Learnt& learnt) {
  question.top = 1;
  question.uncounted = true;
  Space changed = space;
  // What wins in the place of the best; nothing: it stays.
  const auto other = [&]() -> std::optional<Found> {
    const Outcome outcome = find_designs(changed, question, times, control, &learnt);
    if (!outcome.certificate.proved()) throw Interrupted();
    if (outcome.found.empty()) return std::nullopt;
    const Found& found = outcome.found.front();
    return found.place == best.place ? std::nullopt : std::optional(found);
  };
  const auto looked_at = [&](Flip flip, const auto& change) {
    const auto at = [&](double factor) {
      change(factor);
      return other();
    };
    const auto found = [&](double end) -> std::optional<Flip::Turn> {
      auto turned = turn(end / flip.now, at);
      if (!turned) return std::nullopt;
      return Flip::Turn{flip.now * turned->first, std::move(turned->second)};
    };
    flip.below = found(flip.low);
    flip.above = found(flip.high);
    change(1);
    return flip;
  };
  const auto range_of = [](double low, double now, double high) {
    if (low < now || now < high) return Flip{.part = {}, .now = now, .low = low, .high = high};
    return Flip{.part = {}, .now = now, .low = now / kWithoutRange, .high = kWithoutRange * now};
  };

  std::vector<Flip> all;
  const SystemOption& option = space.systems[best.place.id.system];
  for (const std::string& part :
       parts_of(option, option.networks[best.place.id.network].choice.parts)) {
    Price* const price = price_of(changed.book, part);
    if (price == nullptr || price->amount->expected.dollars() <= 0) continue;
    const Estimate<Money> before = *price->amount;
    Flip flip = range_of(before.low.dollars(), before.expected.dollars(), before.high.dollars());
    flip.part = part;
    all.push_back(looked_at(flip, [&](double factor) { price->amount = scaled(before, factor); }));
  }
  if (const auto& price = space.economics.electricity; price) {
    const auto per_kwh = [](UsdPerJoule rate) { return (rate * units::kWh).si(); };
    const Flip flip = range_of(per_kwh(price->low), per_kwh(price->expected), per_kwh(price->high));
    if (flip.now > 0) {
      all.push_back(looked_at(flip, [&](double factor) {
        changed.economics.electricity = Estimate<UsdPerJoule>{
            factor * price->low, factor * price->expected, factor * price->high};
      }));
    }
  }
  for (SystemOption& owning : changed.systems) {
    const Money before = owning.owned.node;
    if (owning.owned.nodes == 0 || before.dollars() <= 0) continue;
    Flip flip = range_of(before.dollars(), before.dollars(), before.dollars());
    flip.part = owning.node.name + ", owned";
    all.push_back(looked_at(flip, [&](double factor) {
      owning.owned.node = scaled(Estimate<Money>::exactly(before), factor).expected;
      const std::int64_t more = owning.owned.node.in_cents() - before.in_cents();
      changed.owned_value = Money::cents(space.owned_value.in_cents() + owning.owned.nodes * more);
    }));
  }
  return all;
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

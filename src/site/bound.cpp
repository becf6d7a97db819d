#include "planner/site/bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace planner::site {
namespace {

/// Distances from one place to the others, the nearest `number` of them in order.
using Nearest = std::function<void(std::size_t place, std::size_t number, std::vector<double>&)>;

/// So many flows alike.
struct FlowsAlike {
  double flow = 0;
  std::size_t number = 0;

  auto operator<=>(const FlowsAlike&) const = default;
};
/// Flows of hubs, largest first, and how many hubs have them.
using Alike = std::map<std::vector<FlowsAlike>, std::size_t>;

/// Those of a hub on a place: the largest to the nearest.
/// @param near  sums of the distances to the nearest racks, from none on
double star_on(const std::vector<FlowsAlike>& flows, const std::vector<double>& near) {
  double cost = 0;
  std::size_t from = 0;
  for (const FlowsAlike& alike : flows) {
    const std::size_t to = std::min(from + alike.number, near.size() - 1);
    cost += alike.flow * (near[to] - near[from]);
    from = to;
  }
  return cost;
}

/// Least metres of stars of hubs. All are asked for first and answered together, for the distances
/// of a place need long to sort.
class Stars {
 public:
  /// The stars of the rows, the flow of a rack to itself left out. @return their number
  std::size_t ask(const Rows& rows) {
    Alike alike;
    for (std::size_t hub = 0; hub < rows.size(); ++hub) {
      std::vector<double> flows;
      for (const auto& [rack, flow] : rows[hub]) {
        // Rounded as little as it takes to see that hubs are alike, and always down.
        if (static_cast<std::size_t>(rack) != hub) flows.push_back(std::floor(flow * 1e6) / 1e6);
      }
      if (flows.empty()) continue;
      std::sort(flows.begin(), flows.end(), std::greater<>());
      longest_ = std::max(longest_, flows.size());
      std::vector<FlowsAlike> counted;
      for (const double flow : flows) {
        if (counted.empty() || counted.back().flow != flow) counted.push_back({flow, 0});
        ++counted.back().number;
      }
      ++alike[std::move(counted)];
    }
    asked_.push_back(std::move(alike));
    return asked_.size() - 1;
  }

  /// The answers, by number.
  [[nodiscard]] std::vector<double> answer(std::size_t places, const Nearest& nearest) const {
    std::vector<std::vector<double>> costs;  // by kind of hub, of all that was asked; then by place
    for (const Alike& alike : asked_) costs.resize(costs.size() + alike.size());
    std::vector<double> near;
    for (std::size_t place = 0; place < places; ++place) {
      nearest(place, longest_, near);
      near.insert(near.begin(), 0);
      std::partial_sum(near.begin(), near.end(), near.begin());
      std::size_t kind = 0;
      for (const Alike& alike : asked_) {
        for (const auto& [flows, hubs] : alike) costs[kind++].push_back(star_on(flows, near));
      }
    }
    std::vector<double> sums;
    std::size_t kind = 0;
    for (const Alike& alike : asked_) {
      sums.push_back(0);
      for (const auto& [flows, hubs] : alike) {
        std::vector<double>& cost = costs[kind++];
        const auto end = cost.begin() + static_cast<std::ptrdiff_t>(std::min(hubs, cost.size()));
        std::partial_sort(cost.begin(), end, cost.end());
        sums.back() += std::accumulate(cost.begin(), end, 0.0);
      }
    }
    return sums;
  }

 private:
  std::vector<Alike> asked_;
  std::size_t longest_ = 0;
};

/// A sum of stars, each with a factor.
using StarSum = std::vector<std::pair<double, std::size_t>>;

double value(const StarSum& sum, const std::vector<double>& stars) {
  double all = 0;
  for (const auto& [factor, star] : sum) all += factor * stars[star];
  return all;
}

std::vector<double> row_sums(const Rows& rows) {
  std::vector<double> sums(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [rack, flow] : rows[i]) sums[i] += flow;
  }
  return sums;
}

std::vector<double> column_sums(const Rows& rows) {
  std::vector<double> sums(rows.size(), 0);
  for (const Row& row : rows) {
    for (const auto& [rack, flow] : row) sums[rack] += flow;
  }
  return sums;
}

Rows transposed(const Rows& rows) {
  Rows out(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [rack, flow] : rows[i]) {
      out[rack].emplace_back(static_cast<std::int32_t>(i), flow);
    }
  }
  return out;
}

/// Every row over its own sum.
Rows shares(Rows rows, const std::vector<double>& sums) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (auto& [rack, flow] : rows[i]) flow /= sums[i];
  }
  return rows;
}

/// The product of two sparse matrices.
Rows times(const Rows& a, const Rows& b) {
  Rows out(a.size());
  std::vector<double> row(b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].empty()) continue;
    std::vector<std::int32_t> touched;
    for (const auto& [middle, flow] : a[i]) {
      for (const auto& [end, part] : b[middle]) {
        if (row[end] == 0) touched.push_back(end);
        row[end] += flow * part;
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const std::int32_t end : touched) {
      if (row[end] != 0) out[i].emplace_back(end, row[end]);
      row[end] = 0;
    }
  }
  return out;
}

/// Links up over links down of the hubs of `below`: the least and the most.
struct Carried {
  double least = 0, most = 0;
};
Carried carried(const std::vector<double>& down, const std::vector<double>& up) {
  Carried of{.least = 1e300, .most = 0};
  for (std::size_t i = 0; i < down.size(); ++i) {
    if (down[i] <= 0) continue;
    of.least = std::min(of.least, up[i] / down[i]);
    of.most = std::max(of.most, up[i] / down[i]);
  }
  return of;
}

/// chain[i][j]: of the layers i … j together; nothing where it does not hold.
using Chain = std::vector<std::vector<std::optional<StarSum>>>;

Chain chain_of(const std::vector<Rows>& layers, Stars& stars) {
  const std::size_t number = layers.size();
  Chain chain(number, std::vector<std::optional<StarSum>>(number));
  for (std::size_t i = 0; i < number; ++i) {
    Rows paths = layers[i];
    std::size_t star = stars.ask(paths);
    StarSum rest;
    chain[i][i] = StarSum{{1, star}};
    for (std::size_t j = i + 1; j < number; ++j) {
      const std::vector<double> down = row_sums(paths);
      const double share = carried(down, column_sums(layers[j])).most;
      if (share > 1 + 1e-9) break;
      rest.emplace_back(1 - share, star);
      paths = times(layers[j], shares(paths, down));
      star = stars.ask(paths);
      chain[i][j] = rest;
      chain[i][j]->emplace_back(1, star);
    }
  }
  return chain;
}

/// The largest sum over a partition of the layers.
double best_partition(const Chain& chain, const std::vector<double>& stars) {
  std::vector<double> best(chain.size() + 1, 0);
  for (std::size_t end = 1; end <= chain.size(); ++end) {
    for (std::size_t from = 0; from < end; ++from) {
      if (!chain[from][end - 1]) continue;
      best[end] = std::max(best[end], best[from] + value(*chain[from][end - 1], stars));
    }
  }
  return best.back();
}

/// The first layers with the cables of HB domains: each card's cable may start at any rack of its
/// domain, evenly, while two of the domain's cables carry it there.
Chain with_domains(const BoundInput& input, Chain chain, Stars& stars) {
  const Rows spread =
      shares(times(transposed(input.domain), shares(input.domain, row_sums(input.domain))),
             column_sums(input.domain));
  Rows paths = times(input.chain.front(), spread);
  chain[0].assign(chain.size(), std::nullopt);
  chain[0][0] = StarSum{{1, stars.ask(paths)}};
  for (std::size_t j = 1; j < input.chain.size(); ++j) {
    const std::vector<double> down = row_sums(paths);
    const Carried share = carried(down, column_sums(input.chain[j]));
    if (share.most > 1 + 1e-9 || share.least < 1 - 1e-9) break;
    paths = times(input.chain[j], shares(paths, down));
    chain[0][j] = StarSum{{1, stars.ask(paths)}};
  }
  return chain;
}

double least_of(const BoundInput& input, std::size_t places, const Nearest& nearest) {
  Stars stars;
  StarSum beside;
  for (std::size_t i = 0; i < input.beside.size(); ++i) {
    beside.emplace_back(input.alike[i] ? 0.5 : 1, stars.ask(input.beside[i]));
  }
  const std::size_t own = stars.ask(input.domain);
  const Chain chain = chain_of(input.chain, stars);
  const bool spread =
      !input.chain.empty() && !input.domain.empty() && input.share > 0 && input.share <= 1;
  const Chain domains = spread ? with_domains(input, chain, stars) : chain;
  const std::vector<double> answers = stars.answer(places, nearest);
  const double plain = best_partition(chain, answers) + answers[own];
  const double shared = best_partition(domains, answers) + (1 - input.share) * answers[own];
  return value(beside, answers) + (spread ? std::max(plain, shared) : plain);
}

/// Distances on a floor, sorted by their hundredths of a millimetre, rounded down.
class NearestOnFloor {
 public:
  explicit NearestOnFloor(const Floor& floor) : floor_(floor) {
    for (std::int64_t place = 0; place < floor.places(); ++place) {
      if (floor.is_usable(place)) usable_.push_back(static_cast<std::int32_t>(place));
    }
  }
  [[nodiscard]] std::size_t places() const { return usable_.size(); }

  void operator()(std::size_t place, std::size_t wanted, std::vector<double>& near) {
    floor_.distances(usable_[place], metres_);
    keys_.clear();
    std::uint32_t all = 0;  // bits that any of them has
    for (std::size_t other = 0; other < usable_.size(); ++other) {
      if (other == place) continue;
      keys_.push_back(static_cast<std::uint32_t>(std::min(metres_[usable_[other]] * kUnits, 4e9)));
      all |= keys_.back();
    }
    spare_.resize(keys_.size());
    for (int shift = 0; shift < 32 && all >> shift > 0; shift += kDigit) sort_digit(shift);
    near.resize(std::min(wanted, keys_.size()));
    for (std::size_t i = 0; i < near.size(); ++i) near[i] = keys_[i] / kUnits;
  }

 private:
  static constexpr double kUnits = 1e5;
  static constexpr int kDigit = 12;  // bits: two digits up to 167 m

  void sort_digit(int shift) {
    constexpr std::uint32_t kLast = (1U << kDigit) - 1;
    std::array<std::uint32_t, kLast + 2> ends{};
    for (const std::uint32_t key : keys_) ++ends[(key >> shift & kLast) + 1];
    for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    for (const std::uint32_t key : keys_) spare_[ends[key >> shift & kLast]++] = key;
    std::swap(keys_, spare_);
  }

  const Floor& floor_;
  std::vector<std::int32_t> usable_;
  std::vector<double> metres_;
  std::vector<std::uint32_t> keys_, spare_;
};

/// The layers of a plan: those that go up tier by tier from the cards, and the others.
BoundInput input_of(const RackPlan& plan) {
  BoundInput input;
  std::optional<std::size_t> top;  // kind at the upper end of the chain so far
  double host_links = 0, domain_links = 0;
  for (const WiredLayer& layer : plan.wiring.layers) {
    if (layer.name == kDomainLayer) {
      input.domain = flows_of(plan, layer);
      domain_links = static_cast<double>(layer.links.size());
      continue;
    }
    if (!has_cables(layer) || layer.links.empty()) continue;
    const bool first = !top && layer.name == "host";
    if (first || (top && layer.from == *top && layer.from != layer.to)) {
      top = layer.to;
      if (first) host_links = static_cast<double>(layer.links.size());
      input.chain.push_back(flows_of(plan, layer));
    } else {
      input.beside.push_back(flows_of(plan, layer));
      input.alike.push_back(layer.from == layer.to);
    }
  }
  if (domain_links > 0) input.share = 2 * host_links / domain_links;
  return input;
}

}  // namespace

double least_tray_metres(const RackPlan& plan, const Floor& floor) {
  NearestOnFloor nearest(floor);
  return least_of(input_of(plan), nearest.places(), std::ref(nearest));
}

double least_metres(const BoundInput& input, const std::vector<std::vector<double>>& distance) {
  return least_of(input, distance.size(),
                  [&](std::size_t place, std::size_t wanted, std::vector<double>& near) {
                    near = distance[place];
                    near.erase(near.begin() + static_cast<std::ptrdiff_t>(place));
                    std::sort(near.begin(), near.end());
                    if (wanted < near.size()) near.resize(wanted);
                  });
}

}  // namespace planner::site

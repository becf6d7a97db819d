// Cuts, bytes by level and pairs in closed form against all flows of random plans, walked one by
// one.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/domain/cut.hpp"
#include "planner/domain/senders.hpp"
#include "planner/network/flows/traffic.hpp"
#include "support/any.hpp"
#include "support/walked_flows.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr FlowKind kKinds[] = {FlowKind::ring, FlowKind::all_to_all, FlowKind::line,
                               FlowKind::wrap};

}  // namespace

TEST_CASE("flows out of any run of consecutive GPUs, and of all units of any size") {
  for (int trial = 0; trial < 1500; ++trial) {
    const GroupFlows groups{kKinds[any(0, 3)], any(1, 8), any(1, 8)};
    const std::int64_t gpus = groups.period() * any(1, 5);
    CAPTURE(static_cast<int>(groups.kind));
    CAPTURE(groups.stride);
    CAPTURE(groups.ranks);
    CAPTURE(gpus);
    const std::vector<Flow> flows = flows_of(groups, gpus);
    for (int i = 0; i < 6; ++i) {
      const std::int64_t first = any(0, gpus - 1), last = any(first + 1, gpus);
      double out = 0, in = 0;
      for (const Flow& flow : flows) {
        const bool from = first <= flow.from && flow.from < last;
        const bool to = first <= flow.to && flow.to < last;
        out += from && !to ? flow.amount : 0;
        in += to && !from ? flow.amount : 0;
      }
      CAPTURE(first);
      CAPTURE(last);
      CHECK(flows_out(groups, first, last) == doctest::Approx(out).epsilon(1e-12));
      CHECK(flows_out(groups, first, last) == doctest::Approx(in).epsilon(1e-12));
    }
    for (const std::int64_t unit :
         {any(1, gpus), groups.stride, 2 * any(1, 9), groups.stride * any(1, 4)}) {
      std::map<std::int64_t, double> out;
      std::map<std::int64_t, std::set<std::int64_t>> neighbours;
      for (const Flow& flow : flows) {
        if (flow.from / unit == flow.to / unit) continue;
        out[flow.from / unit] += flow.amount;
        neighbours[flow.from / unit].insert(flow.to / unit);
      }
      double busiest = 0, all = 0;
      for (const auto& [at, amount] : out) {
        busiest = std::max(busiest, amount);
        all += amount;
      }
      CAPTURE(unit);
      const Cut found = cut(groups, gpus, unit);
      CHECK(found.busiest == doctest::Approx(busiest).epsilon(1e-12));
      CHECK(found.all == doctest::Approx(all).epsilon(1e-12));
      std::int64_t units = 0;
      for (const AlikeUnits& alike : units_cut(groups, gpus, unit)) units += alike.units;
      CHECK(units == static_cast<std::int64_t>(out.size()));
      if (!one_neighbour(groups, unit)) continue;
      for (const auto& [at, others] : neighbours) CHECK(others.size() == 1);
    }
  }
}

TEST_CASE("a plan's bytes by type and level, and its pairs, against all of its flows") {
  for (int trial = 0; trial < 300; ++trial) {
    // Innermost first: tensor, data inside; data, pipeline across; experts over both data axes.
    const std::int64_t t = any(1, 3), x = any(1, 4), y = any(1, 4), p = any(1, 4);
    const std::int64_t K = t * x, gpus = K * y * p;
    const Bytes V{7}, W{5}, P{3}, E{11};
    std::vector<TrafficPhase> phases{
        {TrafficType::tensor, {FlowKind::ring, 1, t}, V},
        {TrafficType::data, {FlowKind::ring, t, x}, W},
        {TrafficType::data, {FlowKind::ring, K, y}, W / real(x)},
        {TrafficType::pipeline, {FlowKind::line, K * y, p}, P},
        {TrafficType::pipeline, {FlowKind::wrap, K * y, p}, P},
    };
    // One all-to-all of all t·x·y ranks, in its two parts.
    const double n = real(K * y);
    if (n > 1) {
      phases.push_back(
          {TrafficType::expert, {FlowKind::all_to_all, 1, K}, E * ((real(K) - 1) / (n - 1))});
      phases.push_back({.type = TrafficType::expert,
                        .groups = {FlowKind::all_to_all, K, y},
                        .sent = E * (real(K) * real(y - 1) / (n - 1)),
                        .mixed_ranks = K});
    }
    std::vector<std::pair<TrafficType, Flow>> flows;
    for (std::size_t i = 0; i < 5; ++i) {
      for (Flow flow : flows_of(phases[i].groups, gpus)) {
        flow.amount *= phases[i].sent.si();
        flows.emplace_back(phases[i].type, flow);
      }
    }
    for (Flow flow : flows_of({FlowKind::all_to_all, 1, K * y}, gpus)) {
      flow.amount *= E.si();
      flows.emplace_back(TrafficType::expert, flow);
    }
    CAPTURE(t);
    CAPTURE(x);
    CAPTURE(y);
    CAPTURE(p);

    const std::vector<std::int64_t> units{K, 2 * K, 2 * K * any(2, 5)};
    std::vector<LevelTraffic> levels;
    for (const std::int64_t unit : units) levels.push_back(traffic_of_level(phases, gpus, unit));
    for (std::size_t i = 0; i < units.size(); ++i) {
      std::map<std::int64_t, double> out;
      for (const auto& [type, flow] : flows) {
        const std::int64_t from = flow.from / units[i];
        if (from != flow.to / units[i]) out[from] += flow.amount;
      }
      double busiest = 0;
      for (const auto& [unit, amount] : out) busiest = std::max(busiest, amount);
      CHECK(total(levels[i].busiest).si() == doctest::Approx(busiest).epsilon(1e-9));
    }
    for (const TrafficType type : kTrafficTypes) {
      double all = 0;
      std::vector<double> inside(units.size());
      std::set<std::pair<std::int64_t, std::int64_t>> pairs;
      for (const auto& [of_type, flow] : flows) {
        if (of_type != type) continue;
        all += flow.amount;
        pairs.emplace(flow.from, flow.to);
        for (std::size_t i = 0; i < units.size(); ++i) {
          if (flow.from / units[i] == flow.to / units[i]) inside[i] += flow.amount;
        }
      }
      CHECK(of(sent_by_type(phases, gpus), type).si() == doctest::Approx(all).epsilon(1e-9));
      for (std::size_t i = 0; i < units.size(); ++i) {
        CHECK(of(levels[i].inside, type).si() ==
              doctest::Approx(inside[i]).epsilon(1e-9).scale(all + 1));
      }
      CHECK(sending_pairs(phases, gpus).by_type[static_cast<std::size_t>(type)] ==
            doctest::Approx(static_cast<double>(pairs.size())).epsilon(1e-9));
    }
    std::map<std::pair<std::int64_t, std::int64_t>, double> sent;
    std::map<std::pair<TrafficType, std::int64_t>, double> by_distance;
    for (const auto& [type, flow] : flows) {
      sent[{flow.from, flow.to}] += flow.amount;
      by_distance[{type, std::abs(flow.from - flow.to)}] += flow.amount;
    }
    CHECK(sending_pairs(phases, gpus).sending == doctest::Approx(static_cast<double>(sent.size())));
    const std::vector<double> map = heat_map(phases, gpus);
    for (std::int64_t a = 0; a < gpus; ++a) {
      for (std::int64_t b = 0; b < gpus; ++b) {
        const auto found = sent.find({a, b});
        const double expected = found == sent.end() ? 0 : found->second;
        CHECK(map[static_cast<std::size_t>(a * gpus + b)] == doctest::Approx(expected));
      }
    }
    std::map<std::pair<TrafficType, std::int64_t>, double> rows;
    for (const PairRow& row : pair_rows(phases, gpus)) {
      rows[{row.type, row.distance}] += row.pairs * row.per_pair.si();
    }
    for (const auto& [key, amount] : by_distance) {
      CHECK(rows[key] == doctest::Approx(amount).epsilon(1e-9));
    }
    CHECK(rows.size() == by_distance.size());

    const std::int64_t first = any(0, gpus - 1), last = any(first + 1, gpus);
    double out = 0;
    for (const auto& [type, flow] : flows) {
      const bool from = first <= flow.from && flow.from < last;
      const bool to = first <= flow.to && flow.to < last;
      out += from && !to && type != TrafficType::expert ? flow.amount : 0;
    }
    BytesByType found = bytes_out(phases, first, last);
    of(found, TrafficType::expert) = Bytes{};
    CHECK(total(found).si() == doctest::Approx(out).epsilon(1e-9));
  }
}

TEST_CASE("the busiest unit of a long pipeline, end to end and back, against all units") {
  // More units than are looked at one by one.
  for (int trial = 0; trial < 60; ++trial) {
    const std::int64_t stride = std::int64_t{1} << any(0, 6), ranks = std::int64_t{1} << any(5, 9);
    const std::int64_t inner = std::int64_t{1} << any(1, 3);
    const GroupFlows along{FlowKind::line, stride * inner, ranks};
    const std::vector<TrafficPhase> phases{
        {TrafficType::tensor, {FlowKind::ring, 1, stride}, Bytes{real(any(1, 9))}},
        {TrafficType::pipeline, along, Bytes{real(any(1, 9))}},
        {TrafficType::pipeline, {FlowKind::wrap, along.stride, ranks}, Bytes{real(any(1, 30))}},
        {TrafficType::context, {FlowKind::line, stride, inner}, Bytes{real(any(1, 9))}}};
    const std::int64_t gpus = along.period() * (std::int64_t{1} << any(0, 2));
    const std::int64_t unit = std::int64_t{1} << any(0, 8);
    double busiest = 0;
    for (std::int64_t first = 0; first < gpus; first += unit) {
      busiest =
          std::max(busiest, total(bytes_out(phases, first, std::min(gpus, first + unit))).si());
    }
    CHECK(total(traffic_of_level(phases, gpus, unit).busiest).si() ==
          doctest::Approx(busiest).epsilon(1e-12));
  }
}

TEST_CASE("a ring over hosts in random order, against all orders of few hosts") {
  for (const std::int64_t hosts : {3, 5, 7}) {
    for (std::int64_t held = 1; held < hosts; ++held) {
      std::vector<std::int64_t> order(static_cast<std::size_t>(hosts));
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
      double orders = 0, sum = 0, squares = 0;
      do {
        double out = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
          out += order[i] < held && order[(i + 1) % order.size()] >= held ? 1 : 0;
        }
        orders += 1;
        sum += out;
        squares += out * out;
      } while (std::next_permutation(order.begin(), order.end()));
      const RandomCut found = random_ring_cut(hosts, held);
      CHECK(found.mean == doctest::Approx(sum / orders));
      CHECK(found.variance == doctest::Approx(squares / orders - sum / orders * sum / orders));
    }
  }
}

TEST_CASE("groups that send at both ends of the job alone, against their flows") {
  for (int trial = 0; trial < 200; ++trial) {
    const GroupFlows ring{FlowKind::ring, any(1, 4), any(2, 5)};
    const std::int64_t stage = ring.period() * any(1, 3), stages = any(2, 6);
    const std::int64_t gpus = stage * stages;
    TrafficPhase phase{.type = TrafficType::vocabulary, .groups = ring, .sent = Bytes{7}};
    for (const std::int64_t end : {std::int64_t{0}, gpus - stage}) {
      for (Sending one : sendings(ring)) {
        add_place(one.who, {gpus, end, end + stage});
        phase.sends.push_back(one);
      }
    }
    const std::vector<TrafficPhase> phases{phase};
    const auto sends = [&](const Flow& flow) {
      return flow.from < stage || flow.from >= gpus - stage;
    };
    const std::int64_t first = any(0, gpus - 1), last = any(first + 1, gpus);
    const std::int64_t unit = any(1, gpus);
    double out = 0, pairs = 0, leaving = 0;
    std::map<std::int64_t, double> of_units;
    for (const Flow& flow : flows_of(ring, gpus)) {
      const bool to = first <= flow.to && flow.to < last;
      if (!sends(flow)) continue;
      pairs += 1;
      if (first <= flow.from && flow.from < last && !to) out += 7;
      if (flow.from / unit == flow.to / unit) continue;
      leaving += 7;
      of_units[flow.from / unit] += 7;
    }
    double busiest = 0;
    for (const auto& [at, bytes] : of_units) busiest = std::max(busiest, bytes);
    CAPTURE(gpus);
    CAPTURE(unit);
    CHECK(total(bytes_out(phases, first, last)).si() == out);
    const LevelTraffic level = traffic_of_level(phases, gpus, unit);
    CHECK(total(level.leaving).si() == leaving);
    CHECK(total(level.busiest).si() == busiest);
    CHECK(sent_by_all(phase, gpus).si() == 7 * pairs);
    double told = 0;
    for (const PairRow& row : pair_rows(phases, gpus)) {
      CHECK(row.per_pair.si() == 7);
      told += row.pairs;
    }
    CHECK(told == pairs);
    const std::vector<double> map = heat_map(phases, gpus);
    for (const Flow& flow : flows_of(ring, gpus)) {
      const double drawn = map[static_cast<std::size_t>(flow.from * gpus + flow.to)];
      if (ring.ranks > 2) CHECK(drawn == (sends(flow) ? 7 : 0));
    }
  }
}

TEST_CASE("what a pair sends for one reason in several phases is in one row") {
  const std::vector<TrafficPhase> phases{{TrafficType::data, {FlowKind::ring, 1, 4}, Bytes{6}},
                                         {TrafficType::data, {FlowKind::ring, 1, 2}, Bytes{3}}};
  // 0 → 1 → 2 → 3 → 0, and 0 ⇄ 1, 2 ⇄ 3.
  CHECK(pair_rows(phases, 4) == std::vector<PairRow>{{TrafficType::data, 1, 2, Bytes{3}},
                                                     {TrafficType::data, 1, 1, Bytes{6}},
                                                     {TrafficType::data, 1, 2, Bytes{9}},
                                                     {TrafficType::data, 3, 1, Bytes{6}}});
  CHECK(sending_pairs(phases, 4).sending == 6);
}

TEST_CASE("a pipeline of two ranks sends along and around itself in one row") {
  const GroupFlows line{FlowKind::line, 8, 2}, wrap{FlowKind::wrap, 8, 2};
  const std::vector<TrafficPhase> phases{{TrafficType::pipeline, line, Bytes{6}},
                                         {TrafficType::pipeline, wrap, Bytes{3}}};
  CHECK(pair_rows(phases, 64) == std::vector<PairRow>{{TrafficType::pipeline, 8, 64, Bytes{9}}});
}

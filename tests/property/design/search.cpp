// The search of designs against looking at every design by other means: a search of
// all strategies on every number of GPUs and every part of its domains, on every network as it is,
// and the best picked by hand. Random spaces with partly used HB domains, several batches, systems
// and runs one after the other, random goals and limits.
#include "planner/design/search.hpp"

#include <doctest/doctest.h>

#include <map>
#include <tuple>

#include "planner/design/groups.hpp"
#include "planner/search/search.hpp"
#include "support/design_spaces.hpp"

using namespace planner;
using namespace planner::design;
using namespace planner::testing;

namespace {

struct Designed {
  Place place;
  std::vector<Seconds> times;  ///< of an iteration of each run
  Judged judged;

  /// What decides between equals.
  [[nodiscard]] auto order() const {
    RunTimes sum;
    for (const RunTimes& run : judged.runs) {
      sum.expected += run.expected;
      sum.confident += run.confident;
    }
    return std::tuple(sum.expected, sum.confident, place);
  }
};

/// Every number of GPUs that has a strategy, by trying all.
std::vector<std::int64_t> counts_with_strategy(const Workload& job, const SearchSpace& strategies,
                                               std::int64_t most) {
  std::vector<std::int64_t> counts;
  for (std::int64_t used = 1; used <= most; ++used) {
    Workload on = job;
    on.gpus = used;
    const Enumeration all(on, strategies);
    for (const Column& column : all.columns()) {
      if (all.inner_pairs(column).empty() || all.placements(column).empty()) continue;
      counts.push_back(used);
      break;
    }
  }
  return counts;
}

class EveryDesign {
 public:
  EveryDesign(const Space& space, double confidence) : space_(space), judge_(space, confidence) {
    for (std::uint32_t s = 0; s < space.systems.size(); ++s) add(s, confidence);
  }
  [[nodiscard]] const std::vector<Designed>& all() const { return all_; }

  [[nodiscard]] std::vector<Designed> best(const Question& question) const {
    std::vector<Designed> left;
    for (const Designed& one : all_) {
      if (within(one.judged, question.limits)) left.push_back(one);
    }
    const auto values = [&](const Designed& one) {
      std::vector<double> found;
      for (const Goal& goal : question.goals) found.push_back(figure(one.judged, goal));
      return found;
    };
    const auto before = [&](const Designed& a, const Designed& b) {
      return std::tuple(values(a), a.order()) < std::tuple(values(b), b.order());
    };
    std::sort(left.begin(), left.end(), before);
    if (!question.front) {
      std::vector<Designed> first;
      for (const Designed& one : left) {
        const bool again = std::any_of(first.begin(), first.end(), [&](const Designed& other) {
          return other.place.id == one.place.id;
        });
        if (!again && first.size() < question.top) first.push_back(one);
      }
      return first;
    }
    std::vector<Designed> front;
    for (const Designed& one : left) {
      const std::vector<double> of = values(one);
      const bool beaten = std::any_of(left.begin(), left.end(), [&](const Designed& other) {
        const std::vector<double> than = values(other);
        for (std::size_t i = 0; i < of.size(); ++i) {
          if (than[i] > of[i]) return false;
        }
        return than != of || other.order() < one.order();
      });
      if (!beaten) front.push_back(one);
    }
    return front;
  }

 private:
  /// A run on a cluster, and an iteration of it.
  struct OneUse {
    UseOfCluster place;
    Seconds iteration{};
    RunTimes times;
  };

  void add(std::uint32_t s, double confidence) {
    const SystemOption& option = space_.systems[s];
    const std::vector<std::int64_t> bought_counts = gpu_counts(option, space_.gpus);
    if (bought_counts.empty()) return;
    std::vector<std::vector<std::int64_t>> counts;  // of each batch
    for (std::size_t b = 0; b < space_.batches.size(); ++b) {
      counts.push_back(counts_with_strategy(job_of(space_, s, b, 1),
                                            run_on(space_, s, b).strategies, bought_counts.back()));
    }
    for (const std::int64_t gpus : bought_counts) {
      for (std::uint32_t n = 0; n < option.networks.size(); ++n) {
        const DesignId id{.system = s, .gpus = gpus, .network = n};
        const BoughtResult result = bought(space_, id);
        const auto* const cluster = std::get_if<Bought>(&result);
        if (cluster == nullptr) continue;
        std::vector<std::vector<OneUse>> uses(space_.tokens.size());
        for (std::size_t b = 0; b < space_.batches.size(); ++b) {
          for (const std::int64_t used : counts[b]) {
            const auto use = used > gpus ? std::nullopt : use_of(id, *cluster, b, used, confidence);
            if (use) uses[space_.batches[b].run].push_back(*use);
          }
        }
        add({.place = {.id = id, .runs = {}}, .times = {}, .judged = {}}, *cluster, uses);
      }
    }
  }

  /// Of a GPU, which has network cards of its own.
  [[nodiscard]] BytesPerSecond ports_of(const DesignId& id) const {
    const FabricDesign& fabric = space_.systems[id.system].networks[id.network].choice.fabric;
    std::int64_t ports = 1;
    if (const auto* of = std::get_if<RailOptimized>(&fabric.topology)) ports = of->planes;
    if (const auto* of = std::get_if<MultiPlane>(&fabric.topology)) ports = of->ports_per_gpu;
    return static_cast<double>(ports * fabric.port_gbps) * units::Gbps;
  }

  /// Every combination of what each run can do.
  void add(const Designed& so_far, const Bought& cluster,
           const std::vector<std::vector<OneUse>>& uses) {
    const std::size_t run = so_far.times.size();
    if (run == uses.size()) {
      all_.push_back(so_far);
      all_.back().judged = judge_.judge(cluster, so_far.judged.runs);
      return;
    }
    for (const OneUse& use : uses[run]) {
      Designed with = so_far;
      with.place.runs.push_back(use.place);
      with.times.push_back(use.iteration);
      with.judged.runs.push_back(use.times);
      add(with, cluster, uses);
    }
  }

  std::optional<OneUse> use_of(const DesignId& id, const Bought& cluster, std::size_t b,
                               std::int64_t used, double confidence) {
    Workload job = job_of(space_, id.system, b, used);
    job.rails_apart = cluster.network.rails_apart;
    job.system.network_bandwidth = std::min(job.system.network_bandwidth, ports_of(id));
    const auto [routed, is_new] = routed_.try_emplace({id.system, id.gpus, id.network});
    if (is_new) routed->second = routing_of(space_, id);
    if (routed->second) {
      job.routing = routed->second->factors;
      job.stage_limit = routed->second->stage_limit;
    }
    const std::optional<BestTime> best = best_of(id, cluster, job, b);
    if (!best) return std::nullopt;
    const auto times = run_times(space_, id, cluster, *best, lateness(job, confidence), confidence);
    return times ? std::optional(OneUse{{b, used}, best->time, *times}) : std::nullopt;
  }

  /// What a strategy is ranked by, and its time.
  struct Timed {
    Seconds value{}, time{};
    Strategy strategy;
  };

  /// Every part of the domains that fits them, largest first: a smaller one must be better.
  std::optional<BestTime> best_of(const DesignId& id, const Bought& cluster, const Workload& job,
                                  std::size_t b) {
    const std::int64_t domain = job.system.hb_domain, domains = id.gpus / domain;
    std::optional<Timed> best;
    job::GpuUse use;
    for (std::int64_t as_one = std::min(domain, job.gpus); as_one > 0; --as_one) {
      if (job.gpus % as_one != 0 || job.gpus / as_one > domains * (domain / as_one)) continue;
      Workload part = job;
      part.system.hb_domain = as_one;
      const std::int64_t filled = domain / as_one * as_one;
      for (NetworkTier tier : space_.routing ? std::vector<NetworkTier>{} : cluster.network.tiers) {
        if (filled < domain) tier.gpus = std::max<std::int64_t>(1, tier.gpus * filled / domain);
        part.network_tiers.push_back(tier);
      }
      const std::optional<Timed> timed = time_of_part(id, part, b);
      if (!timed || (best && !(timed->value < (1 - 1e-9) * best->value))) continue;
      best = timed;
      const std::int64_t each = domain / as_one, parts = job.gpus / as_one;
      use = {.gpus = job.gpus,
             .as_one = as_one,
             .per_domain = std::min(job.gpus, filled),
             .domains = (parts + each - 1) / each};
    }
    if (!best) return std::nullopt;
    return BestTime{.batch = b, .time = best->time, .strategy = best->strategy, .use = use};
  }

  std::optional<Timed> time_of_part(const DesignId& id, const Workload& part, std::size_t b) {
    std::vector<std::pair<std::int64_t, double>> tiers;
    for (const NetworkTier& tier : part.network_tiers) {
      tiers.emplace_back(tier.gpus, tier.bandwidth_share);
    }
    const auto on = part.routing ? std::pair(id.gpus, id.network) : std::pair(std::int64_t{0}, 0U);
    const auto key = std::tuple(id.system, b, part.gpus, part.system.hb_domain, part.rails_apart,
                                part.system.network_bandwidth, std::move(tiers), on);
    const auto [entry, is_new] = times_.try_emplace(key);
    if (!is_new) return entry->second;
    const SearchResult found = rank_strategies(part, run_on(space_, id.system, b).strategies,
                                               {.top = 1, .threads = 1, .count = false});
    if (!found.best.empty()) {
      const Ranked& best = found.best.front();
      entry->second = Timed{best.value(fit_rule(part)), best.time, best.strategy};
    }
    return entry->second;
  }

  const Space& space_;
  Judge judge_;
  std::map<std::tuple<std::uint32_t, std::size_t, std::int64_t, std::int64_t, std::int64_t,
                      BytesPerSecond, std::vector<std::pair<std::int64_t, double>>,
                      std::pair<std::int64_t, std::uint32_t>>,
           std::optional<Timed>>
      times_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>,
           std::optional<job::RoutingResult>>
      routed_;
  std::vector<Designed> all_;
};

void check_same(const Outcome& outcome, const std::vector<Designed>& expected) {
  REQUIRE(outcome.found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(outcome.found[i].place == expected[i].place);
    REQUIRE(outcome.found[i].times.size() == expected[i].times.size());
    for (std::size_t run = 0; run < expected[i].times.size(); ++run) {
      CHECK(outcome.found[i].times[run].time == expected[i].times[run]);
    }
    CHECK(outcome.found[i].judged.expected == expected[i].judged.expected);
    CHECK(outcome.found[i].judged.confident == expected[i].judged.confident);
  }
}

void check_sum(const Certificate& c, const Space& space) {
  CHECK(c.designs == count_designs(space));
  CHECK(c.searched + c.over_limits + c.by_work + c.by_full_network + c.by_parts + c.no_network +
            c.unpriced + c.not_reached ==
        c.designs);
}

/// Another question with the same confidence, but the first time; whether it has limits near those
/// of some design.
bool ask_again(Random& random, int again, const EveryDesign& every, Question& question) {
  if (again > 0) {
    const double confidence = question.confidence;
    question = random_question(random);
    question.confidence = confidence;
  }
  question.uncounted = again % 2 == 1;
  if (again % 3 == 0 || every.all().empty()) return false;
  question.limits = random_limits(random, random.pick(every.all()).judged);
  return true;
}

}  // namespace

TEST_CASE("the search of designs finds what looking at every design finds") {
  Random random(2026);
  std::int64_t designs = 0, searched = 0, answers = 0, partial = 0, nothing = 0, staged = 0,
               smaller = 0, failing = 0, sparing = 0, kept = 0, late = 0, routed = 0;
  for (int round = 0; round < 52; ++round) {
    CAPTURE(round);
    const Space space = random_space(random);
    Question question = random_question(random);
    const EveryDesign every(space, question.confidence);
    Times times(space, 1);
    for (int again = 0; again < 6; ++again) {
      CAPTURE(again);
      ask_again(random, again, every, question);
      const std::vector<Designed> expected = every.best(question);
      const Outcome outcome = find_designs(space, question, times);
      check_same(outcome, expected);
      check_sum(outcome.certificate, space);
      if (again == round % 6) check_same(look_at_every(space, question, times), expected);
      designs += outcome.certificate.designs;
      searched += outcome.certificate.searched;
      answers += static_cast<std::int64_t>(expected.size());
      nothing += expected.empty() ? 1 : 0;
      for (const Found& one : outcome.found) {
        const std::int64_t domain = space.systems[one.place.id.system].system().hb_domain;
        partial += domain % one.times.front().use.as_one != 0 ? 1 : 0;
        staged += one.times.front().strategy.pp.total() > 1 ? 1 : 0;
        smaller += one.place.runs.front().gpus < one.place.id.gpus ? 1 : 0;
        kept += kept_nodes(space.systems[one.place.id.system], one.place.id.gpus) > 0 ? 1 : 0;
        late += one.cluster.lead > Seconds{} ? 1 : 0;
        routed += space.routing ? 1 : 0;
        if (!space.failures) continue;
        ++failing;
        sparing += *spares_of(space, one.place.id, one.times.front().use) > 0 ? 1 : 0;
      }
    }
  }
  MESSAGE(designs, " designs, ", searched, " searched, ", answers, " answers, ", partial,
          " of them on parts of domains, ", staged, " with pipelines, ", smaller,
          " with idle GPUs, ", kept, " with owned nodes, ", late, " that are waited for, ", routed,
          " on routed networks, ", failing, " with failures, ", sparing, " of these with spares, ",
          nothing, " questions without an answer");
  CHECK(partial > 10);
  CHECK(staged > 10);
  CHECK(smaller > 10);
  CHECK(kept > 20);
  CHECK(late > 20);
  CHECK(routed > 20);
  CHECK(failing > 50);
  CHECK(sparing > 10);
  CHECK(nothing > 5);
  CHECK(searched < designs / 2);
}

TEST_CASE("several runs one after the other: as if each were asked of every cluster by itself") {
  Random random(2027);
  std::int64_t designs = 0, searched = 0, answers = 0, apart = 0, other_batch = 0, idle = 0,
               failing = 0, routed = 0, nothing = 0, limited = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const Space space = random_space(random, round % 4 == 3 ? 3 : 2);
    Question question = random_question(random);
    const EveryDesign every(space, question.confidence);
    Times times(space, 1);
    for (int again = 0; again < 6; ++again) {
      CAPTURE(again);
      limited += ask_again(random, again, every, question) ? 1 : 0;
      const std::vector<Designed> expected = every.best(question);
      const Outcome outcome = find_designs(space, question, times);
      check_same(outcome, expected);
      check_sum(outcome.certificate, space);
      if (again == round % 6) check_same(look_at_every(space, question, times), expected);
      designs += outcome.certificate.designs;
      searched += outcome.certificate.searched;
      answers += static_cast<std::int64_t>(expected.size());
      nothing += expected.empty() ? 1 : 0;
      for (const Found& one : outcome.found) {
        const std::vector<UseOfCluster>& runs = one.place.runs;
        apart += runs[0].gpus != runs[1].gpus ? 1 : 0;
        other_batch += runs[1].batch != (space.batches[1].run == 0 ? 2 : 1) ? 1 : 0;
        idle += runs[1].gpus < one.place.id.gpus ? 1 : 0;
        routed += space.routing ? 1 : 0;
        failing += space.failures ? 1 : 0;
      }
    }
  }
  MESSAGE(designs, " designs, ", searched, " searched, ", answers, " answers, ", apart,
          " whose runs use other numbers of GPUs, ", other_batch,
          " with another than the first batch, ", idle, " with idle GPUs in the second run, ",
          routed, " on routed networks, ", failing, " with failures, ", limited,
          " questions with limits, ", nothing, " without an answer");
  CHECK(apart > 20);
  CHECK(other_batch > 10);
  CHECK(idle > 20);
  CHECK(failing > 20);
  CHECK(nothing > 5);
  CHECK(searched < designs / 2);
}

#include "planner/reliability/goodput.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/improve.hpp"
#include "planner/reliability/spares.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"
#include "support/run_outlook.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

class RandomJobs {
 public:
  JobReliability next() {
    JobReliability job{
        .counts = {.gpus = 8000, .nics = 8000, .nodes = 1000, .links = 8000, .switches = 125}};
    const int kinds = 1 + static_cast<int>(uniform(0, 4));
    for (int i = 0; i < kinds; ++i) {
      FailureRate rate = rate_of(static_cast<FailureUnit>(uniform(0, 5)), log_uniform(1e-8, 1e-5));
      rate.basis = uniform(0, 1) < 0.5 ? RateBasis::active : RateBasis::job_calendar;
      rate.action = static_cast<FailureAction>(uniform(0, 3));
      rate.detect = Seconds{log_uniform(1, 1e4)};
      rate.diagnose = Seconds{log_uniform(1, 1e4)};
      rate.repair = hours(log_uniform(0.1, 100));
      rate.degraded_speed = uniform(0.5, 1);
      rate.needs_spare = uniform(0, 1) < 0.5;
      job.rates.components.push_back(rate);
    }
    job.access = uniform(0, 1) < 0.5 ? AccessLinks::single_tor : AccessLinks::dual_tor;
    job.checkpoint.stall = Seconds{log_uniform(0.1, 300)};
    job.checkpoint.durable = uniform(0, 1) < 0.5 ? Seconds{} : Seconds{log_uniform(1, 100)};
    job.restart = Seconds{log_uniform(1, 1e4)};
    job.recovery = kRecoveryModes[static_cast<std::size_t>(uniform(0, 3))];
    job.hazard = kDownHazards[static_cast<std::size_t>(uniform(0, 2))];
    job.running_share = uniform(0.5, 1);
    if (uniform(0, 1) < 0.5) {
      job.spares = SparePolicy{.spares = static_cast<std::int64_t>(uniform(0, 20)),
                               .pools = 1 + static_cast<std::int64_t>(uniform(0, 3)),
                               .repair = hours(log_uniform(1, 100)),
                               .unit_gpus = 8,
                               .switch_hosts = 1 + static_cast<std::int64_t>(uniform(0, 30))};
    }
    return job;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }

 private:
  std::mt19937_64 random_{42};
};

template <class Check>
void for_jobs(const Check& check) {
  RandomJobs jobs;
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    const JobReliability job = jobs.next();
    check(job, goodput(job));
  }
}

}  // namespace

TEST_CASE("waste sums to 1 - A, and no part is negative") {
  for_jobs([](const JobReliability&, const Goodput& goodput) {
    CHECK(goodput.availability + goodput.waste.total() == near(1, 1e-12));
    for (const double part : {goodput.waste.checkpoint, goodput.waste.lost, goodput.waste.detect,
                              goodput.waste.diagnose, goodput.waste.restart,
                              goodput.waste.spare_wait, goodput.waste.degraded}) {
      CHECK(part >= -1e-15);
    }
  });
}

TEST_CASE("the optimal interval beats its neighbours") {
  for_jobs([](JobReliability job, const Goodput& best) {
    if (!best.interval) return;
    for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
      job.checkpoint.interval = factor * *best.interval;
      if (*job.checkpoint.interval < job.checkpoint.durable) continue;
      CHECK(availability(job) < best.availability + 1e-14);
    }
  });
}

TEST_CASE("more spares, crews and faster steps never hurt") {
  for_jobs([](const JobReliability& job, const Goodput& now) {
    const auto not_worse = [&](const JobReliability& better) {
      CHECK(availability(better) >= now.availability - 1e-12);
    };
    JobReliability better = job;
    better.restart = 0.5 * job.restart;
    not_worse(better);
    for (const Improvement& step : improvements(job)) CHECK(step.a_tenth >= -1e-12);
    for (const double gain : gains_of_fewer_failures(job)) CHECK(gain >= -1e-9);
    if (!job.spares) return;
    better = job;
    better.spares->spares += better.spares->pools;
    not_worse(better);
    better = job;
    better.spares->crews = 1;
    const double one = availability(better);
    better.spares->crews = 2;
    CHECK(availability(better) >= one - 1e-12);
  });
}

TEST_CASE("spares that suffice for no more of the time than the job can run, and crews that help") {
  for (const double repair : {2.0, 24.0, 96.0}) {
    for (const std::int64_t spares : {0, 2, 6}) {
      for (const std::int64_t pools : {1, 2}) {
        CAPTURE(repair);
        CAPTURE(spares);
        CAPTURE(pools);
        JobReliability job = of_nodes(128, 6.5e-3 / 24);
        job.rates.components.front().needs_spare = true;
        job.checkpoint.stall = Seconds{20};
        job.spares = SparePolicy{.spares = spares, .pools = pools, .repair = hours(repair)};
        const auto p_ok = [&] { return *failure_load(job, exposures(job)).p_spares_ok; };
        const double enough = p_ok();
        CHECK(availability(job) <= enough);
        double before = 0;
        for (const std::int64_t crews : {1, 2, 4, 100}) {
          job.spares->crews = crews;
          CHECK(p_ok() >= before);
          CHECK(p_ok() <= enough * (1 + 1e-12));
          before = p_ok();
        }
        CHECK(before == near(enough, 1e-12));
      }
    }
  }
}

TEST_CASE("without failures a run takes the ideal time") {
  JobReliability job = of_nodes(2048, 0);
  job.checkpoint.stall = Seconds{20};
  job.restart = minutes(5);
  const auto outlook = run_outlook(job, 30 * units::day);
  CHECK(outlook.goodput.availability == 1);
  CHECK_FALSE(outlook.goodput.interval);
  for (const Seconds days : {outlook.days.mean, outlook.days.p50, outlook.days.p95}) {
    CHECK(days == 30 * units::day);
  }
  CHECK(outlook.days.failures == 0);
}

TEST_CASE("rare failures tend to no failures") {
  JobReliability job = of_nodes(2048, 1e-18);
  job.checkpoint = {.interval = hours(1), .stall = Seconds{36}};
  CHECK(availability(job) == near(1 / 1.01, 1e-12));
  CHECK(goodput(job).waste.lost >= 0);
  CHECK(goodput(job).waste.lost < 1e-14);
}

TEST_CASE("days: the quantiles are ordered, the mean between") {
  for_jobs([](const JobReliability& job, const Goodput&) {
    const auto days = run_outlook(job, 30 * units::day).days;
    CHECK(days.ideal <= days.p50 + Seconds{1e-6});
    CHECK(days.p50 <= days.p95);
    CHECK(days.mean >= days.least - Seconds{1e-3});
    CHECK(days.quantile(0.01) <= days.quantile(0.99));
  });
}

TEST_CASE("harsher assumptions never help: merge, phased, restart; running, all hours") {
  // Spares with groups are approximate: 1e-5.
  for_jobs([](JobReliability job, const Goodput&) {
    double before = 1;
    for (const RecoveryMode mode : kRecoveryModes) {
      job.recovery = mode;
      const double now = availability(job);
      CHECK(now <= before + 1e-12);
      before = now;
    }
    job.hazard = DownHazard::running;
    const double running = availability(job);
    job.hazard = DownHazard::all;
    CHECK(availability(job) <= running + 2e-3);
  });
}

TEST_CASE("availability falls in every rate and every time, and is never 0") {
  for_jobs([](const JobReliability& job, const Goodput& now) {
    CHECK(now.availability > 0);
    const auto not_better = [&](const JobReliability& worse) {
      CHECK(availability(worse) <= now.availability + 1e-5);
    };
    for (std::size_t i = 0; i < job.rates.components.size(); ++i) {
      JobReliability worse = job;
      FailureRate& rate = worse.rates.components[i];
      // With the interval kept: the best one for more crashes is another.
      worse.checkpoint.interval = now.interval;
      rate.rate = 1.5 * rate.rate;
      not_better(worse);
      worse = job;
      worse.rates.components[i].detect = 2 * *job.rates.components[i].detect;
      not_better(worse);
      worse = job;
      worse.rates.components[i].repair = 2 * *job.rates.components[i].repair;
      not_better(worse);
    }
    JobReliability worse = job;
    worse.checkpoint.stall = 2 * job.checkpoint.stall;
    not_better(worse);
    worse = job;
    worse.checkpoint.durable = job.checkpoint.durable + Seconds{60};
    not_better(worse);
    worse = job;
    worse.running_share = 0.9 * job.running_share;
    not_better(worse);
    if (!job.spares) return;
    worse = job;
    worse.spares->repair = 2 * *job.spares->repair;
    not_better(worse);
  });
}

TEST_CASE("as rates fall to nothing, availability comes to what checkpoints leave") {
  for_jobs([](JobReliability job, const Goodput&) {
    job.checkpoint.interval = hours(1);
    for (FailureRate& rate : job.rates.components) rate.rate = 1e-12 * rate.rate;
    const double left = hours(1) / (hours(1) + job.checkpoint.stall);
    CHECK(availability(job) == near(left, 1e-6));
  });
}

TEST_CASE("two access switches lose to one only where repairs and pauses are long or spares few") {
  RandomJobs random;
  int lost = 0, spared = 0;
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    JobReliability job = random.next();
    for (FailureRate& rate : job.rates.components) {
      if (rate.unit == FailureUnit::link || rate.unit == FailureUnit::network_switch) {
        rate.unit = FailureUnit::gpu;
      }
    }
    FailureRate& link = job.rates.components.front();
    link.unit = i % 4 == 0 ? FailureUnit::network_switch : FailureUnit::link;
    link.action = FailureAction::crash;
    if (job.spares) job.spares->repair = link.repair;
    job.recovery = RecoveryMode::merge;
    job.access = AccessLinks::single_tor;
    const Goodput single = goodput(job);
    const FailureLoad with_one = failure_load(job, exposures(job));
    job.access = AccessLinks::dual_tor;
    job.checkpoint.interval = single.interval;
    const JobReliability dual = with_better_link_loss(job);
    spared += job.spares.has_value();
    if (availability(dual) >= single.availability - 1e-12) continue;
    ++lost;
    // A crash costs half an interval and a recovery; two links of a pair fail twice as often.
    const double crash =
        single.interval->si() / 2 + (*link.detect + *link.diagnose + job.restart).si();
    CHECK(*link.repair * (1 - *link.degraded_speed) > Seconds{0.4 * crash});
    if (job.checkpoint.stall + job.restart > Seconds{0.4 * crash}) continue;
    // Else spares run out, and what works on without them costs more than the crash of one switch.
    job.link_loss = LinkLoss::swap;
    const FailureLoad with_two = failure_load(job, exposures(job));
    CHECK(with_two.unswapped * (1 - *link.degraded_speed) >
          0.5 * (with_one.rates.front() * Seconds{crash}));
  }
  CHECK(lost > 100);
  CHECK(spared > 1500);
}

TEST_CASE("hosts that can work on: more spares, rarer losses and shorter pauses never hurt") {
  RandomJobs random;
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    JobReliability job = random.next();
    job.access = AccessLinks::dual_tor;
    job.link_loss = LinkLoss::swap;
    if (!job.spares) continue;
    const FailureLoad load = failure_load(job, exposures(job));
    const Goodput now = goodput(job);
    CHECK(now.availability > 0);
    CHECK(now.availability + now.waste.total() == near(1, 1e-12));
    CHECK(load.unswapped >= 0);
    CHECK(load.unswapped <= 1);
    CHECK(*load.p_spares_ok <= 1);
    JobReliability other = job;
    other.spares->spares += other.spares->pools;
    const auto best = [](const JobReliability& of) {
      return availability(with_better_link_loss(of));
    };
    CHECK(best(other) >= best(job) - 1e-3);
    // Where swaps are asked for whatever they cost, all that more spares can add are pauses.
    const FailureLoad more = failure_load(other, exposures(other));
    CHECK(more.waiting <= load.waiting + 1e-6);
    CHECK(more.unswapped <= load.unswapped + 1e-9);
    CHECK(more.speed >= load.speed - 1e-9);
    const double pauses = std::max(0.0, more.stalled - load.stalled);
    CHECK(availability(other) * (load.wall_per_active + pauses) >=
          availability(job) * load.wall_per_active * (1 - 1e-6));
    other = job;
    other.checkpoint.interval = now.interval;
    for (FailureRate& rate : other.rates.components) rate.rate = 1.5 * rate.rate;
    CHECK(availability(other) <= now.availability + 1e-5);
    other = job;
    other.restart = 2 * job.restart;
    CHECK(availability(other) <= now.availability + 1e-5);
    other = job;
    for (FailureRate& rate : other.rates.components) rate.repair = 2 * *rate.repair;
    other.spares->repair = 2 * *job.spares->repair;
    CHECK(best(other) <= best(job) + 1e-5);
  }
}

TEST_CASE("where spares are short, longer recoveries and harsher ones never help") {
  for (const std::int64_t crews : {2, 1'000'000}) {
    for (const std::int64_t pools : {1, 4}) {
      for (const std::int64_t spares : {4, 16, 64}) {
        for (const double repair : {2.0, 24.0, 168.0}) {
          CAPTURE(crews);
          CAPTURE(pools);
          CAPTURE(spares);
          CAPTURE(repair);
          JobReliability job = of_nodes(4096, 6.5e-3 / 24);
          job.rates.components.front().needs_spare = true;
          job.checkpoint.interval = Seconds{1};
          job.spares = SparePolicy{.spares = spares,
                                   .pools = pools,
                                   .repair = hours(repair),
                                   .crews = crews,
                                   .unit_gpus = 8};
          double before = 1;
          for (const double detect : {0.0, 60.0, 300.0, 600.0, 910.0, 1800.0, 7200.0, 20000.0}) {
            job.rates.components.front().detect = Seconds{detect};
            const double now = availability(job);
            CHECK(now <= before + 1e-9);
            before = now;
          }
        }
      }
    }
  }
}

TEST_CASE("what was said never to finish has its years") {
  JobReliability job = of_nodes(2048, 6.5e-3 / 24);  // 1.8 h between failures
  const auto above_zero = [&] {
    CHECK(availability(job) > 0);
    CHECK(availability(job) < 0.5);
    CHECK(std::isfinite(run_outlook(job, units::day).days.p95.si()));
  };
  job.checkpoint = {.stall = hours(2)};
  above_zero();
  job.checkpoint = {.stall = Seconds{20}, .durable = hours(2)};
  above_zero();
  job.checkpoint = {.interval = hours(100), .stall = Seconds{20}};
  above_zero();
  job.checkpoint = {.stall = Seconds{20}};
  job.restart = hours(2);
  above_zero();
  for (const RecoveryMode mode : {RecoveryMode::phased, RecoveryMode::restart}) {
    job.recovery = mode;
    above_zero();
  }
}

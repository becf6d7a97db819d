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
      rate.basis = uniform(0, 1) < 0.5 ? RateBasis::active : RateBasis::wall;
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
    job.recovery_can_fail = uniform(0, 1) < 0.3;
    if (uniform(0, 1) < 0.5) {
      job.spares = SparePolicy{.spares = static_cast<std::int64_t>(uniform(0, 20)),
                               .pools = 1 + static_cast<std::int64_t>(uniform(0, 3)),
                               .repair = hours(log_uniform(1, 100))};
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
  int finished = 0;
  for (int i = 0; i < 500; ++i) {
    const JobReliability job = jobs.next();
    const auto found = goodput(job);
    if (!std::holds_alternative<Goodput>(found)) continue;
    ++finished;
    check(job, std::get<Goodput>(found));
  }
  CHECK(finished > 300);
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
      const auto other = goodput(job);
      if (const auto* found = std::get_if<Goodput>(&other)) {
        CHECK(found->availability < best.availability + 1e-14);
      }
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
    if (const auto one = goodput(better); std::holds_alternative<Goodput>(one)) {
      better.spares->crews = 2;
      CHECK(availability(better) >= std::get<Goodput>(one).availability - 1e-12);
    }
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
        const auto p_ok = [&] { return *failure_load(job, exposures(job))->p_spares_ok; };
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
  CHECK(goodput_of(job).waste.lost >= 0);
  CHECK(goodput_of(job).waste.lost < 1e-14);
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

TEST_CASE("jobs that never finish say why") {
  const auto rule = [](const JobReliability& job) {
    return std::get<GoodputProblem>(goodput(job)).rule;
  };
  JobReliability job = of_nodes(2048, 6.5e-3 / 24);  // 1.8 h between failures
  job.checkpoint.stall = hours(2);
  CHECK(rule(job) == GoodputRule::stall_too_long);
  job.checkpoint = {.stall = Seconds{20}, .durable = hours(2)};
  CHECK(rule(job) == GoodputRule::durable_too_late);
  job.checkpoint = {.interval = hours(1), .stall = Seconds{20}, .durable = hours(1.5)};
  CHECK(rule(job) == GoodputRule::still_writing);
  job.checkpoint = {.interval = hours(100), .stall = Seconds{20}};
  CHECK(rule(job) == GoodputRule::hardly_any_advance);
  job.checkpoint = {.stall = Seconds{20}};
  job.restart = hours(2);
  job.rates.components.front().basis = RateBasis::wall;
  CHECK(rule(job) == GoodputRule::recovery_too_long);
  job.recovery_can_fail = true;
  CHECK(availability(job) < 0.5);
  job.restart = hours(1e6);
  CHECK(rule(job) == GoodputRule::recovery_too_long);
}

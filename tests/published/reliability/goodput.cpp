// Published figures of failures and checkpoints, and the values of the design's own table.
#include "planner/reliability/goodput.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/degraded.hpp"
#include "planner/reliability/spares.hpp"
#include "planner/reliability/wall_month.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("Meta RSC-1: time between failures of large jobs") {
  // Kokolis et al. 2025 (arXiv 2410.21680): 6.5 failures per 1,000 node-days, 1.80 h and 0.23 h.
  const auto mttf = [](double gpus) {
    const JobReliability job = of_nodes(gpus / 8, 6.5e-3 / 24);
    return 1 / failure_load(job, exposures(job)).rate.si() / 3600;
  };
  CHECK(mttf(16384) == near(1.80, 0.01));
  CHECK(mttf(131072) == near(0.23, 0.03));
}

TEST_CASE("Meta RSC-1: effective training time of the paper's example") {
  // Their first-order form is (1 - N·r·(u0 + dt/2))/(1 + w/dt), 0.8725; ours is the exact one.
  JobReliability job = of_nodes(2048, 6.5e-3 / 24);
  job.checkpoint = {.interval = minutes(5), .stall = Seconds{20}};
  job.restart = minutes(5);
  const double first_order = (1 - 2048 * 6.5e-3 * (5.0 + 2.5) / 1440) / (1 + 20.0 / 300);
  CHECK(std::abs(first_order - 0.8725) < 1e-4);
  CHECK(std::abs(availability(job) - 0.8742) < 1e-4);
}

TEST_CASE("Daly 2006: optimal intervals of 117, 57 and 9.1 minutes") {
  // Checkpoints of 5 minutes; 24 h, 6 h and 15 min between failures.
  const Seconds d = minutes(5);
  CHECK(daly_interval(d, hours(24)).si() / 60 == near(117, 0.01));
  CHECK(daly_interval(d, hours(6)).si() / 60 == near(57, 0.01));
  CHECK(daly_interval(d, minutes(15)).si() / 60 == near(9.1, 0.01));
  CHECK(optimal_interval(d, minutes(15)).si() / 60 == near(9.17, 0.001));
}

TEST_CASE("C4, Table III: an accounting test, its inputs were inverted from the table") {
  const auto percent = [](double failures, double checkpoint, double detect, double diagnose,
                          double restart) {
    DowntimeShares shares = wall_month(failures,
                                       {.checkpoint_interval = minutes(checkpoint),
                                        .detect = minutes(detect),
                                        .diagnose = minutes(diagnose),
                                        .restart = minutes(restart)},
                                       hours(720));
    for (double* part :
         {&shares.post_checkpoint, &shares.detect, &shares.diagnose, &shares.restart}) {
      *part *= 100;
    }
    return shares;
  };
  const DowntimeShares june = percent(66.2, 98, 22.26, 128.28, 3.92);
  CHECK(std::abs(june.post_checkpoint - 7.53) < 0.05);
  CHECK(std::abs(june.detect - 3.41) < 0.05);
  CHECK(std::abs(june.diagnose - 19.65) < 0.05);
  CHECK(std::abs(june.restart - 0.60) < 0.05);
  CHECK(std::abs(june.total() - 31.19) < 0.05);
  const DowntimeShares december = percent(19.9, 10, 1.09, 15.87, 3.26);
  CHECK(std::abs(december.post_checkpoint - 0.23) < 0.05);
  CHECK(std::abs(december.detect - 0.05) < 0.05);
  CHECK(std::abs(december.diagnose - 0.73) < 0.05);
  CHECK(std::abs(december.restart - 0.15) < 0.05);
  CHECK(std::abs(december.total() - 1.16) < 0.05);
}

TEST_CASE("C4: the exact model on the figures of June") {
  // 30.9 % lost where failures are counted by the calendar, 25.1 % where by the hours of running.
  JobReliability job = of_nodes(1, 66.2 / 720);
  job.checkpoint.interval = minutes(98);
  job.restart = minutes(22.26 + 128.28 + 3.92);
  CHECK(1 - availability(job) == near(0.251, 0.002));
  // By its own calendar the job was down for 66.2 recoveries of 720 h, and ran the rest.
  job.rates.components.front().basis = RateBasis::job_calendar;
  job.running_share = 1 - 66.2 / 720 * job.restart.in(units::hour);
  CHECK(1 - availability(job) == near(0.309, 0.002));
}

TEST_CASE("HPN: crashes of a single-ToR job, and what one costs") {
  // Qian et al. 2024 (SIGCOMM), section 2.3: 0.057 % of links and 0.051 % of switches a month.
  JobReliability job{.rates = {.components = {rate_of(FailureUnit::link, 0.00057 / 720),
                                              rate_of(FailureUnit::network_switch, 0.00051 / 720)}},
                     .counts = {.gpus = 3000, .links = 3000, .switches = 47}};
  const auto per_month = [](const JobReliability& of) {
    return failure_load(of, exposures(of)).rate * hours(720);
  };
  CHECK(per_month(job) == near(1.73, 0.01));
  // Dual-ToR: both links of a pair, 6.5e-5 a month when a repair takes a day.
  job.rates.components.pop_back();
  for (FailureRate& rate : job.rates.components) {
    rate.repair = hours(24);
    rate.degraded_speed = 1 - 0.0625;
  }
  job.access = AccessLinks::dual_tor;
  CHECK(per_month(job) == near(6.5e-5, 0.01));
  // One of 6,000 links is out 10.8 % of the time, which costs 0.67 %.
  CHECK(part_out_share(exposures(job).front().rate, hours(24)) == near(0.108, 0.005));
  CHECK(1 - failure_load(job, exposures(job)).speed == near(0.0067, 0.01));
  // Half of three hours between checkpoints at $20,000 an hour for 3,000 GPUs: $30,000.
  CHECK(20'000 * hours(3).in(units::hour) / 2 == 30'000);
}

TEST_CASE("C4 paper: 8 spare nodes of 136 for 7 days") {
  const auto p = [](double per_node_day) {
    return spares_suffice(136, 8, PerSecond{per_node_day / 86400}, 7 * units::day);
  };
  CHECK(std::abs(p(419.0 / 54 / 2048) - 0.990) < 0.001);  // Llama 3
  CHECK(std::abs(p(6.5e-3) - 0.847) < 0.001);             // RSC-1
  CHECK(std::abs(p(66.2 / 30 / 300) - 0.756) < 0.001);    // C4, June
  CHECK(std::abs(p(19.9 / 30 / 300) - 0.9997) < 0.0001);  // C4, December
  const PerSecond llama{419.0 / 54 / 2048 / 86400};
  CHECK(std::abs(std::pow(p(419.0 / 54 / 2048), 16) - 0.853) < 0.001);
  CHECK(spares_needed(2048, llama, 7 * units::day, 0.99) == 73);
}

TEST_CASE("Fire-Flyer: five minutes between checkpoints") {
  // An et al. 2024 (arXiv 2408.14158), Table VII: 292 failures of 1,250 nodes in 183 days. Restart
  // of 5 minutes assumed.
  const double per_node_hour = 292.0 / (183 * 24) / 1250;
  JobReliability job = of_nodes(1250, per_node_hour);
  job.checkpoint.interval = minutes(5);
  job.restart = minutes(5);
  CHECK(1 / failure_load(job, exposures(job)).rate.si() / 3600 == near(15.0, 0.005));
  CHECK(1 - availability(job) == near(0.0083, 0.005));
  job.checkpoint.interval = hours(3);
  CHECK(1 - availability(job) == near(0.101, 0.005));
}

TEST_CASE("Llama 3: more than 90 % takes a recovery of at most 16 minutes") {
  // Table 5: 466 interruptions, planned ones included, in 54 days of the calendar.
  const auto lost = [](double stall, double recovery) {
    JobReliability job{.rates = {.components = {rate_of(FailureUnit::job, 466.0 / 1296)}}};
    job.rates.components.front().basis = RateBasis::job_calendar;
    job.checkpoint.stall = Seconds{stall};
    job.restart = minutes(recovery);
    job.running_share = 1 - 466.0 / 1296 * recovery / 60;
    return 1 - availability(job);
  };
  for (const auto& [stall, recovery] :
       {std::pair{0.5, 15.1}, {1.0, 14.4}, {5.0, 11.7}, {10.0, 9.6}, {20.0, 6.6}}) {
    CHECK(std::abs(lost(stall, recovery) - 0.1) < 0.0005);
  }
}

// An oversubscribed network slows each kind of group by the lowest tier that holds all its ranks.
#include <doctest/doctest.h>

#include "planner/perf/closed_form/closed_form.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

// K = 8, tp 8 × 2, dp 1 × 4, pp 1 × 2: spans of 16, 64 and 128 GPUs.
const Strategy kSpanning{.tp = {8, 2}, .pp = {1, 2}, .dp = {1, 4}};

ClosedForm::GroupLinks links(std::vector<NetworkTier> tiers) {
  Workload workload = gpt_1t_on_gh200();
  workload.gpus = 128;
  workload.system.hb_domain = 8;
  workload.system.network_bandwidth = 40 * units::GBps;
  workload.network_tiers = std::move(tiers);
  return ClosedForm(workload).group_links(kSpanning);
}

void check(const ClosedForm::GroupLinks& found, double tp, double dp, double pp) {
  CHECK(found.tp.net.in(units::GBps) == near(tp));
  CHECK(found.dp.net.in(units::GBps) == near(dp));
  CHECK(found.pp.net.in(units::GBps) == near(pp));
}

}  // namespace

TEST_CASE("no tier, no loss") {
  check(links({}), 40, 40, 40);
}

TEST_CASE("a tier slows the groups that are wider than it") {
  check(links({{.gpus = 128, .bandwidth_share = 0.5}}), 40, 40, 40);
  check(links({{.gpus = 64, .bandwidth_share = 0.5}}), 40, 40, 20);
  check(links({{.gpus = 63, .bandwidth_share = 0.5}}), 40, 20, 20);
  check(links({{.gpus = 16, .bandwidth_share = 0.5}}), 40, 20, 20);
  check(links({{.gpus = 15, .bandwidth_share = 0.5}}), 20, 20, 20);
}

TEST_CASE("of several tiers the tightest that is crossed counts") {
  check(links({{.gpus = 15, .bandwidth_share = 0.5}, {.gpus = 64, .bandwidth_share = 0.1}}), 20, 20,
        4);
}

TEST_CASE("HB links are untouched, and less bandwidth is never faster") {
  Workload workload = gpt_1t_on_gh200();
  workload.gpus = 128;
  workload.system.hb_domain = 8;
  const Prediction full = ClosedForm(workload).evaluate(kSpanning);
  workload.network_tiers = {{.gpus = 16, .bandwidth_share = 0.5}};
  const Prediction tight = ClosedForm(workload).evaluate(kSpanning);
  CHECK(tight.time.last_stage_tp_communication == full.time.last_stage_tp_communication);
  CHECK(tight.time.sync > full.time.sync);
  CHECK(tight.time.last_stage_pp_communication > full.time.last_stage_pp_communication);
  CHECK(tight.memory == full.memory);
}

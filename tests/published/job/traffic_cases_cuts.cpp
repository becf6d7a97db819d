// Cuts of units of consecutive GPUs: how many flows of groups leave them, counted elsewhere by a
// walk over all flows, and by hand where units and groups are aligned. First that no case of
// traffic is without a test.
#include <filesystem>
#include <set>

#include "planner/domain/cut.hpp"
#include "support/traffic_cases.hpp"

using namespace planner;
using namespace planner::testing;
using nlohmann::json;

TEST_CASE("every case of traffic stands once, and its theme has a test") {
  std::set<std::string> ids, themes;
  for (const json& one : all_traffic_cases()) {
    CHECK(ids.insert(one["id"]).second);
    themes.insert(one["theme"].get<std::string>());
    CHECK_FALSE(one["source"].get<std::string>().empty());
  }
  CHECK(ids.size() == 106);
  for (const std::string& theme : themes) {
    CAPTURE(theme);
    const std::string room = theme == "jobs" ? "published" : "job";
    CHECK(std::filesystem::exists(PLANNER_SOURCE_DIR "/tests/published/" + room +
                                  "/traffic_cases_" + theme + ".cpp"));
  }
}

namespace {

GroupFlows cut_groups(const json& in) {
  return {flow_kind(in["kind"]), in["stride"], in["ranks"]};
}

json work_out_cut(const std::string& id, const json& in) {
  const auto starts = [&](const char* with) { return id.starts_with(with); };
  if (starts("cut-")) {
    const double out = flows_out(cut_groups(in), in["unit"][0], in["unit"][1]);
    return {{"flows_out", out}, {"flows_in", out}};  // as many enter
  }
  if (starts("unit-")) {
    const Cut found = cut(cut_groups(in), in["gpus"], in["unit_gpus"]);
    return {{"busiest_unit_out", found.busiest}, {"all_units_out", found.all}};
  }
  if (starts("aligned-")) {
    const GroupFlows groups = cut_groups(in);
    const std::int64_t unit = in["unit_gpus"];
    REQUIRE(aligned(groups, unit));
    const double busiest = cut(groups, 2 * groups.period() * unit, unit).busiest;
    CHECK(busiest_flows_out(groups, unit) == busiest);
    return {{"busiest_unit_out", busiest}};
  }
  if (id == "random-hosts") {
    const RandomCut found = random_ring_cut(in["hosts"], in["unit_hosts"]);
    return {{"mean", found.mean}, {"variance", found.variance}};
  }
  return nullptr;
}

}  // namespace

TEST_CASE("cases of cuts") {
  check_traffic_cases("cuts", work_out_cut);
}

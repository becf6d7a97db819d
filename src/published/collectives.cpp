// Bandwidths of NCCL as its makers state them, and of collectives in the C4, HPN and Meta papers
// that no hash collision sets: what follows from the stated hardware is computed; the rest is
// shown, with the reason why nothing is computed for it. Those that collisions set stand in
// routing.cpp.

#include <fmt/format.h>

#include <limits>
#include <tuple>

#include "planner/core/real.hpp"
#include "planner/perf/collectives/time.hpp"
#include "planner/published/published.hpp"
#include "planner/published/sources.hpp"

namespace planner::published {

namespace {

constexpr const char* kNcclTests = "NVIDIA/nccl-tests, issues 119 and 212";

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double ratio(const catalog::Catalog& catalog, const char* system) {
  const System loaded = catalog.load_system(system);
  return loaded.hb_bandwidth / loaded.network_bandwidth;
}

Check shown_only(const char* id, const char* source, const char* quantity, const char* unit,
                 double published, std::string note) {
  return {.id = id,
          .source = source,
          .quantity = quantity,
          .unit = unit,
          .kind = Kind::input,
          .published = published,
          .ours = kNothing,
          .note = std::move(note)};
}

/// Bus bandwidth of one algorithm of NCCL over whole HB domains, with 16 GiB.
double nccl_bus_GBps(const catalog::Catalog& catalog, const System& system, CollectiveKind kind,
                     CollectiveAlgorithm algorithm, double domains, InSwitchReduction can) {
  const CollectiveGroup group{.hb = static_cast<double>(system.hb_domain), .net = domains};
  const Bytes size = 0x1p34 * units::byte;
  const TimedAlgorithm timed =
      timed_algorithm(kind, algorithm, size, group, catalog.load_collectives("nccl"),
                      system.hb_bandwidth, system.network_bandwidth, can)
          .value();
  return bus_bandwidth(kind, size, group.ranks(), timed.time.total()).in(units::GBps);
}

void add_nccl(const catalog::Catalog& catalog, Checks& rows) {
  const auto add = [&](const char* id, const char* quantity, double published, double ours,
                       double tolerance, const char* note) {
    rows.push_back({.id = id,
                    .source = kNcclTests,
                    .quantity = quantity,
                    .unit = "GB/s",
                    .kind = Kind::computed,
                    .published = published,
                    .ours = ours,
                    .tolerance = tolerance,
                    .note = note});
  };
  using Algorithm = CollectiveAlgorithm;
  const System h100 = catalog.load_system("dgx-h100");
  add("nccl_ring_h100", "8 H100, ring, bus bandwidth", 370,
      nccl_bus_GBps(catalog, h100, CollectiveKind::all_gather, Algorithm::ring, 1, {}), 5,
      "the efficiency is NCCL's own SM90_NVLINK_BW, which this answer agrees with");
  add("nccl_nvls_h100", "8 H100, all-reduce by NVLink SHARP, about", 480,
      nccl_bus_GBps(catalog, h100, CollectiveKind::all_reduce, Algorithm::in_switch, 1,
                    {.hb = true}),
      5, "the efficiency is set by 476 GB/s of issue 290");
  System four_cards = catalog.load_system("dgx-a100-40gb");
  four_cards.network_bandwidth = 12.5 * units::GBps;  // four cards of 200 Gb/s for 8 GPUs
  add("nccl_ring_a100", "3 × 8 A100 with 4 cards of 200 Gb/s, all-reduce, peak", 96,
      nccl_bus_GBps(catalog, four_cards, CollectiveKind::all_reduce, Algorithm::ring, 3, {}), 1,
      "measured up to 128 MB; ours with 16 GiB");
}

void add_c4(const catalog::Catalog& catalog, Checks& rows) {
  const System h800 = catalog.load_system("hpn-h800");
  const double card = h800.network_bandwidth.in(units::Gbps);
  rows.push_back(shown_only(
      "c4_ceiling", kC4, "ceiling of the bus bandwidth", "Gb/s", kC4Ceiling,
      fmt::format(
          "does not follow from the stated hardware: NVLink of an H800 carries {:g} Gb/s per "
          "direction, the cards of a node {:g}, one card {:g}; taken as an input",
          h800.hb_bandwidth.in(units::Gbps), real(h800.hb_domain) * card, card)));
  for (const auto& [id, what, gbps] :
       {std::tuple{"c4_c4p_best", "8 jobs with C4P, best", kC4BestPlanned},
        {"c4_c4p_worst", "8 jobs with C4P, worst", kC4WorstPlanned}}) {
    rows.push_back(
        shown_only(id, kC4, what, "Gb/s", gbps, "within 3 % of the ceiling, which is an input"));
  }
}

void add_hpn(const catalog::Catalog& catalog, Checks& rows) {
  // Section 6: "it is 4-9x greater than the 2x200Gbps".
  rows.push_back({.id = "hpn_nvlink_least",
                  .source = kHpn,
                  .quantity = "NVLink's bandwidth over the card's, at least (H800)",
                  .kind = Kind::arithmetic,
                  .published = 4,
                  .ours = ratio(catalog, "hpn-h800"),
                  .tolerance = 1e-9});
  rows.push_back({.id = "hpn_nvlink_most",
                  .source = kHpn,
                  .quantity = "NVLink's bandwidth over the card's, at most (H100)",
                  .kind = Kind::arithmetic,
                  .published = 9,
                  .ours = ratio(catalog, "dgx-h100"),
                  .tolerance = 1e-9});
}

void add_meta(Checks& rows) {
  rows.push_back(shown_only("meta_te_links", kMeta, "use of the links with traffic engineering",
                            "%", 80, "the load that was offered is not published"));
  rows.push_back(
      shown_only("meta_co_tuning", kMeta, "co-tuning over out of the box, more than", "times", 2,
                 "sizes, job and settings are not published: nothing to compute it from"));
}

}  // namespace

Checks collectives(const catalog::Catalog& catalog) {
  Checks rows;
  add_nccl(catalog, rows);
  add_c4(catalog, rows);
  add_hpn(catalog, rows);
  add_meta(rows);
  return rows;
}

}  // namespace planner::published

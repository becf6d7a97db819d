// Bandwidths of collectives in the C4, HPN and Meta papers that no hash collision sets: what
// follows from their stated hardware is computed; the rest is shown, with the reason why nothing is
// computed for it. Those that collisions set stand in published_routing.cpp.

#include <limits>
#include <tuple>

#include "planner/api/published.hpp"

namespace planner {

namespace {

constexpr const char* kC4 = "C4 paper (Alibaba, 2024), section IV";
constexpr const char* kHpn = "HPN paper (SIGCOMM'24), collectives";
constexpr const char* kMeta = "Meta RoCE paper (SIGCOMM'24), collectives";

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double ratio(const io::Catalog& catalog, const char* system) {
  const System loaded = catalog.load_system(system);
  return loaded.hb_bandwidth / loaded.network_bandwidth;
}

/// Gb/s that a ring on 8 H800 and their NVLink can reach at most, by the stated 400 GB/s both ways.
double ring_limit_gbps(const io::Catalog& catalog) {
  return catalog.load_system("hpn-h800").hb_bandwidth.in(units::Gbps);
}

PublishedCheck input(const char* id, const char* source, const char* quantity, const char* unit,
                     double published, std::string note) {
  return {.id = id,
          .source = source,
          .quantity = quantity,
          .unit = unit,
          .kind = PublishedKind::input,
          .published = published,
          .ours = kNothing,
          .note = std::move(note)};
}

void add_c4(const io::Catalog& catalog, std::vector<PublishedCheck>& rows) {
  rows.push_back(
      input("c4_ceiling", kC4, "ceiling of the bus bandwidth", "Gb/s", 362,
            "does not follow from the stated hardware: NVLink of an H800 carries " +
                std::to_string(static_cast<int>(ring_limit_gbps(catalog))) +
                " Gb/s per direction, the cards of a node 3200, one card 400; taken as an input"));
  for (const auto& [id, what, gbps] : {std::tuple{"c4_c4p_best", "8 jobs with C4P, best", 360.57},
                                       {"c4_c4p_worst", "8 jobs with C4P, worst", 353.86}}) {
    rows.push_back(
        input(id, kC4, what, "Gb/s", gbps, "within 3 % of the ceiling, which is an input"));
  }
}

void add_hpn(const io::Catalog& catalog, std::vector<PublishedCheck>& rows) {
  // Section 6: "it is 4-9x greater than the 2x200Gbps".
  rows.push_back({.id = "hpn_nvlink_least",
                  .source = kHpn,
                  .quantity = "NVLink over the card, at least (H800)",
                  .kind = PublishedKind::computed,
                  .published = 4,
                  .ours = ratio(catalog, "hpn-h800"),
                  .tolerance = 1e-9});
  rows.push_back({.id = "hpn_nvlink_most",
                  .source = kHpn,
                  .quantity = "NVLink over the card, at most (H100)",
                  .kind = PublishedKind::computed,
                  .published = 9,
                  .ours = ratio(catalog, "dgx-h100"),
                  .tolerance = 1e-9});
}

void add_meta(std::vector<PublishedCheck>& rows) {
  rows.push_back(input("meta_te_links", kMeta, "use of the links with traffic engineering", "%", 80,
                       "the load that was offered is not published"));
  rows.push_back(input("meta_co_tuning", kMeta, "co-tuning over out of the box, more than", "times",
                       2, "sizes, job and settings are not published: nothing to compute it from"));
}

}  // namespace

std::vector<PublishedCheck> collective_bandwidths(const io::Catalog& catalog) {
  std::vector<PublishedCheck> rows;
  add_c4(catalog, rows);
  add_hpn(catalog, rows);
  add_meta(rows);
  return rows;
}

}  // namespace planner

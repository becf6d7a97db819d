// Cables as they are bought and pulled: cords, splitters and trunks; and what lies in the trays.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

std::int64_t pieces_in_bill(const site::Build& built) {
  std::int64_t pieces = 0;
  for (const LaidLinks& links : built.laid.links) {
    for (const LaidCables& cables : links.cables) pieces += cables.pieces;
  }
  return pieces;
}

site::MediumUse use_of(const site::Build& built, const std::string& medium) {
  for (const site::MediumUse& use : built.laid.media) {
    if (use.medium == medium) return use;
  }
  return {};
}

}  // namespace

TEST_CASE("without trunk_fibres every fibre cable is a cord of its own, and trunks are told") {
  const site::Build built = testing::built(h100_16k(), Arrangement::naive);
  CHECK_FALSE(built.laid.bundles.pulled);
  CHECK(built.laid.shared.empty());
  CHECK(pieces_in_bill(built) == 49152);
  const site::Bundles& bundles = built.laid.bundles;
  CHECK(bundles.cables > 0);
  std::int64_t fibres = 0, pulls = 0;
  for (const site::TrunkPieces& of : bundles.trunks) {
    fibres += of.fibres * of.pieces;
    pulls += of.pieces;
  }
  CHECK(fibres >= 12 * bundles.cables);
  CHECK(pulls <= bundles.cables / 12 + bundles.bundles);  // one at most that is not full
  CHECK(bundles.trunks.front().fibres == 144);
  CHECK(bundles.racks == static_cast<std::int64_t>(built.plan.racks.size()));
}

TEST_CASE("with trunk_fibres the trunks are what is bought, as long as their longest cable") {
  SiteCluster cluster = h100_16k();
  const site::Build cords = testing::built(cluster, Arrangement::naive);
  cluster.site.trunk_links = 8;
  const site::Build built = testing::built(cluster, Arrangement::naive);
  CHECK(built.laid.bundles.pulled);
  std::int64_t trunks = 0;
  for (const site::TrunkPieces& of : built.laid.bundles.trunks) trunks += of.pieces;
  CHECK(static_cast<std::int64_t>(built.laid.shared.size()) == trunks);
  CHECK(pieces_in_bill(built) == 49152 - built.laid.bundles.cables + trunks);
  std::int64_t carried = 0;
  for (const site::SharedPiece& piece : built.laid.shared) {
    carried += piece.links;
    CHECK(12 * piece.links <= piece.fibres);
    CHECK(piece.sold_m >= piece.longest_m);
  }
  CHECK(carried == built.laid.bundles.cables);
  // What is laid stays: only what it is bought and pulled as changes.
  CHECK(built.laid.required_m == cords.laid.required_m);
  CHECK(built.trays.fullest_row.cables < cords.trays.fullest_row.cables);
  CHECK(built.trays.fullest_row.section_mm2 >= cords.trays.fullest_row.section_mm2 * (1 - 1e-9));
  cluster.media = {{medium("long", MediumKind::active_optical, 100, {30, 100})}};
  CHECK(testing::built(cluster, Arrangement::naive).laid.bundles.bundles == 0);
}

TEST_CASE("a splitter is one piece for the ports of its cage, and as long as its longer leg") {
  const site::Build built = testing::built(nvl72_9216(), Arrangement::regular);
  std::int64_t links = 0, splitters = 0;
  for (std::size_t l = 0; l < built.laid.layers.size(); ++l) {
    const site::LaidLayer& layer = built.laid.layers[l];
    for (std::size_t i = 0; i < layer.medium.size(); ++i) {
      if (layer.medium[i] != 1) continue;  // active copper
      ++links;
      const auto& piece = built.laid.shared[static_cast<std::size_t>(layer.shared[i])];
      CHECK(piece.links <= 2);
      CHECK(piece.fibres == 0);
    }
  }
  for (const site::SharedPiece& piece : built.laid.shared) {
    splitters += piece.medium == 1 ? 1 : 0;
    CHECK(piece.sold_m >= piece.longest_m);
  }
  REQUIRE(links > 0);
  CHECK(splitters == links / 2);
  const site::MediumUse copper = use_of(built, "acc"), fibre = use_of(built, "sr");
  CHECK(copper.pieces == splitters);
  // What pieces need is held against what is sold: a leg is no piece of its own.
  CHECK(copper.pieces_required_m < copper.required_m);
  CHECK(copper.pieces_required_m >= Approx(copper.required_m / 2));
  CHECK(copper.pieces_required_m <= copper.sold_m);
  CHECK(fibre.pieces_required_m == Approx(fibre.required_m));
  CHECK(pieces_in_bill(built) == 27648 - links + splitters);
}

TEST_CASE("cables of HB domains lie in the trays between racks, and nowhere within one") {
  SiteCluster cluster = rail_only_32768();
  const auto row_cables = [&](const site::Build& built) {
    double metres = 0;  // of cables over rows and across them
    const site::Floor& floor = built.floor;
    for (std::size_t row = 0; row < built.trays.rows.size(); ++row) {
      for (std::int64_t col = 0; col + 1 < floor.cols(); ++col) {
        metres += static_cast<double>(built.trays.rows[row][static_cast<std::size_t>(col)].cables) *
                  (floor.x_of_col(col + 1) - floor.x_of_col(col));
      }
    }
    return metres;
  };
  const site::Build built = testing::built(cluster, Arrangement::naive);
  CHECK(built.laid.domain_cables == 147456);
  // The same floor and places with thicker ones: as many cables, and more of the section.
  Chassis thick = cluster.hardware.chassis;
  thick.domain_cable_mm = 60;
  const site::Trays trays = site::fill_trays(built.plan, thick, cluster.site, built.floor,
                                             built.places, built.laid, cluster.media);
  CHECK(trays.fullest_row.section_mm2 > built.trays.fullest_row.section_mm2);
  site::Laid without = built.laid;
  site::RackPlan plan = built.plan;
  std::erase_if(plan.wiring.layers,
                [](const site::WiredLayer& layer) { return layer.name == site::kDomainLayer; });
  site::Build bare = built;
  bare.trays = site::fill_trays(plan, thick, cluster.site, built.floor, built.places, without,
                                cluster.media);
  CHECK(row_cables(built) > row_cables(bare) + 0.5 * built.laid.domain_tray_m);
  CHECK(row_cables(built) <= row_cables(bare) + 1.5 * built.laid.domain_tray_m);
  // NVL72: a domain is a rack.
  CHECK(testing::built(nvl72_9216(), Arrangement::naive).laid.domain_cables == 0);
}

// fabcalc (github.com/nicmcd/fabcalc, version 2170589), run as published in 2026-11: cables of a
// HyperX, a dragonfly and a fat tree by sold length. Its rule of lengths has three slips, which are
// repeated here to meet its figures: the drop at the far end uses the near unit, metres of cooling
// units are added to a count of racks, and the first aisle crossed is always a hot one. Its floor
// is not ours (site::Floor): what is ours is the rounding up to sold lengths.

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "planner/site/cables.hpp"

namespace {

using namespace planner;

constexpr double kInch = 0.0254;
constexpr double kRack = 24 * kInch, kDepth = 48 * kInch, kCold = 48 * kInch, kHot = 36 * kInch;
constexpr double kGap = 5 * kInch, kCooling = 24 * kInch, kHeight = 48 * 1.75 * kInch;
constexpr int kRacksPerRow = 16, kChassis = 4;

struct Spot {
  int chassis, rack;
};

int coolers_between(int from, int to) {
  int number = 0;
  for (const int after : {1, 5, 9, 13}) number += after >= from && to > after ? 1 : 0;
  return number;
}

double rows_apart(int from, int to, bool as_published) {
  if (from > to) std::swap(from, to);
  double sum = 0;
  for (int row = from; row < to; ++row) {
    const int crossed = as_published ? row - from : row;
    sum += crossed % 2 == 0 ? kHot : 2 * kDepth + kCold;
  }
  return sum;
}

double length(Spot a, Spot b, bool as_published) {
  constexpr double kStep = kHeight / kChassis;
  if (a.rack == b.rack) return std::abs(a.chassis - b.chassis) * kStep;
  int from = a.rack % kRacksPerRow, to = b.rack % kRacksPerRow;
  if (from > to) std::swap(from, to);
  const double cooling = coolers_between(from, to) * kCooling;
  const double row = as_published ? (to - from + cooling) * kRack : (to - from) * kRack + cooling;
  const int far = as_published ? a.chassis : b.chassis;
  return a.chassis * kStep + kGap + row +
         rows_apart(a.rack / kRacksPerRow, b.rack / kRacksPerRow, as_published) + far * kStep +
         kGap;
}

struct Cable {
  Spot a, b;
};

std::vector<Cable> hyperx(std::array<int, 3> width, std::array<int, 3> weight) {
  const int per = width[0] / kChassis;
  const auto at = [&](int a, int b, int c) {
    return Spot{a % kChassis, (width[1] * c + b) * per + a / kChassis};
  };
  std::vector<Cable> cables;
  for (int a = 0; a < width[0]; ++a) {
    for (int b = 0; b < width[1]; ++b) {
      for (int c = 0; c < width[2]; ++c) {
        const auto join = [&](Spot other, int times) {
          for (int i = 0; i < times; ++i) cables.push_back({at(a, b, c), other});
        };
        for (int i = a + 1; i < width[0]; ++i) join(at(i, b, c), weight[0]);
        for (int i = b + 1; i < width[1]; ++i) join(at(a, i, c), weight[1]);
        for (int i = c + 1; i < width[2]; ++i) join(at(a, b, i), weight[2]);
      }
    }
  }
  return cables;
}

std::vector<Cable> fat_tree(int leaves, int up, int radix, int inset) {
  const int directors = (leaves * up + radix - 1) / radix;
  const int sets = (leaves + kChassis - 1) / kChassis / (2 * inset);
  const int each = (directors + sets - 1) / sets;
  std::vector<int> at;
  for (int rack = inset, in_set = 0; static_cast<int>(at.size()) < directors;) {
    at.push_back(rack++);
    if (++in_set == each) {
      in_set = 0;
      rack += 2 * inset;
    }
  }
  std::vector<Cable> cables;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    int rack = leaf / kChassis;
    for (const int director : at) rack += rack >= director ? 1 : 0;
    for (int u = 0; u < up; ++u) {
      cables.push_back({{leaf % kChassis, rack}, {0, at[u % directors]}});
    }
  }
  return cables;
}

std::vector<Cable> dragonfly(int groups, int routers) {
  const auto at = [&](int router, int group) {
    return Spot{router % kChassis, group * (routers / kChassis) + router / kChassis};
  };
  std::vector<Cable> cables;
  for (int group = 0; group < groups; ++group) {
    for (int a = 0; a < routers; ++a) {
      for (int b = a + 1; b < routers; ++b) cables.push_back({at(a, group), at(b, group)});
    }
  }
  const int ports = (groups - 1 + routers - 1) / routers;  // of a router, to other groups
  for (int a = 0; a < groups; ++a) {
    for (int b = a + 1; b < groups; ++b) {
      cables.push_back({at((b - 1) / ports, a), at(a / ports, b)});
    }
  }
  return cables;
}

using Pieces = std::map<double, int>;

const std::vector<double> kKimDally{.5, 1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 50, 75, 100};
const std::vector<double> kEdr{.5, 1, 1.5, 2, 3, 5, 10, 15, 20, 30, 50, 100};

Pieces sold(const std::vector<Cable>& cables, const std::vector<double>& lengths) {
  Pieces pieces;
  for (const Cable& cable : cables) {
    const double metres = std::ceil(length(cable.a, cable.b, true) / 0.5) * 0.5;
    ++pieces[site::sold_length(lengths, metres)];
  }
  return pieces;
}

double sum(const std::vector<Cable>& cables, bool as_published) {
  double metres = 0;
  for (const Cable& cable : cables) metres += length(cable.a, cable.b, as_published);
  return std::round(10 * metres) / 10;
}

TEST_CASE("fabcalc: HyperX") {
  const auto small = hyperx({4, 8, 1}, {4, 1, 0});
  CHECK(small.size() == 304);
  CHECK(sum(small, true) == 618.9);
  CHECK(sum(small, false) == 641.7);
  CHECK(sold(small, kKimDally) ==
        Pieces{{1, 101}, {2, 109}, {3, 18}, {4, 19}, {5, 23}, {7, 29}, {10, 5}});
  CHECK(sold(small, kEdr) == Pieces{{1, 101}, {1.5, 68}, {2, 41}, {3, 18}, {5, 42}, {10, 34}});
  const auto large = hyperx({4, 16, 16}, {4, 1, 1});
  CHECK(large.size() == 21504);
  CHECK(sum(large, true) == 158526.8);
  CHECK(sum(large, false) == 166123.3);
  CHECK(sold(large, kEdr) == Pieces{{1, 3248},
                                    {1.5, 2448},
                                    {2, 1328},
                                    {3, 912},
                                    {5, 2624},
                                    {10, 5408},
                                    {15, 2320},
                                    {20, 1280},
                                    {30, 1584},
                                    {50, 352}});
}

TEST_CASE("fabcalc: dragonfly") {
  const auto small = dragonfly(32, 8);
  CHECK(small.size() == 1392);
  CHECK(sum(small, true) == 5663.9);
  CHECK(sold(small, kKimDally) == Pieces{{1, 320},
                                         {2, 334},
                                         {3, 144},
                                         {4, 31},
                                         {5, 174},
                                         {7, 89},
                                         {10, 151},
                                         {15, 129},
                                         {20, 20}});
  CHECK(sold(small, kEdr) ==
        Pieces{{1, 320}, {1.5, 132}, {2, 202}, {3, 144}, {5, 205}, {10, 240}, {15, 129}, {20, 20}});
  const auto large = dragonfly(128, 16);
  CHECK(large.size() == 23488);
  CHECK(sum(large, true) == 281791.3);
  CHECK(sold(large, kEdr) == Pieces{{1, 2560},
                                    {1.5, 1556},
                                    {2, 2566},
                                    {3, 3110},
                                    {5, 4251},
                                    {10, 2396},
                                    {15, 933},
                                    {20, 955},
                                    {30, 1595},
                                    {50, 2311},
                                    {100, 1255}});
}

TEST_CASE("fabcalc: fat tree") {
  const auto cables = fat_tree(128, 8, 128, 6);
  CHECK(cables.size() == 1024);
  CHECK(sum(cables, true) == 6402.6);
  CHECK(sum(cables, false) == 6239.1);
  CHECK(sold(cables, kKimDally) ==
        Pieces{{2, 17}, {3, 47}, {4, 109}, {5, 128}, {7, 367}, {10, 305}, {15, 51}});
  CHECK(sold(cables, kEdr) == Pieces{{1.5, 6}, {2, 11}, {3, 47}, {5, 237}, {10, 672}, {15, 51}});
}

}  // namespace

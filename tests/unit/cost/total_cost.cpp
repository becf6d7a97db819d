#include <doctest/doctest.h>

#include <limits>

#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/cost.hpp"
#include "planner/cost/opex.hpp"
#include "unit/cost/support.hpp"
#include "unit/cost/worked_example.hpp"

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

namespace {

double item(const CostBreakdown& breakdown, OpexItem wanted) {
  for (const OpexLine& line : breakdown.opex) {
    if (line.item == wanted) return line.per_year.value().expected.dollars();
  }
  FAIL("no such item");
  return 0;
}

}  // namespace

// By hand. Capex: 10 · 250,000 + 4 · 20,000 = 2,580,000.
// IT power 10 · 10 + 4 · 1 = 104 kW; facility 104 · 1.25 = 130 kW.
// Electricity 130 kW · 0.8 · 8,760 h · $0.10 = 91,104 a year; maintenance 5 % of 2,580,000 =
// 129,000; staff 200,000: together 420,104.
// Residual after 4 of 5 years 2,580,000 / 5 = 516,000.
// TCO 2,580,000 - 516,000 + 4 · 420,104 = 3,744,416.
// GPU-hours used 80 · 4 · 8,760 · 0.9 = 2,522,880: $1.484183 each.
TEST_CASE("total cost of ownership, worked by hand") {
  const CostBreakdown result = breakdown_of(kParts, whole_economics());
  CHECK(result.capex.amount == exactly(2580000));
  CHECK(!result.capex.at_least());
  CHECK(result.power.it.in(units::kW) == Approx(104));
  CHECK(result.power.facility.value().expected.in(units::kW) == Approx(130));
  CHECK(item(result, OpexItem::electricity) == 91104);
  CHECK(item(result, OpexItem::maintenance) == 129000);
  CHECK(item(result, OpexItem::staff) == 200000);
  CHECK(result.opex_per_year.amount == exactly(420104));
  REQUIRE(result.ownership);
  CHECK(result.ownership->residual == exactly(516000));
  CHECK(result.ownership->opex == exactly(1680416));
  CHECK(result.ownership->total == exactly(3744416));
  CHECK(result.per_gpu_hour.value().expected.si() == Approx(3744416.0 / 2522880));
}

// A run of 30 days on 40 of the 80 GPUs: 28,800 GPU-hours · $1.484183 = 42,744.47; 2e9 tokens:
// $21.372 per million. Energy: half of 130 kW · 0.8 · 720 h = 37,440 kWh; CO2 14,976 kg.
TEST_CASE("one run pays its share of GPU-hours and power") {
  const CostBreakdown result = breakdown_of(
      kParts, whole_economics(), RunLength{.gpus = 40, .duration = 30 * units::day, .tokens = 2e9});
  REQUIRE(result.run);
  CHECK(result.run->cost.value().expected.dollars() == 42744.47);
  CHECK(result.run->per_million_tokens.value().expected.si() == Approx(21.372).epsilon(0.0001));
  CHECK(result.run->energy.value().expected.in(units::kWh) == Approx(37440));
  CHECK(result.run->co2_kg.value().expected == Approx(14976));
}

TEST_CASE("a run that outlasts the horizon has no price of an hour, and its energy still") {
  const auto of = [](double years) {
    return breakdown_of(kParts, whole_economics(),
                        RunLength{.gpus = 80, .duration = years * units::year})
        .run.value();
  };
  CHECK(of(4).cost);
  CHECK(!of(4.1).cost);
  CHECK(of(4.1).energy);
}

TEST_CASE("a cluster used to the end of its depreciation is worth nothing") {
  Economics longer = whole_economics();
  longer.horizon_years = 7;
  CHECK(breakdown_of(kParts, longer).ownership->residual == exactly(0));
}

// The book's dearest file server is $300,000: two of them are 18.9 % of 3,180,000, three 25.9 %.
TEST_CASE("a small line without a price makes every total a lower bound, a large one leaves none") {
  PriceBook book = kTwoPrices;
  book.prices.push_back(price("other server", 300000));
  book.prices.back().category = PartCategory::storage;
  const auto with_servers = [&](std::int64_t servers) {
    auto parts = kParts;
    parts.push_back(drawing("file server", PartCategory::storage, servers, 1 * units::kW));
    const auto bill = std::get<BillOfMaterials>(bill_of_materials(parts, book));
    return std::get<CostBreakdown>(cost_of(
        bill, {.gpus = 80, .accelerator = "gpu", .rented = 80, .economics = whole_economics()}));
  };
  const CostBreakdown result = with_servers(2);
  CHECK(result.capex.known());
  CHECK(result.ownership);
  CHECK(!with_servers(3).capex.known());
  CHECK(!with_servers(3).ownership);
  CHECK(!with_servers(3).per_gpu_hour);
  CHECK(result.capex.amount == exactly(2580000));
  CHECK(result.capex.missing == 1);
  CHECK(result.at_least());
  CHECK(result.categories.back().category == PartCategory::storage);
  CHECK(result.categories.back().total.missing == 1);
  // Maintenance, a share of capex, is a lower bound too.
  CHECK(result.opex_per_year.missing == 3);  // and space and insurance
}

TEST_CASE("without a price of the nodes there is no total") {
  auto parts = kParts;
  parts.push_back(drawing("other node", PartCategory::compute, 1, 1 * units::kW));
  const CostBreakdown result = breakdown_of(
      parts, whole_economics(), RunLength{.gpus = 80, .duration = units::day, .tokens = 1e9});
  CHECK(!result.capex.known());
  CHECK(!result.ownership);
  CHECK(!result.per_gpu_hour);
  CHECK(!result.break_even);
  CHECK(result.rent_or_buy.empty());
  CHECK(!result.run.value().cost);
  CHECK(result.run.value().energy);
  // The share of an unknown capex is not known either.
  CHECK(result.opex_per_year.missing == 3);  // and space and insurance
}

TEST_CASE("without any price of their kind, other lines leave no total either") {
  auto parts = kParts;
  parts.push_back(bought("tape", PartCategory::storage, 1));
  CHECK(!breakdown_of(parts, whole_economics()).capex.known());
}

TEST_CASE("parts without a power figure are counted, not taken for 0") {
  auto parts = kParts;
  parts.push_back(bought("switch", PartCategory::switches, 1));
  const CostBreakdown result = breakdown_of(parts, whole_economics());
  CHECK(result.power.lines_without_power == 1);
  CHECK(result.power.it.in(units::kW) == Approx(104));
  CHECK(result.opex.front().at_least);

  const CostBreakdown unknown =
      breakdown_of({bought("node", PartCategory::compute, 10)}, whole_economics());
  CHECK(!unknown.power.facility);
  CHECK(!unknown.opex.front().per_year);
  CHECK(unknown.opex_per_year.missing == 3);  // and space and insurance
}

TEST_CASE("without a PUE or a tariff, electricity is missing") {
  Economics no_pue = whole_economics();
  no_pue.pue = std::nullopt;
  const CostBreakdown result = breakdown_of(kParts, no_pue);
  CHECK(!result.power.facility);
  CHECK(!result.opex.front().per_year);
  CHECK(result.opex_per_year.amount == exactly(329000));
  CHECK(result.opex_per_year.at_least());

  Economics no_tariff = whole_economics();
  no_tariff.electricity = std::nullopt;
  CHECK(!breakdown_of(kParts, no_tariff).opex.front().per_year);
}

// 104 kW reserved · $200 · 12 months = 249,600; 5 racks · $1,500 · 12 = 90,000.
TEST_CASE("hosting is paid by the power reserved or by the rack") {
  Economics hosted = whole_economics();
  hosted.colocation =
      Estimate<UsdPerJoule>::exactly(200 * units::usd / (units::kW * (units::year / 12)));
  hosted.rack_rental = Estimate<UsdPerSecond>::exactly(1500 * units::usd / (units::year / 12));
  const auto with_racks = std::get<CostBreakdown>(
      cost_of(bill_of_two(kParts), {.gpus = 80, .racks = 5, .economics = hosted}));
  CHECK(item(with_racks, OpexItem::colocation) == 249600);
  CHECK(item(with_racks, OpexItem::rack_rental) == 90000);
  CHECK(item(with_racks, OpexItem::electricity) == 91104);

  hosted.hosting_includes_electricity = true;
  const CostBreakdown all_in = breakdown_of(kParts, hosted);
  CHECK(all_in.opex.front().item == OpexItem::colocation);
  // No number of racks is given here.
  CHECK(!all_in.opex[1].per_year);
  CHECK(all_in.opex_per_year.missing == 2);  // and insurance
}

// 80 · 8,760 h · 0.9 · $2 = 1,261,440 a year, and staff of 200,000: 4 years come to 5,845,760, over
// 2,522,880 GPU-hours $2.317098 each. For a term of one year all hours of 3 years are paid where
// 2.5 are looked at: 80 · 8,760 h · $2 · 3 / 2.5 = 1,681,920 a year.
TEST_CASE("rented GPUs are paid by the year, with nothing bought") {
  const auto rented = [](const std::vector<PartQuantity>& parts, RentTerm term, double years,
                         std::int64_t spares = 0) {
    Economics with = whole_economics();
    with.horizon_years = years;
    return std::get<CostBreakdown>(cost_of(
        bill_of_two(parts),
        {.gpus = 80,
         .accelerator = "gpu",
         .rent = CloudPrice{.accelerator = "gpu",
                            .term = term,
                            .rent = {staff_per_hour(1.5), staff_per_hour(2), staff_per_hour(3)}},
         .rented = 80 + spares,
         .economics = with,
         .run = RunLength{.gpus = 80, .duration = 100 * units::hour}}));
  };
  const CostBreakdown result = rented({}, RentTerm::on_demand, 4);
  CHECK(result.capex.amount == exactly(0));
  REQUIRE(result.opex.size() == 2);
  CHECK(result.opex.front().item == OpexItem::rent);
  CHECK(item(result, OpexItem::rent) == 1261440);
  CHECK(item(result, OpexItem::staff) == 200000);
  CHECK(result.left_out.empty());
  CHECK(!result.at_least());
  CHECK(result.ownership.value().total.expected.dollars() == Approx(5845760));
  CHECK(result.ownership.value().total.high.dollars() == Approx(4 * (1.5 * 1261440 + 200000)));
  CHECK(result.per_gpu_hour.value().expected.in(units::usd) == Approx(2.317098));
  CHECK(result.run.value().cost.value().expected.dollars() == Approx(8000 * 2.317098));
  CHECK(!result.run.value().energy);  // of somebody else's nodes
  CHECK(result.rent_or_buy.empty());
  CHECK(!result.break_even);

  CHECK(item(rented({}, RentTerm::one_year, 2.5), OpexItem::rent) == 1681920);
  CHECK(item(rented({}, RentTerm::three_years, 3), OpexItem::rent) == 80 * 8760 * 2);

  // 20 spares are rented too, and an hour is told of those whose hours are used: 1.25 times the
  // rent, so that a GPU-hour costs $2.317098 + 0.25 · $2.
  const CostBreakdown spared = rented({}, RentTerm::on_demand, 4, 20);
  CHECK(item(spared, OpexItem::rent) == 1.25 * 1261440);
  CHECK(spared.per_gpu_hour.value().expected.in(units::usd) == Approx(2.817098));
  CHECK(spared.run.value().cost.value().expected.dollars() == Approx(8000 * 2.817098));

  // What is bought beside them is charged as ever: 4 kW · 1.25 · 0.8 · 8,760 h · $0.10, 5 % of
  // capex.
  const CostBreakdown beside = rented({kParts[1]}, RentTerm::on_demand, 4);
  CHECK(item(beside, OpexItem::electricity) == 3504);
  CHECK(item(beside, OpexItem::maintenance) == 4000);
  CHECK(item(beside, OpexItem::rent) == 1261440);
  CHECK(beside.left_out == std::vector{OpexItem::colocation, OpexItem::insurance});
}

TEST_CASE("what the economics leave out is named") {
  CHECK(items_left_out(whole_economics()) ==
        std::vector{OpexItem::colocation, OpexItem::insurance});
  CHECK(items_left_out(Economics{}).size() == 4);
  Economics nobody = whole_economics();
  nobody.staff = Estimate<UsdPerSecond>::exactly(UsdPerSecond{});
  CHECK(items_left_out(nobody) == items_left_out(whole_economics()));
}

TEST_CASE("what a cluster costs is a lower bound while nobody gave an item of a year") {
  Economics with = whole_economics();
  CHECK(breakdown_of(kParts, with).opex_per_year.missing == 2);
  with.colocation = Estimate<UsdPerJoule>::exactly(per_kwh(0.2));
  CHECK(breakdown_of(kParts, with).left_out == std::vector{OpexItem::insurance});
  CHECK(breakdown_of(kParts, with).opex_per_year.missing == 1);
  CHECK(breakdown_of(kParts, with).at_least());
  // That it costs nothing is known.
  with.insurance = Estimate<double>::exactly(0);
  CHECK(breakdown_of(kParts, with).left_out.empty());
  CHECK(!breakdown_of(kParts, with).at_least());
}

TEST_CASE("ranges keep low, expected and high apart") {
  PriceBook range = kTwoPrices;
  range.prices[0].amount = Estimate<Money>{usd(200000), usd(250000), usd(400000)};
  Economics with = whole_economics();
  with.residual_by_year = {0.3, 0.2, 0.1, 0.05};
  with.pue = Estimate<double>{1.1, 1.25, 1.5};
  const auto bill = std::get<BillOfMaterials>(bill_of_materials(kParts, range));
  const auto result = std::get<CostBreakdown>(
      cost_of(bill, {.gpus = 80, .accelerator = "gpu", .rented = 80, .economics = with}));
  CHECK(result.capex.amount.low == usd(2080000));
  CHECK(result.capex.amount.high == usd(4080000));
  CHECK(result.ownership->total.low < result.ownership->total.expected);
  CHECK(result.ownership->total.expected < result.ownership->total.high);
  CHECK(result.break_even->after.low < result.break_even->after.expected);
  CHECK(result.break_even->after.expected < result.break_even->after.high);
}

TEST_CASE("relative prices have capex and power, and no dollars") {
  PriceBook relative = kTwoPrices;
  relative.currency = Currency::relative;
  for (Price& entry : relative.prices) entry.currency = Currency::relative;
  const auto bill = std::get<BillOfMaterials>(bill_of_materials(kParts, relative));
  const auto mixed = cost_of(bill, {.gpus = 80, .economics = whole_economics()});
  CHECK(std::get<CostProblem>(mixed).rule == CostRule::mixed_currency);

  const Economics power_only{.pue = Estimate<double>::exactly(1.25), .grid_kg_co2_per_kwh = 0.4};
  const auto result = std::get<CostBreakdown>(cost_of(
      bill,
      {.gpus = 80, .economics = power_only, .run = RunLength{.gpus = 80, .duration = units::day}}));
  CHECK(result.currency == Currency::relative);
  CHECK(result.capex.amount == exactly(2580000));
  CHECK(!result.ownership);
  CHECK(!result.per_gpu_hour);
  CHECK(!result.run->cost);
  CHECK(result.run->energy.value().expected.in(units::kWh) == Approx(3120));
}

TEST_CASE("a cluster without GPUs, or a run on more than it has, is an error") {
  CHECK(std::holds_alternative<CostProblem>(cost_of({}, {.gpus = 0})));
  const RunLength too_many{.gpus = 81, .duration = units::day};
  CHECK(std::holds_alternative<CostProblem>(cost_of({}, {.gpus = 80, .run = too_many})));
}

TEST_CASE("sums beyond the range of money are errors") {
  BillOfMaterials bill;
  for (int i = 0; i < 2; ++i) {
    bill.lines.push_back(
        {.quantity = 1,
         .total = Estimate<Money>::exactly(Money::cents(9'000'000'000'000'000'000))});
  }
  const auto result = cost_of(bill, {.gpus = 1});
  CHECK(std::get<CostProblem>(result).rule == CostRule::too_large);
}

namespace {

CategoryCost costing(PartCategory category, std::int64_t dollars, std::int64_t missing = 0) {
  const auto amount = Estimate<Money>::exactly(Money::cents(100 * dollars));
  return {.category = category, .total = {.amount = amount, .missing = missing}};
}

}  // namespace

TEST_CASE("network cost is that of the network alone, quotes and cards included") {
  const auto whole =
      network_total({costing(PartCategory::switches, 10), costing(PartCategory::nics, 20),
                     costing(PartCategory::network, 30, 2), costing(PartCategory::compute, 50),
                     costing(PartCategory::storage, 40)});
  REQUIRE(whole);
  CHECK(whole->amount.expected == Money::cents(60'00));
  CHECK(whole->missing == 2);
}

TEST_CASE("a network beyond the range of money has no sum, not a smaller one") {
  const Money most = Money::cents(std::numeric_limits<std::int64_t>::max());
  CHECK(!network_total(
      {costing(PartCategory::switches, 1),
       {.category = PartCategory::cables, .total = {.amount = Estimate<Money>::exactly(most)}}}));
}

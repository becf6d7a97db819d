#include "planner/cost/finance.hpp"

#include <doctest/doctest.h>

#include "planner/cost/opex.hpp"
#include "planner/cost/ownership.hpp"
#include "planner/cost/rent_or_buy.hpp"
#include "planner/cost/residual.hpp"
#include "unit/cost/support.hpp"

using namespace planner;
using doctest::Approx;

namespace {

/// Two of four years, $100 of parts and $10 a year.
Economics two_years() {
  return {.name = "test", .depreciation_years = 4, .horizon_years = 2};
}

Financed financed_of(const Economics& economics) {
  const Estimate<Money> capex = exactly(100), opex = exactly(10);
  return financed(economics, capex, opex, ownership(economics, capex, opex).value()).value();
}

UsdPerSecond per_hour(double dollars) {
  return dollars * units::usd / units::hour;
}

}  // namespace

// 0.08 / (1 - 1.08^-4) = 0.301921.
TEST_CASE("an annuity, and a share of the years where money costs nothing") {
  CHECK(annuity(0.08, 4) == Approx(0.3019208));
  CHECK(annuity(0, 4) == 0.25);
}

// Two fifths of what is left each year: 0.6, 0.36, 0.216; then the line through the two years left
// is more: 0.108, 0.
TEST_CASE("book values by the line and by double declining") {
  Economics five{.depreciation_years = 5};
  CHECK(book_value(five, 2) == Approx(0.6));
  five.depreciation = Depreciation::double_declining;
  CHECK(book_value(five, 0) == 1);
  CHECK(book_value(five, 1) == Approx(0.6));
  CHECK(book_value(five, 1.5) == Approx(0.48));
  CHECK(book_value(five, 3) == Approx(0.216));
  CHECK(book_value(five, 4) == Approx(0.108));
  CHECK(book_value(five, 5) == 0);
  CHECK(book_value(five, 50) == 0);
}

TEST_CASE("either way a part loses value all the time and never more than it has") {
  for (const Depreciation method : kDepreciations) {
    for (const double life : {0.5, 1.0, 2.5, 4.0, 7.3}) {
      const Economics economics{.depreciation_years = life, .depreciation = method};
      double before = 1;
      for (double years = 0; years < life + 1; years += 0.05) {
        const double now = book_value(economics, years);
        CHECK(now >= 0);
        CHECK(now <= before + 1e-12);
        before = now;
      }
      CHECK(book_value(economics, life) == Approx(0));
    }
  }
}

TEST_CASE("what parts sell for goes before their book value") {
  const Economics sold{.residual_by_year = {0.65, 0.45, 0.30}};
  CHECK(residual_share(sold, 0.5) == Approx(0.825));
  CHECK(residual_share(sold, 1) == Approx(0.65));
  CHECK(residual_share(sold, 1.5) == Approx(0.55));
  CHECK(residual_share(sold, 9) == Approx(0.30));
  CHECK(residual_share({}, 1) == Approx(0.75));
}

// 100 + 10/1.1 + 10/1.21 - 50/1.21 = 76.0331; over 1/1.1 + 1/1.21 = 1.735537 payments: 43.8095.
TEST_CASE("net present cost, worked by hand") {
  Economics dear = two_years();
  dear.cost_of_capital = 0.1;
  CHECK(financed_of(dear).present_cost == exactly(76.03));
  CHECK(financed_of(dear).per_year == exactly(43.81));
}

// Without interest the same as the total cost of ownership: 100 - 50 + 20 = 70; a quarter of all
// that lowers profits is tax that is not paid.
TEST_CASE("without interest, taxes take their share of the total cost") {
  Economics taxed = two_years();
  taxed.tax_rate = 0;
  CHECK(financed_of(taxed).present_cost == exactly(70));
  CHECK(financed_of(taxed).per_year == exactly(35));
  taxed.tax_rate = 0.25;
  CHECK(financed_of(taxed).present_cost == exactly(52.5));
  // Sold for 80 in place of the 50 in the books: the gain of 30 is taxed.
  taxed.residual_by_year = {0.9, 0.8};
  CHECK(financed_of(taxed).present_cost == exactly(100 + 20 * 0.75 - 0.25 * 50 - (80 - 0.25 * 30)));
}

TEST_CASE("dearer money makes owning dearer by the year") {
  Money before{};
  for (const double rate : {0.0, 0.02, 0.08, 0.2, 0.5, 0.99}) {
    Economics economics = two_years();
    economics.cost_of_capital = rate;
    const Money now = financed_of(economics).per_year.expected;
    CHECK(now > before);
    before = now;
  }
}

// 100 kW at $12 a watt over 20 years: $60,000 a year, at 8 % $122,223.
TEST_CASE("an own building costs its annuity, staff and insurance their shares") {
  Economics owner{.building = Estimate<UsdPerWatt>::exactly(12 * units::usd / units::W),
                  .building_years = 20};
  owner.insurance = Estimate<double>::exactly(0.003);
  owner.staff_by_power =
      Estimate<UsdPerJoule>::exactly(260000 * units::usd / (1e6 * units::W * units::year));
  const PowerDraw power{.it = 100 * units::kW};
  const Total capex{.amount = exactly(1000000)};
  const auto of = [&](OpexItem wanted) {
    const auto lines = opex_per_year(owner, power, capex, std::nullopt);
    for (const OpexLine& line : lines.value()) {
      if (line.item == wanted) return line.per_year.value().expected.dollars();
    }
    return 0.0;
  };
  CHECK(of(OpexItem::building) == 60000);
  CHECK(of(OpexItem::insurance) == 3000);
  CHECK(of(OpexItem::site_staff) == 26000);
  owner.cost_of_capital = 0.08;
  CHECK(of(OpexItem::building) == Approx(122222.65).epsilon(1e-6));
}

// 8 GPUs, $400,000 of parts that lose a quarter a year, $20,000 a year. After two years:
// 200,000 + 40,000 = 240,000; on demand at $3 all hours of 8 are 8 · 17,520 · 3 = 420,480: from
// 57.08 % of them on. Reserved for three years at $1.50: 8 · 26,280 · 1.5 = 315,360.
TEST_CASE("renting and buying by months, worked by hand") {
  Economics economics{.depreciation_years = 4, .horizon_years = 3};
  economics.cloud = {{.accelerator = "gpu", .rent = Estimate<UsdPerSecond>::exactly(per_hour(3))},
                     {.accelerator = "gpu",
                      .term = RentTerm::three_years,
                      .rent = Estimate<UsdPerSecond>::exactly(per_hour(1.5))}};
  const auto curve = rent_or_buy(economics, {"gpu", 8}, exactly(400000), exactly(20000)).value();
  REQUIRE(curve.size() == 4);
  CHECK(curve[0].months == 6);
  CHECK(curve[3].months == 36);
  CHECK(curve[2].buy == exactly(240000));
  CHECK(curve[2].utilisation.value().expected == Approx(240000.0 / 420480));
  REQUIRE(curve[2].rents.size() == 2);
  CHECK(curve[2].rents[0].cost == exactly(420480));
  CHECK(curve[2].rents[1].cost == exactly(315360));
  CHECK(rent_or_buy(economics, {"other", 8}, exactly(1), exactly(1)).value().empty());

  // At 20 %, after two years: payments of a year are worth 1/1.2 + 1/1.44 = 1.527778, parts of
  // 200,000 sell for 138,888.89 of today: 400,000 - 138,888.89 + 30,555.56 = 291,666.67, against
  // 210,240 · 1.527778 = 321,200: from 90.81 % on. Three years of 105,120, paid in three whatever
  // the use: 105,120 · 2.106481 = 221,433.33, after half a year as after three.
  economics.cost_of_capital = 0.2;
  const auto dear = rent_or_buy(economics, {"gpu", 8}, exactly(400000), exactly(20000)).value();
  CHECK(dear[2].buy == exactly(291666.67));
  CHECK(dear[2].rents[0].cost == exactly(321200));
  for (const RentOrBuy& at : dear) CHECK(at.rents[1].cost == exactly(221433.33));
  CHECK(dear[2].utilisation.value().expected == Approx(291666.67 / 321200));

  // A quarter of profits is taxed: 75 % of what is paid, less a quarter of the 100,000 that are
  // written off each year, as much as parts sell for: 400,000 - 138,888.89 + 0.75 · 30,555.56 -
  // 25,000 · 1.527778 = 245,833.33; of the rents 75 % are left.
  economics.tax_rate = 0.25;
  const auto taxed = rent_or_buy(economics, {"gpu", 8}, exactly(400000), exactly(20000)).value();
  CHECK(taxed[2].buy == exactly(245833.33));
  CHECK(taxed[2].rents[0].cost == exactly(240900));
  CHECK(taxed[2].utilisation.value().expected == Approx(245833.33 / 240900));
}

// Four years of 8 GPUs at $3 on demand, $2.50 for a year, $1.50 for three: 8 · 8,760 hours a year.
TEST_CASE("terms one after the other, where they cost less than each alone") {
  Economics economics{.depreciation_years = 4, .horizon_years = 4};
  for (const auto& [term, rent] :
       {std::pair{RentTerm::on_demand, 3.0}, std::pair{RentTerm::one_year, 2.5},
        std::pair{RentTerm::three_years, 1.5}}) {
    economics.cloud.push_back({.accelerator = "gpu",
                               .term = term,
                               .rent = Estimate<UsdPerSecond>::exactly(per_hour(rent))});
  }
  const auto mixed = [&] {
    return rent_or_buy(economics, {"gpu", 8}, exactly(400000), exactly(20000)).value().back().mixed;
  };
  // 105,120 a year for three, 175,200 for the fourth: 490,560, against 630,720 of two terms.
  const auto four = mixed().value();
  CHECK(four.terms.three_years == 1);
  CHECK(four.terms.one_year == 1);
  CHECK(four.terms.on_demand_years == 0);
  CHECK(four.cost == exactly(490560));
  // A quarter of a year is left: on demand, 52,560.
  economics.horizon_years = 3.25;
  const auto quarter = mixed().value();
  CHECK(quarter.terms.one_year == 0);
  CHECK(quarter.terms.on_demand_years == 0.25);
  CHECK(quarter.cost == exactly(315360 + 52560));
  // At 20 %: 105,120 · 2.106481 + 175,200 / 1.2⁴.
  economics.horizon_years = 4;
  economics.cost_of_capital = 0.2;
  CHECK(mixed().value().cost == exactly(305924.07));
  economics.horizon_years = 3;
  CHECK_FALSE(mixed());
}

TEST_CASE("the cheapest terms are those of all that cover the years") {
  Economics economics;
  const auto priced = [&](double on_demand, double one, double three, double capital) {
    economics.cost_of_capital = capital;
    economics.cloud.clear();
    for (const auto& [term, rent] :
         {std::pair{RentTerm::on_demand, on_demand}, std::pair{RentTerm::one_year, one},
          std::pair{RentTerm::three_years, three}}) {
      economics.cloud.push_back({.accelerator = "gpu",
                                 .term = term,
                                 .rent = Estimate<UsdPerSecond>::exactly(per_hour(rent))});
    }
  };
  const RentedGpus what{"gpu", 8};
  for (const double capital : {0.0, 0.15}) {
    for (const auto& [on_demand, one, three] :
         {std::tuple{3.0, 2.5, 1.5}, std::tuple{3.0, 2.0, 2.5}, std::tuple{2.0, 2.5, 1.9},
          std::tuple{2.0, 3.0, 4.0}}) {
      priced(on_demand, one, three, capital);
      for (const double years : {0.1, 0.9, 1.0, 1.3, 2.8, 3.0, 3.6, 4.2, 5.9, 7.25}) {
        double least = 1e99;
        for (std::int64_t threes = 0; threes <= 4; ++threes) {
          for (std::int64_t ones = 0; ones <= 9; ++ones) {
            const double left =
                years - 3.0 * static_cast<double>(threes) - static_cast<double>(ones);
            const RentTerms terms{threes, ones, std::max(0.0, left)};
            least = std::min(least, rent_of_terms(economics, what, terms)->expected.si());
          }
        }
        CAPTURE(years);
        CHECK(cheapest_terms(economics, what, years)->cost.expected.si() == Approx(least));
      }
    }
  }
}

TEST_CASE("terms that turn out too short go on on demand, or for a year more") {
  Economics economics;
  for (const RentTerm term : kRentTerms) {
    economics.cloud.push_back({.accelerator = "gpu", .term = term});
  }
  CHECK(prolonged(economics, "gpu", {1, 1, 0}, 4.5) == RentTerms{1, 1, 0.5});
  CHECK(prolonged(economics, "gpu", {1, 1, 0}, 3.5) == RentTerms{1, 1, 0});
  economics.cloud.erase(economics.cloud.begin());  // on demand
  CHECK(prolonged(economics, "gpu", {1, 1, 0}, 5.5) == RentTerms{1, 3, 0});
}

// 8 GPUs for three years at $1.50, of which two are used: 157,680 a year of the horizon, and
// 105,120 in each of three years, at 20 % worth 221,433.33 and not 157,680 · 1.527778 = 240,900.
TEST_CASE("rents of a term that ends after the horizon are worth less than even payments") {
  Economics economics{.horizon_years = 2, .cost_of_capital = 0.2};
  const double even = 157680 * (1 / 1.2 + 1 / 1.44);
  CHECK(rent_worth(economics, RentTerm::three_years) == Approx(221433.33 / even).epsilon(1e-8));
  CHECK(rent_worth(economics, RentTerm::on_demand) == 1);
  economics.cost_of_capital.reset();
  CHECK(rent_worth(economics, RentTerm::three_years) == 1);
}

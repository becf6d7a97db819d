#include "planner/present/currency.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "planner/present/cell.hpp"
#include "planner/present/charts/charts.hpp"

using namespace planner;
using namespace planner::present;

namespace {
const DisplayCurrency kEuro{.code = "EUR", .rate = 0.92, .rate_as_of = "2026-11-20"};
const DisplayCurrency kCrown{.code = "NOK", .rate = 10, .rate_as_of = "2026-11-20"};

Money dollars_of(double amount) {
  return *Money::from_dollars(amount);
}
}  // namespace

TEST_CASE("dollars are shown as dollars where nobody asks for more") {
  const Cell cell = money(dollars_of(72'840'000));
  CHECK(cell.text == "$72.8 M");
  CHECK(cell.unit == "USD");
  CHECK(*cell.number() == 72'840'000);
  CHECK(money_words() == "US dollars");
}

TEST_CASE("a cell, its ends and its unit are in the currency shown") {
  const ShownIn shown(kEuro);
  const Cell cell =
      money(Estimate<Money>{dollars_of(1'000'000), dollars_of(2'000'000), dollars_of(4'000'000)});
  CHECK(cell.text == "€1.84 M (€920,000–€3.68 M)");
  CHECK(cell.unit == "EUR");
  CHECK(*cell.number() == doctest::Approx(1'840'000).epsilon(1e-15));
  CHECK(cell.ends->low == doctest::Approx(920'000).epsilon(1e-15));
  CHECK(cell.ends->high == doctest::Approx(3'680'000).epsilon(1e-15));
  CHECK(usd(Estimate<Usd>::exactly(2.5 * units::usd)).text == "€2.30");
  CHECK(dollars(dollars_of(49'020'928)).text == "€45,099,253");
  CHECK(*plain_money(100).number() == doctest::Approx(92).epsilon(1e-15));
  CHECK(money_rate(0.1, "/kWh").text == "0.0920 EUR/kWh");
  CHECK(unit_of(Measured::money, 3e6).format(3e6) == "€3.00 M");
}

TEST_CASE("relative units are no money, whatever is shown") {
  const ShownIn shown(kEuro);
  const Cell cell = money(dollars_of(1234), Currency::relative);
  CHECK(cell.text == "1,234");
  CHECK(cell.unit == "relative");
  CHECK(*plain_money(100, Currency::relative).number() == 100);
}

TEST_CASE("a currency without a sign of its own has its code") {
  const ShownIn shown(kCrown);
  CHECK(money(dollars_of(-250'000)).text == "−NOK 2.50 M");
  CHECK(range_text("NOK 1.2 M", "NOK 1.4 M", "NOK") == "NOK 1.2 M–1.4 M");
  CHECK(range_text("−NOK 1.2 M", "NOK 1.4 M", "NOK") == "−NOK 1.2 M–NOK 1.4 M");
  CHECK(range_text("$1.2 M", "$1.4 M", "USD") == "$1.2 M–$1.4 M");
}

TEST_CASE("what is shown ends with its scope, and is that of one thread") {
  {
    const ShownIn outer(kEuro);
    {
      const ShownIn inner(kCrown);
      CHECK(money_unit() == "NOK");
      std::string other;
      std::thread([&other] { other = money_unit(); }).join();
      CHECK(other == "USD");
    }
    CHECK(money_unit() == "EUR");
    const ShownIn dollars(std::nullopt);
    CHECK(money_unit() == "USD");
  }
  CHECK(money_unit() == "USD");
}

TEST_CASE("the sign of an amount stands before its currency") {
  CHECK(amount_text(-2.5e6, "USD") == "−$2.50 M");
  CHECK(amount_text(-1234, "USD") == "−$1,234");
  CHECK(amount_text(-0.2, "USD") == "−$0.20");
  CHECK(whole_amount_text(-49'020'928, "USD") == "−$49,020,928");
  CHECK(precise_amount_text(-0.0852, "EUR") == "−€0.0852");
  CHECK(amount_text(999.5, "USD") == "$999.50");  // so that times its quantity it is the total
  CHECK(amount_text(100 * 0.29, "EUR") == "€29");
}

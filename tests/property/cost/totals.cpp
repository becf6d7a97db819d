#include <doctest/doctest.h>

#include <random>

#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "unit/cost/support.hpp"

using namespace planner;

namespace {

constexpr int kTrials = 500;

struct Case {
  PriceBook book;
  std::vector<PartQuantity> parts;
};

/// Parts of all categories, a fifth of them without a price.
Case random_case(std::mt19937& random) {
  std::uniform_int_distribution<int> lines(0, 40);
  std::uniform_int_distribution<std::int64_t> quantity(1, 1'000'000);
  std::uniform_int_distribution<std::int64_t> cents(1, 50'000'000);
  std::uniform_int_distribution<std::size_t> category(0, kPartCategories.size() - 1);
  std::uniform_int_distribution<int> fifth(0, 4);
  Case made;
  const int count = lines(random);
  for (int i = 0; i < count; ++i) {
    const std::string id = "part " + std::to_string(i);
    made.parts.push_back(bought(id, kPartCategories[category(random)], quantity(random)));
    if (fifth(random) == 0) continue;
    const Money low = Money::cents(cents(random));
    const Money high = *low.plus(Money::cents(cents(random)));
    made.book.prices.push_back({.part = id, .amount = Estimate<Money>{low, low, high}});
  }
  return made;
}

BillOfMaterials bill_of(const Case& made) {
  return std::get<BillOfMaterials>(bill_of_materials(made.parts, made.book));
}

Money twice(Money amount) {
  return *amount.times(2);
}

}  // namespace

TEST_CASE("totals are the sums of their lines to the cent, by category and together") {
  std::mt19937 random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const BillOfMaterials bill = bill_of(random_case(random));
    std::int64_t expected = 0;
    std::int64_t high = 0;
    std::int64_t missing = 0;
    for (const BillLine& line : bill.lines) {
      if (!line.total) ++missing;
      if (!line.total) continue;
      expected += line.quantity * line.unit_price->expected.in_cents();
      high += line.quantity * line.unit_price->high.in_cents();
    }
    const Total whole = capex(bill).value();
    CHECK(whole.amount.expected.in_cents() == expected);
    CHECK(whole.amount.high.in_cents() == high);
    CHECK(whole.missing == missing);

    Total by_category;
    const std::vector<CategoryCost> categories = capex_by_category(bill).value();
    for (const CategoryCost& category : categories) {
      by_category.amount.expected =
          *by_category.amount.expected.plus(category.total.amount.expected);
      by_category.missing += category.total.missing;
    }
    CHECK(by_category.amount.expected == whole.amount.expected);
    CHECK(by_category.missing == whole.missing);
  }
}

TEST_CASE("doubling every price doubles capex") {
  std::mt19937 random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    Case made = random_case(random);
    const Total before = capex(bill_of(made)).value();
    for (Price& entry : made.book.prices) {
      entry.amount = Estimate<Money>{twice(entry.amount->low), twice(entry.amount->expected),
                                     twice(entry.amount->high)};
    }
    const Total after = capex(bill_of(made)).value();
    CHECK(after.amount.low == twice(before.amount.low));
    CHECK(after.amount.expected == twice(before.amount.expected));
    CHECK(after.amount.high == twice(before.amount.high));
    CHECK(after.missing == before.missing);
  }
}

TEST_CASE("taking a price away never raises a total, and is always counted") {
  std::mt19937 random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    Case made = random_case(random);
    if (made.book.prices.empty()) continue;
    const Total before = capex(bill_of(made)).value();
    made.book.prices.front().amount = std::nullopt;
    const Total after = capex(bill_of(made)).value();
    CHECK(after.amount.expected < before.amount.expected);
    CHECK(after.missing == before.missing + 1);
    CHECK(after.at_least());
  }
}

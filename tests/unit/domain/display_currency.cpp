#include "planner/domain/display_currency.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace planner;

TEST_CASE("codes are three letters, in order, each once, and the dollar is none of them") {
  const auto codes = currency_codes();
  CHECK(std::adjacent_find(codes.begin(), codes.end(), [](auto a, auto b) { return a >= b; }) ==
        codes.end());
  for (const std::string_view code : codes) {
    CHECK(code.size() == 3);
    CHECK(std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
  }
  CHECK(std::binary_search(codes.begin(), codes.end(), std::string_view{"EUR"}));
  CHECK_FALSE(std::binary_search(codes.begin(), codes.end(), std::string_view{"USD"}));
}

TEST_CASE("a day is one of the calendar") {
  for (const char* day : {"2026-11-20", "2024-02-29", "2000-02-29", "2026-12-31"}) {
    CAPTURE(day);
    CHECK(is_day(day));
  }
  for (const char* none :
       {"", "2026", "2026-11", "2026-13-01", "2026-00-10", "2026-11-31", "2026-02-29", "1900-02-29",
        "2026-11-00", "2026/11/20", "20-11-2026", "2026-1-020", "+026-11-20"}) {
    CAPTURE(none);
    CHECK_FALSE(is_day(none));
  }
}

TEST_CASE("the note says currency, rate and day") {
  CHECK(note_of({.code = "EUR", .rate = 0.92, .rate_as_of = "2026-11-20"}) ==
        "Amounts are in EUR, at 0.92 for a US dollar on 2026-11-20, a rate that was given.");
}

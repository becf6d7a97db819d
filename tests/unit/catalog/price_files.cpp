#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/catalog/documents.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/json/text_file.hpp"
#include "support/documents.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::json;
using namespace planner::testing;
namespace fs = std::filesystem;

namespace {

const std::string kBook = R"({
  "name": "mine",
  "currency": "USD",
  "prices": [
    {"part": "qm9700", "price": {"low": 35000, "expected": 36000.5, "high": 50000}, "source": "a"},
    {"part": "node", "price": null, "source": "b", "as_of": "2026-05", "note": "ask"}
  ],
  "switch_ports": [{"port_gbps": 400, "price": 748, "source": "c", "verified": true}],
  "included": [{"category": "cables", "within": "transceivers"}]
})";

const std::string kEconomics = R"({
  "name": "mine",
  "electricity_usd_per_kWh": {"low": 0.06, "expected": 0.08, "high": 0.17},
  "pue": 1.2,
  "colocation_usd_per_kW_month": 180,
  "rack_rental_usd_per_rack_month": 1500,
  "maintenance_per_year": 0.05,
  "staff_usd_per_year": 500000,
  "cloud": [{"accelerator": "h100-sxm", "usd_per_gpu_hour": 3, "source": "d"}]
})";

PriceBook book_of(const std::string& text) {
  return parse_price_book(text, "book.json");
}

Lines book_errors(const std::string& what, const std::string& with) {
  return told([&] { book_of(replaced(kBook, what, with)); });
}

Lines economics_errors(const std::string& what, const std::string& with) {
  return told([&] { parse_economics(replaced(kEconomics, what, with), "e.json"); });
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(PLANNER_SOURCE_DIR) / folder)) {
    files.push_back(entry.path());
  }
  return files;
}

/// Every file of the folder reads, is named after its file, and reads again from what it writes.
template <class Parse>
void check_folder(const std::string& folder, Parse parse) {
  for (const fs::path& path : files_in(folder)) {
    CAPTURE(path.string());
    const auto value = parse(read_text_file(path.string()), path.string());
    CHECK(value.name == path.stem().string());
    CHECK(parse(to_json(value).dump(), "written") == value);
  }
}

PriceBook shipped_book(const std::string& name) {
  const std::string path = PLANNER_SOURCE_DIR "/catalog/prices/" + name + ".json";
  return book_of(read_text_file(path));
}

Estimate<Money> exactly(double dollars) {
  return Estimate<Money>::exactly(Money::from_dollars(dollars).value());
}

}  // namespace

TEST_CASE("a price book: one price, a range, and one that is not known") {
  const PriceBook book = book_of(kBook);
  CHECK(book.title == "mine");
  CHECK(book.prices[0].amount->expected == Money::cents(3'600'050));
  CHECK(book.prices[0].amount->high == Money::cents(5'000'000));
  CHECK(!book.prices[1].amount);
  CHECK(book.prices[1].origin.note == "ask");
  CHECK(book.switch_ports[0].amount == exactly(748));
  CHECK(book.switch_ports[0].origin.verified);
  CHECK(book_of(to_json(book).dump()) == book);
}

TEST_CASE("no price is below a cent, none is free by accident") {
  const Lines negative = book_errors("\"price\": 748", "\"price\": -1");
  CHECK(negative == Lines{"out-of-range 8:48 \"switch_ports[0].price\": must be positive, got -1"});
  CHECK(book_errors("748", "0").size() == 1);
  CHECK(book_errors("\"price\": null", "\"price\": 0").size() == 1);
  CHECK(book_errors("748", "0.001").size() == 1);
  CHECK(book_errors("748", "748.005").size() == 1);
  CHECK(book_errors("748", "1e300").size() == 1);
  CHECK(book_errors("748", "NaN").size() == 1);
  CHECK(book_errors("748", "\"748\"").size() == 1);
  CHECK(book_errors("\"low\": 35000", "\"low\": -5").size() == 1);
  CHECK(book_errors("748", "748.01").empty());
}

TEST_CASE("a range is in order") {
  CHECK(book_errors("\"low\": 35000", "\"low\": 37000") ==
        Lines{"inconsistent 5:60 \"prices[0].price.expected\": must lie between low and high"});
}

TEST_CASE("one book has one currency") {
  const Lines mixed =
      book_errors("\"source\": \"a\"", "\"currency\": \"relative\", \"source\": \"a\"");
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].starts_with("mixed-currency 5:"));
  CHECK(mixed[0].ends_with("\"prices[0].currency\": the book is in \"USD\", not \"relative\""));
  CHECK(book_errors("\"source\": \"a\"", "\"currency\": \"USD\", \"source\": \"a\"").empty());
  CHECK(book_errors("\"USD\"", "\"EUR\"").size() == 1);
}

TEST_CASE("no part and no speed has two prices") {
  CHECK(book_errors("\"part\": \"node\"", "\"part\": \"qm9700\"") ==
        Lines{"inconsistent 4:13 \"prices\": \"qm9700\" has two prices"});
  CHECK(book_errors("[{\"port_gbps\": 400,",
                    "[{\"port_gbps\": 400, \"price\": 1, \"source\": \"x\"}, {\"port_gbps\": 400,")
            .size() == 1);
}

TEST_CASE("every price says where it comes from") {
  CHECK(book_errors(", \"source\": \"a\"", "").size() == 1);
  CHECK(book_errors("\"cables\"", "\"transceivers\"").size() == 1);
}

TEST_CASE("economics in their units") {
  const Economics e = parse_economics(kEconomics, "e.json");
  CHECK(e.electricity->high.in(units::usd / units::kWh) == doctest::Approx(0.17));
  CHECK(e.pue->exact());
  // $180 per kW and month is $2,160 per kW and year.
  CHECK((e.colocation->expected * (units::kW * units::year)).si() == doctest::Approx(2160));
  CHECK((e.rack_rental->expected * units::year).si() == doctest::Approx(18000));
  CHECK((e.staff->expected * units::year).si() == doctest::Approx(500000));
  CHECK((e.cloud[0].rent.expected * units::hour).si() == doctest::Approx(3));
  CHECK(parse_economics(to_json(e).dump(), "written") == e);
}

TEST_CASE("economics out of range") {
  CHECK(economics_errors("\"pue\": 1.2", "\"pue\": 0.9").size() == 1);
  CHECK(economics_errors("\"pue\": 1.2", "\"utilisation\": 0").size() == 1);
  CHECK(economics_errors("\"pue\": 1.2", "\"load\": 1.5").size() == 1);
  CHECK(economics_errors("0.05", "5").size() == 1);
  CHECK(economics_errors("\"pue\": 1.2", "\"depreciation_years\": 0").size() == 1);
  CHECK(economics_errors("\"pue\"", "\"peu\"").size() == 1);
}

TEST_CASE("a derived price is marked, and verified by nothing") {
  const PriceBook book =
      book_of(replaced(kBook, R"("source": "a")", R"("source": "a", "derived_from": "2 × node")"));
  CHECK(book.prices[0].origin.derived_from == "2 × node");
  CHECK(book_errors(R"("source": "a")", R"("source": "a", "derived_from": "b", "verified": true)")
            .front()
            .find("derived") != std::string::npos);
}

TEST_CASE("rents have terms, each once") {
  const Economics economics =
      parse_economics(replaced(kEconomics, R"("source": "d"})",
                               R"("source": "d"}, {"accelerator": "h100-sxm", "term": "one-year",
                  "usd_per_gpu_hour": 2, "source": "e"})"),
                      "e.json");
  CHECK(rent_of(economics, "h100-sxm", RentTerm::on_demand) == &economics.cloud[0]);
  CHECK(rent_of(economics, "h100-sxm", RentTerm::one_year) == &economics.cloud[1]);
  CHECK(rent_of(economics, "h100-sxm", RentTerm::three_years) == nullptr);
  CHECK(!economics_errors(R"("source": "d"})",
                          R"("source": "d"}, {"accelerator": "h100-sxm", "usd_per_gpu_hour": 2,
                             "source": "e"})")
             .empty());
}

TEST_CASE("finance that cannot be is refused") {
  const auto refused = [](const char* keys) {
    return !economics_errors(R"("pue": 1.2,)", std::string(R"("pue": 1.2, )") + keys).empty();
  };
  CHECK(refused(R"("cost_of_capital": 1,)"));
  CHECK(refused(R"("cost_of_capital": -0.1,)"));
  CHECK(refused(R"("tax_rate": 1.5,)"));
  CHECK(refused(R"("horizon_years": 0,)"));
  CHECK(refused(R"("residual_by_year": [1.2, 0.5, 0.4, 0.3],)"));
  CHECK(refused(R"("residual_by_year": [0.5, 0.6, 0.4, 0.3],)"));
  CHECK(refused(R"("residual_by_year": [0.5, 0.4],)"));
  CHECK(refused(R"("building_usd_per_MW": 12e6,)"));
  CHECK(refused(R"("building_usd_per_MW": 12e6, "building_years": 20,)"));  // and rents space
  CHECK(!refused(R"("cost_of_capital": 0.08, "residual_by_year": [0.6, 0.4, 0.3, 0.2],)"));
}

TEST_CASE("a switch's slower speeds divide its own") {
  const std::string good =
      R"({"name": "s", "ports": 64, "port_gbps": 800, "breakout_gbps": [400]})";
  const SwitchModel model = parse_switch(good, "s.json");
  CHECK(model.ports_at(800) == 64);
  CHECK(model.ports_at(400) == 128);
  CHECK(model.ports_at(200) == 0);
  CHECK(told([&] { parse_switch(replaced(good, "[400]", "[300]"), "s.json"); }).size() == 1);
}

TEST_CASE("only fibre carries any speed") {
  CHECK(parse_optic(R"({"name": "f", "kind": "fibre"})", "f.json").port_gbps == std::nullopt);
  CHECK(told([] { parse_optic(R"({"name": "t", "kind": "transceiver"})", "t.json"); }).size() == 1);
}

TEST_CASE("the shipped files read, and read again from what they write") {
  check_folder("catalog/switches", parse_switch);
  check_folder("catalog/optics", parse_optic);
  check_folder("catalog/nics", parse_nic);
  check_folder("catalog/prices", parse_price_book);
  check_folder("catalog/economics", parse_economics);
}

TEST_CASE("the street book prices, or says that it cannot, every part of the catalog") {
  std::set<std::string> known;
  for (const char* folder : {"switches", "optics", "nics", "nodes"}) {
    for (const fs::path& path : files_in(std::string("catalog/") + folder)) {
      known.insert(path.stem().string());
    }
  }
  std::set<std::string> priced;
  for (const Price& price : shipped_book("street-2026").prices) priced.insert(price.part);
  for (const std::string& part : known) {
    CAPTURE(part);
    CHECK(priced.count(part) == 1);
  }
}

TEST_CASE("no price of a node or GPU in the street book pretends to be exact") {
  std::set<std::string> compute;
  for (const char* folder : {"nodes", "accelerators"}) {
    for (const fs::path& path : files_in(std::string("catalog/") + folder)) {
      compute.insert(path.stem().string());
    }
  }
  for (const Price& price : shipped_book("street-2026").prices) {
    if (!price.amount || compute.count(price.part) == 0) continue;
    CAPTURE(price.part);
    CHECK_FALSE(price.amount->exact());
  }
}

// Ends of what is published, in dollars: 7 yuan or 1/1.1 euros for one, and the 40 % either way
// that the table of rack prices says of itself. Single copies far above all others are no ends: $5
// million for a rack of GB200 or GB300, $40,000 for an H200, $60,000 to $70,000 for a B200.
TEST_CASE("the ranges of the street book hold what its sources say") {
  struct Published {
    std::string part;
    double low = 0, high = 0;
  };
  const std::vector<Published> evidence{
      {"gb200-nvl72", 20e6 / 7, 30e6 / 7},          // China, 2026
      {"gb200-nvl72", 3.1e6, 3.4e6},                // SemiAnalysis, 2026; Bernstein, 2025-11
      {"gb200", 32500 * 0.6, 32500 * 1.4},          // the table, half of a superchip
      {"gb300-nvl72", 3.0e6, 6.5e6},                // Together AI, 2025-09; Loop Capital and Wolfe
      {"dgx-b300", 430000, 795000},                 // market notes, 2026-07 and 2026-09
      {"dgx-b200", 400000, 515000},                 // Mercatus, 2026; a reseller, 2025-03
      {"dgx-h100", 300000, 350000},                 // a page of 2026
      {"dgx-h200", 298000, 420000},                 // Supermicro's list; a study of 2026
      {"dgx-a100", 199000 * 0.6, 199000 * 1.4},     // the table
      {"h200-sxm", 25000, 35000},                   // awesomeagents, 2026
      {"b200", 30000, 50000},                       // datastorage.com, 2026
      {"a100-80gb-sxm", 16000 * 0.6, 16000 * 1.4},  // the table
      {"gh200", 44000, 47500 * 1.1},                // a seller, 2025-03; a list, 2025-12
      {"mi300x-node", 150000, 250000},              // a copy of 2025 or 2026
      {"qm9700", 32870, 50000},                     // router-switch.com, 2026-07; NVIDIA, 2024-08
      {"sn5600", 52000, 87125},                     // market notes, 2026-09
      {"connectx-7-ndr", 1499, 2400},               // MixNet, 2025; FS.com in the UK
  };
  std::map<std::string, Estimate<Money>> book;
  for (const Price& price : shipped_book("street-2026").prices) {
    if (price.amount) book.emplace(price.part, *price.amount);
  }
  for (const auto& [part, low, high] : evidence) {
    CAPTURE(part);
    constexpr double kRounded = 1e-3;
    CHECK(book.at(part).low.dollars() <= (1 + kRounded) * low);
    CHECK(book.at(part).high.dollars() >= (1 - kRounded) * high);
  }
}

TEST_CASE("a date names a month and day that there are, and nothing to pay may be said") {
  const auto book = [](const std::string& date) {
    return told([&] {
      parse_price_book(
          R"({"name": "b", "currency": "USD", "prices": [{"part": "p", "price": 1, "source": "s",)"
          R"( "as_of": ")" +
              date + R"("}]})",
          "b.json");
    });
  };
  CHECK(book("2026-12").empty());
  CHECK(book("2024-02-29").empty());
  CHECK(book("2026-15").size() == 1);
  CHECK(book("2026-02-29").size() == 1);
  const Economics none = parse_economics(
      R"({"name": "e", "maintenance_per_year": 0, "insurance_per_year": 0, "staff_usd_per_year": 0})",
      "e.json");
  CHECK(none.staff.value().expected == UsdPerSecond{});
  CHECK(none.maintenance == Estimate<double>::exactly(0));
  CHECK(none.insurance == Estimate<double>::exactly(0));
}

TEST_CASE("the rail-only book has the paper's two prices") {
  const PriceBook book = shipped_book("rail-only-paper");
  CHECK(book.switch_ports.at(0).amount == exactly(748));
  CHECK(book.transceiver_ends.at(0).amount == exactly(374));
  CHECK(book.switch_ports.at(0).port_gbps == 400);
  CHECK(book.transceiver_ends.at(0).port_gbps == 400);
}

TEST_CASE("the Fire-Flyer book adds up to Table III") {
  const PriceBook book = shipped_book("fire-flyer-relative");
  CHECK(book.currency == Currency::relative);
  const auto cents = [&book](const std::string& part) {
    for (const Price& price : book.prices) {
      if (price.part == part) return price.amount.value().expected.in_cents();
    }
    return std::int64_t{-1};
  };
  CHECK(1250 * cents("fire-flyer-2") + cents("two-zone-network") == 1'160'000);
  CHECK(1250 * cents("fire-flyer-2") + cents("three-layer-network-1600") == 1'185'000);
  CHECK(1250 * cents("dgx-a100-40gb") + cents("three-layer-network-10000") == 2'300'000);
}

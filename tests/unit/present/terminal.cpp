#include "planner/present/terminal/terminal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "planner/present/text.hpp"

using namespace planner;
using namespace planner::present;

namespace {

std::size_t widest(const std::string& text) {
  std::size_t most = 0, start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    most = std::max(most, display_width(text.substr(start, end - start)));
    start = end + 1;
  }
  return most;
}

}  // namespace

TEST_CASE("names of columns are broken into lines before names of rows are") {
  Document document{.title = "T"};
  Table table{.header = {"", "days", "the run, at least", "net present cost, at least"}};
  table.add({words("80 of 100 lie in"), words("55.0–71.7 days"), words("$44.9 M–$74.3 M"),
             words("$893 M–$1.35 B")});
  document.add(std::move(table));
  CHECK(to_terminal(document, {.width = 72}) ==
        "T\n"
        "                                                       net present cost,\n"
        "                              days  the run, at least           at least\n"
        "  80 of 100 lie in  55.0–71.7 days    $44.9 M–$74.3 M     $893 M–$1.35 B\n");
}

TEST_CASE("two alternatives stand side by side, their long names in lines") {
  Document document{.title = "T"};
  Table table{.header = {"", "[1]", "[2]"}, .compares = true};
  table.add({words("net present cost, at 10 % a year, over 4 years, 80 of 100 in"),
             words("at least $1.30 B–$1.98 B"), words("at least $2.30 B–$2.98 B")});
  table.add({words("GPUs"), words("16"), words("16")});
  document.add(std::move(table));
  const std::string text = to_terminal(document, {.width = 80});
  CHECK(text.find("[1]                       [2]\n") != std::string::npos);
  CHECK(text.find("at least $1.30 B–$1.98 B  at least $2.30 B–$2.98 B  ≠\n") != std::string::npos);
  CHECK(widest(text) <= 80);
}

TEST_CASE("what does not fit beside a heading stands below it") {
  Document document{.title = "T"};
  document.add(Section{"Rent or buy", "the whole cluster until a month, at book value"});
  const std::string text = to_terminal(document, {.width = 40});
  CHECK(text == "T\n\n  Rent or buy\n  the whole cluster until a month, at\n  book value\n");
  CHECK(to_terminal(document, {.width = 80}).find("Rent or buy  ") != std::string::npos);
}

TEST_CASE("columns of words are broken into lines where a row is too wide, figures never") {
  Document document{.title = "T"};
  Table table{.header = {"model", "strategy", "measured"}};
  table.add({words("DeepSeek-V3 671B"), words("tp 1 pp 16 dp 128 ep 64"), words("19.9 s")});
  table.add({words("GPT"), words("tp 2"), words("1,234,567 s")});
  document.add(std::move(table));
  CHECK(to_terminal(document, {.width = 48}) ==
        "T\n"
        "  model                    strategy     measured\n"
        "  DeepSeek-V3 671B    tp 1 pp 16 dp       19.9 s\n"
        "                          128 ep 64\n"
        "  GPT                          tp 2  1,234,567 s\n");
}

TEST_CASE("figures that still have no room stand one space apart") {
  Document document{.title = "T"};
  Table table{.header = {"", "sent", "time"}};
  table.add({words("a"), words("123,456,789 GB"), words("12.3 s")});
  document.add(std::move(table));
  CHECK(to_terminal(document, {.width = 25}) ==
        "T\n"
        "              sent   time\n"
        "  a 123,456,789 GB 12.3 s\n");
}

TEST_CASE("figures that do not fit on a line go on below the first of them") {
  Document document{.title = "T"};
  document.add(Figures{.figures = {{"throughput", words("27.6 k tokens/s"), "{}"},
                                   {"memory", words("695.0 of 296.9 GB  does not fit"), "{}"},
                                   {"chance", words("< 1 %"), "P(fits) {}"}},
                       .indent = 9});
  CHECK(to_terminal(document, {.width = 62}) ==
        "T\n"
        "         27.6 k tokens/s   695.0 of 296.9 GB  does not fit\n"
        "         P(fits) < 1 %\n");
}

TEST_CASE("what a term stands for goes on below its own start") {
  Document document{.title = "T"};
  document.add(Terms{{{"ideal", "no latency, every byte of the links"}, {"nccl", "its own"}}});
  CHECK(to_terminal(document, {.width = 32}) ==
        "T\n"
        "ideal  no latency, every byte of\n"
        "       the links\n"
        "nccl   its own\n");
}

TEST_CASE("names of rows give way to figures down to their longest word") {
  Document document;
  document.bare = true;
  Table table{.header = {"model", "measured"}};
  table.add({words("DeepSeek-V3 671B"), words("1,234,567 s")});
  document.add(std::move(table));
  CHECK(to_terminal(document, {.width = 28}) ==
        "  model             measured\n"
        "  DeepSeek-V3    1,234,567 s\n"
        "    671B\n");
}

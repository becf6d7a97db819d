#include "planner/core/closest_match.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace planner;

namespace {
using Names = std::vector<std::string>;
}

TEST_CASE("a misspelt name finds the one that was meant") {
  const Names models = {"gpt22b", "gpt1t", "llama3.1-8b", "deepseek-v3"};
  CHECK(closest_match("gtp1t", models) == "gpt1t");               // two letters swapped
  CHECK(closest_match("deepseekv3", models) == "deepseek-v3");    // one missing
  CHECK(closest_match("deepsseek-v3", models) == "deepseek-v3");  // one too many
  CHECK(closest_match("GPT1T", models) == "gpt1t");               // case does not count
  CHECK(closest_match("gpt1t", models) == "gpt1t");
  CHECK(closest_match("hbm_bandwith_GBps", Names{"hbm_bytes", "hbm_bandwidth_GBps"}) ==
        "hbm_bandwidth_GBps");
}

TEST_CASE("a different word has no match") {
  const Names models = {"gpt22b", "gpt1t"};
  CHECK(!closest_match("mixtral", models));
  CHECK(!closest_match("", models));
  CHECK(!closest_match("gpt1t", Names{}));
}

TEST_CASE("at most a third of the letters may be wrong, and at least one") {
  CHECK(closest_match("abcdef", Names{"abcdXY"}) == "abcdXY");  // 2 of 6
  CHECK(!closest_match("abcdef", Names{"abcXYZ"}));             // 3 of 6
  CHECK(closest_match("tp", Names{"pp"}) == "pp");              // 1 of 2
}

TEST_CASE("a word that is a part of one name alone means that") {
  const Names options = {"within-days", "budget", "run-budget", "max_gpus"};
  CHECK(closest_match("days", options) == "within-days");
  CHECK(closest_match("MAX", options) == "max_gpus");
  CHECK(closest_match("budget", options) == "budget");  // itself
  CHECK(closest_match("--days", Names{"--within-days", "--day"}) == "--day");
  CHECK(closest_match("--days", Names{"--within-days", "--top"}) == "--within-days");
  CHECK(!closest_match("---", Names{"--within-days"}));
  CHECK(!closest_match("run", Names{"run-budget", "run-cost"}));
  CHECK(!closest_match("with", options));  // no whole part
}

TEST_CASE("ties go to the earlier candidate, a closer one wins over an earlier one") {
  CHECK(closest_match("cat", Names{"bat", "car"}) == "bat");
  CHECK(closest_match("gpt175", Names{"gpt1t", "gpt175b"}) == "gpt175b");
}

TEST_CASE("a swap counts once, not twice") {
  CHECK(closest_match("ab", Names{"ba"}) == "ba");
  CHECK(!closest_match("abcd", Names{"badc"}));  // two swaps: 2 of 4
}

TEST_CASE("words too long to be names are not compared") {
  const std::string word(65, 'a');
  CHECK(!closest_match(word, Names{word}));
  const std::string longest(64, 'a');
  CHECK(closest_match(longest, Names{word, longest}) == longest);
}

TEST_CASE("bytes above 127 are letters like any other") {
  CHECK(closest_match("gpt\xC3\xA4", Names{"gpt\xC3\xB6"}) == "gpt\xC3\xB6");
}

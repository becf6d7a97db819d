#include <algorithm>
#include <utility>

#include "planner/perf/collectives/algorithms.hpp"
#include "planner/perf/collectives/time.hpp"

namespace planner::inline perf {

namespace {

bool is_nothing(const Text& text) {
  return text.str() == "0";
}

Text sum(const Text& a, const Text& b) {
  if (is_nothing(a)) return b;
  return is_nothing(b) ? a : a + b;
}

/// Symbols of the inputs, and of what a formula defines.
struct Symbols : algorithms::Inputs<Text, Text, Text, Text> {
  std::vector<CollectiveFormula::Definition> definitions{};

  Text define(std::string_view symbol, const Text& value) {
    definitions.push_back({std::string{symbol}, value.str()});
    return Text{std::string{symbol}};
  }
  void add_longest(const std::array<algorithms::Walk<Text>, 6>& walks, const Text& /*g_F*/,
                   const Text& /*g_S*/, algorithms::Terms<Text>& terms) {
    const auto gain = [&](std::size_t i) { return sum(walks[i].net, walks[i].hb); };
    terms.net_latency = call("max", {gain(0), gain(1), gain(2), gain(3), gain(4), gain(5)});
  }
};

/// Where domains are not equally full, x is an average.
Symbols symbols_of(const CollectiveGroup& group) {
  const bool even = group.hb == group.emptiest().hb;
  const Text n = "n"_t, x = "x"_t, y = "y"_t;
  const Text x_full = even ? x : ceil(x), x_empty = even ? x : floor(x);
  return {{.D = "D"_t,
           .n = n,
           .x = x,
           .y = y,
           .x_full = x_full,
           .y_full = even ? y : n / x_full,
           .x_empty = x_empty,
           .y_empty = even ? y : n / x_empty,
           .H = "H"_t,
           .C_F = "C_F"_t,
           .C_S = "C_S"_t,
           .C_FS = "C_FS"_t,
           .launch = "launch"_t,
           .a_F = "a_F"_t,
           .a_S = "a_S"_t,
           .a_FS = "a_FS"_t,
           .a_SS = "a_SS"_t}};
}

CollectiveFormula hfreduce_formula() {
  const Text transfer = "D"_t / "B"_t;
  const Text time = kPipelined("k"_t, "s"_t, "a"_t, transfer);
  return {.algorithm = CollectiveAlgorithm::hfreduce,
          .definitions = {},
          .latency = (time - transfer).str(),
          .transfer = transfer.str(),
          .source =
              "Fire-Flyer AI-HPC (arXiv 2408.14158), section IV; pipeline: Sanders, Speck & "
              "Träff 2009"};
}

}  // namespace

CollectiveFormula collective_formula(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                     const CollectiveGroup& group, InSwitchReduction can) {
  if (algorithm == CollectiveAlgorithm::hfreduce) return hfreduce_formula();
  Symbols of = symbols_of(group);
  const algorithms::Terms<Text> terms = algorithms::terms_of(kind, algorithm, group, can, of);
  const bool both = !is_nothing(terms.hb_transfer) && !is_nothing(terms.net_transfer);
  const Text transfer = terms.overlapped && both ? greater(terms.hb_transfer, terms.net_transfer)
                                                 : sum(terms.net_transfer, terms.hb_transfer);
  std::string source{terms.source};
  if (!terms.source_between_domains.empty()) {
    source += "; between domains " + std::string{terms.source_between_domains};
  }
  if (!terms.source_of_hops.empty()) source += "; hops " + std::string{terms.source_of_hops};
  return {.algorithm = algorithm,
          .definitions = std::move(of.definitions),
          .latency = sum(terms.launch, sum(terms.hb_latency, terms.net_latency)).str(),
          .transfer = transfer.str(),
          .source = std::move(source)};
}

}  // namespace planner::perf

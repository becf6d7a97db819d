// The formulas of collective_time.cpp as text that formula.hpp can evaluate.
#include "planner/perf/collectives/time.hpp"

namespace planner::inline perf {

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

/// The terms of a CollectiveTime, as text.
struct Terms {
  std::string hb_latency, net_latency, hb_transfer, net_transfer;
  bool launch = true;
  bool overlapped = false;
  std::string source;
  std::vector<CollectiveFormula::Definition> definitions;
};

/// Where domains are not equally full, x is an average.
bool is_even(const CollectiveGroup& group) {
  return group.hb == group.emptiest().hb;
}
std::string fullest(const CollectiveGroup& group) {
  return is_even(group) ? "x" : "ceil(x)";
}
std::string emptiest(const CollectiveGroup& group) {
  return is_even(group) ? "x" : "floor(x)";
}
/// D bytes over the cards of a domain.
std::string through_cards(const CollectiveGroup& group) {
  return "D/(" + emptiest(group) + "*C_S)";
}

/// An all-reduce is a reduce-scatter and an all-gather.
std::string twice(Kind kind) {
  return kind == Kind::all_reduce ? "2*" : "";
}

Terms ring(Kind kind, const CollectiveGroup& group) {
  Terms terms{.overlapped = true, .source = "Patarasuk & Yuan 2009; NCCL's rings"};
  if (kind == Kind::broadcast) {
    terms.hb_latency = "(n-y)*a_F";
    terms.net_latency = "(y-1)*a_S";
    terms.hb_transfer = "D/C_F";
    terms.net_transfer = through_cards(group);
    return terms;
  }
  terms.hb_transfer = "L*t_F";
  terms.net_transfer = "L*t_S";
  terms.definitions = {{"L", kind == Kind::all_reduce ? "2*(n-1)" : "n-1"}};
  if (group.hb > 1) terms.definitions.push_back({"t_F", "D/n/C_F"});
  if (group.net > 1) terms.definitions.push_back({"t_S", through_cards(group) + "/n"});
  if (group.hb <= 1 || group.net <= 1) {
    terms.hb_latency = "L*a_F";
    terms.net_latency = "L*a_S";
    return terms;
  }
  terms.definitions.insert(terms.definitions.end(), {{"g_F", "a_F + t_F - max(t_F, t_S)"},
                                                     {"g_S", "a_S + t_S - max(t_F, t_S)"},
                                                     {"u", "ceil(L/x)"},
                                                     {"d", "floor(L/x)"},
                                                     {"q", "floor((L+1)/x)"}});
  terms.net_latency =
      "max(g_S, (x-1)*g_F, u*g_S + (L-u)*g_F, d*g_S + (L-d)*g_F, u*g_S + (u-1)*(x-1)*g_F, "
      "(q-1)*g_S + q*(x-1)*g_F)";
  return terms;
}

Terms tree(Kind kind, const CollectiveGroup& group) {
  const std::string x = fullest(group);
  Terms terms{.net_transfer = through_cards(group),
              .overlapped = true,
              .source = "Sanders, Speck & Träff 2009; NCCL's double binary tree"};
  if (kind == Kind::broadcast) {
    terms.hb_latency = "(" + x + "-1)*a_F";
    terms.net_latency = "ceil(log2(y))*a_S";
    terms.hb_transfer = "D/C_F";
    return terms;
  }
  terms.hb_latency = "2*(" + x + "-1)*a_F";
  terms.net_latency = "2*ceil(log2(y))*a_S";
  terms.hb_transfer = "2*(" + x + "-1)/" + x + " * D/C_F";
  terms.net_transfer = "min(2, y/2) * " + terms.net_transfer;
  return terms;
}

/// What the GPUs of the emptiest domain send to other domains, each over its own card.
std::string shards_that_leave(const CollectiveGroup& group) {
  return "(n-" + emptiest(group) + ") * D/n/C_S";
}

Terms direct(Kind kind, const CollectiveGroup& group) {
  if (kind == Kind::point_to_point) {
    Terms message{.source = "one message"};
    (group.net > 1 ? message.net_latency : message.hb_latency) = group.net > 1 ? "a_S" : "a_F";
    (group.net > 1 ? message.net_transfer : message.hb_transfer) =
        group.net > 1 ? "D/C_S" : "D/C_F";
    return message;
  }
  return {.hb_latency = "a_F",
          .net_latency = "a_S",
          .hb_transfer = "(" + fullest(group) + "-1) * D/n/C_F",
          .net_transfer = shards_that_leave(group),
          .overlapped = true,
          .source = "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 20"};
}

Terms hierarchical(Kind kind, const CollectiveGroup& group) {
  const std::string x = fullest(group);
  const std::string inside = "(" + x + "-1)/" + x + " * D/C_F";
  if (kind == Kind::all_to_all) {
    return {.hb_latency = "a_F",
            .net_latency = "a_S",
            .hb_transfer = inside,
            .net_transfer = shards_that_leave(group),
            .source = "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 21"};
  }
  return {.hb_latency = twice(kind) + "(" + x + "-1)*a_F",
          .net_latency = twice(kind) + "(y-1)*a_S",
          .hb_transfer = twice(kind) + inside,
          .net_transfer = twice(kind) + "(n-" + emptiest(group) + ")/n * " + through_cards(group),
          .source = kind == Kind::all_reduce ? "rail-only paper (arXiv 2307.12169), Eq. 1, twice"
                                             : "rail-only paper (arXiv 2307.12169), Eq. 1"};
}

Terms recursive(Kind kind, const CollectiveGroup& group) {
  Terms terms = hierarchical(kind, group);
  terms.hb_latency = twice(kind) + "ceil(log2(x))*a_F";
  terms.net_latency = twice(kind) + "ceil(log2(y))*a_S";
  terms.source = "Bruck et al. 1997; NCCL's PAT; bytes of Eq. 1";
  return terms;
}

Terms in_switch(Kind kind, const CollectiveGroup& group, InSwitchReduction can) {
  const bool reduces = kind == Kind::all_reduce;
  Terms terms = recursive(kind, group);
  terms.launch = false;
  terms.overlapped = true;
  terms.source = "NVLink SHARP (n+1)/n, SHARP 1: nccl-tests, doc/PERFORMANCE.md";
  if (can.network) {
    terms.net_latency = "a_SS";
    terms.net_transfer = through_cards(group);
  } else if (reduces) {
    const Terms trees = tree(kind, group);
    terms.net_latency = trees.net_latency;
    terms.net_transfer = trees.net_transfer;
    terms.source += "; between domains " + trees.source;
  }
  if (can.hb) {
    terms.hb_latency = "a_FS";
    const std::string x = fullest(group);
    terms.hb_transfer = reduces ? "(" + x + "+1)/" + x + " * D/C_FS" : "D/C_FS";
  }
  return terms;
}

Terms hfreduce() {
  return {.net_latency = "(k+s-1)*a + (s-1)/k * D/B",
          .net_transfer = "D/B",
          .launch = false,
          .source =
              "Fire-Flyer AI-HPC (arXiv 2408.14158), section IV; pipeline: Sanders, Speck & "
              "Träff 2009"};
}

Terms terms_of(Kind kind, Algorithm algorithm, const CollectiveGroup& group,
               InSwitchReduction can) {
  switch (algorithm) {
    case Algorithm::direct:
      return direct(kind, group);
    case Algorithm::ring:
      return ring(kind, group);
    case Algorithm::tree:
      return tree(kind, group);
    case Algorithm::hierarchical:
      return hierarchical(kind, group);
    case Algorithm::recursive:
      return recursive(kind, group);
    case Algorithm::in_switch:
      return in_switch(kind, group, can);
    case Algorithm::hfreduce:
      return hfreduce();
  }
  return {};
}

std::string sum(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + " + " + b;
}

}  // namespace

CollectiveFormula collective_formula(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                     const CollectiveGroup& group, InSwitchReduction can) {
  Terms terms = terms_of(kind, algorithm, group, can);
  if (group.hb <= 1) terms.hb_latency = terms.hb_transfer = "";
  if (group.net <= 1 && algorithm != Algorithm::hfreduce)
    terms.net_latency = terms.net_transfer = "";
  const bool both = !terms.hb_transfer.empty() && !terms.net_transfer.empty();
  return {.algorithm = algorithm,
          .definitions = terms.definitions,
          .latency = sum(terms.launch ? "launch" : "", sum(terms.hb_latency, terms.net_latency)),
          .transfer = terms.overlapped && both
                          ? "max(" + terms.hb_transfer + ", " + terms.net_transfer + ")"
                          : sum(terms.net_transfer, terms.hb_transfer),
          .source = terms.source};
}

}  // namespace planner::perf

// The formulas of collective_time.cpp as text that can be evaluated: numbers, symbols, + - * / and
// min, max, ceil, log2.
#include "planner/perf/collective_time.hpp"

namespace planner {

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

/// The terms of a CollectiveTime, as text.
struct Terms {
  std::string hb_latency, net_latency, hb_transfer, net_transfer;
  bool launch = true;
  bool overlapped = false;
  std::string source;
};

/// An all-reduce is a reduce-scatter and an all-gather.
std::string twice(Kind kind) {
  return kind == Kind::all_reduce ? "2*" : "";
}

Terms ring(Kind kind, const CollectiveGroup& group) {
  Terms terms{.overlapped = true, .source = "Patarasuk & Yuan 2009; NCCL's rings"};
  if (kind == Kind::broadcast) {
    terms.hb_latency = "y*(x-1)*a_F";
    terms.net_latency = "(y-1)*a_S";
    terms.hb_transfer = "D/C_F";
    terms.net_transfer = "D/(x*C_S)";
    return terms;
  }
  const std::string hops = group.net > 1 ? "(n-1 - min(y, n-1))" : "(n-1)";
  terms.hb_latency = twice(kind) + hops + "*a_F";
  terms.net_latency = twice(kind) + "min(y, n-1)*a_S";
  terms.hb_transfer = twice(kind) + "(n-1)/n * D/C_F";
  terms.net_transfer = twice(kind) + "(n-1)/n * D/(x*C_S)";
  return terms;
}

Terms tree(Kind kind) {
  Terms terms{.overlapped = true,
              .source = "Sanders, Speck & Träff 2009; NCCL's double binary tree"};
  if (kind == Kind::broadcast) {
    terms.hb_latency = "(x-1)*a_F";
    terms.net_latency = "ceil(log2(y))*a_S";
    terms.hb_transfer = "D/C_F";
    terms.net_transfer = "D/(x*C_S)";
    return terms;
  }
  terms.hb_latency = "2*(x-1)*a_F";
  terms.net_latency = "2*ceil(log2(y))*a_S";
  terms.hb_transfer = "2*(x-1)/x * D/C_F";
  terms.net_transfer = "min(2, y/2) * D/(x*C_S)";
  return terms;
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
          .hb_transfer = "(x-1) * D/n/C_F",
          .net_transfer = "x*(y-1) * D/n/C_S",
          .overlapped = true,
          .source = "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 20"};
}

Terms hierarchical(Kind kind) {
  if (kind == Kind::all_to_all) {
    return {.hb_latency = "a_F",
            .net_latency = "a_S",
            .hb_transfer = "y*(x-1) * D/n/C_F",
            .net_transfer = "x*(y-1) * D/n/C_S",
            .source = "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 21"};
  }
  return {.hb_latency = twice(kind) + "(x-1)*a_F",
          .net_latency = twice(kind) + "(y-1)*a_S",
          .hb_transfer = twice(kind) + "(x-1)*D/(x*C_F)",
          .net_transfer = twice(kind) + "(y-1)*D/(x*y*C_S)",
          .source = kind == Kind::all_reduce ? "rail-only paper (arXiv 2307.12169), Eq. 1, twice"
                                             : "rail-only paper (arXiv 2307.12169), Eq. 1"};
}

Terms recursive(Kind kind) {
  Terms terms = hierarchical(kind);
  terms.hb_latency = twice(kind) + "ceil(log2(x))*a_F";
  terms.net_latency = twice(kind) + "ceil(log2(y))*a_S";
  terms.source = "Bruck et al. 1997; NCCL's PAT; bytes of Eq. 1";
  return terms;
}

Terms in_switch(Kind kind, InSwitchReduction can) {
  const bool reduces = kind == Kind::all_reduce;
  Terms terms = recursive(kind);
  terms.launch = false;
  terms.overlapped = true;
  terms.source = "NVLink SHARP (n+1)/n, SHARP 1: nccl-tests, doc/PERFORMANCE.md";
  if (can.network) {
    terms.net_latency = "a_SS";
    terms.net_transfer = "D/(x*C_S)";
  } else if (reduces) {
    const Terms trees = tree(kind);
    terms.net_latency = trees.net_latency;
    terms.net_transfer = trees.net_transfer;
    terms.source += "; between domains " + trees.source;
  }
  if (can.hb) {
    terms.hb_latency = "a_FS";
    terms.hb_transfer = reduces ? "(x+1)/x * D/C_FS" : "D/C_FS";
  }
  return terms;
}

Terms terms_of(Kind kind, Algorithm algorithm, const CollectiveGroup& group,
               InSwitchReduction can) {
  switch (algorithm) {
    case Algorithm::direct:
      return direct(kind, group);
    case Algorithm::ring:
      return ring(kind, group);
    case Algorithm::tree:
      return tree(kind);
    case Algorithm::hierarchical:
      return hierarchical(kind);
    case Algorithm::recursive:
      return recursive(kind);
    case Algorithm::in_switch:
      return in_switch(kind, can);
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
  if (group.net <= 1) terms.net_latency = terms.net_transfer = "";
  const bool both = !terms.hb_transfer.empty() && !terms.net_transfer.empty();
  return {.algorithm = algorithm,
          .latency = sum(terms.launch ? "launch" : "", sum(terms.hb_latency, terms.net_latency)),
          .transfer = terms.overlapped && both
                          ? "max(" + terms.hb_transfer + ", " + terms.net_transfer + ")"
                          : sum(terms.net_transfer, terms.hb_transfer),
          .source = terms.source};
}

}  // namespace planner

// The formulas of collective_time.cpp as text.
#include "planner/perf/collective_time.hpp"

namespace planner {

namespace {

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

CollectiveFormula ring_formula(Kind kind) {
  constexpr const char* kSource = "Patarasso & Yuan 2009; NCCL's rings";
  if (kind == Kind::broadcast) {
    return {"launch + y(x-1)·a_F + (y-1)·a_S", "max(D/C_F, D/(x·C_S))", kSource};
  }
  if (kind == Kind::all_reduce) {
    return {"launch + 2(n-1-h)·a_F + 2h·a_S, h = min(y, n-1), 0 if y = 1",
            "2(n-1)/n · D · max(1/C_F, 1/(x·C_S))", kSource};
  }
  return {"launch + (n-1-h)·a_F + h·a_S, h = min(y, n-1), 0 if y = 1",
          "(n-1)/n · D · max(1/C_F, 1/(x·C_S))", kSource};
}

CollectiveFormula tree_formula(Kind kind) {
  constexpr const char* kSource = "Sanders, Speck & Träff 2009; NCCL's double binary tree";
  if (kind == Kind::broadcast) {
    return {"launch + (x-1)·a_F + ceil(log2 y)·a_T", "max(D/C_F, D/(x·C_S))", kSource};
  }
  return {"launch + 2(x-1)·a_F + 2·ceil(log2 y)·a_T",
          "max(min(2, x-1) · D/C_F, min(2, y/2) · D/(x·C_S))", kSource};
}

CollectiveFormula hierarchical_formula(Kind kind) {
  if (kind == Kind::all_to_all) {
    return {"launch + (x-1)·a_F + (y-1)·a_S", "y(x-1) · (D/n)/C_F + x(y-1) · (D/n)/C_S",
            "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 21"};
  }
  if (kind == Kind::all_reduce) {
    return {"launch + 2(x-1)·a_F + 2(y-1)·a_S", "2(y-1)·D/(x·y·C_S) + 2(x-1)·D/(x·C_F)",
            "rail-only paper (arXiv 2307.12169), Eq. 1, twice"};
  }
  return {"launch + (x-1)·a_F + (y-1)·a_S", "(y-1)·D/(x·y·C_S) + (x-1)·D/(x·C_F)",
          "rail-only paper (arXiv 2307.12169), Eq. 1"};
}

CollectiveFormula recursive_formula(Kind kind) {
  constexpr const char* kSource = "Bruck et al. 1997; NCCL's PAT; bytes of Eq. 1";
  if (kind == Kind::all_reduce) {
    return {"launch + 2·ceil(log2 x)·a_F + 2·ceil(log2 y)·a_S",
            "2(y-1)·D/(x·y·C_S) + 2(x-1)·D/(x·C_F)", kSource};
  }
  return {"launch + ceil(log2 x)·a_F + ceil(log2 y)·a_S", "(y-1)·D/(x·y·C_S) + (x-1)·D/(x·C_F)",
          kSource};
}

CollectiveFormula in_switch_formula(Kind kind) {
  constexpr const char* kSource = "NVLink SHARP (n+1)/n, SHARP 1: nccl-tests PERFORMANCE.md";
  if (kind == Kind::all_reduce) {
    return {"of the switches, launch included", "max((x+1)/x · D/C_F, D/(x·C_S)) where both reduce",
            kSource};
  }
  return {"of the switches, launch included", "max(D/C_F, D/(x·C_S)) where both reduce", kSource};
}

}  // namespace

CollectiveFormula collective_formula(CollectiveKind kind, CollectiveAlgorithm algorithm) {
  switch (algorithm) {
    case Algorithm::direct:
      if (kind == Kind::point_to_point) return {"launch + a", "D/C", "one message"};
      return {"launch + (x-1)·a_F + x(y-1)·a_S", "max((x-1) · (D/n)/C_F, x(y-1) · (D/n)/C_S)",
              "rail-only paper (arXiv 2307.12169), Appendix D, Eq. 20"};
    case Algorithm::ring:
      return ring_formula(kind);
    case Algorithm::tree:
      return tree_formula(kind);
    case Algorithm::hierarchical:
      return hierarchical_formula(kind);
    case Algorithm::recursive:
      return recursive_formula(kind);
    case Algorithm::in_switch:
      return in_switch_formula(kind);
  }
  return {};
}

}  // namespace planner

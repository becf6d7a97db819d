// An exact search with an objective of one's own: the fastest plan that leaves a quarter of the
// memory free, where each doubling of the tensor-parallel degree has to gain 1 %.
#include <cmath>
#include <cstdio>
#include <planner/planner.hpp>

int main(int argc, char** argv) try {
  const planner::Library library;
  const auto work = planner::make_workload(library.model(argc > 1 ? argv[1] : "gpt1t"),
                                           library.system("gb200-nvl72"), 4096);
  const auto objective = [](const planner::Plan& plan) {
    if (plan.memory.total() > 0.75 * plan.capacity) return HUGE_VAL;
    return plan.time.total().si() *
           std::pow(1.01, std::log2(static_cast<double>(plan.strategy.tp.total())));
  };
  for (const auto& [plan, score] : planner::optimize(work, {}, objective, 3)) {
    std::printf("tp %lld pp %lld dp %lld: %.4g s, %.3g GB\n",
                static_cast<long long>(plan.strategy.tp.total()),
                static_cast<long long>(plan.strategy.pp.total()),
                static_cast<long long>(plan.strategy.dp.total()), plan.time.total().si(),
                plan.memory.total().in(planner::units::GB));
  }
} catch (const planner::InputError& error) {
  for (const auto& found : error.diagnostics()) {
    std::fprintf(stderr, "%s\n", planner::to_string(found).c_str());
  }
  return 3;
}

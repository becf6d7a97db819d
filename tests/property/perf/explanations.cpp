// What --explain prints must be true: every formula, evaluated with the inputs shown beside it,
// gives the value shown, and the values are the model's.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/closed_form/explain.hpp"
#include "planner/perf/derivation/formula.hpp"
#include "support/near.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

double evaluated(const ExplainedTerm& term) {
  for (const Symbol& symbol : term.inputs) {  // nothing shown that is not used
    CHECK(term.formula.find(symbol.name) != std::string::npos);
  }
  return formula_value(term.formula, term.inputs);
}

void check_explanation(const Workload& workload, const Strategy& strategy) {
  std::map<std::string, double> values;
  for (const ExplainedTerm& term : explain_closed_form(workload, strategy)) {
    CAPTURE(term.symbol);
    CAPTURE(term.formula);
    CHECK(evaluated(term) == near(term.value));
    CHECK(!term.meaning.empty());
    CHECK(values.emplace(term.symbol, term.value).second);  // each symbol defined once
    // A symbol that an earlier line defined keeps its value.
    for (const Symbol& input : term.inputs) {
      if (values.contains(input.name)) CHECK(input.value == values.at(input.name));
    }
  }
  const Prediction estimate = ClosedForm(workload).evaluate(strategy);
  CHECK(values.at("T_bubble_comp") == estimate.time.bubble_compute.si());
  CHECK(values.at("T_bubble_comm") == estimate.time.bubble_communication.si());
  CHECK(values.at("T_LS_comp") == estimate.time.last_stage_compute.si());
  CHECK(values.at("T_LS_tp") == estimate.time.last_stage_tp_communication.si());
  CHECK(values.at("T_LS_pp") == estimate.time.last_stage_pp_communication.si());
  CHECK(values.at("T_sync") == estimate.time.sync.si());
  CHECK(values.at("T_iter") == estimate.time.total().si());
  CHECK(values.at("R_weights") == estimate.memory.weights.si());
  CHECK(values.at("R_gradients") == estimate.memory.gradients.si());
  CHECK(values.at("R_optimizer") == estimate.memory.optimizer.si());
  CHECK(values.at("R_activations") == estimate.memory.activations.si());
  CHECK(values.at("R_total") == estimate.memory.total().si());
}

}  // namespace

TEST_CASE("every printed formula evaluates to its printed value") {
  Random random(11);
  for (int i = 0; i < 1500; ++i) {
    CAPTURE(i);
    Workload workload = random_workload(random);
    const Strategy strategy = random_strategy(random, workload);
    check_explanation(workload, strategy);
  }
}

TEST_CASE("and so it does in every mode, with and without a pipeline") {
  Workload workload;
  Random random(12);
  workload = random_workload(random);
  workload.model.layers = 12;
  workload.run.global_batch = 12;
  for (const Split pp : {Split{1, 1}, Split{2, 1}, Split{1, 3}, Split{2, 3}}) {
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      for (const int zero : {0, 1, 2}) {
        for (const bool sequence_parallel : {true, false}) {
          for (const std::int64_t interleave : {1, 2}) {
            for (const bool tied : {true, false}) {
              workload.model.tied_embeddings = tied;
              check_explanation(workload, {.tp = {2, 1},
                                           .pp = pp,
                                           .dp = {1, 2},
                                           .interleave = interleave,
                                           .micro_batch = 3,
                                           .recompute = recompute,
                                           .zero = zero,
                                           .sequence_parallel = sequence_parallel});
            }
          }
        }
      }
    }
  }
}

#include "planner/perf/calibrated_explain.hpp"

#include "planner/perf/calibrated.hpp"
#include "planner/perf/derivation.hpp"

namespace planner {

namespace {

constexpr const char* kSheet = "docs/calibrated.md";

void add_inputs(Derivation& out, const Calibrated::MicroBatch& micro,
                const Calibrated::Stage& stage, const Calibrated::Pipeline& on) {
  out.input("p", on.p);
  out.input("m", on.m);
  out.input("v", on.v);
  out.input("n", stage.layers);
  out.input("n_head", stage.heads);
  out.input("t_compute", micro.layer.compute.si());
  out.input("t_tp", micro.layer.tp.si());
  out.input("t_cp", micro.layer.cp.si());
  out.input("t_ep", micro.layer.ep.si());
  out.input("t_host", micro.layer.host.si());
  out.input("t_head", micro.head.si());
}

}  // namespace

std::vector<ExplainedTerm> explain_calibrated(const Workload& workload, const Strategy& strategy) {
  const Calibrated model(workload);
  const Calibrated::MicroBatch micro = model.micro_batch(strategy);
  const Calibrated::Pipeline on = model.pipeline(strategy);
  const Calibrated::Stage stage = model.stage(on.p, micro);
  const IterationBreakdown time = model.evaluate(strategy).time;

  Derivation out;
  add_inputs(out, micro, stage, on);
  out.term("t_layer", "one micro-batch in the mean layer, there and back", kSheet,
           "t_compute + t_tp + t_cp + t_ep + t_host", micro.layer.total().si(), "s");
  out.term("T_stage", "one micro-batch on the slowest stage", kSheet,
           "n * t_layer + n_head * t_head", stage.slowest.si(), "s");
  const auto steady = [&](const char* symbol, const char* meaning, const char* part,
                          Seconds value) {
    out.term(symbol, meaning, kSheet, std::string{"m * n * "} + part, value.si(), "s");
  };
  steady("T_compute", "compute of all micro-batches", "t_compute", time.last_stage_compute);
  steady("T_tp", "tensor parallel communication that shows", "t_tp",
         time.last_stage_tp_communication);
  steady("T_cp", "context parallel communication that shows", "t_cp", time.cp_communication);
  steady("T_ep", "expert parallel communication that shows", "t_ep", time.ep_communication);
  steady("T_host", "waiting for kernel launches", "t_host", time.host);
  out.term("T_loss", "output layer and loss", kSheet, "m * n_head * t_head", time.loss_layer.si(),
           "s");
  // What depends on overlap is given as it comes out.
  out.input("T_bubble", time.bubble_compute.si());
  out.input("T_sends", (time.bubble_communication + time.last_stage_pp_communication).si());
  out.input("T_sync", time.sync.si());
  out.input("T_optimizer", time.optimizer.si());
  out.input("T_straggling", time.straggling.si());
  out.term("T", "iteration time", kSheet,
           "T_compute + T_tp + T_cp + T_ep + T_host + T_loss + T_bubble + T_sends + T_sync + "
           "T_optimizer + T_straggling",
           time.total().si(), "s");
  return out.take();
}

}  // namespace planner

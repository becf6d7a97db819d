// From the micro-batch to the iteration: stages, the pipeline, and the sum.
#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/calibrated/overlap.hpp"
#include "planner/perf/calibrated/partition.hpp"
#include "planner/perf/calibrated/sends.hpp"
#include "planner/perf/calibrated/straggling.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::inline perf {

namespace {

constexpr std::string_view kZeroBubble = "arXiv 2401.10241, Table 2";
constexpr std::string_view kNarayanan = "arXiv 2104.04473 §2.2";

constexpr auto kOfStage = [](auto n, auto layer, auto n_head, auto head) {
  return n * layer + n_head * head;
};
constexpr Row kStage{"t_stage", "one micro-batch on the slowest stage", kSheet, kOfStage};
constexpr Row kAll{
    "t_all", "one micro-batch on all stages", kSheet,
    [](auto L, auto mtp, auto layer, auto head) { return (L + mtp) * layer + head; }};
constexpr Row kStageForward{"t_stage_fwd", "forward pass of the slowest stage", kZeroBubble,
                            kOfStage};
constexpr Row kStageWeights{"t_stage_weights", "its weight gradients", kZeroBubble, kOfStage};
constexpr Row kOthersWeights{"t_others_weights", "weight gradients of all stages but the slowest",
                             kZeroBubble,
                             [](auto L, auto mtp, auto n, auto layer, auto n_head, auto head) {
                               return (L + mtp - n) * layer + (1 - n_head) * head;
                             }};

/// Micro-batches that a pipeline works through before it drains.
constexpr auto kAtOnce = [](auto m, auto flushes) { return m / flushes; };

// Narayanan et al. 2021, §2.2; never faster than one micro-batch takes through all stages.
constexpr Row kBubble{"T_bubble", "pipeline bubble", kNarayanan,
                      [](auto flushes, auto all, auto stage, auto v, auto at_once) {
                        const auto others = all - stage;
                        return flushes * greater(others / v, others - (at_once - 1) * stage);
                      }};
constexpr Row kBubbleInterleaved{
    "T_bubble", "pipeline bubble", kNarayanan,
    [](auto flushes, auto all, auto stage, auto v, auto at_once) {
      const auto others = all - stage;
      return flushes * greater(others / v, others - (1 - 1 / v) * (at_once - 1) * stage);
    }};
// Qi et al. 2023, Table 2: of the other stages' T_F + T_B + T_W nobody waits for T_W, and in the
// place of one more (ZB-1p) or two (ZB-2p) stand weight gradients, as far as a stage has forward
// passes ahead of its first backward pass, and can put its own weight gradients behind its last.
constexpr Row kBubbleOfZero{"T_bubble", "pipeline bubble", kZeroBubble,
                            [](auto flushes, auto all, auto stage, auto z, auto T_W, auto at_once,
                               auto forward, auto weights) {
                              const auto filled =
                                  lesser(z * T_W, (at_once - 1) * lesser(forward, weights));
                              return flushes * positive(all - stage - T_W - filled);
                            }};
constexpr double kTimesOf1p = 1, kTimesOf2p = 2;
double times_of(Schedule schedule) {
  return schedule == Schedule::zero_bubble_2p ? kTimesOf2p : kTimesOf1p;
}
bool is_zero_bubble(Schedule schedule) {
  return schedule == Schedule::zero_bubble_1p || schedule == Schedule::zero_bubble_2p;
}

constexpr auto kNone = [](auto none) { return none; };
constexpr Row kNoBubble{"T_bubble", "pipeline bubble", kSheet, kNone};
constexpr Row kNoSends{"T_sends", "pipeline transfers", kSheet, kNone};

/// What a sample's stage sends to the next, 16 bits a value: all of it, or each rank a part.
constexpr auto kSent = [](auto s, auto cp, auto h, auto... parts) {
  return bytes(((2 * s / cp * h) / ... / parts));
};
constexpr Row kSend{"t_send", "a micro-batch from stage to stage", kSheet,
                    [](auto alpha, auto b, auto per_sample) { return alpha + b * per_sample; }};
constexpr Row kSendsOfNode{"t_node", "a micro-batch's sends of all replicas on a node's NICs",
                           kSheet, [](auto b, auto per_sample) { return b * per_sample; }};
constexpr Row kSendAtOnce = kSend.named("t_send_at_once", "the same while all of a node send");
constexpr Row kSendAlone = kSend.named("t_send_alone", "a micro-batch from stage to stage, alone");
constexpr Row kSendInTurn{"t_send", "waiting for other replicas' on the node's NICs", kSheet,
                          kStaggeredSend};
constexpr auto kSendsOfBubble = [](auto flushes, auto p, auto send) {
  return flushes * 2 * (p - 1) * send;
};
constexpr auto kSendsOfStage = [](auto m, auto v, auto send, auto share, auto stage,
                                  auto handover) {
  return m * exposed(2 * v * send, share, stage) + m * v * handover;
};
/// The same on NICs that GPUs share, which a node's sends of a micro-batch keep so long.
constexpr auto kSendsOfSharedNics = [](auto m, auto v, auto send, auto share, auto stage,
                                       auto handover, auto of_node) {
  return m * greater(exposed(2 * v * send, share, stage), 2 * v * of_node - stage) +
         m * v * handover;
};
constexpr auto kAllSendsOfStage = [](auto m, auto v, auto send) { return m * 2 * v * send; };
constexpr Row kSends{"T_sends", "pipeline transfers, what shows", kSheet,
                     [](auto of_bubble, auto of_stage) { return of_bubble + of_stage; }};

// The parts that every micro-batch adds to, over the layers of the slowest stage.
constexpr auto kSteady = [](auto m, auto n, auto of_layer) { return m * n * of_layer; };
constexpr Row kCompute{"T_compute", "compute of all micro-batches", kSheet, kSteady};
constexpr Row kTp{"T_tp", "tensor parallel communication", kSheet, kSteady};
constexpr Row kCp{"T_cp", "context parallel communication", kSheet, kSteady};
constexpr Row kEp{"T_ep", "expert parallel communication", kSheet, kSteady};
constexpr Row kHost{"T_host", "waiting for kernel launches", kSheet, kSteady};
constexpr Row kLoss{"T_loss", "output layer and loss", kSheet, kSteady};
constexpr Row kStraggling{"T_straggling", "the slowest GPU of many", kSheet,
                          [](auto share, auto m, auto stage, auto... waited_for) {
                            return share * ((m * stage) + ... + waited_for);
                          }};
constexpr Row kIteration{"T_iter", "iteration time", kSheet,
                         [](auto... parts) { return (... + parts); }};
constexpr Row kOwnIteration{"T_own", "iteration time, as one's own runs correct it", kSheet,
                            [](auto factor, auto time) { return factor * time; }};

}  // namespace

double Calibrated::straggling() const {
  return kStragglingShare(constant(Constant::straggling), N_);
}

Calibrated::Pipeline Calibrated::pipeline(const Strategy& strategy) const {
  const double p = real(strategy.pp.total()), b = real(strategy.micro_batch);
  Pipeline on{.p = p,
              .b = b,
              .m = std::max(1.0, std::round(B_ / (real(strategy.dp.total()) * b))),
              .v = std::min(real(strategy.interleave), std::max(1.0, shape_.L / p))};
  const auto m = static_cast<std::int64_t>(on.m);
  const std::int64_t fed = micro_batches_at_once(software_, m);
  if (p > 1) on.flushes = real(ceil_div(m, fed));
  if (on.v > 1) on.group = real(interleaving_group(strategy.pp.total(), fed));
  if (p > 1 && strategy.interleave == 1) on.schedule = strategy.without_interleaving;
  return on;
}

// The last stage has the loss layer and the layers that predict further tokens besides its own.
Calibrated::Stage Calibrated::stage(double p, const MicroBatch& micro) const {
  const Seconds per = micro.layer.total(), all = kAll(shape_.L, shape_.mtp, per, micro.head);
  const auto make = [&](double layers, double heads) {
    return Stage{
        .layers = layers,
        .heads = heads,
        .slowest = kStage(layers, per, heads, micro.head),
        .all = all,
        .forward = kStageForward(layers, micro.layer.forward, heads, micro.logits),
        .weight_gradients = kStageWeights(layers, micro.weight_gradients, heads, micro.logits),
        .others_weight_gradients = kOthersWeights(shape_.L, shape_.mtp, layers,
                                                  micro.weight_gradients, heads, micro.logits)};
  };
  const Partition layers_of(shape_, p);
  const Stage last = make(layers_of(p - 1).all + shape_.mtp, 1), full = make(layers_of.most, 0);
  return p > 1 && full.slowest > last.slowest ? full : last;
}

Bytes Calibrated::sent_sample(const Strategy& strategy) const {
  const double parts = sends_parts(software_, strategy) ? real(strategy.tp.total()) : 1;
  return kSent(shape_.s, real(strategy.cp.total()), shape_.h, parts);
}

void Calibrated::add_sends(const Strategy& strategy, Synchronisation& sync) const {
  const Sends along = sends(strategy, FlowKind::line), around = sends(strategy, FlowKind::wrap);
  sync.send_latency = Seconds{constant(Constant::network_latency)};
  sync.send_per_sample = along.alone;
  sync.send_at_once_per_sample = along.at_once;
  sync.sends_of_node_per_sample = along.of_node;
  sync.around_per_sample = positive(around.alone - along.alone);
  sync.around_at_once_per_sample = positive(around.at_once - along.at_once);
  sync.around_of_node_per_sample = positive(around.of_node - along.of_node);
}

Seconds Calibrated::send_time(const Synchronisation& sync, Seconds stage, const Pipeline& on) {
  const Seconds send =
      kSend(sync.send_latency, on.b, kAround(sync.send_per_sample, sync.around_per_sample, on.v));
  const Seconds of_node = sends_of_node(sync, on);
  if (!(of_node > Seconds{})) return send;
  const Seconds at_once =
      kSendAtOnce(sync.send_latency, on.b,
                  kAround(sync.send_at_once_per_sample, sync.around_at_once_per_sample, on.v));
  return kStaggeredSend(send, at_once, of_node, on.v, stage);
}

Seconds Calibrated::sends_of_node(const Synchronisation& sync, const Pipeline& on) {
  return kSendsOfNode(on.b,
                      kAround(sync.sends_of_node_per_sample, sync.around_of_node_per_sample, on.v));
}

CommunicationTimes Calibrated::communication_times(const Strategy& strategy) const {
  const Communication comm = communication(strategy);
  const Work of_gpu = work(strategy);
  const MicroBatch micro = micro_batch(of_gpu, comm, strategy);
  const LayerTime bare = micro_batch(of_gpu, comm, strategy, Overlap::none).layer;
  const Pipeline on = pipeline(strategy);
  const Stage at = stage(on.p, micro);
  const Synchronisation sync = chosen(synchronisation(strategy), at.slowest, on);
  const IterationBreakdown shown = time(micro, at, sync, on);
  CommunicationTimes times{.tp = {kTp(on.m, at.layers, bare.tp), shown.last_stage_tp_communication},
                           .dp = {sync.gradients + sync.gathers + sync.growth + sync.replicas +
                                      (sync.zero3 ? on.m : on.m - 1) * sync.per_micro,
                                  shown.sync},
                           .cp = {kCp(on.m, at.layers, bare.cp), shown.cp_communication},
                           .ep = {kEp(on.m, at.layers, bare.ep), shown.ep_communication}};
  for (CommunicationTime* const of : {&times.tp, &times.dp, &times.cp, &times.ep}) {
    of->all = own_ * of->all;
  }
  if (on.p == 1) return times;
  const Seconds send = send_time(sync, at.slowest, on);
  times.pp = {kSendsOfBubble(on.flushes, on.p, send) + kAllSendsOfStage(on.m, on.v, send) +
                  on.m * on.v * stack_.handover,
              shown.bubble_communication + shown.last_stage_pp_communication};
  times.pp.all = std::max(own_ * times.pp.all, times.pp.exposed);
  return times;
}

Calibrated::ShownSends Calibrated::shown_sends(const Synchronisation& sync, Seconds stage,
                                               const Pipeline& on) const {
  const Seconds send = send_time(sync, stage, on), of_node = sends_of_node(sync, on);
  const double share = on.v > 1 ? constant(Constant::pp_exposed_interleaved) : 1;
  return {
      .of_bubble = kSendsOfBubble(on.flushes, on.p, send),
      .of_stage = of_node > Seconds{}
                      ? kSendsOfSharedNics(on.m, on.v, send, share, stage, stack_.handover, of_node)
                      : kSendsOfStage(on.m, on.v, send, share, stage, stack_.handover)};
}

Seconds Calibrated::bubble(const Stage& stage, const Pipeline& on) {
  if (is_zero_bubble(on.schedule)) {
    return kBubbleOfZero(on.flushes, stage.all, stage.slowest, times_of(on.schedule),
                         stage.others_weight_gradients, on.at_once(), stage.forward,
                         stage.weight_gradients);
  }
  return on.v > 1 ? kBubbleInterleaved(on.flushes, stage.all, stage.slowest, on.v, on.at_once())
                  : kBubble(on.flushes, stage.all, stage.slowest, on.v, on.at_once());
}

IterationBreakdown Calibrated::time(const MicroBatch& micro, const Stage& stage,
                                    const Synchronisation& sync, const Pipeline& on) const {
  const double p = on.p, m = on.m, n = stage.layers;
  IterationBreakdown time{
      .last_stage_compute = kCompute(m, n, micro.layer.compute),
      .last_stage_tp_communication = kTp(m, n, micro.layer.tp),
      .sync = shown(sync, stage.slowest, on),
      .loss_layer = kLoss(m, stage.heads, micro.head),
      .cp_communication = kCp(m, n, micro.layer.cp),
      .ep_communication = kEp(m, n, micro.layer.ep),
      .host = kHost(m, n, micro.layer.host),
      .optimizer = sync.optimizer,
  };
  if (p > 1) {
    time.bubble_compute = bubble(stage, on);
    const ShownSends sends = shown_sends(sync, stage.slowest, on);
    time.bubble_communication = sends.of_bubble;
    time.last_stage_pp_communication = sends.of_stage;
  }
  time.straggling =
      kStraggling(straggling_, m, stage.slowest, time.bubble_compute, time.bubble_communication,
                  time.last_stage_pp_communication, time.sync);
  if (own_ != 1) {
    for (const TimePart& part : time_parts()) time.*part.amount = own_ * (time.*part.amount);
  }
  return time;
}

void CalibratedExplanation::add_stage(double layers, double heads) {
  const Text n = given("n", "mean layers on the slowest stage", kSheet, layers);
  const Text n_head = given("n_head", "loss layers there", kSheet, heads);
  tell(kStage, n, "t_mean"_t, n_head, "t_head"_t);
  tell(kAll, "L"_t, "mtp"_t, "t_mean"_t, "t_head"_t);
}

void CalibratedExplanation::add_pipeline() {
  if (p_ == 1) {
    tell(kNoBubble, 0);
    tell(kNoSends, 0);
    return;
  }
  given("flushes", "times that the pipeline fills and drains", "--micro-batches-per-flush",
        flushes_);
  if (is_zero_bubble(schedule_)) {
    add_zero_bubble();
  } else {
    const auto bubble = [&](const auto& row) {
      tell(row, "flushes"_t, "t_all"_t, "t_stage"_t, "v"_t, kAtOnce("m"_t, "flushes"_t));
    };
    if (v_ > 1) {
      bubble(kBubbleInterleaved);
    } else {
      bubble(kBubble);
    }
  }
  add_sends();
}

Text CalibratedExplanation::sent_sample() const {
  const bool parts = sends_parts(workload_.software, strategy_);
  return parts ? kSent("s"_t, "cp"_t, "h"_t, "t"_t) : kSent("s"_t, "cp"_t, "h"_t);
}

void CalibratedExplanation::add_sends() {
  const Text sample = sent_sample();
  const Text alpha = constant(Constant::network_latency);
  const Text hb = inside("pp", 2, apart_of_stages(strategy_));
  const auto shown = [&](const Text& send, auto&& of_stage, const auto&... of_node) {
    const Text share = v_ > 1 ? constant(Constant::pp_exposed_interleaved) : Text{1};
    const Text handover = constant(handover_constant(workload_.software.stack));
    tell(kSends, kSendsOfBubble("flushes"_t, "p"_t, send),
         of_stage("m"_t, "v"_t, send, share, "t_stage"_t, handover, of_node...));
  };
  if (strategy_.pp.net == 1) {
    shown(tell(kSend, alpha, "b"_t, kSendInside(sample, hb)), kSendsOfStage);
    return;
  }
  const Text crossing = given("crossing", "share of the sends that leave the HB domain",
                              "placement", 1 / real(strategy_.pp.hb));
  const SendRates along = rates_of_send(FlowKind::line);
  std::optional<SendRates> around;
  if (v_ > 1 && workload_.routing) around = rates_of_send(FlowKind::wrap);
  // Of one send, along the pipeline and with those around it.
  const auto per_sample = [&](auto&& time) {
    const Text of_line = time(along);
    return around ? kAround(of_line, positive(time(*around) - of_line), "v"_t) : of_line;
  };
  const auto across = [&](Text SendRates::*rate) {
    return per_sample(
        [&](const SendRates& of) { return kSendAcross(sample, crossing, hb, of.*rate); });
  };
  if (!along.of_node) {
    shown(tell(kSend, alpha, "b"_t, across(&SendRates::alone)), kSendsOfStage);
    return;
  }
  const Text of_node = tell(kSendsOfNode, "b"_t,
                            per_sample([&](const SendRates& of) { return sample / *of.of_node; }));
  const bool in_turn = turns_of_sends();
  Text send = tell(in_turn ? kSendAlone : kSend, alpha, "b"_t, across(&SendRates::alone));
  if (in_turn) {
    const Text at_once = tell(kSendAtOnce, alpha, "b"_t, across(&SendRates::at_once));
    send = tell(kSendInTurn, send, at_once, of_node, "v"_t, "t_stage"_t);
  }
  shown(send, kSendsOfSharedNics, of_node);
}

void CalibratedExplanation::add_zero_bubble() {
  const Text z = given("z", "times that weight gradients stand in for bubble", kZeroBubble,
                       times_of(schedule_));
  add_zero_bubble_work();
  const auto of_stage = [&](const auto& row, const Text& of_layer) {
    return tell(row, "n"_t, of_layer, "n_head"_t, "t_head_product"_t);
  };
  const Text forward = of_stage(kStageForward, "t_forward"_t);
  const Text weights = of_stage(kStageWeights, "t_weights"_t);
  const Text others =
      tell(kOthersWeights, "L"_t, "mtp"_t, "n"_t, "t_weights"_t, "n_head"_t, "t_head_product"_t);
  tell(kBubbleOfZero, "flushes"_t, "t_all"_t, "t_stage"_t, z, others, kAtOnce("m"_t, "flushes"_t),
       forward, weights);
}

void CalibratedExplanation::add_total() {
  const auto steady = [&](const auto& row, const Text& of_layer, const Text& count) {
    return tell(row, "m"_t, count, of_layer);
  };
  const Text compute = steady(kCompute, "t_compute"_t, "n"_t);
  const Text tp = steady(kTp, "t_tp"_t, "n"_t), cp = steady(kCp, "t_cp"_t, "n"_t);
  const Text ep = steady(kEp, "t_ep"_t, "n"_t), host = steady(kHost, "t_host"_t, "n"_t);
  const Text loss = steady(kLoss, "t_head"_t, "n_head"_t);
  const Text bubble = "T_bubble"_t, sends = "T_sends"_t, sync = "T_sync"_t;
  const Text straggling = tell(kStraggling, kStragglingShare(constant(Constant::straggling), "N"_t),
                               "m"_t, "t_stage"_t, bubble, sends, sync);
  const Text all = tell(kIteration, compute, tp, cp, ep, host, loss, bubble, sends, sync,
                        "T_optimizer"_t, straggling);
  if (const OwnRuns* const own = own_runs(workload_)) {
    tell(kOwnIteration,
         given("own_factor", "by which predictions are off one's own runs", calibration_.name,
               own->factor),
         all);
  }
}

void CalibratedExplanation::add_iteration(double stage_layers, double stage_heads) {
  add_stage(stage_layers, stage_heads);
  add_pipeline();
  add_synchronisation();
  add_total();
}

}  // namespace planner::perf

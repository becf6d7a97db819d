#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "planner/domain/names.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/calibrated/partition.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/calibrated/shared_parameters.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/machine/outermost.hpp"
#include "planner/perf/machine/torus.hpp"
#include "planner/perf/model/prediction.hpp"

namespace planner::inline perf {

/// The calibrated timing and memory model: the closed form's skeleton with achieved rates,
/// memory-bound work, overlap, launch times and the loss layer, for dense and mixture-of-experts
/// transformers. Its constants are those of `workload.timing`; docs/calibrated.md derives every
/// term.
///
/// A strategy is evaluated in steps, so that a search can share them: `work()` depends on no
/// placement, `micro_batch()` on neither pipeline nor ZeRO stage, `synchronisation()` on neither
/// micro-batch nor interleaving. The steps are the model; there is no second copy of a formula.
class Calibrated {
 public:
  /// The workload has this timing model; its model, run and system are positive; the accelerator
  /// has a peak rate at the run's precision. The caller has checked that.
  explicit Calibrated(const Workload& workload);

  /// One micro-batch's work in one layer, forward.
  struct LayerWork {
    Seconds products{};  ///< matrix products of weights
    Seconds attention_forward{}, attention_backward{};
    Seconds elementwise{};   ///< memory-bound kernels
    Seconds accumulation{};  ///< adding weight gradients to their buffer, backward
    /// Of tensor parallelism, forward: attention, and an MLP or shared experts. The tokens of other
    /// experts are split between the ranks as they are.
    double all_reduces = 2;
    Seconds gaps{}, host{};
    /// Running each module again, by RecomputeModule: none of them waits for communication.
    std::array<Seconds, kRecomputeModules.size()> again{};
  };
  /// What one micro-batch is for a GPU's processors and its host.
  struct Work {
    LayerWork dense, moe;  ///< in layers of either kind
    Seconds head{};        ///< output projection and loss
    Seconds logits{};      ///< of that the output projection, one product
  };
  /// @param strategy  looked at: degrees of tp, cp, ep; expert_tp, micro_batch, sequence_parallel
  [[nodiscard]] Work work(const Strategy& strategy) const;

  /// What it is for the links, in one layer and before overlap.
  struct Communication {
    Seconds all_reduce{};  ///< or the reduce-scatter and all-gather that replace it
    Seconds ring{};        ///< keys and values once around the context-parallel ranks
    Seconds all_to_all{};  ///< dispatch or combine
  };
  /// @param strategy  looked at: tp, cp, ep, expert_tp, micro_batch
  [[nodiscard]] Communication communication(const Strategy& strategy) const {
    return {all_reduce(strategy), ring(strategy), all_to_all(strategy)};
  }
  /// Its parts, of which the splits of tp, of tp and cp, and of ep are all that they look at.
  [[nodiscard]] Seconds all_reduce(const Strategy& strategy) const;
  [[nodiscard]] Seconds ring(const Strategy& strategy) const;
  [[nodiscard]] Seconds all_to_all(const Strategy& strategy) const;

  /// Forward, backward and recomputation of one micro-batch in one layer.
  struct LayerTime {
    Seconds compute{};  ///< matrix products, attention, memory-bound work
    Seconds tp{}, cp{}, ep{};
    Seconds host{};     ///< launching kernels, as far as the GPU waits for it
    Seconds forward{};  ///< of the sum of these, the forward pass

    [[nodiscard]] constexpr Seconds total() const { return compute + tp + cp + ep + host; }
  };
  struct MicroBatch {
    LayerTime layer;             ///< mean over the model's layers
    Seconds head{};              ///< output projection and loss
    Seconds logits{};            ///< of that the output projection, one product
    Seconds weight_gradients{};  ///< of the mean layer: what a zero-bubble schedule can put off
  };
  /// @param strategy  looked at: sequence_parallel, recompute
  [[nodiscard]] MicroBatch micro_batch(const Work& work, const Communication& comm,
                                       const Strategy& strategy) const;
  [[nodiscard]] MicroBatch micro_batch(const Strategy& strategy) const {
    return micro_batch(work(strategy), communication(strategy), strategy);
  }

  /// A time per sample, over all layers and the loss layer, that no micro-batch size up to the
  /// strategy's can beat.
  [[nodiscard]] Seconds least_time_per_sample(const Work& work, const Communication& comm,
                                              const Strategy& strategy) const;

  /// What one micro-batch costs the slowest of p stages, and all of them together.
  struct Stage {
    double layers = 0;  ///< mean layers on the slowest stage
    double heads = 0;   ///< loss layers there
    Seconds slowest{}, all{};
    Seconds forward{}, weight_gradients{};  ///< of the slowest
    Seconds others_weight_gradients{};      ///< of all but the slowest
  };
  [[nodiscard]] Stage stage(double p, const MicroBatch& micro) const;

  /// What data parallelism and the pipeline's sends cost before any overlap.
  struct Synchronisation {
    Seconds gradients{};  ///< reduction and gather, once per iteration
    Seconds gathers{};    ///< of weights, where nothing hides them
    Seconds growth{};     ///< of both with the number of HB domains: waiting and contention
    Seconds replicas{};   ///< all-reduce between the shards of hybrid sharding
    Seconds per_micro{};  ///< ZeRO 3: gathers and reductions of every micro-batch; ZeRO 2
                          ///< without a pipeline: reductions of every one but the last
    Seconds optimizer{};
    Seconds send_latency{}, send_per_sample{};  ///< of a micro-batch from stage to stage
    /// The same while all replicas of a node send.
    Seconds send_at_once_per_sample{};
    /// Of a micro-batch's sends of all replicas on a node, the time on NICs that they share, and
    /// that gradients need too; 0: GPUs share none.
    Seconds sends_of_node_per_sample{};
    /// How much more of these three where the last stage sends to the first as much as others on.
    Seconds around_per_sample{}, around_at_once_per_sample{}, around_of_node_per_sample{};
    bool zero3 = false;
    std::optional<GradientSync> by{};  ///< what sums gradients; none: no rank shares parameters
    /// What HFReduce would take in the place of gradients, gathers and growth, where the one of
    /// which less shows is to be chosen.
    std::optional<Seconds> by_hfreduce{};
  };
  /// @param strategy  its micro_batch, interleave and recompute are not looked at
  [[nodiscard]] Synchronisation synchronisation(const Strategy& strategy) const;

  /// How a pipeline works through its micro-batches.
  struct Pipeline {
    double p = 1, b = 1, m = 1, v = 1;
    double flushes = 1;  ///< times that it fills and drains, each for m/flushes micro-batches
    Schedule schedule = Schedule::one_f_one_b;  ///< where v = 1
    double group = 1;  ///< micro-batches that pass one chunk before the next chunk's turn

    /// Micro-batches that it works through before it drains.
    [[nodiscard]] constexpr double at_once() const { return m / flushes; }
  };
  [[nodiscard]] Pipeline pipeline(const Strategy& strategy) const;

  [[nodiscard]] IterationBreakdown time(const MicroBatch& micro, const Stage& stage,
                                        const Synchronisation& sync, const Pipeline& on) const;
  /// What of it is there for all but the sends and the optimizer of the synchronisation: gradients
  /// and weights that nothing hides, and straggling that waits for them.
  /// @param stage  what a micro-batch takes on the slowest stage
  [[nodiscard]] Seconds tied_time(const Synchronisation& sync, Seconds stage,
                                  const Pipeline& on) const;
  /// With straggling, and off as one's own runs are.
  [[nodiscard]] Seconds waited_for(Seconds time) const { return own_ * (1 + straggling_) * time; }
  /// What of it is there for the sends of a pipeline of several stages, and for no synchronisation.
  [[nodiscard]] Seconds sends_time(const Synchronisation& sync, Seconds stage,
                                   const Pipeline& on) const;
  [[nodiscard]] Seconds untied_time(const Stage& stage, const Pipeline& on) const;

  /// How many stages are looked at to find the fullest one, at most.
  static constexpr std::size_t kFullest = 7;
  /// What one stage has of the model: by the ZeRO stage, whatever runs again.
  struct StageStates {
    Bytes weights{}, gradients{}, optimizer{}, gathered{};
    Bytes while_stepping{};  ///< more of the optimizer's while it runs, activations being gone
  };
  /// What samples take there: by what runs again, whatever the ZeRO stage.
  struct StageActivations {
    Bytes activations_per_sample{};  ///< of one micro-batch that waits for its backward pass
    /// Of one whose backward pass is through and whose weight gradients wait.
    Bytes deferred_per_sample{};
    Bytes working_set_per_sample{};
    Bytes logits_per_sample{};
    Bytes freed_per_chunk{};  ///< of a sample's activations, where inputs of chunks are freed
    double most_chunks = 0;   ///< with a layer
  };
  /// Bytes of one stage, apart from what the schedule multiplies.
  struct StageMemory : StageStates, StageActivations {
    double index = 0;  ///< 0 is the first
  };
  /// The stages of which one is the fullest, whatever the schedule.
  struct MemoryTerms {
    std::array<StageMemory, kFullest> stages{};
    std::size_t count = 0;
  };
  /// Stages of which one is the fullest, whatever the schedule.
  struct Fullest {
    std::array<double, kFullest> index{};
    std::size_t count = 0;
  };
  /// What every stage has of a strategy, whatever its ZeRO stage.
  struct LayerMemory {
    Partition layers_of;
    double t, p, n_d, n_e, sp, experts_split;
    double W_dense, W_moe, W_experts;  ///< weight-matrix entries of a layer; W_moe without experts
    double W_vocabulary;               ///< of one rank
    double dense, moe;                 ///< activations per token and layer
    double dense_again, moe_again;     ///< the same with what the backward pass ran again
    double freed_input;                ///< per token and chunk
    double tokens;                     ///< of a sample
    double adam;                       ///< bytes of the optimizer's states, per parameter
    double inventory;                  ///< what is counted of the activations
    double kept;                       ///< of it
    double working_set, logits;        ///< per sample
    double checkpointed;               ///< share of the layers of which the input alone is kept
    bool deferring;                    ///< recomputation, and weight gradients that wait
    Fullest fullest;
  };
  /// @param strategy  looked at: degrees, sequence parallelism, recomputation, schedule
  [[nodiscard]] LayerMemory layer_memory(const Strategy& strategy) const;
  /// Of the stages that may be the fullest.
  using States = std::array<StageStates, kFullest>;
  using Activations = std::array<StageActivations, kFullest>;
  /// @param strategy  looked at: degrees, ZeRO stage and its ranks
  [[nodiscard]] States states(const LayerMemory& layer, const Strategy& strategy) const;
  [[nodiscard]] Activations activations(const LayerMemory& layer) const;
  [[nodiscard]] static MemoryTerms memory_terms(const Fullest& fullest, const States& states,
                                                const Activations& activations);
  /// @param strategy  its micro_batch, interleave and placement are not looked at
  [[nodiscard]] MemoryTerms memory_terms(const LayerMemory& layer, const Strategy& strategy) const {
    return memory_terms(layer.fullest, states(layer, strategy), activations(layer));
  }
  [[nodiscard]] MemoryTerms memory_terms(const Strategy& strategy) const {
    return memory_terms(layer_memory(strategy), strategy);
  }
  /// Bytes of any stage.
  [[nodiscard]] StageMemory stage_memory(const Strategy& strategy, std::int64_t stage) const;
  /// Micro-batches whose activations a stage keeps, at most.
  struct InFlight {
    double ahead = 1;     ///< of their backward pass
    double deferred = 0;  ///< behind it, their weight gradients ahead: zero-bubble schedules
    double chunks = 1;    ///< that those ahead passed

    [[nodiscard]] constexpr double total() const { return ahead + deferred; }
  };
  [[nodiscard]] static InFlight in_flight(const Pipeline& on, double stage);
  /// Memory of the fullest stage.
  [[nodiscard]] MemoryBreakdown memory(const MemoryTerms& terms, const Pipeline& on) const;
  /// What lies outside of the tensors: of every stage the same.
  struct Reserve {
    Bytes base{}, driver_context{};
    double reserved = 1;  ///< what the allocator holds, of what it has handed out
  };
  [[nodiscard]] Reserve reserve() const;
  /// Memory of one stage with so many micro-batches of b samples in flight.
  [[nodiscard]] static MemoryBreakdown memory(const StageMemory& at, double b, InFlight held,
                                              const Reserve& outside);
  [[nodiscard]] MemoryBreakdown memory(const Strategy& strategy, const Pipeline& on) const;
  /// Memory of one stage.
  [[nodiscard]] MemoryBreakdown memory(const StageMemory& stage, const Pipeline& on) const;

  /// A legal strategy's time and memory.
  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const;

  /// Orders of ranks of which one is the fastest, each with its synchronisation: one, or two of
  /// which neither is in nothing slower.
  struct Ordered {
    Strategy strategy;
    Synchronisation sync;
  };
  struct Orders {
    Ordered first;
    std::optional<Ordered> second{};
  };
  /// @param strategy  its micro_batch, interleave, recompute and outermost are not looked at
  [[nodiscard]] Orders orders(const Strategy& strategy) const {
    return orders(strategy, reductions_in_each_order(strategy, shared_in_each_order(strategy)),
                  sends_in_each_order(strategy));
  }
  /// What there is of a strategy in every order of ranks that is open.
  template <class Part>
  struct EachOrder {
    Part first;                    ///< the pipeline outermost, where both are
    std::optional<Part> second{};  ///< replicas outermost
  };
  using InEachOrder = EachOrder<Synchronisation>;
  using SharedInEachOrder = EachOrder<SharedParameters>;
  [[nodiscard]] SharedInEachOrder shared_in_each_order(const Strategy& strategy) const;
  /// All but what stages send each other, which sequence parallelism does not change.
  [[nodiscard]] InEachOrder reductions_in_each_order(const Strategy& strategy,
                                                     const SharedInEachOrder& shared) const;
  /// The parts by which LeastTied bounds what shows, and the optimizer's work; and in one order.
  [[nodiscard]] EachOrder<LeastTied> least_tied(const Strategy&, const SharedInEachOrder&) const;
  [[nodiscard]] LeastTied least_tied(const Strategy& at, const SharedParameters& shared) const;
  /// What stages send each other, which ZeRO does not change.
  [[nodiscard]] InEachOrder sends_in_each_order(const Strategy& strategy) const;
  [[nodiscard]] Orders orders(Strategy strategy, const InEachOrder& reductions,
                              const InEachOrder& sends) const;
  /// The strategy in its fastest order; of equals with the pipeline outermost.
  [[nodiscard]] Strategy in_best_order(const Strategy& strategy) const;

  /// What each axis communicates in an iteration, and how much of that shows.
  [[nodiscard]] CommunicationTimes communication_times(const Strategy& strategy) const;

 private:
  template <class PartOf>
  [[nodiscard]] auto in_each_order(Strategy strategy, PartOf&& part) const;
  [[nodiscard]] SharedParameters shared_parameters(const Strategy& strategy) const;
  [[nodiscard]] LeastTied least_tied(const Synchronisation& sync) const;
  /// See synchronisation(), but for the sends of its pipeline.
  [[nodiscard]] Synchronisation reductions(const Strategy& strategy,
                                           const SharedParameters& shared) const;
  void add_micro_batch_reductions(const Strategy& strategy, const SharedParameters& shared,
                                  const Shards& shards, Synchronisation& sync) const;
  [[nodiscard]] SharedParameters::Way way(const GroupFlows& across) const;
  [[nodiscard]] RanksOnLinks ranks_on(const SharedParameters::Way& way, double n, double in_domain,
                                      const RankStrides& apart) const;
  /// Sends of a pipeline of several stages.
  void add_sends(const Strategy& strategy, Synchronisation& sync) const;
  /// Of a micro-batch from stage to stage, where the slowest one takes so long for it.
  [[nodiscard]] static Seconds send_time(const Synchronisation& sync, Seconds stage,
                                         const Pipeline& on);
  /// Of a micro-batch's sends of all replicas on a node, the time on NICs that they share.
  [[nodiscard]] static Seconds sends_of_node(const Synchronisation& sync, const Pipeline& on);
  [[nodiscard]] static Seconds bubble(const Stage& stage, const Pipeline& on);
  /// What shows of the sends of a pipeline.
  struct ShownSends {
    Seconds of_bubble{}, of_stage{};
  };
  [[nodiscard]] ShownSends shown_sends(const Synchronisation& sync, Seconds stage,
                                       const Pipeline& on) const;
  /// What of data parallelism nothing hides, where the slowest stage takes so long for a
  /// micro-batch.
  [[nodiscard]] Seconds shown(const Synchronisation& sync, Seconds stage, const Pipeline& on) const;
  /// It with the way chosen of which less shows.
  [[nodiscard]] Synchronisation chosen(Synchronisation sync, Seconds stage,
                                       const Pipeline& on) const;
  [[nodiscard]] Fullest fullest(const LayerMemory& layer) const;
  /// Layers of a stage by kind, those included that predict further tokens.
  struct StageLayers {
    double all, dense, moe;
  };
  [[nodiscard]] StageLayers stage_layers(const LayerMemory& layer, double stage) const;
  [[nodiscard]] StageStates stage_states(const LayerMemory& layer, const Strategy& strategy,
                                         double stage) const;
  [[nodiscard]] StageActivations stage_activations(const LayerMemory& layer, double stage) const;
  /// How much of what can overlap does; once: work that may hide two axes hides one of them.
  enum class Overlap { none, as_far_as_work_lasts, behind_work_once };
  [[nodiscard]] MicroBatch micro_batch(const Work& work, const Communication& comm,
                                       const Strategy& strategy, Overlap overlap) const;
  [[nodiscard]] LayerTime layer_time(const LayerWork& work, const Communication& comm,
                                     const Strategy& strategy, Overlap overlap) const;
  /// The bytes that a stage sends of one sample.
  [[nodiscard]] Bytes sent_sample(const Strategy& strategy) const;
  /// NIC bandwidth of one GPU, for groups of HB domains.
  /// @param across  their kind; its stride and ranks count HB domains
  [[nodiscard]] BytesPerSecond nic(const GroupFlows& across) const;
  /// Share of the network's bandwidth that such groups get.
  [[nodiscard]] double share_of(const GroupFlows& across) const;
  /// What each rank of such groups gets beyond its HB domain: of its NIC, or of the links between
  /// domains and NICs that its flows share with others.
  /// @param flows  of GPUs, where GPUs share NICs
  [[nodiscard]] BytesPerSecond beyond(const GroupFlows& flows, const GroupFlows& across) const;
  [[nodiscard]] Links links_across(const GroupFlows& flows, const GroupFlows& across, double ranks,
                                   std::int64_t apart) const;
  /// Of a micro-batch on each rank.
  [[nodiscard]] double tokens(const Strategy& strategy) const;
  /// Per sample, of sends of a pipeline.
  struct Sends {
    Seconds alone{}, at_once{};  ///< from stage to stage
    Seconds of_node{};           ///< on NICs that GPUs share
  };
  /// @param kind  a line, or a wrap: where the last stage sends to the first, too
  [[nodiscard]] Sends sends(const Strategy& strategy, FlowKind kind) const;
  /// The sum of so many bytes of gradients by the CPUs of nodes.
  /// @param share  of the NICs' line rate that is left
  [[nodiscard]] Seconds by_hfreduce(double bytes, const NestedRanks& ranks, double share) const;
  /// The gradients by HFReduce, where the software may and it takes less time, or has to.
  void choose_sum(const Strategy& strategy, double dense_parameters, double expert_parameters,
                  Synchronisation& sync) const;
  /// What each ring of gradients gets beyond HB domains where GPUs share NICs, which it fills.
  [[nodiscard]] BytesPerSecond ring_beyond(const NestedRanks& ring, const GroupFlows& across) const;
  [[nodiscard]] double straggling() const;
  /// What each of so many ranks of an HB domain gets inside it.
  /// @param apart  GPUs from one rank to the next
  [[nodiscard]] BytesPerSecond inside(double ranks, std::int64_t apart,
                                      FlowKind kind = FlowKind::ring) const;
  [[nodiscard]] double constant(Constant c) const { return timing_.constants()[c]; }

  TimingModel timing_;
  CalibratedShape shape_;
  CalibratedRates rates_;
  CalibratedSoftware stack_;
  Software software_;
  NetworkShares network_;
  OutermostChoice outermost_;
  std::int64_t rails_apart_;
  std::int64_t hb_domain_;  ///< usable
  std::optional<HostTier> host_;
  std::optional<Node> reducer_;       ///< whose CPUs can sum gradients
  BytesPerSecond network_bandwidth_;  ///< of a GPU
  double N_, B_;
  double straggling_;  ///< of everything but the optimizer's work
  double own_;         ///< factor that one's own runs put on every part of the time
  DomainLinks links_;  ///< of the part of an HB domain that is used
};

}  // namespace planner::perf

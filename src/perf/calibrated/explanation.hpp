#pragma once

#include <set>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/derivation/derivation.hpp"
#include "planner/perf/derivation/text.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/machine/torus.hpp"
#include "planner/perf/model/sharding.hpp"

// What the parts of the calibrated model's explanation share. Each stands in the file of the part
// that it explains, below the rows that both go through.
namespace planner::inline perf {

/// Where formulas are written that no paper has.
inline constexpr std::string_view kSheet = "docs/calibrated.md";

/// Where a product's time is the larger of its arithmetic's and its traffic's.
inline constexpr std::string_view kRoofline = "Williams et al. 2009";

/// A calibrated iteration in formulas, line by line; docs/calibrated.md has the same ones.
class CalibratedExplanation {
 public:
  /// @param sync_by  what sums the gradients
  CalibratedExplanation(const Workload& workload, const Strategy& strategy,
                        const Calibrated::Pipeline& on, std::optional<GradientSync> sync_by);

  void add_rates();
  /// One micro-batch in every kind of layer, their mean, and the loss layer.
  void add_layers();
  /// From the micro-batch to the iteration, with the layers and loss layers of the slowest stage.
  void add_iteration(double stage_layers, double stage_heads);

  std::vector<ExplainedTerm> take() { return out_.take(); }

 private:
  /// What sets a line apart from others of its row.
  struct Of {
    std::string suffix{};  ///< of the symbol
    std::string where{};   ///< behind the meaning
  };
  /// A line whose formula is the row's, of these symbols and numbers. Returns its symbol.
  template <class Formula, class... Arguments>
  Text tell(const Of& of, const Row<Formula>& row, const Arguments&... arguments) {
    return tell_as(of, row, row(Text(arguments)...));
  }
  template <class Formula, class... Arguments>
  Text tell(const Row<Formula>& row, const Arguments&... arguments) {
    return tell(Of{}, row, arguments...);
  }
  /// A line of a row's name with another formula: a sum of what there is, or 0.
  template <class Formula>
  Text tell_as(const Of& of, const Row<Formula>& row, const Text& formula) {
    Text symbol{std::string{row.symbol} + of.suffix};
    out_.derived(symbol.str(), std::string{row.meaning} + of.where, std::string{row.source},
                 formula.str(), std::string{row.unit});
    return symbol;
  }
  /// A figure that does not follow from others.
  Text given(const std::string& symbol, const char* meaning, std::string_view source, double value,
             const char* unit = "") {
    out_.given(symbol, meaning, std::string{source}, value, unit);
    return Text{symbol};
  }

  /// "_dense" and "_moe" where the model has both kinds of layer, otherwise nothing.
  [[nodiscard]] std::string suffix(bool moe) const;
  void add_shape();
  /// A constant of the calibration, under its name with _ for the dots.
  Text constant(Constant which);
  /// The share of the network's bandwidth that groups of HB domains get; nothing: all.
  /// @param across  their kind; its stride and ranks count HB domains
  std::optional<Text> share_of(const std::string& group, const GroupFlows& across);
  /// What each of so many ranks of an HB domain gets inside it: of a torus a share of the links.
  /// @param apart  GPUs from one rank to the next
  Text inside(const std::string& group, double ranks, std::int64_t apart,
              FlowKind kind = FlowKind::ring);
  /// That of a NIC.
  Text nic(const std::string& group, const GroupFlows& across);
  /// What each rank of such groups gets beyond its HB domain; a NIC, or links that it shares.
  Text beyond(const std::string& group, const GroupFlows& flows, const GroupFlows& across);
  /// Of links between HB domains and NICs, whose line rate is reached but for the factors.
  Text tightest_link(const std::string& group, const HostTier::Load& load, const GroupFlows& across,
                     const std::optional<Text>& reached);
  Text nic_of_dp();
  Text nic_of_experts();

  void add_tokens();
  void add_attention();
  void add_products(bool moe);
  void add_memory_bound(bool moe);
  /// Launching the kernels of a layer without experts.
  Text launches();
  void add_launches(bool moe);
  void add_work(bool moe);
  void add_layer_communication();
  [[nodiscard]] bool exchanges_tokens() const;
  void add_all_to_all();
  void add_pass(bool moe, bool back);
  /// What selective recomputation runs again by name, each with its line.
  std::vector<Text> module_times(bool moe);
  /// Their sum; false: there is none.
  bool add_modules(bool moe);
  void add_layer(bool moe);
  [[nodiscard]] Text mean_layer(const Text& dense, const Text& moe) const;
  void add_head();
  Text add_head_product();
  void add_stage(double layers, double heads);
  void add_pipeline();
  void add_zero_bubble();
  void add_zero_bubble_work();
  void add_sends();
  void add_parameters();
  /// The ranks of a group, by kind of link.
  struct Ranks {
    Text x, y;
    std::optional<Text> shared_links{};  ///< in the place of a NIC
    Text hb{std::string{"nvl"}};         ///< what a rank gets inside a domain
  };
  /// @param across  the group, of HB domains
  Ranks add_group(const std::string& group, double ranks, double in_domain,
                  const RankStrides& apart, const GroupFlows& across);
  /// Reduce-scatter or all-gather.
  Text add_collective(std::string_view symbol, std::string_view meaning, const Text& data,
                      const Ranks& over, const Text& network);
  /// Reduce-scatter or all-gather of experts, where there are any.
  Text add_experts_collective(std::string_view symbol, std::string_view meaning, const Text& data,
                              const Ranks& over);
  void add_synchronisation();
  void add_zero3();
  void add_micro_batch_collectives(const Shards& shards, const Replicas& n);
  Text add_replicas(const Shards& shards, const Replicas& n);
  /// The sum of bytes by the CPUs of nodes.
  Text add_hfreduce(const std::string& group, std::string_view meaning, const Text& data,
                    double bytes, const NestedRanks& ranks, const GroupFlows& across);
  Text add_hfreduce(const Text& each);
  // Of sends that leave HB domains where GPUs share NICs: whether they leave nodes, whether those
  // of replicas take turns, what one gets, and what all of a node's take of the NICs.
  [[nodiscard]] bool shares_nics_in_pipeline() const;
  [[nodiscard]] bool turns_of_sends() const;
  struct SendRates {
    Text alone, at_once;
    std::optional<Text> of_node{};  ///< of NICs that GPUs share
  };
  SendRates rates_of_send(FlowKind kind);
  /// What a stage sends of one sample.
  [[nodiscard]] Text sent_sample() const;
  Text collectives_in_step(const Text& micros, const Text& per_micro);
  Text behind_passes(const Text& communication);
  void add_gradients();
  void add_total();

  const Workload& workload_;
  const Strategy& strategy_;
  const Calibration& calibration_;
  CalibratedShape shape_;
  CalibratedShape::Enlarged split_;  ///< over the ranks of tensor parallelism
  CalibratedRates rates_;
  std::int64_t domain_;  ///< usable GPUs of an HB domain
  std::optional<HostTier> host_;
  DomainLinks links_;  ///< of the part of an HB domain that is used
  std::optional<GradientSync> sync_by_;
  double t_, p_, d_, cp_;
  double m_, v_;  ///< micro-batches, chunks
  Schedule schedule_;
  double flushes_;               ///< how often the pipeline fills and drains
  std::set<std::string> shown_;  ///< constants and shares that have their line
  Derivation out_;
};

}  // namespace planner::perf

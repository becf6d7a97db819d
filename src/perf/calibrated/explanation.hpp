#pragma once

#include <set>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/derivation/derivation.hpp"
#include "planner/perf/derivation/text.hpp"
#include "planner/perf/model/sharding.hpp"

// What the parts of the calibrated model's explanation share. Each stands in the file of the part
// that it explains, below the rows that both go through.
namespace planner::inline perf {

/// Where formulas are written that no paper has.
inline constexpr std::string_view kSheet = "docs/calibrated.md";

/// A calibrated iteration in formulas, line by line; docs/calibrated.md has the same ones.
class CalibratedExplanation {
 public:
  CalibratedExplanation(const Workload& workload, const Strategy& strategy,
                        const Calibrated::Pipeline& on);

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
  /// The share of a NIC's bandwidth that groups across so many HB domains get.
  Text nic(const std::string& group, TrafficPattern pattern, std::int64_t domains);
  Text nic_of_dp();

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
  };
  Ranks add_group(const std::string& group, double ranks, double in_domain);
  /// Reduce-scatter or all-gather.
  Text add_collective(std::string_view symbol, std::string_view meaning, const Text& data,
                      const Ranks& over, const Text& network);
  /// Reduce-scatter or all-gather of experts, where there are any.
  Text add_experts_collective(std::string_view symbol, std::string_view meaning, const Text& data,
                              const Ranks& over);
  void add_synchronisation();
  void add_zero3();
  void add_micro_batch_collectives(const Shards& shards, double experts_in_domain);
  Text add_replicas(const Shards& shards, double experts_in_domain);
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
  double t_, p_, d_, cp_;
  double m_, v_;  ///< micro-batches, chunks
  Schedule schedule_;
  double flushes_;               ///< how often the pipeline fills and drains
  std::set<std::string> shown_;  ///< constants and shares that have their line
  Derivation out_;
};

}  // namespace planner::perf

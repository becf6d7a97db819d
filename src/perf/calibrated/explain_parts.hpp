#pragma once

#include <set>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/derivation/derivation.hpp"

// What the parts of the calibrated model's explanation share: symbols, and where figures are from.
namespace planner {

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
  /// "_dense" and "_moe" where the model has both kinds of layer, otherwise nothing.
  [[nodiscard]] std::string suffix(bool moe) const;
  void add_shape();
  /// A constant of the calibration, under its name with _ for the dots.
  std::string constant(Constant which);
  /// The one of that name.
  std::string constant(const std::string& name);
  /// The share of a NIC's bandwidth that groups across so many HB domains get.
  std::string nic(const std::string& group, TrafficPattern pattern, std::int64_t domains);
  std::string nic_of_dp();

  void add_attention(const std::string& tokens_per_head);
  void add_products(bool moe);
  void add_memory_bound(bool moe);
  std::string launches_of_dense_layer();
  void add_launches(bool moe);
  void add_layer_communication();
  [[nodiscard]] bool exchanges_tokens() const;
  void add_all_to_all();
  enum class Pass { forward, backward };
  void add_pass(bool moe, Pass pass);
  void add_layer(bool moe);
  void add_head();
  void add_stage(double layers, double heads);
  void add_pipeline();
  void add_zero_bubble();
  void add_parameters();
  /// Reduce-scatter or all-gather; `group` is that of add_group().
  void add_collective(const std::string& symbol, const std::string& meaning,
                      const std::string& bytes, const std::string& group,
                      const std::string& network);
  void add_group(const std::string& group, double ranks, double in_domain);
  void add_synchronisation();
  void add_zero3();
  void add_gradients();
  void add_passes();
  std::string dp_share();
  void add_total();
  void derived(const std::string& symbol, const std::string& meaning, const std::string& source,
               const std::string& formula, const std::string& unit = "s") {
    out_.derived(symbol, meaning, source, formula, unit);
  }

  const Workload& workload_;
  const Strategy& strategy_;
  const Calibration& calibration_;
  CalibratedShape shape_;
  CalibratedShape::Enlarged split_;  ///< over the ranks of tensor parallelism
  CalibratedRates rates_;
  std::string stack_;  ///< name of the software class
  double t_, p_, d_, cp_;
  double m_, v_;  ///< micro-batches, chunks
  Schedule schedule_;
  double flushes_;               ///< how often the pipeline fills and drains
  std::set<std::string> shown_;  ///< constants and shares that have their line
  Derivation out_;
};

/// x of a communication is never hidden, the rest as far as the cover lasts.
std::string exposed_formula(const std::string& share, const std::string& communication,
                            const std::string& cover);

}  // namespace planner

#pragma once

/// The C++ interface of planner: how to train a transformer on a GPU cluster, how long that takes,
/// and what the network costs. Link planner::planner.
///
/// The headers below hold plain values (aggregates; quantities carry their units as types, see
/// core/quantity.hpp) and functions from values to values: no global state, safe from many threads.
/// Bad input throws InputError with every Diagnostic found; "does not fit" and "is not legal" are
/// values. What these headers declare is the interface; other installed headers are details that
/// may change with any version.
///
/// examples/cpp/custom_objective is a whole program with a CMakeLists.txt of its own. All else, the
/// commands of the command line as JSON, is in planner.h.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/core/money.hpp"
#include "planner/core/quantity.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/cost.hpp"
#include "planner/domain/cost.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/domain/system.hpp"
#include "planner/domain/transformer.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/collective.hpp"
#include "planner/job/evidence.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/forecast.hpp"
#include "planner/job/hfreduce.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/outlook.hpp"
#include "planner/job/reliability.hpp"
#include "planner/job/rent.hpp"
#include "planner/job/routing.hpp"
#include "planner/job/sharing.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/traffic.hpp"
#include "planner/job/used_gpus.hpp"
#include "planner/job/verdict.hpp"
#include "planner/job/what_binds.hpp"
#include "planner/job/workload.hpp"
#include "planner/network/count.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/model/constraints.hpp"
#include "planner/search/custom_objective.hpp"
#include "planner/search/search.hpp"
#include "planner/search/space.hpp"

namespace planner {

/// "0.1.0".
std::string_view version();

/// Reads the catalog: models, systems, price books, each by its name or from a JSON file (a model
/// also from a Hugging Face config.json). Names are looked up in `data_dir`, $PLANNER_DATA_DIR,
/// $XDG_DATA_HOME/planner, the share/planner that was installed with the library, and the folder
/// that the library was built from.
class Library {
 public:
  /// @throws InputError "no-such-directory"
  explicit Library(const std::optional<std::string>& data_dir = std::nullopt);

  // Each throws InputError: "unknown-name" with a hint, or all that is wrong with the file.
  [[nodiscard]] TransformerSpec model(const std::string& name_or_file) const;
  [[nodiscard]] System system(const std::string& name_or_file) const;
  /// Constants of the calibrated timing model: `workload.timing = library.calibration()` is timed
  /// by it, a workload as it comes by the closed form of the rail-only paper.
  [[nodiscard]] std::shared_ptr<const Calibration> calibration(
      const std::string& name_or_file = "default") const;
  [[nodiscard]] PriceBook prices(const std::string& name_or_file) const;

 private:
  std::vector<std::string> directories_;
};

/// A training job on a cluster, timed by the closed form: the model's reference run where none is
/// given. job::workload_of() makes any other: by the calibrated model, with software of one's own.
/// @throws InputError  for a model without a reference run, or as job::check() does
Workload make_workload(TransformerSpec model, System system, std::int64_t gpus,
                       const std::optional<TrainingRun>& run = std::nullopt);

/// Time and memory of one strategy with the rates that follow (Plan::fits() tells whether the
/// memory does), or every rule that it breaks.
/// @throws InputError  as job::check() does
std::variant<Plan, std::vector<Violation>> plan_for(const Workload& workload,
                                                    const Strategy& strategy);

/// The fastest plans of a space, best first; empty where none is legal and fits. The exact search
/// behind `planner optimize`.
/// @throws InputError  as job::check() does
std::vector<Plan> optimize(const Workload& workload, const SearchSpace& space = {},
                           const SearchOptions& options = {});

/// The same by any objective, smaller is better: every plan that is legal and fits is scored.
/// @param objective  called from several threads at once; NaN or infinity rules a plan out
/// @throws InputError  as job::check() does
std::vector<ScoredPlan> optimize(const Workload& workload, const SearchSpace& space,
                                 const PlanObjective& objective, std::size_t top = 1);

/// A counted network's parts at the prices of a book; capex() sums them.
BillResult price(const FabricDesign& design, const FabricCount& count, const PriceBook& book);

}  // namespace planner

#include <filesystem>
#include <memory>

#include "planner/catalog/catalog.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/planner.hpp"

namespace planner {

namespace {

catalog::Catalog catalog_of(const std::vector<std::string>& directories) {
  return catalog::Catalog({directories.begin(), directories.end()});
}

}  // namespace

std::string_view version() {
  return PLANNER_VERSION;
}

Library::Library(const std::optional<std::string>& data_dir) {
  for (const std::filesystem::path& directory : catalog::data_directories(data_dir)) {
    directories_.push_back(directory.string());
  }
}

TransformerSpec Library::model(const std::string& name_or_file) const {
  return catalog_of(directories_).load_model(name_or_file).spec;
}

System Library::system(const std::string& name_or_file) const {
  return catalog_of(directories_).load_system(name_or_file);
}

std::shared_ptr<const Calibration> Library::calibration(const std::string& name_or_file) const {
  return std::make_shared<const Calibration>(
      catalog_of(directories_).load_calibration(name_or_file));
}

PriceBook Library::prices(const std::string& name_or_file) const {
  return catalog_of(directories_).load_price_book(name_or_file);
}

Workload make_workload(TransformerSpec model, System system, std::int64_t gpus,
                       const std::optional<TrainingRun>& run) {
  job::WorkloadParts parts{.model = std::move(model), .system = std::move(system), .gpus = gpus};
  if (run) {
    parts.run = {.global_batch = run->global_batch,
                 .sequence = run->sequence,
                 .precision = run->precision,
                 .bytes_per_parameter = run->bytes_per_parameter,
                 .tokens = run->tokens};
  }
  std::vector<std::string> warnings;  // of what its timing model leaves out: see job::workload_of()
  return job::workload_of(std::move(parts), warnings);
}

std::variant<Plan, std::vector<Violation>> plan_for(const Workload& workload,
                                                    const Strategy& strategy) {
  job::check(workload);
  std::vector<Violation> broken = violations(workload, strategy);
  if (!broken.empty()) return broken;
  return make_plan(workload, strategy);
}

std::vector<Plan> optimize(const Workload& workload, const SearchSpace& space,
                           const SearchOptions& options) {
  job::check(workload);
  std::vector<Plan> plans;
  for (const Ranked& ranked : rank_strategies(workload, space, options).best) {
    plans.push_back(make_plan(workload, ranked.strategy));
  }
  return plans;
}

std::vector<ScoredPlan> optimize(const Workload& workload, const SearchSpace& space,
                                 const PlanObjective& objective, std::size_t top) {
  job::check(workload);
  return search_by(workload, space, objective, top);
}

BillResult price(const FabricDesign& design, const FabricCount& count, const PriceBook& book) {
  const PartsResult parts = network_parts(design, count, {}, book);
  if (const auto* problem = std::get_if<CostProblem>(&parts)) return *problem;
  return bill_of_materials(std::get<std::vector<PartQuantity>>(parts), book);
}

}  // namespace planner

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

[[noreturn]] void refuse(std::string code, std::string message, std::string hint = {}) {
  throw InputError(
      Diagnostic{.code = std::move(code), .message = std::move(message), .hint = std::move(hint)});
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
  if (!run && !model.reference_run) {
    refuse("no-run", model.name + " has no reference run",
           "give a TrainingRun with a global batch and a sequence length");
  }
  TrainingRun trained = run.value_or(TrainingRun{});
  if (!run) {
    trained.global_batch = model.reference_run->global_batch;
    trained.sequence = model.reference_run->sequence;
  }
  Workload workload{
      .model = std::move(model), .system = std::move(system), .run = trained, .gpus = gpus};
  check(workload);
  return workload;
}

void check(const Workload& workload) {
  const auto positive = [](std::int64_t value, const char* name) {
    if (value < 1) refuse("bad-value", std::string{name} + " must be at least 1");
  };
  positive(workload.gpus, "gpus");
  positive(workload.run.global_batch, "global_batch");
  positive(workload.run.sequence, "sequence");
  positive(workload.system.hb_domain, "hb_domain");
  if (workload.model.moe && !workload.timing.calibrated()) {
    refuse("unsupported-model",
           workload.model.title +
               " is a mixture of experts, which the closed-form timing model does not cover",
           "set the workload's timing: Library::calibration()");
  }
  const Precision precision = workload.run.precision;
  if (precision == Precision::fp32 || precision == Precision::tf32) {
    refuse("bad-value", "the timing models know runs in 16, 8 and 4 bits");
  }
  if (!workload.system.accelerator.datasheet.at(precision)) {
    refuse("unknown-peak",
           "the dense peak rate of " + workload.system.accelerator.title + " at precision " +
               std::string{name_of(precision)} + " is not known",
           "choose another precision, or set accelerator.datasheet");
  }
}

std::variant<Plan, std::vector<Violation>> plan_for(const Workload& workload,
                                                    const Strategy& strategy) {
  check(workload);
  std::vector<Violation> broken = violations(workload, strategy);
  if (!broken.empty()) return broken;
  return make_plan(workload, strategy);
}

std::vector<Plan> optimize(const Workload& workload, const SearchSpace& space,
                           const SearchOptions& options) {
  check(workload);
  std::vector<Plan> plans;
  for (const Ranked& ranked : search(workload, space, options).best) {
    plans.push_back(make_plan(workload, ranked.strategy));
  }
  return plans;
}

std::vector<ScoredPlan> optimize(const Workload& workload, const SearchSpace& space,
                                 const PlanObjective& objective, std::size_t top) {
  check(workload);
  return search_by(workload, space, objective, top);
}

BillResult price(const FabricDesign& design, const FabricCount& count, const PriceBook& book) {
  const PartsResult parts = network_parts(design, count, {}, book);
  if (const auto* problem = std::get_if<CostProblem>(&parts)) return *problem;
  return bill_of_materials(std::get<std::vector<PartQuantity>>(parts), book);
}

}  // namespace planner

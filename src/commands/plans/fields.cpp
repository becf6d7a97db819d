
#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/commands/parts/explanation.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/commands/plans/communication.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

Field<Strategy> split(std::string key, std::int64_t Split::*part, Split Strategy::*of) {
  return lifted<Strategy, Split>(
      [of](auto& strategy) -> auto& { return strategy.*of; },
      required(std::move(key), part, whole(), "ranks"));
}

const FieldTable<Strategy>& placement_table() {
  using S = Strategy;
  static const FieldTable<S> kTable = [] {
    FieldTable<S> table{.type = "placement",
                        .doc = "ranks inside an HB domain, and over how many domains",
                        .open = true};
    for (const auto& [name, of] : {std::pair{"tp", &S::tp},
                                   {"pp", &S::pp},
                                   {"dp", &S::dp},
                                   {"cp", &S::cp},
                                   {"ep", &S::ep}}) {
      table.fields.push_back(split(std::string{name} + "_hb", &Split::hb, of));
      table.fields.push_back(split(std::string{name} + "_net", &Split::net, of));
    }
    table.fields.push_back(optional("outermost", &S::outermost, json::choice(kOutermost),
                                    "axis that far parts of the network differ in, chosen by what "
                                    "routing leaves each"));
    return table;
  }();
  return kTable;
}

Field<Strategy> degree(std::string key, Split Strategy::*of) {
  return shown<Strategy, std::int64_t>(
      std::move(key), [of](const Strategy& s) { return (s.*of).total(); }, whole(), "degree");
}

const FieldTable<Strategy>& strategy_settings() {
  using S = Strategy;
  static const FieldTable<S> kTable{
      .type = "strategy",
      .doc = "how the run is laid onto the GPUs",
      .fields =
          {degree("tp", &S::tp), degree("pp", &S::pp), degree("dp", &S::dp), degree("cp", &S::cp),
           degree("ep", &S::ep),
           required("interleave", &S::interleave, whole(), "model chunks per pipeline rank"),
           required("micro_batch", &S::micro_batch, whole(), "sequences"),
           required("recompute", &S::recompute, json::choice(kRecomputes), "what is run again"),
           younger(computed<S>(
               "recompute_modules",
               [](const S& s) {
                 std::vector<std::string> names;
                 for (const RecomputeModule module : kRecomputeModules) {
                   if (s.recompute_modules.has(module)) names.emplace_back(name_of(module));
                 }
                 return names;
               },
               [](S& s, const std::vector<std::string>& names) {
                 s.recompute_modules = {};
                 for (const std::string& name : names) {
                   if (const auto module = value_named(name, kRecomputeModules)) {
                     s.recompute_modules.insert(*module);
                   }
                 }
               },
               list(any_text()), "of selective recomputation, as Megatron-Core's")),
           added("recomputed_layers", &S::recomputed_layers, figure(),
                 "share, of full recomputation"),
           required("zero", &S::zero,
                    written_as<int>(
                        whole(), [](int stage) { return std::int64_t{stage}; },
                        [](std::int64_t stage) { return static_cast<int>(stage); }),
                    "ZeRO stage"),
           // All ranks are no choice.
           computed<S>(
               "shard_ranks",
               [](const S& s) {
                 return s.zero == 3 ? std::optional{s.ranks_per_replica()} : std::nullopt;
               },
               [](S& s, std::optional<std::int64_t> ranks) { s.shard_ranks = ranks.value_or(0); },
               or_null(whole()), "that ZeRO 3 shards over"),
           required("sequence_parallel", &S::sequence_parallel, boolean(),
                    "norms sharded along the sequence too"),
           required("expert_tp", &S::expert_tp, whole(), "tensor parallel degree of the experts"),
           // That of a pipeline without interleaving is a choice; with it there is none.
           computed<S>(
               "schedule", [](const S& s) { return s.schedule(); },
               [](S& s, Schedule schedule) {
                 if (schedule != Schedule::interleaved) s.without_interleaving = schedule;
               },
               json::choice(kSchedules), "of the pipeline"),
           group("placement", placement_table(), "where the ranks of each kind are")},
      .complete =
          [](S& strategy) {
            const bool all = strategy.shard_ranks == strategy.dp.total() * strategy.cp.total();
            if (all) strategy.shard_ranks = 0;
          },
      .open = true};
  return kTable;
}

const FieldTable<Plan>& strategy_table_of_plan() {
  static const FieldTable<Plan> kTable = [] {
    const FieldTable<Strategy>& settings = strategy_settings();
    FieldTable<Plan> table{.type = "strategy", .doc = settings.doc, .open = true};
    for (const Field<Strategy>& field : settings.fields) {
      table.fields.push_back(lifted<Plan, Strategy>(
          [](auto& plan) -> auto& { return plan.strategy; }, field));
      if (field.key == "micro_batch") {
        table.fields.push_back(
            required("microbatches", &Plan::microbatches, whole(), "of each data parallel rank"));
      }
    }
    table.complete = [&settings](Plan& plan) { settings.complete(plan.strategy); };
    return table;
  }();
  return kTable;
}

/// A part of the time or memory, which only the calibrated model may have.
template <class Part, class Breakdown, class Q>
Field<Plan> part_field(const Part& part, Breakdown Plan::*breakdown, Q unit) {
  Field<Plan> field = computed<Plan>(
      std::string{part.key}, [=, &part](const Plan& plan) { return plan.*breakdown.*part.amount; },
      [=, &part](Plan& plan, Q amount) {
        plan.*breakdown.*part.amount = amount;
        if (part.calibrated_only()) plan.timing = Timing::calibrated;
      },
      measure(unit), std::string{part.name});
  if (part.calibrated_only()) {
    return when([](const Plan& plan) { return plan.timing == Timing::calibrated; },
                std::move(field));
  }
  field.required = false;
  field.always_written = true;
  return field;
}

const FieldTable<Plan>& breakdown_table() {
  static const FieldTable<Plan> kTable = [] {
    FieldTable<Plan> table{
        .type = "breakdown", .doc = "the parts sum to iteration_time_s", .open = true};
    for (const TimePart& part : time_parts()) {
      table.fields.push_back(part_field(part, &Plan::time, units::second));
    }
    return table;
  }();
  return kTable;
}

const FieldTable<Plan>& memory_table() {
  static const FieldTable<Plan> kTable = [] {
    FieldTable<Plan> table{
        .type = "memory",
        .doc = "the parts sum to total_bytes",
        .fields = {shown<Plan, Bytes>(
                       "total_bytes", [](const Plan& p) { return p.memory.total(); },
                       measure(units::byte), "of the fullest GPU"),
                   required("capacity_bytes", &Plan::capacity, measure(units::byte), "of one GPU")},
        .open = true};
    for (const MemoryPart& part : memory_parts()) {
      table.fields.push_back(part_field(part, &Plan::memory, units::byte));
    }
    return table;
  }();
  return kTable;
}

const FieldTable<TimeInterval>& interval_table() {
  using I = TimeInterval;
  static const FieldTable<I> kTable{
      .type = "interval",
      .doc = "what this share of runs with this predicted time would measure",
      .fields = {shown<I, double>(
                     "share", [](const I&) { return kIntervalShare; }, figure(), "of the runs"),
                 required("low", &I::low, measure(units::second), "s"),
                 required("high", &I::high, measure(units::second), "s"),
                 added("middle", &I::middle, measure(units::second), "s, of as many as beyond")},
      .open = true};
  return kTable;
}

const FieldTable<RangeOfRuns>& range_table() {
  using R = RangeOfRuns;
  static const FieldTable<R> kTable{
      .type = "measured_range",
      .doc = "the measured runs that an interval rests on",
      .fields = {required("generation", &R::generation, or_null(json::choice(kGenerations)),
                          "of their GPUs; null: any"),
                 required("mixture_of_experts", &R::mixture_of_experts, boolean(), "or dense"),
                 required("rows", &R::rows, whole(), "runs"),
                 required("sources", &R::sources, whole(), "where they are published"),
                 required("most_gpus", &R::most_gpus, whole(), "of the largest"),
                 required("longest_sequence", &R::longest_sequence, whole(), "tokens"),
                 required("widened_by", &R::widened_by, figure(), "factor")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<Plan>& plan_fields() {
  using P = Plan;
  static const FieldTable<P> kTable{
      .type = "plan",
      .doc = "a strategy with everything that follows from it",
      .fields =
          {group("strategy", strategy_table_of_plan(), "how the run is laid onto the GPUs"),
           shown<P, Seconds>(
               "iteration_time_s", [](const P& p) { return p.time.total(); },
               measure(units::second), "of one iteration"),
           optional("iteration_time_interval_s", &P::interval, object(interval_table()),
                    "how sure it is"),
           optional("evidence", &P::evidence, object(evidence_fields()),
                    "the measured runs that it rests on"),
           group("breakdown_s", breakdown_table(), "the parts sum to iteration_time_s"),
           optional("sync_by", &P::sync_by, json::choice(kGradientSyncs),
                    "what sums the gradients"),
           added("communication", &P::communication, object(communication_fields()),
                 "what each axis communicates, and how much of that shows"),
           optional("balanced", &P::balanced, object(balanced_network_fields()),
                    "the same on a balanced network, where routing was asked for"),
           group("memory", memory_table(), "the parts sum to total_bytes"),
           shown<P, bool>(
               "fits", [](const P& p) { return p.fits(); }, boolean(),
               "the memory: of the calibrated model, up to 1.05 of it as predicted"),
           when([](const P& p) { return p.timing == Timing::calibrated; },
                shown<P, double>(
                    "p_fits", [](const P& p) { return p.p_fits(); }, figure(),
                    "probability that it fits the memory")),
           required("mfu", &P::mfu, figure(), "model FLOPs over the peak"),
           required("hfu", &P::hfu, figure(), "with recomputed FLOPs"),
           aside(shown<P, std::string>(
               "flops_convention",
               [](const P&) {
                 return std::string{
                     "model FLOPs with full (not causal) attention over the dense datasheet peak"};
               },
               any_text(), "of mfu and hfu")),
           required("model_tflops_per_gpu", &P::model_flops_per_gpu, measure(units::TFLOPs),
                    "TFLOP/s"),
           required("tokens_per_s", &P::tokens_per_second, figure(), "all GPUs together"),
           required("tokens_per_s_per_gpu", &P::tokens_per_second_per_gpu, figure(), "of one GPU")},
      .open = true};
  return kTable;
}

const FieldTable<PlanInputs>& plan_inputs_fields() {
  using I = PlanInputs;
  static const FieldTable<I> kTable{
      .type = "plan_inputs",
      .doc = "what a plan is for",
      .fields =
          {required("model", &I::model, object(catalog::model_table()), "as its file says it"),
           required("parameters", &I::parameters, figure(), "of the model"),
           required("system", &I::system, object(catalog::whole_system_table()),
                    "as its file says it"),
           required("gpus", &I::gpus, whole(), "in all"),
           required("hb_domain_used", &I::hb_domain_used, whole(), "GPUs of each that are used"),
           required("global_batch", &I::global_batch, whole(), "sequences per iteration"),
           required("sequence", &I::sequence, whole(), "tokens"),
           required("precision", &I::precision, json::choice(kPrecisions),
                    "of the matrix products"),
           required("bytes_per_parameter", &I::bytes_per_parameter, figure(), "of the closed form"),
           required("timing", &I::timing, json::choice(kTimings), "model of the time"),
           when([](const I& in) { return in.timing == Timing::closed_form; },
                shown<I, BytesPerSecond>(
                    "counted_hb_bandwidth_GBps",
                    [](const I& in) { return 2 * in.system.hb_bandwidth; }, measure(units::GBps),
                    "of the closed form: both directions of hb_bandwidth")),
           required("objective", &I::objective, json::choice(kObjectives), "what the best is"),
           optional("calibration", &I::calibration, any_text(), "constants of the model"),
           optional("software", &I::software, object(software_fields()), "what trains"),
           optional("measured_range", &I::measured_range, object(range_table()),
                    "the runs that the interval rests on"),
           optional("evidence", &I::evidence, object(evidence_fields()),
                    "the measured runs that the time rests on"),
           optional("tokens", &I::tokens, figure(), "to train"),
           required("assumed", &I::assumed, list(any_text()), "options that nobody gave")},
      .open = true};
  return kTable;
}

const FieldTable<HandedOver>& handed_over_fields() {
  using H = HandedOver;
  static const FieldTable<H> kTable{
      .type = "emitted",
      .doc = "the plan as settings of a training stack",
      .fields = {required("stack", &H::stack, json::choice(handover::kTrainingStacks),
                          "that trains"),
                 required("file", &H::file, any_text(), "what the text is"),
                 required("text", &H::text, any_text(), "the settings"),
                 required("remarks", &H::remarks, list(any_text()), "what they do not say")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

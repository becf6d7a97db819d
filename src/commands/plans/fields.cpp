#include <nlohmann/json.hpp>

#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/parts/explanation.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/plan_parts.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

Field<Strategy> split(std::string key, std::int64_t Split::*part, Split Strategy::*of) {
  return lifted<Strategy, Split>(
      [of](auto& strategy) -> auto& { return strategy.*of; },
      required(std::move(key), part, whole(), "ranks"));
}

const Table<Strategy>& placement_table() {
  using S = Strategy;
  static const Table<S> kTable = [] {
    Table<S> table{.type = "placement",
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
    return table;
  }();
  return kTable;
}

Field<Strategy> degree(std::string key, Split Strategy::*of) {
  return shown<Strategy, std::int64_t>(
      std::move(key), [of](const Strategy& s) { return (s.*of).total(); }, whole(), "degree");
}

/// Ranks that share one replica; null but under ZeRO 3. All of them are no choice.
Codec<Strategy> shard_ranks() {
  const auto plain = or_null(whole());
  return {[plain](const JsonNode& node, const ReadContext& context) -> std::optional<Strategy> {
            const auto read = plain.read(node, context);
            if (!read) return std::nullopt;
            Strategy strategy;
            strategy.shard_ranks = read->value_or(0);
            return strategy;
          },
          [plain](const Strategy& s, Json& out) {
            plain.write(s.zero == 3 ? std::optional{s.ranks_per_replica()} : std::nullopt, out);
          },
          plain.describe};
}

/// The schedule of a pipeline without interleaving is a choice; that of one with it is not.
Codec<Schedule> schedule() {
  return json::choice(kSchedules);
}

const Table<Strategy>& strategy_settings() {
  using S = Strategy;
  static const Table<S> kTable{
      .type = "strategy",
      .doc = "how the run is laid onto the GPUs",
      .fields = {degree("tp", &S::tp),
                 degree("pp", &S::pp),
                 degree("dp", &S::dp),
                 degree("cp", &S::cp),
                 degree("ep", &S::ep),
                 required("interleave", &S::interleave, whole(), "model chunks per pipeline rank"),
                 required("micro_batch", &S::micro_batch, whole(), "sequences"),
                 required("recompute", &S::recompute, json::choice(kRecomputes),
                          "what is run again"),
                 required("zero", &S::zero,
                          written_as<int>(
                              whole(), [](int stage) { return std::int64_t{stage}; },
                              [](std::int64_t stage) { return static_cast<int>(stage); }),
                          "ZeRO stage"),
                 {"shard_ranks", "that ZeRO 3 shards over", true,
                  [](const JsonNode& node, S& strategy, const ReadContext& context) {
                    const auto read = shard_ranks().read(node, context);
                    if (read) strategy.shard_ranks = read->shard_ranks;
                    return read.has_value();
                  },
                  [](const S& s, Json& out) {
                    shard_ranks().write(s, json::detail::member(out, "shard_ranks"));
                  },
                  shard_ranks().describe},
                 required("sequence_parallel", &S::sequence_parallel, boolean(),
                          "norms sharded along the sequence too"),
                 required("expert_tp", &S::expert_tp, whole(),
                          "tensor parallel degree of the experts"),
                 {"schedule", "of the pipeline", true,
                  [](const JsonNode& node, S& strategy, const ReadContext& context) {
                    const auto read = schedule().read(node, context);
                    if (read && *read != Schedule::interleaved)
                      strategy.without_interleaving = *read;
                    return read.has_value();
                  },
                  [](const S& s, Json& out) {
                    schedule().write(s.schedule(), json::detail::member(out, "schedule"));
                  },
                  schedule().describe},
                 group("placement", placement_table(), "where the ranks of each kind are")},
      .complete =
          [](S& strategy) {
            const bool all = strategy.shard_ranks == strategy.dp.total() * strategy.cp.total();
            if (all) strategy.shard_ranks = 0;
          },
      .open = true};
  return kTable;
}

const Table<Plan>& strategy_table_of_plan() {
  static const Table<Plan> kTable = [] {
    const Table<Strategy>& settings = strategy_settings();
    Table<Plan> table{.type = "strategy", .doc = settings.doc, .open = true};
    for (const Field<Strategy>& field : settings.fields) {
      Field<Plan> of_plan = lifted<Plan, Strategy>(
          [](auto& plan) -> auto& { return plan.strategy; }, field);
      of_plan.always_written = field.always_written;
      table.fields.push_back(std::move(of_plan));
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
  const Codec<Q> codec = measure(unit);
  const std::string key{part.key};
  Field<Plan> field{key,
                    std::string{part.name},
                    false,
                    [=, &part](const JsonNode& node, Plan& plan, const ReadContext& context) {
                      const auto amount = codec.read(node, context);
                      if (!amount) return false;
                      plan.*breakdown.*part.amount = *amount;
                      if (part.calibrated_only()) plan.timing = Timing::calibrated;
                      return true;
                    },
                    [=, &part](const Plan& plan, Json& out) {
                      if (plan.timing == Timing::closed_form && part.calibrated_only()) return;
                      codec.write(plan.*breakdown.*part.amount, json::detail::member(out, key));
                    },
                    codec.describe};
  field.always_written = !part.calibrated_only();
  return field;
}

const Table<Plan>& breakdown_table() {
  static const Table<Plan> kTable = [] {
    Table<Plan> table{
        .type = "breakdown", .doc = "the parts sum to iteration_time_s", .open = true};
    for (const TimePart& part : time_parts()) {
      table.fields.push_back(part_field(part, &Plan::time, units::second));
    }
    return table;
  }();
  return kTable;
}

const Table<Plan>& memory_table() {
  static const Table<Plan> kTable = [] {
    Table<Plan> table{
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

const Table<TimeInterval>& interval_table() {
  using I = TimeInterval;
  static const Table<I> kTable{
      .type = "interval",
      .doc = "what this share of runs with this predicted time would measure",
      .fields = {shown<I, double>(
                     "share", [](const I&) { return kIntervalShare; }, figure(), "of the runs"),
                 required("low", &I::low, measure(units::second), "s"),
                 required("high", &I::high, measure(units::second), "s")},
      .open = true};
  return kTable;
}

const Table<Software>& software_table() {
  using S = Software;
  const auto count = written_as<int>(
      whole(), [](int n) { return std::int64_t{n}; },
      [](std::int64_t n) { return static_cast<int>(n); });
  static const Table<S> kTable{
      .type = "software",
      .doc = "what trains",
      .fields = {required("class", &S::stack, json::choice(kSoftwareClasses), "generation"),
                 required("attention", &S::attention, json::choice(kAttentionKernels), "kernel"),
                 required("gradient_reduce_bytes", &S::gradient_reduce_bytes, count,
                          "per parameter"),
                 required("tp_overlap", &S::tp_overlap, boolean(),
                          "tensor parallelism behind products"),
                 required("micro_batches_per_flush", &S::micro_batches_per_flush, whole(),
                          "0: all of the iteration's"),
                 required("expert_overlap", &S::expert_overlap, boolean(),
                          "all-to-alls behind another micro-batch"),
                 required("expert_domain_limit", &S::expert_domain_limit, whole(), "0: any"),
                 required("dispatch_bytes", &S::dispatch_bytes, count, "per element"),
                 required("communication_sm_share", &S::communication_sm_share, figure(),
                          "of the processors")},
      .open = true};
  return kTable;
}

const Table<RangeOfRuns>& range_table() {
  using R = RangeOfRuns;
  static const Table<R> kTable{
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

const Table<TrainingTotals>& training_table() {
  using T = TrainingTotals;
  static const Table<T> kTable{
      .type = "training",
      .doc = "the whole run",
      .fields = {required("iterations", &T::iterations, figure(), "of the run"),
                 required("days", &T::time, measure(units::day), "without failures"),
                 required("gpu_hours", &T::gpu_hours, figure(), "GPU-hours")},
      .open = true};
  return kTable;
}

/// `name`_usd, and the range where there is one.
template <class V>
void add_dollars(const std::string& name, Codec<V> amount,
                 std::function<Estimate<V>&(job::PaidPlan&)> at,
                 std::function<bool(const job::PaidPlan&)> holds,
                 std::vector<Field<job::PaidPlan>>& fields) {
  using P = job::PaidPlan;
  const auto read_only = [at](const P& paid) -> const Estimate<V>& {
    return at(const_cast<P&>(paid));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  };
  const auto range = or_null(spread(amount));
  const std::string key = name + "_usd", range_key = key + "_range";
  fields.push_back(when(holds, Field<P>{key, "US dollars", true,
                                        [=](const JsonNode& node, P& paid, const ReadContext& c) {
                                          const auto read = amount.read(node, c);
                                          if (read) at(paid) = Estimate<V>::exactly(*read);
                                          return read.has_value();
                                        },
                                        [=](const P& paid, Json& out) {
                                          amount.write(read_only(paid).expected,
                                                       json::detail::member(out, key));
                                        },
                                        amount.describe}));
  fields.push_back(when(holds, Field<P>{range_key, "null: no range", true,
                                        [=](const JsonNode& node, P& paid, const ReadContext& c) {
                                          const auto read = range.read(node, c);
                                          if (read && *read) at(paid) = **read;
                                          return read.has_value();
                                        },
                                        [=](const P& paid, Json& out) {
                                          const Estimate<V>& value = read_only(paid);
                                          range.write(
                                              value.exact() ? std::nullopt : std::optional{value},
                                              json::detail::member(out, range_key));
                                        },
                                        range.describe}));
}

const Table<job::PaidPlan>& paid_table() {
  using P = job::PaidPlan;
  static const Table<P> kTable = [] {
    Table<P> table{.type = "cost", .doc = "GPUs that are paid by the hour", .open = true};
    auto& fields = table.fields;
    const auto always = [](const P&) { return true; };
    const auto a_rate =
        measure<UsdPerSecond>([](UsdPerSecond rate) { return (rate * units::hour).in(units::usd); },
                              [](double dollars) { return dollars * units::usd / units::hour; });
    const auto a_sum = measure(units::usd);
    add_dollars<UsdPerSecond>(
        "gpu_hour", a_rate, [](P & p) -> auto& { return p.price.rate; }, always, fields);
    const auto origin = [](auto& paid) -> auto& {
      return paid.price.origin;
    };
    fields.push_back(lifted<P, job::GpuPrice>(
        [](auto& paid) -> auto& { return paid.price; },
        required("economics", &job::GpuPrice::economics, text_or_null(), "the file")));
    fields.push_back(lifted<P, PriceSource>(
        origin, required("source", &PriceSource::source, any_text(), "of the price")));
    fields.push_back(lifted<P, PriceSource>(
        origin, required("as_of", &PriceSource::as_of, text_or_null(), "date")));
    fields.push_back(lifted<P, PriceSource>(
        origin, required("verified", &PriceSource::verified, boolean(), "read at its source")));
    add_dollars<Usd>(
        "per_iteration", a_sum, [](P & p) -> auto& { return p.cost.per_iteration; }, always,
        fields);
    add_dollars<Usd>(
        "per_million_tokens", a_sum, [](P & p) -> auto& { return p.cost.per_million_tokens; },
        always, fields);
    add_dollars<Usd>(
        "per_run", a_sum, [](P & p) -> auto& {
          if (!p.cost.per_run) p.cost.per_run.emplace();
          return *p.cost.per_run;
        },
        [](const P& p) { return p.cost.per_run.has_value(); }, fields);
    fields.push_back(shown<P, std::string>(
        "includes",
        [](const P&) { return std::string{"everything charged for a GPU-hour, power among it"}; },
        any_text(), "what the price covers"));
    fields.push_back(required("node_energy_kWh_per_iteration", &P::node_energy,
                              or_null(measure(units::kWh)),
                              "nodes at rated power; null: not known"));
    return table;
  }();
  return kTable;
}

const Table<System>& read_system_table() {
  static const Table<System> kTable = catalog::system_table({});
  return kTable;
}

}  // namespace

const Table<Plan>& plan_fields() {
  using P = Plan;
  static const Table<P> kTable{
      .type = "plan",
      .doc = "a strategy with everything that follows from it",
      .fields =
          {group("strategy", strategy_table_of_plan(), "how the run is laid onto the GPUs"),
           shown<P, Seconds>(
               "iteration_time_s", [](const P& p) { return p.time.total(); },
               measure(units::second), "of one iteration"),
           optional("iteration_time_interval_s", &P::interval, object(interval_table()),
                    "how sure it is"),
           group("breakdown_s", breakdown_table(), "the parts sum to iteration_time_s"),
           group("memory", memory_table(), "the parts sum to total_bytes"),
           shown<P, bool>(
               "fits", [](const P& p) { return p.fits(); }, boolean(), "the memory"),
           required("mfu", &P::mfu, figure(), "model FLOPs over the peak"),
           required("hfu", &P::hfu, figure(), "with recomputed FLOPs"),
           shown<P, std::string>(
               "flops_convention",
               [](const P&) {
                 return std::string{
                     "model FLOPs with full (not causal) attention over the dense datasheet peak"};
               },
               any_text(), "of mfu and hfu"),
           required("model_tflops_per_gpu", &P::model_flops_per_gpu, measure(units::TFLOPs),
                    "TFLOP/s"),
           required("tokens_per_s", &P::tokens_per_second, figure(), "all GPUs together"),
           required("tokens_per_s_per_gpu", &P::tokens_per_second_per_gpu, figure(), "of one GPU")},
      .open = true};
  return kTable;
}

const Table<PlanInputs>& plan_inputs_fields() {
  using I = PlanInputs;
  static const Table<I> kTable{
      .type = "plan_inputs",
      .doc = "what a plan is for",
      .fields =
          {required("model", &I::model, object(catalog::model_table()), "as its file says it"),
           required("parameters", &I::parameters, figure(), "of the model"),
           required("system", &I::system, object(read_system_table()), "as its file says it"),
           required("gpus", &I::gpus, whole(), "in all"),
           required("hb_domain_used", &I::hb_domain_used, whole(), "GPUs of each that are used"),
           required("global_batch", &I::global_batch, whole(), "sequences per iteration"),
           required("sequence", &I::sequence, whole(), "tokens"),
           required("precision", &I::precision, json::choice(kPrecisions),
                    "of the matrix products"),
           required("bytes_per_parameter", &I::bytes_per_parameter, figure(), "of the closed form"),
           required("timing", &I::timing, json::choice(kTimings), "model of the time"),
           required("objective", &I::objective, json::choice(kObjectives), "what the best is"),
           optional("calibration", &I::calibration, any_text(), "constants of the model"),
           optional("software", &I::software, object(software_table()), "what trains"),
           optional("measured_range", &I::measured_range, object(range_table()),
                    "the runs that the interval rests on"),
           optional("tokens", &I::tokens, figure(), "to train"),
           required("assumed", &I::assumed, list(any_text()), "options that nobody gave")},
      .open = true};
  return kTable;
}

const Table<HandedOver>& handed_over_fields() {
  using H = HandedOver;
  static const Table<H> kTable{
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

const Table<PlanExtras>& plan_extras_fields() {
  using E = PlanExtras;
  static const Table<E> kTable{
      .type = "extras",
      .doc = "what may be told of a plan besides",
      .fields = {optional("training", &E::training, object(training_table()), "the whole run"),
                 optional("cost", &E::paid, object(paid_table()), "GPUs paid by the hour"),
                 optional("expected", &E::forecast, object(forecast_fields()),
                          "on the network as it behaves and the cluster as it breaks"),
                 optional("explanation", &E::explanation, explained_terms(),
                          "every formula with its numbers")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands

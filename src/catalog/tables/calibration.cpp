#include "planner/catalog/tables/calibration.hpp"

#include <nlohmann/json.hpp>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/names.hpp"
#include "planner/domain/own_factor.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::catalog {

using namespace json;

namespace {

constexpr std::int64_t kMostRows = 1'000'000'000;

/// One constant as a file writes it.
struct ConstantEntry {
  double value = 0;
  ConstantOrigin origin;
};

FieldTable<ConstantEntry> constant_table(const ConstantSpec& spec) {
  using E = ConstantEntry;
  using O = ConstantOrigin;
  const auto origin = [](auto& entry) -> auto& {
    return entry.origin;
  };
  Field<O> note = optional("note", &O::note, text(), "what a user should know");
  note.written_by([](const O& from, Json& object) {
    if (!from.note.empty()) object["note"] = from.note;
  });
  return {"constant",
          std::string(spec.meaning) + (spec.unit.empty() ? "" : ", in " + std::string(spec.unit)),
          {required("value", &E::value, number({spec.low, spec.high}), "between physical limits"),
           lifted<E, O>(origin, optional("rows", &O::rows, integer(0, kMostRows),
                                         "measured runs that it acts on")),
           lifted<E, O>(origin, optional("sources", &O::sources, integer(0, kMostRows),
                                         "sources that they come from")),
           lifted<E, O>(origin, note)}};
}

/// The constant at one place of a calibration's arrays.
Field<Calibration> constant_field(std::size_t i, const FieldTable<ConstantEntry>& table) {
  const Codec<ConstantEntry> codec = object(table);
  return {std::string(constant_specs()[i].name),
          table.doc,
          true,
          [=](const JsonNode& node, Calibration& target, const ReadContext& context) {
            const std::optional<ConstantEntry> entry = codec.read(node, context);
            if (!entry) return false;
            target.values[i] = entry->value;
            target.origins[i] = entry->origin;
            return true;
          },
          [=](const Calibration& from, Json& object) {
            codec.write({from.values[i], from.origins[i]},
                        json::detail::member(object, std::string(constant_specs()[i].name)));
          },
          codec.description()};
}

/// Constants that files made before them lack: they then have their expected values.
bool is_younger(Constant constant) {
  using enum Constant;
  return constant == dp_growth || constant == ep_exposed_overlap || constant == fp8_attention ||
         constant == dropless_imbalance || constant == logit_bytes_in_place ||
         (constant >= gemm_efficiency_bf16_tpu && constant <= fsdp_exposed_jax);
}

const FieldTable<Calibration>& constants_table() {
  static const std::vector<FieldTable<ConstantEntry>> entries = [] {
    std::vector<FieldTable<ConstantEntry>> tables;
    for (const ConstantSpec& spec : constant_specs()) tables.push_back(constant_table(spec));
    return tables;
  }();
  static const FieldTable<Calibration> table = [] {
    FieldTable<Calibration> constants{"calibration", "All constants of the calibrated model", {}};
    for (std::size_t i = 0; i < kConstants; ++i) {
      constants.fields.push_back(constant_field(i, entries[i]));
      constants.fields.back().required = !is_younger(static_cast<Constant>(i));
    }
    constants.complete = [](Calibration& read) {
      for (std::size_t i = 0; i < kConstants; ++i) {
        if (read.values[i] == 0) read.values[i] = constant_specs()[i].prior;
      }
    };
    return constants;
  }();
  return table;
}

/// "constants": an object of its own in the file, two arrays in the value.
Field<Calibration> constants_field() {
  const Codec<Calibration> codec = object(constants_table());
  return {"constants",
          "every one of them, by name",
          true,
          [codec](const JsonNode& node, Calibration& target, const ReadContext& context) {
            const std::optional<Calibration> read = codec.read(node, context);
            if (!read) return false;
            target.values = read->values;
            target.origins = read->origins;
            return true;
          },
          [codec](const Calibration& from, Json& object) {
            codec.write(from, json::detail::member(object, "constants"));
          },
          codec.description()};
}

const FieldTable<ResidualClass>& residual_table() {
  using R = ResidualClass;
  constexpr Range kLogarithm{-10, 10};
  static const FieldTable<R> table{
      "residual class",
      "How far predictions of one kind of run were off where they could be checked",
      {optional("generation", &R::generation, choice(kGenerations),
                "of the GPU; any when not given"),
       required("mixture_of_experts", &R::mixture_of_experts, boolean(), "or dense"),
       required("low", &R::low, number(kLogarithm),
                "start of an 80 % interval of ln(measured/predicted), rows kept out of the fit"),
       required("high", &R::high, number(kLogarithm), "its end"),
       required("rows", &R::rows, integer(1, kMostRows), "measured runs behind it"),
       required("sources", &R::sources, integer(1, kMostRows), "sources that they come from"),
       optional("most_gpus", &R::most_gpus, integer(0, kMostRows), "of a run among them"),
       optional("longest_sequence", &R::longest_sequence, integer(0, kMostRows),
                "tokens, of a run among them")},
      {{.keys = {"high", "low"},
        .holds = [](const R& r) { return r.low <= r.high; },
        .message = [](const R&) { return std::string("must not be below \"low\""); }}}};
  return table;
}

const FieldTable<MeasuredRuns>& measured_table() {
  using M = MeasuredRuns;
  static const FieldTable<M> table{
      "measured runs",
      "Runs of one accelerator and software class that constants were fitted to",
      {required("accelerator", &M::accelerator, text(), "name in the catalog"),
       required("generation", &M::generation, choice(kGenerations), "of it"),
       required("software", &M::stack, choice(kSoftwareClasses), "that trained"),
       required("mixture_of_experts", &M::mixture_of_experts, boolean(), "or dense"),
       optional("precision", &M::precision, choice(kPrecisions),
                "of its matrix products, bf16 for all of 16 bits and more; left out: any"),
       required("rows", &M::rows, integer(1, kMostRows), "measured runs"),
       required("sources", &M::sources, list(text()), "short names of where they come from")}};
  return table;
}

const FieldTable<OutsideRuns>& outside_table() {
  using O = OutsideRuns;
  static const FieldTable<O> table = [] {
    constexpr Range kLogarithm{-10, 10};
    FieldTable<O> made{
        "outside runs",
        "Measured runs of a kind that no constant was fitted to any of",
        {},
        {{.keys = {"high", "low"},
          .holds = [](const O& o) { return o.low <= o.high; },
          .message = [](const O&) { return std::string("must not be below \"low\""); }}}};
    for (const Field<MeasuredRuns>& field : measured_table().fields) {
      made.fields.push_back(lifted<O, MeasuredRuns>(
          [](auto& outside) -> auto& { return outside.of; }, field));
    }
    made.fields.push_back(
        required("low", &O::low, number(kLogarithm), "10 % quantile of ln(measured/predicted)"));
    made.fields.push_back(required("high", &O::high, number(kLogarithm), "90 % quantile of it"));
    return made;
  }();
  return table;
}

const FieldTable<OwnRuns>& own_table() {
  using O = OwnRuns;
  constexpr Range kLogarithm{-10, 10};
  static const FieldTable<O> table{
      "own runs",
      "By how much predictions are off one's own runs on an accelerator by a software class",
      {required("accelerator", &O::accelerator, text(), "name in the catalog"),
       required("software", &O::stack, choice(kSoftwareClasses), "that trained"),
       required("mixture_of_experts", &O::mixture_of_experts, boolean(), "or dense"),
       optional("parameters", &O::parameters, number({0, 1e18}),
                "of the model; of a mixture of experts, whose runs say nothing of another"),
       optional("precision", &O::precision, choice(kPrecisions),
                "of its matrix products, bf16 for all of 16 bits and more; left out: any"),
       required("factor", &O::factor, number({kLeastOwnFactor, kMostOwnFactor}),
                "of predicted times"),
       required("low", &O::low, number(kLogarithm),
                "start of an 80 % interval of ln(measured/predicted), the factor counted in"),
       required("high", &O::high, number(kLogarithm), "its end"),
       required("rows", &O::rows, integer(1, kMostRows), "measured runs behind it"),
       optional("most_gpus", &O::most_gpus, integer(0, kMostRows), "of a run among them"),
       optional("longest_sequence", &O::longest_sequence, integer(0, kMostRows),
                "tokens, of a run among them")},
      {{.keys = {"high", "low"},
        .holds = [](const O& o) { return o.low <= o.high; },
        .message = [](const O&) { return std::string("must not be below \"low\""); }},
       {.keys = {"parameters"},
        .holds = [](const O& o) { return o.mixture_of_experts == (o.parameters > 0); },
        .message =
            [](const O&) { return std::string("of mixtures of experts alone, and of each"); }}}};
  return table;
}

}  // namespace

const FieldTable<Calibration>& calibration_table() {
  using C = Calibration;
  static const FieldTable<C> table{
      "calibration",
      "Constants of the calibrated timing and memory model",
      {name_field<C>(), title_field<C>(), constants_field(),
       optional("residuals", &C::residuals, list(object(residual_table())),
                "how sure predictions are, by kind of run"),
       optional("measured", &C::measured, list(object(measured_table())),
                "which systems and software measured runs are of"),
       optional("outside", &C::outside, list(object(outside_table())),
                "what measured runs showed of systems and software that none of those are of"),
       optional("own", &C::own, list(object(own_table())), "what runs of one's own say of theirs"),
       optional("routing", &C::routing, object(routing_table()),
                "of the measured runs, on the network planned with: "
                "slowdowns are against it; left out: evenly loaded links"),
       sources_field<C>()},
      {},
      check_source_keys,
      complete_title<C>};
  return table;
}

Calibration parse_calibration(std::string_view text, std::string_view source_name) {
  return parse_document(calibration_table(), {source_name, text});
}

Json to_json(const Calibration& calibration) {
  Json out;
  write_object(calibration_table(), calibration, out);
  return out;
}

}  // namespace planner::catalog

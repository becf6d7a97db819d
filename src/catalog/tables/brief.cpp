#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/catalog/briefs.hpp"
#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/network_choice.hpp"
#include "planner/catalog/tables/site.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/estimate_codec.hpp"

namespace planner::catalog {

using namespace json;

namespace {

constexpr std::int64_t kMostBatches = 1000;
constexpr std::int64_t kMostChosenGpus = 10'000'000;

/// Values from one to another in steps.
struct Steps {
  std::int64_t from = 1, to = 1, step = 1;
};

const FieldTable<Steps>& steps_table() {
  using S = Steps;
  static const FieldTable<S> table{
      "range",
      "Values from one to another in steps",
      {required("from", &S::from, count(), "the first"),
       required("to", &S::to, count(), "the last, where the steps meet it"),
       required("step", &S::step, count(), "from one to the next")},
      {{.keys = {"to", "from"},
        .holds = [](const S& steps) { return steps.from <= steps.to; },
        .message = [](const S&) { return std::string("must not be below \"from\""); }},
       {.keys = {"step", "from", "to"},
        .holds = [](const S& steps) { return (steps.to - steps.from) / steps.step < kMostBatches; },
        .message =
            [](const S&) {
              return "makes more than " + std::to_string(kMostBatches) + " values";
            }}}};
  return table;
}

/// One number, a list of them, or a range.
Codec<std::vector<std::int64_t>> numbers() {
  using Numbers = std::vector<std::int64_t>;
  const Codec<std::int64_t> one = count();
  const Codec<Numbers> several = list(count());
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<Numbers> {
            if (node.get<JsonNode::Array>() != nullptr) return several.read(node, context);
            if (node.get<JsonNode::Object>() == nullptr) {
              const auto number = one.read(node, context);
              return number ? std::optional(Numbers{*number}) : std::nullopt;
            }
            const auto steps = read_object(steps_table(), node, context);
            if (!steps) return std::nullopt;
            Numbers values;
            for (std::int64_t value = steps->from; value <= steps->to; value += steps->step) {
              values.push_back(value);
            }
            return values;
          },
          [=](const Numbers& values, Json& out) {
            if (values.size() == 1) {
              one.write(values.front(), out);
            } else {
              several.write(values, out);
            }
          },
          [=](Json& schema) {
            json::detail::describe_one_of(
                schema, {one.description(), several.description(),
                         [](Json& range) { describe_object(steps_table(), range); }});
          }};
}

const FieldTable<GpuChoice>& gpu_range_table() {
  using G = GpuChoice;
  static const FieldTable<G> table{
      "GPU range",
      "Every whole number of nodes, and of HB domains, in a range of GPUs",
      {optional("from", &G::from, integer(1, kMostChosenGpus), "the fewest"),
       optional("to", &G::to, integer(1, kMostChosenGpus), "the most")},
      {{.keys = {"to", "from"},
        .holds = [](const G& gpus) { return gpus.from <= gpus.to; },
        .message = [](const G&) { return std::string("must not be below \"from\""); }}}};
  return table;
}

/// Counts, or a range.
Codec<GpuChoice> gpu_choice() {
  const Codec<std::vector<std::int64_t>> counts = list(integer(1, kMostChosenGpus));
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<GpuChoice> {
            if (node.get<JsonNode::Array>() == nullptr) {
              return read_object(gpu_range_table(), node, context);
            }
            auto read = counts.read(node, context);
            if (!read) return std::nullopt;
            if (read->empty()) {
              context.report(node, "bad-value", "must name a number of GPUs");
              return std::nullopt;
            }
            return GpuChoice{.counts = *std::move(read)};
          },
          [=](const GpuChoice& gpus, Json& out) {
            if (gpus.counts.empty()) {
              write_object(gpu_range_table(), gpus, out);
            } else {
              counts.write(gpus.counts, out);
            }
          },
          [=](Json& schema) {
            json::detail::describe_one_of(schema, {counts.description(), [](Json& range) {
                                                     describe_object(gpu_range_table(), range);
                                                   }});
          }};
}

/// Not written where it is the model's.
Field<BriefRun> run_name() {
  using R = BriefRun;
  Field<R> field = derived("name", &R::name, text(), "as answers call it; left out: by its model");
  field.written_by([shown = field](const R& run, Json& object) {
    if (!run.name.empty()) shown.write(run, object);
  });
  return field;
}

const FieldTable<BriefRun>& brief_run_table() {
  using R = BriefRun;
  static const FieldTable<R> table{
      "brief run",
      "What is to be trained",
      {run_name(), required("model", &R::model, text(), "catalog name or file"),
       optional("sequence", &R::sequence, count(),
                "tokens per sequence; left out: the model's reference run"),
       required("tokens", &R::tokens, number({1, 1e18}), "to train in all"),
       optional("global_batch", &R::global_batch, numbers(),
                "sequences per iteration: one number, or several to choose from; left out: the "
                "model's reference run")}};
  return table;
}

/// One run, or several that come one after the other.
Codec<std::vector<BriefRun>> runs() {
  using Runs = std::vector<BriefRun>;
  const Codec<BriefRun> one = object(brief_run_table());
  const Codec<Runs> several = list(one);
  return {[=](const JsonNode& node, const ReadContext& context) -> std::optional<Runs> {
            if (node.get<JsonNode::Array>() == nullptr) {
              auto run = one.read(node, context);
              return run ? std::optional(Runs{*std::move(run)}) : std::nullopt;
            }
            auto read = several.read(node, context);
            if (read && read->empty()) {
              context.report(node, "bad-value", "must name a run");
              return std::nullopt;
            }
            return read;
          },
          [=](const Runs& runs, Json& out) {
            if (runs.size() == 1) {
              one.write(runs.front(), out);
            } else {
              several.write(runs, out);
            }
          },
          [=](Json& schema) {
            json::detail::describe_one_of(schema, {one.description(), several.description()});
          }};
}

Codec<Watts> megawatts() {
  return quantity(1e6 * units::W, Range::positive());
}

const FieldTable<BriefLimits>& limits_table() {
  using L = BriefLimits;
  static const FieldTable<L> table{
      "brief limits",
      "What a design may come to at most; left out: not limited",
      {optional("days", &L::days, number({1e-6, 1e6}), "of all runs"),
       optional("capex_usd", &L::capex, money(), "paid on the day of the purchase"),
       optional("tco_usd", &L::tco, money(),
                "total cost of ownership; where the economics have a cost of capital or a tax "
                "rate, the net present cost (after tax) in its place"),
       optional("run_cost_usd", &L::run_cost, money(), "of it, for the runs"),
       optional("it_power_MW", &L::power, megawatts(), "rated, of nodes and network"),
       optional("facility_power_MW", &L::facility_power, megawatts(), "the same with cooling"),
       optional("gpus", &L::gpus, integer(1, kMostChosenGpus), "bought")}};
  return table;
}

const FieldTable<BriefChoices>& choices_table() {
  using C = BriefChoices;
  static const FieldTable<C> table{
      "brief choices",
      "What there is to choose from; left out: all that the catalog can price",
      {optional("systems", &C::systems, list(text()), "catalog names or files"),
       optional("gpus", &C::gpus, gpu_choice(), "numbers of GPUs to buy"),
       optional("networks", &C::networks, list(network_choice()),
                "networks, each as a cluster file has it"),
       optional("spares", &C::spares, list(integer(0, kMostChosenGpus)),
                "nodes, or larger HB domains, kept ready for failed ones, of which the most that "
                "stand idle are; left out: all that stand idle")}};
  return table;
}

const FieldTable<OwnedGpus>& owned_table() {
  using O = OwnedGpus;
  static const FieldTable<O> table{
      "owned",
      "GPUs that are there already, without their network: what a design has no use for is sold",
      {required("system", &O::system, text(), "catalog name or file"),
       required("gpus", &O::gpus, integer(1, kMostChosenGpus), "in whole nodes"),
       required("resale_usd", &O::resale, money(), "what all of them would sell for")}};
  return table;
}

bool all_different(auto names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

void complete(Brief& brief) {
  if (brief.name.empty()) brief.name = "brief";
  complete_title(brief);
}

}  // namespace

const FieldTable<Brief>& brief_table() {
  using B = Brief;
  static const FieldTable<B> table{
      "brief",
      "What to train, by when, for how much: the question to planner design",
      {derived("name", &B::name, text(), "as on the command line"), title_field<B>(),
       required("run", &B::runs, runs(),
                "what is to be trained; several runs come one after the other on the same cluster"),
       optional("limits", &B::limits, object(limits_table()), "what it may come to at most"),
       optional("confidence", &B::confidence, number({0.5, 0.999}),
                "share of cases in which days and money stay within the limits"),
       optional("minimise", &B::minimise, choice(kMeasures), "what is to be least"),
       optional("front", &B::front, list(choice(kMeasures)),
                "two or three of these: designs that no other beats in all of them"),
       optional("choices", &B::choices, object(choices_table()), "what there is to choose from"),
       optional("owned", &B::owned, list(object(owned_table())),
                "GPUs that are there already: kept at what they would sell for, or sold"),
       optional("lead_weeks", &B::lead_weeks, named(number({0, 520})),
                "weeks from the order until a system's nodes run, by its name: days then count "
                "from the order; left out: no time"),
       optional("precision", &B::precision, choice(kPrecisions), "of the matrix products"),
       optional("prices", &B::prices, text(), "price book: catalog name or file"),
       optional("economics", &B::economics, text(), "catalog name or file"),
       optional("rates", &B::rates, text(), "of failures: catalog name or file; left out: none"),
       optional("recovery", &B::recovery, object(recovery_table()),
                "how the run meets them, where it is not as the rates say"),
       optional("build", &B::build, object(build_table()),
                "the building that clusters are to stand in: cables and transceivers then follow "
                "their lengths; left out: as their number has them"),
       optional("routing", &B::routing, object(routing_table()),
                "of the run's flows; left out: perfectly balanced"),
       optional("notes", &B::notes, list(text()), "what a reader of the report should know"),
       sources_field<B>()},
      {{.keys = {"run"},
        .holds =
            [](const B& brief) {
              std::vector<std::string> names;
              for (const BriefRun& run : brief.runs) names.push_back(run.called());
              return all_different(std::move(names));
            },
        .message =
            [](const B&) {
              return std::string("has two runs of one name: \"name\" tells them apart");
            }},
       {.keys = {"front"},
        .holds =
            [](const B& brief) {
              return brief.front.empty() || (brief.front.size() >= 2 && brief.front.size() <= 3);
            },
        .message = [](const B&) { return std::string("must name two or three"); }},
       {.keys = {"recovery", "rates"},
        .holds = [](const B& brief) { return !brief.recovery || brief.rates; },
        .message = [](const B&) { return std::string("needs \"rates\" to recover from"); }},
       {.keys = {"choices", "rates"},
        .holds = [](const B& brief) { return brief.choices.spares.empty() || brief.rates; },
        .message =
            [](const B&) {
              return std::string("has spares, which need \"rates\" to stand by for");
            }},
       {.keys = {"recovery"},
        .holds =
            [](const B& brief) {
              const auto& how = brief.recovery;
              return !how || !(how->spares || how->spare_pools || how->tray || how->spare_trays);
            },
        .message =
            [](const B&) {
              return std::string(
                  "names spares: how many stand by is a choice of the design "
                  "(\"spares\" in \"choices\"), in one pool, without spare trays");
            }},
       {.keys = {"owned"},
        .holds =
            [](const B& brief) {
              std::vector<std::string> names;
              for (const OwnedGpus& one : brief.owned) names.push_back(one.system);
              return all_different(std::move(names));
            },
        .message = [](const B&) { return std::string("names a system twice"); }},
       {.keys = {"front"},
        .holds = [](const B& brief) { return all_different(brief.front); },
        .message = [](const B&) { return std::string("names one twice"); }}},
      check_source_keys,
      complete};
  return table;
}

Brief parse_brief(std::string_view text, std::string_view source_name) {
  return parse_document(brief_table(), {source_name, text});
}

nlohmann::ordered_json to_json(const Brief& brief) {
  Json out;
  write_object(brief_table(), brief, out);
  return out;
}

Brief load_brief(const Catalog& catalog, const std::string& ref) {
  const CatalogFile file = catalog.read(kinds::brief, ref);
  return parse_brief(file.text, file.source_name);
}

}  // namespace planner::catalog

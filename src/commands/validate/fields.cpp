#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "planner/commands/parts/error_summary.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/commands/validate/validate.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

const FieldTable<published::Check>& check_fields() {
  using C = published::Check;
  static const FieldTable<C> kTable{
      .type = "check",
      .doc = "a published figure beside ours",
      .fields = {required("id", &C::id, any_text(), "of the case or table row that it belongs to"),
                 required("source", &C::source, any_text(), "paper and table"),
                 required("quantity", &C::quantity, any_text(), "what is compared"),
                 required("unit", &C::unit, any_text(), "of the figures; may be empty"),
                 required("kind", &C::kind, json::choice(published::kKinds), "what is behind ours"),
                 required("published", &C::published, figure_or_null(), "as printed"),
                 required("ours", &C::ours, figure_or_null(), "null where nothing is computed"),
                 required("tolerance", &C::tolerance, figure_or_null(),
                          "largest difference that is none"),
                 shown<C>(
                     "reproduced",
                     [](const C& check) {
                       return check.checked() ? std::optional{check.reproduced()} : std::nullopt;
                     },
                     or_null(boolean()), "null where nothing is tested"),
                 required("note", &C::note, any_text(), "why they differ, where they do"),
                 when([](const C& check) { return check.at_odds; },
                      optional("at_odds", &C::at_odds, boolean(),
                               "known not to follow from the source's own inputs")),
                 when([](const C& check) { return check.ceiling; },
                      optional(
                          "ceiling", &C::ceiling, boolean(),
                          "ours bounds what was measured: reproduced where that is not above it"))},
      .open = true};
  return kTable;
}

const FieldTable<PublishedAnswer>& published_fields() {
  using A = PublishedAnswer;
  const auto counted = [](const char* key, bool (*counts)(const published::Check&),
                          const char* doc) {
    return shown<A>(
        key,
        [counts](const A& answer) {
          return std::count_if(answer.rows.begin(), answer.rows.end(), counts);
        },
        whole(), doc);
  };
  using C = published::Check;
  static const FieldTable<A> kTable{
      .type = "published",
      .doc = "published figures beside ours",
      .fields = {counted(
                     "count", [](const C& row) { return row.checked(); }, "that are tested"),
                 counted(
                     "reproduced", [](const C& row) { return row.reproduced(); },
                     "of them, within their tolerance"),
                 counted(
                     "not_checked", [](const C& row) { return !row.checked(); },
                     "shown, and test nothing"),
                 required("rows", &A::rows, list(object(check_fields())), "source by source")},
      .open = true};
  return kTable;
}

/// Seconds, or GB as files of measured runs have them.
FieldTable<ValidatedRow> row_fields(double unit) {
  using R = ValidatedRow;
  const auto predicted = [](const R& row) { return row.skipped.empty(); };
  return {
      .type = "row",
      .doc = "a measured run and what is predicted of it, or why it was left out",
      .fields =
          {required("id", &R::id, any_text(), "of the file's row"),
           when(predicted, required("measured", &R::measured, in_units_of(unit), "as measured")),
           when(predicted, required("predicted", &R::predicted, in_units_of(unit), "by us")),
           when(predicted,
                required("error_pct", &R::error, percent(), "of the prediction, with its sign")),
           when([](const R& row) { return !row.in_fit; },
                optional("in_fit", &R::in_fit, boolean(), "false: no constant is fitted to it")),
           optional("inside_interval", &R::inside, boolean(),
                    "whether the measured time lies in the 80 % interval"),
           optional("fits", &R::fits, boolean(),
                    "whether the plan of what ran is said to fit the memory"),
           when([](const R& row) { return !row.skipped.empty(); },
                required("skipped", &R::skipped, any_text(), "why it was left out"))},
      .open = true};
}

/// In the unit of the quantity, which stands before them.
Field<Validation> rows_field() {
  static const FieldTable<ValidatedRow> kTimes = row_fields(1), kMemories = row_fields(1e9);
  const auto codec = [](const Validation& of) {
    static const auto kOfTimes = list(object(kTimes)), kOfMemories = list(object(kMemories));
    return of.what == Validated::memory ? kOfMemories : kOfTimes;
  };
  return {"rows",
          "row by row",
          true,
          [codec](const JsonNode& node, Validation& target, const ReadContext& context) {
            auto rows = codec(target).read(node, context);
            if (rows) target.rows = *std::move(rows);
            return rows.has_value();
          },
          [codec](const Validation& from, Json& object) {
            codec(from).write(from.rows, json::detail::member(object, "rows"));
          },
          list(object(kTimes)).description()};
}

std::string word_of(const std::string& name) {
  return name;
}
std::string word_of(MemoryMetric metric) {
  return std::string{name_of(metric)};
}
std::string word_of(std::int64_t year) {
  return std::to_string(year);
}
void take(const std::string& word, ErrorSummary errors, std::map<std::int64_t, ErrorSummary>& all) {
  std::int64_t year = 0;
  const char* const end = word.data() + word.size();
  if (std::from_chars(word.data(), end, year).ptr == end) all[year] = errors;
}
void take(const std::string& word, ErrorSummary errors, std::map<std::string, ErrorSummary>& all) {
  all[word] = errors;
}
void take(const std::string& word, ErrorSummary errors, std::map<MemoryMetric, ErrorSummary>& all) {
  if (const auto metric = value_named(word, kMemoryMetrics)) all[*metric] = errors;
}

/// Errors by the name of what they are of.
template <class Key>
Field<Validation> by_name(const char* key, std::map<Key, ErrorSummary> Validation::*place,
                          const char* doc) {
  const auto codec = named(object(error_summary_fields()));
  return {key,
          doc,
          true,
          [=](const JsonNode& node, Validation& target, const ReadContext& context) {
            const auto pairs = codec.read(node, context);
            if (!pairs) return false;
            for (const auto& [word, errors] : *pairs) take(word, errors, target.*place);
            return true;
          },
          [=](const Validation& from, Json& object) {
            std::vector<std::pair<std::string, ErrorSummary>> pairs;
            for (const auto& [name, errors] : from.*place)
              pairs.emplace_back(word_of(name), errors);
            codec.write(pairs, json::detail::member(object, key));
          },
          codec.description()};
}

const FieldTable<Curse>& curse_fields() {
  using C = Curse;
  static const FieldTable<C> kTable{
      .type = "curse",
      .doc = "the optimizer's curse: whether what is predicted best is too good",
      .fields = {required("mean_claim_pct", &C::mean_claim, percent(),
                          "the best time predicted over the best measured, less 100"),
                 required("median_claim_pct", &C::median_claim, percent(), "its median"),
                 required("mean_slower_pct", &C::mean_slower, percent(),
                          "what strategies predicted best took over what is predicted of them"),
                 required("median_slower_pct", &C::median_slower, percent(), "its median"),
                 required("all_mean_slower_pct", &C::all_mean_slower, percent(),
                          "the same of all strategies, mean of the groups' means"),
                 required("all_median_slower_pct", &C::all_median_slower, percent(),
                          "median of the groups' means")},
      .open = true};
  return kTable;
}

const FieldTable<RankStatistics>& rank_fields() {
  using R = RankStatistics;
  static const FieldTable<R> kTable{
      .type = "rank",
      .doc = "how well predictions order strategies of groups that differ in nothing else",
      .fields = {required("groups", &R::groups, whole(), "of three strategies or more"),
                 required("mean_regret_pct", &R::mean_regret, percent(),
                          "time of the predicted best over the measured best, less 100"),
                 required("within_5_pct", &R::within_5_pct, percent(),
                          "groups with a regret of 5 % at most"),
                 required("kendall_tau", &R::kendall_tau, figure(), "mean over the groups"),
                 optional("curse", &R::curse, object(curse_fields()),
                          "of the strategy predicted best in each group")},
      .open = true};
  return kTable;
}

/// Of no rows there is no share.
const FieldTable<Coverage>& coverage_fields() {
  using C = Coverage;
  static const FieldTable<C> kTable = [] {
    Field<C> held = required("held_pct", &C::held, percent(), "of their weight; null: no rows");
    held.written_by([](const C& of, Json& object) {
      object["held_pct"] = of.rows > 0 ? Json(100 * of.held) : Json(nullptr);
    });
    held.describe = figure_or_null().description();
    return FieldTable<C>{
        .type = "coverage",
        .doc = "how many rows intervals hold",
        .fields = {required("rows", &C::rows, whole(), "that have an interval"), std::move(held)},
        .open = true};
  }();
  return kTable;
}

const FieldTable<Refusals>& refusal_fields() {
  using F = Refusals;
  static const FieldTable<F> kTable{
      .type = "fits",
      .doc = "runs whose plan is said not to fit the memory, although they ran",
      .fields = {required("ran", &F::ran, whole(), "runs"),
                 required("said_not_to_fit", &F::said_not_to_fit, whole(), "of them")},
      .open = true};
  return kTable;
}

/// All runs, and the same of some.
const FieldTable<Validation>& fits_fields() {
  using V = Validation;
  static const FieldTable<V> kTable = [] {
    FieldTable<V> table{.type = "fits", .doc = refusal_fields().doc, .open = true};
    for (const Field<Refusals>& field : refusal_fields().fields) {
      table.fields.push_back(lifted<V, Refusals>(
          [](auto& of) -> auto& { return of.fits; }, field));
    }
    table.fields.push_back(
        required("core", &V::core_fits, object(refusal_fields()), "at most 36 runs of a source"));
    table.fields.push_back(required("recomputation_stated", &V::stated_fits,
                                    object(refusal_fields()), "by the source"));
    return table;
  }();
  return kTable;
}

const FieldTable<CoverageByKind>& interval_fields() {
  using C = CoverageByKind;
  static const FieldTable<C> kTable = [] {
    const auto by_source = named(object(coverage_fields()));
    return FieldTable<C>{
        .type = "intervals",
        .doc = "what the intervals of predictions hold",
        .fields = {shown<C>(
                       "share_pct", [](const C&) { return kIntervalShare; }, percent(),
                       "that they are to hold"),
                   required("dense", &C::dense, object(coverage_fields()), "dense models"),
                   required("mixtures_of_experts", &C::moe, object(coverage_fields()),
                            "mixtures of experts"),
                   younger(required("all", &C::all, object(coverage_fields()), "both")),
                   younger(required("core", &C::core, object(coverage_fields()),
                                    "at most 36 runs of a source")),
                   younger(required("moe_core", &C::moe_core, object(coverage_fields()),
                                    "of those, mixtures of experts")),
                   younger(Field<C>{
                       "by_source", "rows of each source", true,
                       [by_source](const JsonNode& node, C& target, const ReadContext& context) {
                         const auto pairs = by_source.read(node, context);
                         if (!pairs) return false;
                         target.by_source = {pairs->begin(), pairs->end()};
                         return true;
                       },
                       [by_source](const C& from, Json& object) {
                         by_source.write({from.by_source.begin(), from.by_source.end()},
                                         json::detail::member(object, "by_source"));
                       },
                       by_source.description()})},
        .open = true};
  }();
  return kTable;
}

Codec<Validated> quantity_name() {
  static const std::map<Validated, std::string> kNames{{Validated::time, "iteration time"},
                                                       {Validated::memory, "peak memory of a GPU"}};
  const Codec<std::string> plain = word({kNames.at(Validated::time), kNames.at(Validated::memory)});
  return {[plain](const JsonNode& node, const ReadContext& context) -> std::optional<Validated> {
            const auto name = plain.read(node, context);
            if (!name) return std::nullopt;
            return *name == kNames.at(Validated::time) ? Validated::time : Validated::memory;
          },
          [plain](const Validated& what, Json& out) { plain.write(kNames.at(what), out); },
          plain.description()};
}

const FieldTable<MeasuredAnswer>& measured_fields() {
  using A = MeasuredAnswer;
  using V = Validation;
  static const FieldTable<A> kTable = [] {
    const auto of = [](Field<V> field) {
      return lifted<A, V>(
          [](auto& answer) -> auto& { return answer.validation; }, std::move(field));
    };
    const auto errors = [](const char* key, ErrorSummary V::*place, const char* doc) {
      return required(key, place, object(error_summary_fields()), doc);
    };
    const auto memory = [](const A& answer) { return answer.validation.what == Validated::memory; };
    const auto time = [](const A& answer) { return answer.validation.what == Validated::time; };
    return FieldTable<A>{
        .type = "measured",
        .doc = "predictions of the calibrated model beside measured runs",
        .fields =
            {of(required("quantity", &V::what, quantity_name(), "what was measured")),
             shown<A>(
                 "unit", [=](const A& answer) { return std::string{memory(answer) ? "GB" : "s"}; },
                 word({"s", "GB"}), "of the rows"),
             required("data", &A::data, or_null(any_text()), "the file; null: our rows"),
             required("calibration", &A::calibration, any_text(), "its name"),
             required("left_out", &A::leave_out, or_null(json::choice(kLeaveOuts)),
                      "what each row's prediction was fitted without"),
             of(errors("total", &V::total, "all rows")),
             of(errors("core", &V::core, "at most 36 runs of a source")),
             of(errors("moe_core", &V::moe_core, "of those, mixtures of experts")),
             of(younger(errors("moe", &V::moe, "all mixtures of experts"))),
             when([](const A& answer) { return answer.validation.beside.count > 0; },
                  of(younger(errors("beside_fit", &V::beside,
                                    "rows that no constant is fitted to, in no other figure")))),
             of(by_name("by_source", &V::by_source, "rows of each source")),
             of(younger(by_name("by_year", &V::by_year, "rows of sources of each year"))),
             of(by_name("without_suspects", &V::without_suspects,
                        "sources with rows marked SUSPECT, without these")),
             when(memory, of(errors("sources_of_3_rows_or_more", &V::larger_sources,
                                    "rows of such sources"))),
             when(memory, of(by_name("by_metric", &V::by_metric, "what tools call a peak"))),
             when(time, of(required("rank", &V::rank, object(rank_fields()),
                                    "of strategies among each other"))),
             when(time, of(required("intervals", &V::intervals, object(interval_fields()),
                                    "80 % of alike runs"))),
             when([](const A& answer) { return !answer.leave_out; },
                  of(group("fits", fits_fields(), "runs that ran and are refused"))),
             of(rows_field())},
        .open = true};
  }();
  return kTable;
}

}  // namespace

const FieldTable<ValidateAnswer>& validate_fields() {
  static const FieldTable<ValidateAnswer> kTable{
      .type = "answer",
      .doc = "an answer of validate",
      .fields = {one_of("result", &ValidateAnswer::result, "of published figures or measured runs",
                        published_fields(), measured_fields(), nearest_fields())},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
